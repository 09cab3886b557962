//! Everything that can happen, in any order, from a seed: members join, work, stop, pause, wake, and are replaced; the
//! coordinator dies at any moment, also in the middle of a record.
//!
//! A model beside it knows what must hold: what somebody was told is done is never handed out again; a unit has one
//! holder; who is over changes nothing; a repeated request has the same answer; after a restart everything is as it
//! was; in the end everything is done, exactly once if nothing went wrong.

use std::collections::BTreeMap;
use std::path::PathBuf;

use downpour_tensor::Code;

use super::random::{Random, for_seeds};
use super::*;
use crate::storage::{FileStorage, SyncPolicy};

const EXAMPLES: u64 = 130;
const EPOCHS: u32 = 2;

/// What goes wrong.
#[derive(Clone, Copy, PartialEq)]
enum Faults {
    /// Nothing but restarts of the coordinator between two requests.
    Restarts,
    Everything,
}

struct Worker {
    name: String,
    process: u64,
    next_id: u64,
    id: Option<Id>,
    /// What it believes to hold, and how far each is.
    held: Vec<(Lease, u64)>,
    /// Rounds it does nothing.
    paused: u64,
    /// Answered requests of this epoch that may be repeated.
    answered: Vec<(Request, Response)>,
}

struct World {
    random: Random,
    faults: Faults,
    config: Config,
    path: PathBuf,
    _folder: tempfile::TempDir,
    coordinator: Option<Coordinator>,
    now: Duration,
    workers: Vec<Worker>,
    /// Credentials that are over, and what their owners believed to hold.
    zombies: Vec<(Id, Option<Lease>)>,
    next_process: u64,
    backups: bool,
    /// How often each example was worked on, and whether anybody was told that it is done.
    worked: BTreeMap<(u32, u64), u32>,
    secured: BTreeMap<(u32, u64), ()>,
    finished: bool,
}

impl World {
    fn new(seed: u64, faults: Faults) -> World {
        let mut random = Random::new(seed);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let config = Config { snapshot_every: 1 + random.below(30), ..Config::default() };
        let workers = (0..2 + random.below(3))
            .map(|n| Worker {
                name: format!("worker/{n}"),
                process: n,
                next_id: 1,
                id: None,
                held: Vec::new(),
                paused: 0,
                answered: Vec::new(),
            })
            .collect();
        let mut world = World {
            backups: random.chance(30),
            random,
            faults,
            config,
            path,
            _folder: folder,
            coordinator: None,
            now: Duration::ZERO,
            workers,
            zombies: Vec::new(),
            next_process: 100,
            worked: BTreeMap::new(),
            secured: BTreeMap::new(),
            finished: false,
        };
        world.open();
        let spec = DatasetSpec {
            unit: 50,
            ahead: 1 + world.random.below(3) as u32,
            epochs_ahead: world.random.below(2) as u32,
            backups: world.backups,
            ..DatasetSpec::new("data", EXAMPLES, EPOCHS, 10)
        };
        let create =
            Request::new(1, RequestKind::CreateDataset(CreateDataset { spec: Some(spec) }));
        world.handle(&create).result().unwrap();
        world
    }

    fn open(&mut self) {
        let storage = FileStorage::open(&self.path, SyncPolicy::Never).unwrap();
        self.coordinator =
            Some(Coordinator::open(Box::new(storage), self.config.clone(), self.now).unwrap());
    }

    fn state(&self) -> State {
        self.coordinator.as_ref().unwrap().state.clone()
    }

    fn handle(&mut self, request: &Request) -> Response {
        let coordinator = self.coordinator.as_mut().unwrap();
        let response = coordinator.handle(self.now, request);
        assert!(coordinator.failed.is_none(), "{request:?}: {:?}", coordinator.failed);
        coordinator.state.check().unwrap();
        for (_, unit, _) in coordinator.state.leases() {
            assert!(unit.holders.len() <= 1 + self.backups as usize, "{unit:?}");
        }
        response
    }

    /// The coordinator stops between two requests.
    fn restart(&mut self) {
        let before = self.state();
        self.coordinator = None;
        self.open();
        assert_eq!(self.state(), before);
    }

    /// The coordinator dies while it stores what a request does: nothing of the record arrives, or a part, or all.
    fn crash_during(&mut self, request: &Request) {
        let (before, old) = (self.state(), std::fs::read(&self.path).unwrap());
        self.handle(request);
        let after = self.state();
        self.coordinator = None;
        let new = std::fs::read(&self.path).unwrap();
        // Another file is a snapshot, which is there as a whole or not at all.
        if let Some(added) = new.strip_prefix(&old[..]) {
            let kept = old.len() + self.random.below(added.len() as u64 + 1) as usize;
            std::fs::write(&self.path, &new[..kept]).unwrap();
        }
        self.open();
        let state = self.state();
        assert!(state == before || state == after, "something between before and after");
    }

