//! A process's task: to train, or to serve those that do.

use std::sync::Arc;
use std::time::Instant;

use downpour_cluster::ClusterSpec;
use downpour_collectives::Door;
use downpour_params::Limits;
use downpour_tensor::{Result, Status};

use super::Run;
use super::coordinating::{coordinate, coordinator};
use super::serving::{serve, snapshots};
use crate::record::{Event, Finished, now};
use crate::training::journal::Journal;
use crate::training::own_server::{Keeps, OwnServer};
use crate::training::strategy::{Placement, Strategy, Way};
use crate::training::trainer::{Outcome, Trainer};

/// Does what the trainer's strategy says this process is for.
pub(crate) fn run(trainer: Trainer) -> Result<Outcome> {
    let begun = Instant::now();
    let (placement, member) = match &trainer.strategy {
        Strategy::Local => (Placement::local(), None),
        Strategy::Mirrored(strategy) => (strategy.placement()?, None),
        Strategy::ParameterServer(_) | Strategy::Sandblaster(_) => {
            if let Strategy::Sandblaster(strategy) = &trainer.strategy {
                strategy.check()?;
            }
            let strategy = trainer.strategy.servers();
            let strategy = strategy.ok_or_else(|| Status::internal("servers without a way"))?;
            strategy.check()?;
            let (cluster, job, task) = strategy.own_place()?;
            let keeps = match (&job[..], trainer.way()) {
                ("ps", Some(Way::Service(_))) => {
                    let snapshots = snapshots(&trainer, task, strategy.snapshot_every)?;
                    Keeps { snapshots, ..Keeps::default() }
                }
                ("coordinator", _) => {
                    let chief = match cluster.tasks().any(|task| task.job == "chief") {
                        true => "chief/0",
                        false => "worker/0",
                    };
                    let config = strategy.coordinator(chief.to_string());
                    let coordinator = Some(coordinator(&trainer, config)?);
                    Keeps { coordinator, ..Keeps::default() }
                }
                (_, Some(Way::Graph { synchronous: true })) if strategy.leases => {
                    return Err(Status::unimplemented(
                        "synchronous training inside of one graph, as a loss scale needs it, takes no leases: leave them \
                         off",
                    ));
                }
                _ => Keeps::default(),
            };
            let limits = Limits { silence: strategy.silence, ..Limits::default() };
            let keeps = Keeps { limits, ..keeps };
            let server = OwnServer::start(&cluster, &job, task, trainer.threads, keeps)?;
            let own = cluster.task(&job, task)?;
            match &job[..] {
                "ps" => return serve(&trainer, server, task, own.address),
                "coordinator" => return coordinate(&trainer, server, task, own.address),
                _ => {}
            }
            let placement = Placement::in_cluster(&cluster, &job, task)?;
            let server = Some(Arc::new(server));
            (placement, Some(Member { server, door: None, address: own.address, cluster }))
        }
        Strategy::MultiWorkerMirrored(strategy) => {
            let (cluster, job, task) = strategy.own_place()?;
            let address = cluster.task(&job, task)?.address;
            let placement = Placement::of_workers(&cluster, &job, task)?;
            let door = Some(Door::open(&address)?);
            (placement, Some(Member { server: None, door, address, cluster }))
        }
        Strategy::ModelParallel(strategy) => {
            let (cluster, job, task) = strategy.own_place()?;
            let keeps = Keeps::default();
            let server = OwnServer::start(&cluster, &job, task, trainer.threads, keeps)?;
            let own = cluster.task(&job, task)?;
            if job == "ps" {
                return serve(&trainer, server, task, own.address);
            }
            let placement = strategy.placement(&cluster, &job, task)?;
            let server = Some(Arc::new(server));
            (placement, Some(Member { server, door: None, address: own.address, cluster }))
        }
    };
    let task = placement.task_name();
    let mut journal = Journal::open(trainer.folder.as_deref(), &task)?;
    let run = Run::prepare(trainer, placement, member, begun);
    let result = run.and_then(|mut run| run.train(&mut journal));
    end(&mut journal, result)
}

/// This process's part of a cluster.
pub(super) struct Member {
    pub server: Option<Arc<OwnServer>>,
    pub door: Option<Door>,
    pub address: String,
    pub cluster: ClusterSpec,
}

/// Whether `downpour run` or `train` has started this task for the first time.
pub(crate) fn first_start() -> bool {
    std::env::var("DOWNPOUR_RESTARTS").is_ok() && restarts() == 0
}

/// Writes down how a task has ended.
pub(super) fn end(journal: &mut Journal, result: Result<Outcome>) -> Result<Outcome> {
    let finished = match &result {
        Ok(outcome) => Finished {
            time: now(),
            step: outcome.step,
            reason: outcome.reason.clone(),
            failed: false,
        },
        Err(status) => {
            let reason = format!("failed: {}", status.message());
            Finished { time: now(), step: 0, reason, failed: true }
        }
    };
    // Its own trouble must not hide how the run ended.
    let written = journal.write(&Event::Finished(finished));
    result.and_then(|outcome| written.map(|()| outcome))
}

/// How often `downpour run` has started this task again.
pub(super) fn restarts() -> u32 {
    std::env::var("DOWNPOUR_RESTARTS").ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}
