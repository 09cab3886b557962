//! A coordinator in memory, and short words for what tests ask of it.

mod answers;
mod hostile;
mod interleavings;
mod leases;
mod membership;
mod random;
mod tasks;

use std::time::Duration;

use super::*;
use crate::message::*;
use crate::storage::MemoryStorage;

pub fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

/// A member's credentials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Id {
    pub member: u64,
    pub epoch: u64,
}

pub struct Bench {
    pub coordinator: Coordinator,
    pub storage: MemoryStorage,
    pub config: Config,
    pub now: Duration,
    pub next_id: u64,
}

impl Bench {
    pub fn new() -> Bench {
        Bench::with(Config::default())
    }

    pub fn with(config: Config) -> Bench {
        let storage = MemoryStorage::new();
        let coordinator =
            Coordinator::open(Box::new(storage.clone()), config.clone(), Duration::ZERO).unwrap();
        Bench { coordinator, storage, config, now: Duration::ZERO, next_id: 1 }
    }

    /// Opens it anew; what it knows must be the same.
    pub fn restart(&mut self) {
        let reopened =
            Coordinator::open(Box::new(self.storage.clone()), self.config.clone(), self.now)
                .unwrap();
        assert_eq!(reopened.state, self.coordinator.state);
        self.coordinator = reopened;
    }

    /// Lets time pass, as a driver does.
    pub fn wait(&mut self, seconds: f64) {
        let until = self.now + Duration::from_secs_f64(seconds);
        while self.now < until {
            self.now =
                self.coordinator.next_wake().max(self.now + Duration::from_millis(1)).min(until);
            self.coordinator.tick(self.now).unwrap();
        }
    }

    /// Lets time pass while these members are heard.
    pub fn wait_with(&mut self, seconds: f64, members: &[Id]) {
        for _ in 0..seconds.ceil() as u64 {
            self.wait(seconds / seconds.ceil());
            for id in members {
                self.beat(*id, &[]).unwrap();
            }
        }
    }

    pub fn ask(&mut self, id: Id, kind: RequestKind) -> Result<Answer> {
        let request = Request::of_member(self.next_id, id.member, id.epoch, kind);
        self.next_id += 1;
        self.coordinator.handle(self.now, &request).result()
    }

    pub fn administer(&mut self, kind: RequestKind) -> Result<Answer> {
        self.ask(Id { member: 0, epoch: 0 }, kind)
    }

    pub fn join_as(&mut self, join: Join) -> Result<Id> {
        match self.administer(RequestKind::Join(join))? {
            Answer::Joined(joined) => Ok(Id { member: joined.member, epoch: joined.epoch }),
            other => panic!("{other:?}"),
        }
    }

    pub fn join(&mut self, name: &str, process: u64) -> Id {
        self.join_as(Join { name: name.into(), process, ..Default::default() }).unwrap()
    }

    pub fn dataset(&mut self, spec: DatasetSpec) -> u64 {
        match self
            .administer(RequestKind::CreateDataset(CreateDataset { spec: Some(spec) }))
            .unwrap()
        {
            Answer::DatasetCreated(created) => created.dataset,
            other => panic!("{other:?}"),
        }
    }

    pub fn lease_answer(&mut self, id: Id, backup: bool) -> Result<LeaseAnswer> {
        match self.ask(id, RequestKind::Lease(LeaseRequest { dataset: 1, backup }))? {
            Answer::Lease(answer) => Ok(answer),
            other => panic!("{other:?}"),
        }
    }

    pub fn lease(&mut self, id: Id) -> Option<Lease> {
        self.lease_answer(id, false).unwrap().lease
    }

    pub fn complete(&mut self, id: Id, lease: &Lease) -> Result<bool> {
        let Lease { dataset, unit, attempt, .. } = *lease;
        match self.ask(id, RequestKind::Complete(Complete { dataset, unit, attempt }))? {
            Answer::Completed(completed) => Ok(completed.won),
            other => panic!("{other:?}"),
        }
    }

    pub fn beat(&mut self, id: Id, positions: &[UnitPosition]) -> Result<HeartbeatAnswer> {
        let heartbeat = Heartbeat { positions: positions.to_vec(), ..Default::default() };
        match self.ask(id, RequestKind::Heartbeat(heartbeat))? {
            Answer::Heartbeat(answer) => Ok(answer),
            other => panic!("{other:?}"),
        }
    }

    pub fn survey(&mut self) -> Survey {
        match self.administer(RequestKind::Survey(SurveyRequest {})).unwrap() {
            Answer::Survey(survey) => survey,
            other => panic!("{other:?}"),
        }
    }
}

pub fn at(lease: &Lease, position: u64) -> UnitPosition {
    let Lease { dataset, unit, attempt, .. } = *lease;
    UnitPosition { dataset, unit, attempt, position, reached: 0 }
}