    /// Sends a request, perhaps through the coordinator's death, until there is an answer.
    fn ask(&mut self, who: usize, kind: RequestKind) -> Response {
        let worker = &mut self.workers[who];
        let id = worker.id.unwrap_or(Id { member: 0, epoch: 0 });
        let request = Request::of_member(worker.next_id, id.member, id.epoch, kind);
        worker.next_id += 1;
        if self.faults == Faults::Everything {
            while self.random.chance(8) {
                self.crash_during(&request);
            }
        }
        let response = self.handle(&request);
        let kept = matches!(
            request.kind,
            Some(RequestKind::Lease(_) | RequestKind::Complete(_) | RequestKind::GiveBack(_))
        );
        let nothing =
            matches!(&response.answer, Some(Answer::Lease(answer)) if answer.lease.is_none());
        if kept && response.code == 0 && !nothing {
            self.workers[who].answered.push((request, response.clone()));
        }
        if response.code == Code::Aborted as i32 {
            self.bury(who);
        }
        response
    }

    fn bury(&mut self, who: usize) {
        let worker = &mut self.workers[who];
        worker.answered.clear();
        let held = std::mem::take(&mut worker.held);
        if let Some(id) = worker.id.take() {
            self.zombies.push((id, held.first().map(|(lease, _)| *lease)));
        }
    }

    fn secure(&mut self, lease: &Lease, from: u64, to: u64) {
        for position in from..to {
            self.secured.insert((lease.data_epoch, position), ());
        }
    }

    fn work(&mut self, lease: &Lease, from: u64, to: u64) {
        for position in from..to {
            *self.worked.entry((lease.data_epoch, position)).or_default() += 1;
        }
    }

    fn act(&mut self, who: usize) {
        if self.workers[who].id.is_none() {
            return self.join(who);
        }
        match self.random.below(10) {
            0..=2 => self.lease(who),
            3..=5 => self.advance(who),
            6..=7 => self.complete(who),
            8 => self.repeat(who),
            _ if self.faults == Faults::Everything && self.random.chance(30) => self.give_back(who),
            _ => self.advance(who),
        }
    }

    fn join(&mut self, who: usize) {
        let Worker { name, process, .. } = &self.workers[who];
        let join = Join { name: name.clone(), process: *process, ..Default::default() };
        match self.ask(who, RequestKind::Join(join)).result() {
            Ok(Answer::Joined(Joined { member, epoch, .. })) => {
                assert!(self.zombies.iter().all(|(old, _)| old.epoch < epoch), "epochs only grow");
                self.workers[who].id = Some(Id { member, epoch });
            }
            Err(status) if status.code() == Code::Aborted => {}
            other => panic!("{other:?}"),
        }
    }

    fn lease(&mut self, who: usize) {
        let backup = self.random.chance(50);
        let Ok(Answer::Lease(answer)) =
            self.ask(who, RequestKind::Lease(LeaseRequest { dataset: 1, backup })).result()
        else {
            return;
        };
        self.finished |= answer.outcome() == LeaseOutcome::Finished;
        if let Some(lease) = answer.lease {
            for position in lease.position..lease.end {
                let done = self.secured.contains_key(&(lease.data_epoch, position));
                assert!(!done, "{position} of {lease:?} was done");
            }
            self.workers[who].held.push((lease, lease.position));
        }
    }

    /// Works on something, and says how far everything is.
    fn advance(&mut self, who: usize) {
        let held = self.workers[who].held.len() as u64;
        if held > 0 {
            let which = self.random.below(held) as usize;
            let step = self.random.below(12);
            let (lease, position) = self.workers[who].held[which];
            let to = (position + step).min(lease.end);
            self.work(&lease, position, to);
            self.workers[who].held[which].1 = to;
        }
        let positions =
            self.workers[who].held.iter().map(|(lease, position)| at(lease, *position)).collect();
        let said: Vec<_> = self.workers[who].held.clone();
        let heartbeat = Heartbeat { positions, ..Default::default() };
        if let Ok(Answer::Heartbeat(answer)) =
            self.ask(who, RequestKind::Heartbeat(heartbeat)).result()
        {
            for (lease, position) in &said {
                if !answer.lost.contains(&lease.unit) {
                    self.secure(lease, lease.position, *position);
                }
            }
            self.workers[who].held.retain(|(lease, _)| !answer.lost.contains(&lease.unit));
        }
    }

    fn complete(&mut self, who: usize) {
        if self.workers[who].held.is_empty() {
            return;
        }
        let (lease, position) = self.workers[who].held.remove(0);
        self.work(&lease, position, lease.end);
        let Lease { dataset, unit, attempt, .. } = lease;
        let answer =
            self.ask(who, RequestKind::Complete(Complete { dataset, unit, attempt })).result();
        if let Ok(Answer::Completed(Completed { won: true })) = answer {
            self.secure(&lease, lease.position, lease.end);
        }
    }

