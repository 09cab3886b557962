//! A worker's part of leased data: which examples it trains on, as the coordinator hands them out.
//!
//! Protocol. A lease is a range of positions of a data epoch. The worker trains on it batch by batch; what a step was
//! made of (its [`Piece`]) goes with its gradients to the servers, and only when all of them have answered is the
//! position reported ([`Leases::answered`]). With the last piece the lease is complete, and the next one, which was
//! fetched ahead, is begun. A piece that was answered and not used (its step was over) is read again. When the session
//! is lost, reading goes back to what was answered ([`Leases::go_back`]): servers know pieces they have by their
//! positions. A lease that is another's now, and all of them when this member's epoch is over, are dropped.

mod pace;

use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{Duration, Instant};

use downpour_cluster::{ClusterKey, ClusterSpec, CoordinatorClient, Dialer, Metrics, Tcp};
use downpour_coordinator::message::{Answer, CreateDataset, DatasetSpec, Lease, RequestKind};
use downpour_coordinator::{Extent, Member, MemberConfig, MemberEvent, MemberHandle};
use downpour_data::{DatasetIterator, Element};
use downpour_tensor::{Result, Status};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use super::exchange::Toll;
use super::positions::Positions;
use super::stopping::{Stopping, Waits};
use super::trainer::StopFlag;
use crate::record::LeaseCounts;
use pace::Pace;

/// Data epochs that may begin before the one before them is complete: nobody waits for the last lease of an epoch, and
/// where steps need everybody nobody runs out of work.
const EPOCHS_AHEAD: u32 = 2;
/// How often who waits for a lease looks whether it should stop.
const GLANCE: Duration = Duration::from_millis(100);
/// How long a worker that ends may take to say so.
const FAREWELL: Duration = Duration::from_secs(2);

/// What a step was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub extent: Extent,
    /// It ends its lease: what is added up must be handed over with it.
    pub last: bool,
}

/// A worker's leases.
pub(crate) struct Leases {
    runtime: Waits,
    member: MemberHandle,
    running: JoinHandle<()>,
    way: CoordinatorClient,
    positions: Positions,
    dataset: u64,
    patience: Duration,
    /// Those that are not complete, in the order they were taken.
    open: VecDeque<Open>,
    /// Batches of the first that is not read to its end.
    batches: Option<DatasetIterator>,
    counts: LeaseCounts,
    /// How long there was nothing to train on.
    idle: Duration,
    pace: Pace,
}

struct Open {
    lease: Lease,
    /// The next position to be read.
    read: u64,
    /// Everything before it was answered.
    answered: u64,
}

/// What to do next.
pub(crate) enum Next {
    /// Train on it.
    Batch(Element, Piece),
    /// Training was told to stop.
    Stopped,
}

impl Leases {
    /// Takes part in handing out this data.
    pub fn join(
        (runtime, stopping): (Handle, &Stopping),
        cluster: &ClusterSpec,
        task: &str,
        positions: Positions,
        patience: Duration,
    ) -> Result<Leases> {
        let coordinator = cluster.tasks().find(|task| task.job == "coordinator");
        let address = coordinator.map(|task| task.address).ok_or_else(|| {
            Status::failed_precondition(
                "leases need a task of the job 'coordinator' in the cluster, and there is none: \
                 `downpour run --coordinator --all` and `downpour train` start one; without, leave leases off",
            )
        })?;
        let coordinator = address.clone();
        let runtime =
            Waits::new(runtime, stopping, move || format!("the coordinator at {coordinator}"));
        let key = ClusterKey::from_environment()?;
        let dialer = Dialer::with_key(Arc::new(Tcp), Metrics::new(), key);
        let way = CoordinatorClient::new(dialer, &address);
        // The chance that another process has the same number is none.
        let process = RandomState::new().hash_one((task, std::process::id()));
        let spec = DatasetSpec {
            epochs_ahead: EPOCHS_AHEAD,
            ..DatasetSpec::new(positions.name(), positions.examples(), u32::MAX, positions.batch())
        };
        let create = RequestKind::CreateDataset(CreateDataset { spec: Some(spec) });
        let dataset = match runtime.block_on(way.ask(create, patience))? {
            Answer::DatasetCreated(created) => created.dataset,
            other => return Err(Status::internal(format!("asked for a dataset, got {other:?}"))),
        };
        let member = MemberHandle::new(Member::new(MemberConfig::new(task, process)));
        member.with(|member| member.work_on(dataset));
        let (runner, calls) = (member.clone(), way.clone());
        let running = runtime.spawn(async move { runner.run(|request| calls.call(request)).await });
        tracing::info!(
            "data is leased from the coordinator at {address}: {} ({} examples an epoch)",
            positions.name(),
            positions.examples()
        );
        Ok(Leases {
            runtime,
            member,
            running,
            way,
            positions,
            dataset,
            patience,
            open: VecDeque::new(),
            batches: None,
            counts: LeaseCounts::default(),
            idle: Duration::ZERO,
            pace: Pace::new(),
        })
    }

