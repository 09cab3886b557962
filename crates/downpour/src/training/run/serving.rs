//! A parameter server's part: to be there, and to tell what it does.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use downpour_cluster::{Account, Snapshots};
use downpour_coordinator::Ledger;
use downpour_formats::Disk;
use downpour_params::Statistics;
use downpour_tensor::{Result, Status};

use super::PAUSE;
use super::task::{end, first_start, restarts};
use crate::record::{Books, Event, Served, Started, Traffic, now};
use crate::training::journal::Journal;
use crate::training::own_server::OwnServer;
use crate::training::summaries::Summaries;
use crate::training::trainer::{Outcome, Trainer};

/// How often a server tells what it has done.
const TELL: Duration = Duration::from_secs(1);

/// Where a parameter server keeps its state for the case that it is started again. What an earlier run has left
/// is not this run's: that goes on from its checkpoints.
pub(super) fn snapshots(
    trainer: &Trainer,
    task: u32,
    every: Duration,
) -> Result<Option<Snapshots>> {
    let Some(run) = &trainer.folder else { return Ok(None) };
    let folder = run.join("servers");
    let file = folder.join(format!("ps-{task}.snapshot"));
    let failed = |e: std::io::Error| {
        Status::permission_denied(format!("cannot keep snapshots in {}: {e}", folder.display()))
    };
    Disk::default().open_folder(&folder).map_err(failed)?;
    if first_start() {
        match std::fs::remove_file(&file) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(failed(e)),
            _ => {}
        }
    }
    Ok(Some(Snapshots { file, every }))
}

/// Serves until the process is told to end.
pub(super) fn serve(
    trainer: &Trainer,
    server: OwnServer,
    task: u32,
    address: String,
) -> Result<Outcome> {
    let task = format!("ps/{task}");
    // What a snapshot has brought back.
    let step = server.account().statistics().map_or(0, |known| known.steps as i64);
    let mut journal = begin(trainer, &task, address, step)?;
    let summaries = trainer.folder.as_deref();
    let summaries = summaries.map(|run| Summaries::create(run, &task, None)).transpose()?;
    let mut telling = Telling {
        account: server.account().clone(),
        journal: &mut journal,
        summaries,
        told: Served::default(),
    };
    let stop = trainer.stop.clone();
    let served = server.serve_until(async {
        let mut last = Instant::now();
        while !stop.is_set() {
            tokio::time::sleep(PAUSE).await;
            if last.elapsed() >= TELL {
                last = Instant::now();
                telling.tell();
            }
        }
    });
    telling.tell();
    if let Some(summaries) = telling.summaries.take() {
        summaries.close()?;
    }
    let served =
        served.map(|()| Outcome { reason: "served to the end".to_string(), ..Outcome::default() });
    end(&mut journal, served)
}

/// The journal of a task that serves, with its beginning.
pub(super) fn begin(trainer: &Trainer, task: &str, address: String, step: i64) -> Result<Journal> {
    let mut journal = Journal::open(trainer.folder.as_deref(), task)?;
    let (time, task, restarts) = (now(), task.to_string(), restarts());
    let started = Started { time, task, address, step, restarts, ..Started::default() };
    journal.write(&Event::Started(started))?;
    Ok(journal)
}

/// What a server has told.
struct Telling<'a> {
    account: Account,
    journal: &'a mut Journal,
    summaries: Option<Summaries>,
    told: Served,
}

impl Telling<'_> {
    /// Tells what is new. A file that cannot be written is no reason to stop serving.
    fn tell(&mut self) {
        let (sent, received) = self.account.bytes();
        let positions = || self.account.positions();
        let books = self.account.statistics().map(|counted| books(counted, &positions()));
        let traffic = Traffic { sent, received, ..Traffic::default() };
        let served = Served { time: now(), traffic, books };
        if (served.traffic, &served.books) == (self.told.traffic, &self.told.books) {
            return;
        }
        if let Some(summaries) = &self.summaries {
            summaries.served(&served, &newly_stale(&self.told, &served));
        }
        if let Err(e) = self.journal.write(&Event::Served(served.clone())) {
            tracing::warn!("what this server has done is not written down: {e}");
        }
        self.told = served;
    }
}

fn books(counted: Statistics, positions: &Ledger) -> Books {
    let mut staleness = counted.staleness;
    let seen = staleness.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1);
    staleness.truncate(seen);
    let mut data_epochs = BTreeMap::new();
    for extent in positions.extents() {
        *data_epochs.entry(extent.data_epoch).or_insert(0) += extent.end - extent.start;
    }
    Books {
        updates: counted.updates,
        steps: counted.steps,
        repeated: counted.repeated,
        dropped: counted.dropped,
        lost: counted.lost,
        refused: counted.refused,
        known: counted.known,
        examples: counted.examples,
        data_epochs: data_epochs.into_iter().collect(),
        staleness,
    }
}

/// The staleness of updates since what was told before.
fn newly_stale(before: &Served, now: &Served) -> Vec<u64> {
    let counts = |served: &Served| served.books.clone().unwrap_or_default().staleness;
    let (before, now) = (counts(before), counts(now));
    let earlier = before.into_iter().chain(std::iter::repeat(0));
    now.into_iter().zip(earlier).map(|(now, before)| now.saturating_sub(before)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_is_told() {
        let statistics = Statistics {
            updates: 4,
            dropped: 2,
            staleness: vec![3, 0, 1, 0, 0],
            ..Statistics::default()
        };
        let first =
            Served { books: Some(books(statistics, &Ledger::default())), ..Served::default() };
        let told = first.books.clone().unwrap();
        assert_eq!((told.updates, told.dropped, told.staleness.len()), (4, 2, 3));
        assert_eq!(newly_stale(&Served::default(), &first), [3, 0, 1]);
        let more = Books { staleness: vec![4, 0, 1, 7], ..told };
        let second = Served { books: Some(more), ..Served::default() };
        assert_eq!(newly_stale(&first, &second), [1, 0, 0, 7]);
    }
}
