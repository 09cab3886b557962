//! A process's task: to train, or to serve those that do.

use std::sync::Arc;
use std::time::{Duration, Instant};

use downpour_cluster::{ClusterSpec, Snapshots};
use downpour_collectives::Door;
use downpour_tensor::{Result, Status};

use super::{PAUSE, Run};
use crate::record::{Event, Finished, Started, now};
use crate::training::journal::Journal;
use crate::training::own_server::OwnServer;
use crate::training::strategy::{Placement, Strategy, Way};
use crate::training::trainer::{Outcome, Trainer};

/// Does what the trainer's strategy says this process is for.
pub(crate) fn run(trainer: Trainer) -> Result<Outcome> {
    let begun = Instant::now();
    let (placement, member) = match &trainer.strategy {
        Strategy::Local => (Placement::local(), None),
        Strategy::ParameterServer(_) | Strategy::Sandblaster(_) => {
            if let Strategy::Sandblaster(strategy) = &trainer.strategy {
                strategy.check()?;
            }
            let strategy = trainer.strategy.servers();
            let strategy = strategy.ok_or_else(|| Status::internal("servers without a way"))?;
            strategy.check()?;
            let (cluster, job, task) = strategy.own_place()?;
            let snapshots = match (&job[..], trainer.way()) {
                ("ps", Some(Way::Service(_))) => {
                    snapshots(&trainer, task, strategy.snapshot_every)?
                }
                _ => None,
            };
            let server = OwnServer::start(&cluster, &job, task, trainer.threads, snapshots)?;
            let own = cluster.task(&job, task)?;
            if job == "ps" {
                return serve(&trainer, server, task, own.address);
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
            let server = OwnServer::start(&cluster, &job, task, trainer.threads, None)?;
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

/// Where a parameter server keeps its state for the case that it is started again. What an earlier run has left
/// is not this run's: that goes on from its checkpoints.
fn snapshots(trainer: &Trainer, task: u32, every: Duration) -> Result<Option<Snapshots>> {
    let Some(run) = &trainer.folder else { return Ok(None) };
    let folder = run.join("servers");
    let file = folder.join(format!("ps-{task}.snapshot"));
    let failed = |e: std::io::Error| {
        Status::permission_denied(format!("cannot keep snapshots in {}: {e}", folder.display()))
    };
    std::fs::create_dir_all(&folder).map_err(failed)?;
    if first_start() {
        match std::fs::remove_file(&file) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(failed(e)),
            _ => {}
        }
    }
    Ok(Some(Snapshots { file, every }))
}

/// Whether `downpour run` or `train` has started this task for the first time.
fn first_start() -> bool {
    std::env::var("DOWNPOUR_RESTARTS").is_ok() && restarts() == 0
}

/// Writes down how a task has ended.
fn end(journal: &mut Journal, result: Result<Outcome>) -> Result<Outcome> {
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

/// A parameter server's part: to be there.
fn serve(trainer: &Trainer, server: OwnServer, task: u32, address: String) -> Result<Outcome> {
    let mut journal = Journal::open(trainer.folder.as_deref(), &format!("ps/{task}"))?;
    let restarts = restarts();
    let task = format!("ps/{task}");
    journal.write(&Event::Started(Started {
        time: now(),
        task,
        address,
        restarts,
        ..Started::default()
    }))?;
    let stop = trainer.stop.clone();
    let served = server.serve_until(async move {
        while !stop.is_set() {
            tokio::time::sleep(PAUSE).await;
        }
    });
    let served =
        served.map(|()| Outcome { reason: "served to the end".to_string(), ..Outcome::default() });
    end(&mut journal, served)
}

/// How often `downpour run` has started this task again.
pub(super) fn restarts() -> u32 {
    std::env::var("DOWNPOUR_RESTARTS").ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}
