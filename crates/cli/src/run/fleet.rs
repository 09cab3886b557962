//! The processes of a run and what happens to them.

use std::path::Path;
use std::time::{Duration, Instant};

use downpour::record::Decided;
use downpour_tensor::{Result, Status};
use rustix::process::{Pid, Signal};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::elastic::Decisions;
use super::guard::Guard;
use super::output::{Label, Stream, Tail};
use super::plan::{Role, Unit};
use super::process::{End, Process, is_stopped, signal};

/// How often stopped processes are looked for at the end of a run.
const GLANCE: Duration = Duration::from_millis(250);
const CONNECT_PAUSE: Duration = Duration::from_millis(20);

/// One unit over all its restarts.
pub struct Member {
    pub unit: Unit,
    pub restarts: u32,
    /// Of the latest start.
    pub started: Instant,
    pub tail: Tail,
    /// Set while it runs.
    group: Option<Pid>,
    /// It ended well and is not started again.
    pub done: bool,
    /// It was asked to end.
    pub asked: bool,
    /// Since when it was seen to be stopped (SIGSTOP).
    pub stopped: Option<Instant>,
    label: Label,
}

/// What happened.
pub enum Event {
    /// Every server accepts connections.
    ServersReady,
    /// The pause before a restart is over.
    RestartDue(usize),
    Ended(usize, End),
    /// It could not be started, or not be waited for.
    Lost(usize, std::io::Error),
    /// It is time to look for stopped processes again.
    Glance,
    /// The process of this start has had its time to end.
    EndDue(usize, Instant),
    /// The coordinator wants other workers.
    Decided(Decisions, Vec<Decided>),
}

pub struct Fleet {
    pub members: Vec<Member>,
    pub events: JoinSet<Event>,
    guard: Guard,
    own: Label,
}

impl Fleet {
    /// What processes write goes to files in `logs`, or else to the terminal.
    pub fn new(units: Vec<Unit>, guard: Guard, logs: Option<&Path>) -> Result<Fleet> {
        const OWN: &str = "downpour";
        let width = units.iter().map(|unit| unit.name.len()).max().unwrap_or(0).max(OWN.len());
        let label = |name: &str, number: usize| {
            let label = Label::new(name, width, number);
            let Some(folder) = logs else { return Ok(label) };
            label.into_log(folder, name).map_err(|e| {
                Status::permission_denied(format!(
                    "cannot write logs into {}: {e}",
                    folder.display()
                ))
            })
        };
        let member = |(number, unit): (usize, Unit)| {
            Ok(Member {
                label: label(&unit.name, number + 1)?,
                restarts: 0,
                started: Instant::now(),
                tail: Tail::default(),
                group: None,
                // Nobody waits for one that was not asked for.
                done: unit.spare,
                asked: false,
                stopped: None,
                unit,
            })
        };
        let members = units.into_iter().enumerate().map(member).collect::<Result<_>>()?;
        Ok(Fleet { members, events: JoinSet::new(), guard, own: label(OWN, 0)? })
    }

    /// A line of our own among the others'.
    pub fn say(&self, text: &str) {
        self.own.print(Stream::Err, text.as_bytes());
    }

    /// Starts the units of these roles.
    pub fn start_all(&mut self, roles: &[Role]) {
        for index in 0..self.members.len() {
            let unit = &self.members[index].unit;
            if roles.contains(&unit.role) && !unit.spare {
                self.start(index);
            }
        }
    }

    pub fn start(&mut self, index: usize) {
        let member = &mut self.members[index];
        (member.done, member.asked, member.stopped) = (false, false, None);
        member.started = Instant::now();
        member.tail = Tail::default();
        match Process::start(&member.unit, member.restarts, &member.label, &member.tail) {
            Ok(process) => {
                member.group = Some(process.group);
                self.guard.watch(process.group);
                self.events.spawn(async move {
                    match process.wait().await {
                        Ok(end) => Event::Ended(index, end),
                        Err(e) => Event::Lost(index, e),
                    }
                });
            }
            Err(e) => drop(self.events.spawn(async move { Event::Lost(index, e) })),
        }
    }

