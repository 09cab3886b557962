//! Where the members of a group meet within a step.
//!
//! Protocol. A member joins the meeting of its key (group, instance, iteration of a loop) with what it brings,
//! and holds no thread until it ends. The last one to come does the work for all and hands out the results: its
//! own on its thread, the others' as tasks of the pool, so that what follows them runs side by side. Members that
//! do not agree on what is to be done, or on how many they are, all get the same error, and so does who comes
//! later. A member that waits too long ends the meeting for all, with who is there; one whose step is cancelled
//! leaves, and so do the others, since they are of the same step. Who takes a member out of the meeting ends it,
//! which happens under the lock and so exactly once; contexts are finished outside of it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use downpour_runtime::{AsyncContext, CancelGuard, FrameIteration, Resource, TimerGuard, after};
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;

use crate::member::Member;
use crate::work::{self, Work};

/// What members know their meeting by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub group: i64,
    pub part: usize,
    pub instance: i64,
    pub place: FrameIteration,
}

#[derive(Default)]
pub(crate) struct Meetings(Mutex<State>);

#[derive(Default)]
struct State {
    open: HashMap<Key, Meeting>,
    /// How many members groups have, as the first of them has said.
    sizes: HashMap<(i64, usize), usize>,
    next: u64,
}

struct Meeting {
    size: usize,
    signature: String,
    here: Vec<Waiting>,
    /// Why it cannot be held: who comes later hears it too.
    refused: Option<Status>,
}

struct Waiting {
    id: u64,
    member: Member,
    work: Work,
    cx: AsyncContext,
    guards: (Option<CancelGuard>, Option<TimerGuard>),
}

impl Resource for Meetings {
    fn describe(&self) -> String {
        format!("{} meetings of collective operations", self.0.lock().open.len())
    }
}

impl Meetings {
    pub fn join(
        self: &Arc<Self>,
        key: Key,
        size: usize,
        timeout: Option<Duration>,
        member: Member,
        work: Work,
        cx: AsyncContext,
    ) {
        let token = cx.step().cancellation().clone();
        if token.is_cancelled() {
            return cx.finish(Err(cancelled()));
        }
        let signature = match work.signature(size) {
            Ok(signature) => signature,
            Err(status) => {
                let status = status.context(format!("{} {}", cx.node().op_name(), occasion(key)));
                return self.refuse(key, size, status, cx);
            }
        };
        let (id, next) = {
            let mut state = self.0.lock();
            let id = state.next;
            state.next += 1;
            (
                id,
                state.join(
                    key,
                    size,
                    signature,
                    Waiting { id, member, work, cx, guards: (None, None) },
                ),
            )
        };
        match next {
            Next::Wait => {}
            Next::Hold(here) => return hold(key, here),
            Next::End(ended, status) => return end(ended, &status),
        }
        // Outside of the lock: a callback may run at once.
        let meetings = self.clone();
        let left = token.on_cancel(move || meetings.leave(key, id));
        let meetings = self.clone();
        let late = timeout.map(|time| after(time, move || meetings.expire(key, id, time)));
        let mut guards = Some((Some(left), late));
        if let Some(waiting) = self.0.lock().find(key, id) {
            waiting.guards = guards.take().unwrap_or_default();
        }
        // Who has ended meanwhile needs none.
        drop(guards);
    }

    /// What a member brings cannot be done: all hear it.
    fn refuse(&self, key: Key, size: usize, status: Status, cx: AsyncContext) {
        let here = {
            let mut state = self.0.lock();
            let meeting =
                state.open.entry(key).or_insert_with(|| Meeting::new(size, String::new()));
            meeting.refused.get_or_insert_with(|| status.clone());
            std::mem::take(&mut meeting.here)
        };
        cx.finish(Err(status.clone()));
        end(here, &status);
    }

    fn leave(&self, key: Key, id: u64) {
        let left = self.0.lock().take(key, id);
        if let Some(left) = left {
            end(vec![left], &cancelled());
        }
    }

    fn expire(&self, key: Key, id: u64, time: Duration) {
        let (here, status) = {
            let mut state = self.0.lock();
            if state.find(key, id).is_none() {
                return;
            }
            let Some(meeting) = state.open.get_mut(&key) else { return };
            let status = Status::deadline_exceeded(format!(
                "Collective has timed out waiting for other workers: {} waited {time:?} for {} of {} members; only \
                 {} came. The missing ones are of the same step and have the same group and instance keys, or \
                 there are none.",
                occasion(key),
                meeting.size - meeting.here.len(),
                meeting.size,
                names(&meeting.here)
            ));
            meeting.refused = Some(status.clone());
            (std::mem::take(&mut meeting.here), status)
        };
        end(here, &status);
    }
}