    /// Whether a batch can be had without waiting for the coordinator.
    pub fn has_work(&mut self) -> bool {
        self.take();
        self.current().is_some()
    }

    /// The next batch; waits for a lease if there is none, also over a restart of the coordinator.
    pub fn next(&mut self, stop: &StopFlag) -> Result<Next> {
        let begun = Instant::now();
        let found = self.wait_for_work(stop);
        self.idle += begun.elapsed();
        match found? {
            true => self.read(),
            false => Ok(Next::Stopped),
        }
    }

    /// False if training was told to stop.
    fn wait_for_work(&mut self, stop: &StopFlag) -> Result<bool> {
        while !self.has_work() {
            if stop.is_set() {
                return Ok(false);
            }
            self.hear()?;
            if self.way.silent_for() > self.patience {
                return Err(Status::unavailable(format!(
                    "the coordinator at {} has said nothing for {:.0} s, and there is no data without it: is it \
                     running? Its log says why not.",
                    self.way.address(),
                    self.patience.as_secs_f64()
                )));
            }
            let member = &self.member;
            let waiting = async { tokio::time::timeout(GLANCE, member.next_lease()).await };
            match self.runtime.runtime().block_on(waiting) {
                Ok(Some(lease)) => self.begin(lease),
                // It wants none any more: why is among what there is to hear.
                Ok(None) => std::thread::sleep(GLANCE),
                Err(_) => {}
            }
        }
        Ok(true)
    }

    /// Listens to the coordinator. True if a lease is gone whose examples may be among what is not handed over yet.
    pub fn hear(&mut self) -> Result<bool> {
        let mut dropped = false;
        while let Some(event) = self.member.with(Member::take_event) {
            match event {
                MemberEvent::Joined(joined) => {
                    tracing::info!("takes part under epoch {} of the coordinator", joined.epoch);
                }
                MemberEvent::Fenced => {
                    tracing::warn!(
                        "the coordinator has given this worker up and its leases to others (it was paused, or not heard): \
                         joining again"
                    );
                    self.counts.fenced += 1;
                    dropped = true;
                }
                MemberEvent::Lost(_) => dropped = true,
                MemberEvent::Completed { won: true, .. } => self.counts.completed += 1,
                MemberEvent::Replaced(status) | MemberEvent::Refused(status) => {
                    return Err(Status::failed_precondition(format!(
                        "the coordinator at {} refuses this worker: {}",
                        self.way.address(),
                        status.message()
                    )));
                }
                _ => {}
            }
        }
        if dropped {
            // Some may have been taken since, under the next epoch.
            let before = self.open.len();
            let (member, open) = (&self.member, &mut self.open);
            member.with(|member| open.retain(|open| member.holds(&open.lease)));
            self.counts.lost += (before - self.open.len()) as u64;
            self.back_to_answered();
        }
        Ok(dropped)
    }

