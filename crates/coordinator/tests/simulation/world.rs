//! The simulated cluster: events in the order of their times.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::time::Duration;

use downpour_coordinator::message::{
    CreateDataset, DatasetSpec, Lease, Request, RequestKind, Response,
};
use downpour_coordinator::{
    Config, Coordinator, Extent, Ledger, Member, MemberConfig, MemberEvent, MemoryStorage, Overlap,
};

pub fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit.max(1)
    }
}

/// What can happen.
#[derive(Clone)]
pub enum Happening {
    /// A member may have something to say.
    Poll(usize),
    ToCoordinator(usize, Request),
    ToMember(usize, u64, Response),
    /// A member has worked through a batch.
    Worked(usize, u64),
    Tick,
    CoordinatorDies,
    CoordinatorStarts,
    /// The process does nothing until then; messages wait.
    Pause(usize, Duration),
    /// The process is killed and started anew somewhat later.
    Kill(usize),
    Start(usize),
    /// Examples per second from now on.
    Speed(usize, f64),
}

pub struct Worker {
    pub member: Member,
    pub speed: f64,
    /// Counts its processes.
    process: u64,
    alive: bool,
    paused_until: Duration,
    /// The unit it works on, and how far it is.
    working: Option<(Lease, u64)>,
    /// Counts batches begun, so that those of a dropped unit are told apart.
    batch: u64,
    finished: bool,
    poll_at: Duration,
}

pub struct World {
    pub now: Duration,
    pub random: Random,
    pub config: Config,
    pub spec: DatasetSpec,
    storage: MemoryStorage,
    pub coordinator: Option<Coordinator>,
    pub workers: Vec<Worker>,
    queue: BinaryHeap<Reverse<(Duration, u64)>>,
    happenings: BTreeMap<u64, Happening>,
    planned: u64,
    /// Of a hundred messages so many are lost, and as many arrive twice.
    pub loss: u64,
    pub ledger: Ledger,
    /// Examples that a worker computed and the server had already.
    pub repeated: u64,
    /// Examples that counted, by worker and second.
    pub applied: Vec<(usize, Duration, u64)>,
}

impl World {
    pub fn new(seed: u64, config: Config, spec: DatasetSpec, speeds: &[f64]) -> World {
        let mut world = World {
            now: Duration::ZERO,
            random: Random(seed),
            config,
            spec,
            storage: MemoryStorage::new(),
            coordinator: None,
            workers: Vec::new(),
            queue: BinaryHeap::new(),
            happenings: BTreeMap::new(),
            planned: 0,
            loss: 0,
            ledger: Ledger::default(),
            repeated: 0,
            applied: Vec::new(),
        };
        world.at(Duration::ZERO, Happening::CoordinatorStarts);
        for (who, speed) in speeds.iter().enumerate() {
            world.workers.push(Worker {
                member: member(who, 0),
                speed: *speed,
                process: 0,
                alive: false,
                paused_until: Duration::ZERO,
                working: None,
                batch: 0,
                finished: false,
                poll_at: Duration::MAX,
            });
            world.at(Duration::ZERO, Happening::Start(who));
        }
        world
    }

    pub fn at(&mut self, when: Duration, happening: Happening) {
        // Numbers break ties in the order of planning.
        let number = self.planned;
        self.planned += 1;
        self.happenings.insert(number, happening);
        self.queue.push(Reverse((when, number)));
    }

    /// Runs until every worker has heard the end, or time is up (an error).
    pub fn run(&mut self, limit: Duration) -> Result<(), String> {
        while let Some(Reverse((when, number))) = self.queue.pop() {
            let Some(happening) = self.happenings.remove(&number) else { continue };
            self.now = self.now.max(when);
            if self.now > limit {
                return Err(format!("not finished after {limit:?}"));
            }
            self.happen(happening);
            if self.workers.iter().all(|worker| worker.finished) {
                return Ok(());
            }
        }
        Err("nothing happens any more".into())
    }

    fn happen(&mut self, happening: Happening) {
        // What reaches a paused process waits for it.
        let who = match &happening {
            Happening::Poll(who) | Happening::ToMember(who, ..) | Happening::Worked(who, _) => {
                Some(*who)
            }
            _ => None,
        };
        if let Some(until) =
            who.map(|who| self.workers[who].paused_until).filter(|until| *until > self.now)
        {
            return self.at(until, happening);
        }
        match happening {
            Happening::Poll(who) => {
                if self.workers[who].poll_at <= self.now {
                    self.workers[who].poll_at = Duration::MAX;
                    self.drive(who);
                }
            }
            Happening::ToCoordinator(who, request) => self.serve(who, &request),
            Happening::ToMember(who, process, response) => {
                if self.workers[who].alive && self.workers[who].process == process {
                    let now = self.now;
                    self.workers[who].member.receive(now, response);
                    self.drive(who);
                }
            }
            Happening::Worked(who, batch) => self.worked(who, batch),
            Happening::Tick => {
                if let Some(coordinator) = &mut self.coordinator {
                    coordinator.tick(self.now).unwrap();
                    let next = coordinator.next_wake().max(self.now + Duration::from_millis(100));
                    self.at(next, Happening::Tick);
                }
            }
            Happening::CoordinatorDies => self.coordinator = None,
            Happening::CoordinatorStarts => self.start_coordinator(),
            Happening::Pause(who, until) => self.workers[who].paused_until = until,
            Happening::Kill(who) => {
                self.workers[who].alive = false;
                let delay = 500 + self.random.below(20_000);
                self.at(self.now + Duration::from_millis(delay), Happening::Start(who));
            }
            Happening::Start(who) => self.start(who),
            Happening::Speed(who, speed) => self.workers[who].speed = speed,
        }
    }