    /// An event for when every server that was started accepts connections.
    pub fn announce_servers(&mut self) {
        let addresses: Vec<String> =
            self.members.iter().filter_map(|member| member.unit.address.clone()).collect();
        self.events.spawn(async move {
            for address in addresses {
                // Without a limit: a server that will never listen ends, which is an event of its own.
                while TcpStream::connect(&address).await.is_err() {
                    tokio::time::sleep(CONNECT_PAUSE).await;
                }
            }
            Event::ServersReady
        });
    }

    /// An event for when the coordinator has decided something.
    pub fn follow(&mut self, mut decisions: Decisions) {
        self.events.spawn(async move {
            let found = decisions.next().await;
            Event::Decided(decisions, found)
        });
    }

    /// Asks one process to end. One that has not after `grace` (it may be slow because it hangs) is killed.
    pub fn end(&mut self, index: usize, grace: Duration) {
        let member = &mut self.members[index];
        member.asked = true;
        if let Some(group) = member.group {
            signal(group, Signal::TERM);
        }
        let start = member.started;
        self.events.spawn(async move {
            tokio::time::sleep(grace).await;
            Event::EndDue(index, start)
        });
    }

    /// Kills a process that was asked to end, unless that start of it is over.
    pub fn kill(&self, index: usize, start: Instant) {
        let member = &self.members[index];
        if let Some(group) = member.group.filter(|_| member.asked && member.started == start) {
            self.say(&format!("{} has not ended: killing it", member.unit.name));
            signal(group, Signal::KILL);
        }
    }

    /// An event for when it is time to look for stopped processes.
    pub fn glance_later(&mut self) {
        self.events.spawn(async {
            tokio::time::sleep(GLANCE).await;
            Event::Glance
        });
    }

    /// Clients that have been stopped (SIGSTOP) for so long, as far as we have looked.
    pub fn long_stopped(&mut self, limit: Duration) -> Vec<usize> {
        let mut found = Vec::new();
        for (index, member) in self.members.iter_mut().enumerate() {
            let ours = member.unit.role == Role::Client;
            match member.group.filter(|group| ours && is_stopped(*group)) {
                None => member.stopped = None,
                Some(_) => {
                    let since = *member.stopped.get_or_insert_with(Instant::now);
                    if since.elapsed() >= limit {
                        found.push(index);
                    }
                }
            }
        }
        found
    }

    /// Kills a process at once.
    pub fn kill_now(&self, index: usize) {
        if let Some(group) = self.members[index].group {
            signal(group, Signal::KILL);
        }
    }

    /// A worker that may be started: one that was not yet, or that was asked to end and has.
    pub fn idle_worker(&self) -> Option<usize> {
        self.members.iter().position(|member| member.done && (member.unit.spare || member.asked))
    }

    /// Workers that were started, have not ended for good and are not asked to.
    pub fn workers(&self) -> impl Iterator<Item = usize> + '_ {
        let works = |member: &Member| {
            member.unit.role == Role::Client && member.unit.name.starts_with("worker/")
        };
        (0..self.members.len()).filter(move |index| {
            let member = &self.members[*index];
            works(member) && !member.done && !member.asked
        })
    }

    pub fn restart_after(&mut self, index: usize, pause: Duration) {
        self.members[index].restarts += 1;
        self.events.spawn(async move {
            tokio::time::sleep(pause).await;
            Event::RestartDue(index)
        });
    }

    /// The next thing that happens. There always is one while anything runs.
    pub async fn next(&mut self) -> Option<Event> {
        let event = self.events.join_next().await?.ok()?;
        if let Event::Ended(index, _) | Event::Lost(index, _) = event
            && let Some(group) = self.members[index].group.take()
        {
            self.guard.forget(group);
        }
        Some(event)
    }

    /// How many processes of these roles run.
    pub fn running(&self, roles: &[Role]) -> usize {
        self.groups(roles).count()
    }

    pub fn signal(&self, roles: &[Role], with: Signal) {
        self.groups(roles).for_each(|group| signal(group, with));
    }

    fn groups(&self, roles: &[Role]) -> impl Iterator<Item = Pid> {
        let ours = self.members.iter().filter(move |member| roles.contains(&member.unit.role));
        ours.filter_map(|member| member.group)
    }
}