    fn give_back(&mut self, who: usize) {
        let Some((lease, position)) = self.workers[who].held.pop() else { return };
        self.ask(who, RequestKind::GiveBack(GiveBack { position: Some(at(&lease, position)) }));
    }

    /// An answered request arrives once more.
    fn repeat(&mut self, who: usize) {
        let answered = self.workers[who].answered.len();
        let recent = answered.min(8) as u64;
        if recent == 0 {
            return;
        }
        let which = answered - 1 - self.random.below(recent) as usize;
        let (request, response) = self.workers[who].answered[which].clone();
        let again = self.handle(&request);
        if again.code != Code::Aborted as i32 {
            assert_eq!(again, response, "{request:?}");
        }
    }

    /// Somebody whose epoch is over wakes up.
    fn wake_zombie(&mut self) {
        let count = self.zombies.len() as u64;
        if count == 0 {
            return;
        }
        let (id, lease) = self.zombies[self.random.below(count) as usize];
        // What happens by itself is not its doing.
        self.coordinator.as_mut().unwrap().tick(self.now).unwrap();
        let before = self.state();
        let mut kinds = vec![
            RequestKind::Lease(LeaseRequest { dataset: 1, backup: true }),
            RequestKind::Leave(Leave {}),
        ];
        if let Some(lease) = lease {
            let Lease { dataset, unit, attempt, end, .. } = lease;
            kinds.push(RequestKind::Complete(Complete { dataset, unit, attempt }));
            kinds.push(RequestKind::Heartbeat(Heartbeat {
                positions: vec![at(&lease, end)],
                ..Default::default()
            }));
        }
        for kind in kinds {
            let request = Request::of_member(1_000_000, id.member, id.epoch, kind);
            assert_eq!(self.handle(&request).code, Code::Aborted as i32);
        }
        assert_eq!(self.state(), before);
    }

    fn fault(&mut self) {
        let who = self.random.below(self.workers.len() as u64) as usize;
        match self.random.below(8) {
            0 => self.restart(),
            // Killed, and started anew as another process.
            1 => {
                self.bury(who);
                self.workers[who].process = self.next_process;
                self.next_process += 1;
                self.workers[who].next_id = 1;
                self.join(who);
            }
            2 => self.workers[who].paused = self.random.below(40),
            3 => {
                self.ask(who, RequestKind::Leave(Leave {}));
                self.bury(who);
            }
            4..=5 => self.wake_zombie(),
            // The coordinator is away.
            6 => self.now += Duration::from_secs(self.random.below(100)),
            _ => {
                if let Some(id) = self.workers[who].id {
                    let drop = DropMember { member: id.member, epoch: id.epoch };
                    self.handle(&Request::new(0, RequestKind::DropMember(drop)));
                }
            }
        }
    }

    fn round(&mut self, faults: bool) {
        self.now += Duration::from_millis(self.random.below(1500));
        if faults && self.random.chance(10) {
            match self.faults {
                Faults::Restarts => self.restart(),
                Faults::Everything => self.fault(),
            }
        }
        let who = self.random.below(self.workers.len() as u64) as usize;
        match self.workers[who].paused {
            0 => self.act(who),
            _ => self.workers[who].paused -= 1,
        }
    }

    /// Everybody is well again and works until the end.
    fn finish(&mut self) {
        for worker in &mut self.workers {
            worker.paused = 0;
        }
        for _ in 0..20_000 {
            if self.finished {
                return;
            }
            self.round(false);
        }
        panic!("not finished: {:?}", self.state());
    }
}

fn run(seed: u64, faults: Faults) {
    let mut world = World::new(seed, faults);
    // Nobody is lost by chance alone when nothing goes wrong.
    if faults == Faults::Restarts {
        world.config.silence = Duration::from_secs(100_000);
        world.config.lease = Duration::from_secs(100_000);
        world.restart();
    }
    for _ in 0..200 {
        if world.finished {
            break;
        }
        world.round(true);
    }
    world.finish();
    world.restart();
    for epoch in 0..EPOCHS {
        for position in 0..EXAMPLES {
            let times = world.worked.get(&(epoch, position)).copied().unwrap_or(0);
            assert!(times >= 1, "example {position} of epoch {epoch} was left out");
            if faults == Faults::Restarts && !world.backups {
                assert_eq!(times, 1, "example {position} of epoch {epoch}");
            }
        }
    }
}

#[test]
fn without_failures_every_example_is_worked_on_exactly_once() {
    for_seeds(100, "without_failures", |seed| run(seed, Faults::Restarts));
}

#[test]
fn whatever_happens_nothing_is_left_out_and_nothing_done_is_given_out_again() {
    for_seeds(300, "whatever_happens", |seed| run(seed, Faults::Everything));
}