    fn start_coordinator(&mut self) {
        if self.coordinator.is_some() {
            return;
        }
        let storage = Box::new(self.storage.clone());
        let mut coordinator = Coordinator::open(storage, self.config.clone(), self.now).unwrap();
        let create = RequestKind::CreateDataset(CreateDataset { spec: Some(self.spec.clone()) });
        coordinator.handle(self.now, &Request::new(1, create)).result().unwrap();
        self.coordinator = Some(coordinator);
        self.at(self.now, Happening::Tick);
    }

    fn start(&mut self, who: usize) {
        let worker = &mut self.workers[who];
        if worker.alive {
            return;
        }
        worker.process += 1;
        worker.alive = true;
        worker.member = member(who, worker.process);
        worker.member.work_on(1);
        worker.working = None;
        worker.batch += 1;
        self.drive(who);
    }

    /// The network: a delay, and sometimes less or more than one message.
    fn send(&mut self, happening: Happening) {
        let copies = match self.random.below(100) {
            chance if chance < self.loss => 0,
            chance if chance < 2 * self.loss => 2,
            _ => 1,
        };
        for _ in 0..copies {
            let delay = Duration::from_micros(200 + self.random.below(20_000));
            self.at(self.now + delay, happening.clone());
        }
    }

    fn serve(&mut self, who: usize, request: &Request) {
        let Some(coordinator) = &mut self.coordinator else { return };
        let response = coordinator.handle(self.now, request);
        let process = self.workers[who].process;
        self.send(Happening::ToMember(who, process, response));
    }

    /// Everything a worker does of itself.
    fn drive(&mut self, who: usize) {
        if !self.workers[who].alive {
            return;
        }
        while let Some(event) = self.workers[who].member.take_event() {
            let worker = &mut self.workers[who];
            match event {
                MemberEvent::Fenced => worker.working = None,
                MemberEvent::Lost(lease) => {
                    worker.working.take_if(|(working, _)| working.unit == lease.unit);
                }
                MemberEvent::Finished => worker.finished = true,
                MemberEvent::Refused(status) | MemberEvent::Replaced(status) => panic!("{status}"),
                _ => {}
            }
        }
        if self.workers[who].working.is_none()
            && let Some(lease) = self.workers[who].member.take_lease()
        {
            self.workers[who].working = Some((lease, lease.position));
            self.begin_batch(who);
        }
        let now = self.now;
        while let Some(request) = self.workers[who].member.poll(now) {
            self.send(Happening::ToCoordinator(who, request));
        }
        let wake = self.workers[who].member.next_wake().max(now);
        if wake < self.workers[who].poll_at {
            self.workers[who].poll_at = wake;
            self.at(wake, Happening::Poll(who));
        }
    }

    fn begin_batch(&mut self, who: usize) {
        let worker = &mut self.workers[who];
        let Some((lease, position)) = worker.working else { return };
        worker.batch += 1;
        let batch = worker.batch;
        let examples = self.spec.batch.min(lease.end - position);
        let takes = seconds(examples as f64 / worker.speed);
        self.at(self.now + takes, Happening::Worked(who, batch));
    }

    /// A batch is done: push it, then say so.
    fn worked(&mut self, who: usize, batch: u64) {
        let worker = &mut self.workers[who];
        let Some((lease, position)) =
            worker.working.filter(|_| worker.alive && worker.batch == batch)
        else {
            return;
        };
        let end = (position + self.spec.batch).min(lease.end);
        let push = Extent { dataset: 1, data_epoch: lease.data_epoch, start: position, end };
        match self.ledger.enter(push) {
            Overlap::New => self.applied.push((who, self.now, end - position)),
            Overlap::Applied => self.repeated += end - position,
            Overlap::Partial => panic!("pushes of different extents: {push:?}"),
        }
        let worker = &mut self.workers[who];
        worker.member.progress(lease.unit, end);
        if end == lease.end {
            worker.member.complete(lease.unit);
            worker.working = None;
        } else {
            worker.working = Some((lease, end));
            self.begin_batch(who);
        }
        self.drive(who);
    }

    /// Examples of each worker that counted between two times.
    pub fn shares(&self, from: Duration, to: Duration) -> Vec<f64> {
        let mut shares = vec![0.0; self.workers.len()];
        for (who, _, examples) in
            self.applied.iter().filter(|(_, when, _)| (from..to).contains(when))
        {
            shares[*who] += *examples as f64;
        }
        let total: f64 = shares.iter().sum();
        shares.iter().map(|share| share / total.max(1.0)).collect()
    }
}

fn member(who: usize, process: u64) -> Member {
    Member::new(MemberConfig::new(format!("worker/{who}"), process << 32 | who as u64))
}