    /// Every server has answered a push; if it was not used, its examples are trained on again.
    pub fn answered(&mut self, extent: Extent, used: bool) {
        let of = |open: &Open| {
            let Lease { data_epoch, start, end, .. } = open.lease;
            data_epoch == extent.data_epoch && (start..end).contains(&extent.start)
        };
        // A lease that was lost meanwhile.
        let Some(place) = self.open.iter().position(of) else { return };
        let open = &mut self.open[place];
        if !used {
            self.counts.repeated += 1;
            open.read = open.read.min(extent.start);
            self.batches = None;
            return;
        }
        self.counts.examples += extent.end - extent.start;
        open.answered = open.answered.max(extent.end);
        let (unit, position) = (open.lease.unit, open.answered);
        if position < open.lease.end {
            self.member.with(|member| member.progress(unit, position));
        } else {
            self.open.remove(place);
            self.member.with(|member| member.complete(unit));
        }
    }

    /// What was read and not answered is read again.
    pub fn go_back(&mut self) {
        self.back_to_answered();
    }

    /// Tells the coordinator how busy this worker is, and how old the parameters are that it works on.
    pub fn measure(&mut self, toll: Toll) {
        let examples = self.counts.examples;
        if let Some(measured) = self.pace.look(Instant::now(), toll, self.idle, examples) {
            self.member.measure(measured);
        }
    }

    /// What became of leases so far.
    pub fn counts(&self) -> LeaseCounts {
        self.counts
    }

    /// Gives back what is left, and takes part no longer.
    pub fn leave(&mut self) {
        let open: Vec<u64> = self.open.drain(..).map(|open| open.lease.unit).collect();
        self.batches = None;
        self.member.with(|member| {
            // With how far they are: nobody does again what was answered.
            open.into_iter().for_each(|unit| member.give_back(unit));
            member.leave();
        });
        let member = self.member.clone();
        let gone = async move {
            while let Ok(event) = member.next_event().await {
                if event == MemberEvent::Left {
                    break;
                }
            }
        };
        let farewell = async { tokio::time::timeout(FAREWELL, gone).await };
        let left = self.runtime.runtime().block_on(farewell);
        if left.is_err() {
            tracing::debug!("the coordinator was not told that this worker ends");
        }
    }

    fn back_to_answered(&mut self) {
        self.batches = None;
        self.open.iter_mut().for_each(|open| open.read = open.answered);
    }

    /// The lease that is read.
    fn current(&self) -> Option<usize> {
        self.open.iter().position(|open| open.read < open.lease.end)
    }

    /// Takes the next lease if one is there and needed.
    fn take(&mut self) {
        if self.current().is_none()
            && let Some(lease) = self.member.with(Member::take_lease)
        {
            self.begin(lease);
        }
    }

    fn begin(&mut self, lease: Lease) {
        tracing::debug!(
            "positions {} to {} of data epoch {} (attempt {})",
            lease.position,
            lease.end,
            lease.data_epoch,
            lease.attempt
        );
        self.counts.taken += 1;
        self.counts.returned += u64::from(lease.attempt > 0);
        self.open.push_back(Open { lease, read: lease.position, answered: lease.position });
    }

    fn read(&mut self) -> Result<Next> {
        let nothing = || Status::internal("a lease without positions");
        let place = self.current().ok_or_else(nothing)?;
        let Open { lease, read, .. } = &mut self.open[place];
        let (epoch, end) = (u64::from(lease.data_epoch), lease.end);
        let batches = match &mut self.batches {
            Some(batches) => batches,
            none => none.insert(self.positions.open(epoch, *read, end)?.iterate()?),
        };
        let batch = batches.next()?.ok_or_else(|| {
            Status::data_loss(format!(
                "there is no example at position {read} of data epoch {epoch}: do all workers have the same data?"
            ))
        })?;
        let rows = batch.tensors().first().and_then(|column| column.dims().first().copied());
        let rows = rows.ok_or_else(nothing)? as u64;
        let extent = Extent {
            dataset: self.dataset,
            data_epoch: lease.data_epoch,
            start: *read,
            end: read.saturating_add(rows).min(end),
        };
        *read = extent.end;
        let last = extent.end == end;
        if last {
            self.batches = None;
        }
        Ok(Next::Batch(batch, Piece { extent, last }))
    }
}

impl Drop for Leases {
    fn drop(&mut self) {
        self.running.abort();
    }
}