/// What follows when a member has joined.
enum Next {
    Wait,
    Hold(Vec<Waiting>),
    End(Vec<Waiting>, Status),
}

impl State {
    fn join(&mut self, key: Key, size: usize, signature: String, waiting: Waiting) -> Next {
        let known = *self.sizes.entry((key.group, key.part)).or_insert(size);
        let meeting =
            self.open.entry(key).or_insert_with(|| Meeting::new(known, signature.clone()));
        if let Some(status) = &meeting.refused {
            return Next::End(vec![waiting], status.clone());
        }
        let who = waiting.member.describe();
        let differs = if size != known {
            Some(format!(
                "{who} is joining a group with size {size}, but that group has size {known}"
            ))
        } else if signature != meeting.signature {
            let first = meeting.here.first().map(|w| w.member.describe()).unwrap_or_default();
            Some(format!("it is {} for {first}, but {signature} for {who}", meeting.signature))
        } else {
            None
        };
        meeting.here.push(waiting);
        if let Some(differs) = differs {
            let status = Status::invalid_argument(format!(
                "Collective ops is aborted by: mismatch in {}: {differs}. All members of a group must agree.",
                occasion(key)
            ));
            meeting.refused = Some(status.clone());
            return Next::End(std::mem::take(&mut meeting.here), status);
        }
        if meeting.here.len() < meeting.size {
            return Next::Wait;
        }
        let meeting = self.open.remove(&key);
        Next::Hold(meeting.map(|meeting| meeting.here).unwrap_or_default())
    }

    fn find(&mut self, key: Key, id: u64) -> Option<&mut Waiting> {
        self.open.get_mut(&key)?.here.iter_mut().find(|waiting| waiting.id == id)
    }

    fn take(&mut self, key: Key, id: u64) -> Option<Waiting> {
        let here = &mut self.open.get_mut(&key)?.here;
        let at = here.iter().position(|waiting| waiting.id == id)?;
        Some(here.swap_remove(at))
    }
}

impl Meeting {
    fn new(size: usize, signature: String) -> Meeting {
        Meeting { size, signature, here: Vec::new(), refused: None }
    }
}

/// All are there: does what they came for.
fn hold(key: Key, mut here: Vec<Waiting>) {
    // The last to come is this thread's own.
    let own = here.last().map(|waiting| waiting.id);
    here.sort_by(|a, b| a.member.cmp(&b.member));
    let twice = here
        .windows(2)
        .find(|pair| pair[0].member.rank.is_some() && pair[0].member.rank == pair[1].member.rank);
    let refused = twice.map(|pair| {
        let (a, b) = (pair[0].member.describe(), pair[1].member.describe());
        Status::invalid_argument(format!("{a} and {b} have the same rank"))
    });
    let (mut works, mut members) = (Vec::new(), Vec::new());
    for waiting in here {
        works.push(waiting.work);
        members.push((waiting.id, waiting.cx));
        drop(waiting.guards);
    }
    let Some((_, first)) = members.first() else { return };
    let done = match refused {
        Some(status) => Err(status),
        // Of several steps, of which only one may be cancelled: the sum is made for all.
        None => work::run(&works, &first.step().parallel().uninterrupted()),
    };
    let done = done.map_err(|status| status.context(occasion(key)));
    drop(works);
    let results: Vec<Result<Tensor>> = match done {
        Ok(tensors) => tensors.into_iter().map(Ok).collect(),
        Err(status) => members.iter().map(|_| Err(status.clone())).collect(),
    };
    let mut last = None;
    for ((id, cx), result) in members.into_iter().zip(results) {
        let result = result.map(|tensor| vec![tensor]);
        match cx.step().parallel().pool().cloned() {
            Some(pool) if own != Some(id) => pool.spawn(move || cx.finish(result)),
            _ if own == Some(id) => last = Some((cx, result)),
            _ => cx.finish(result),
        }
    }
    if let Some((cx, result)) = last {
        cx.finish(result);
    }
}

fn end(ended: Vec<Waiting>, status: &Status) {
    for waiting in ended {
        drop(waiting.guards);
        waiting.cx.finish(Err(status.clone()));
    }
}

fn names(here: &[Waiting]) -> String {
    let mut members: Vec<&Member> = here.iter().map(|waiting| &waiting.member).collect();
    members.sort();
    let names: Vec<String> = members.into_iter().map(Member::describe).collect();
    names.join(", ")
}

fn occasion(key: Key) -> String {
    format!("the collective instance {} of group {}", key.instance, key.group)
}

fn cancelled() -> Status {
    Status::cancelled("Collective ops is aborted by: the step was cancelled")
}
