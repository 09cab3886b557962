//! A parameter server's part: to be there, and to tell what it does.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use downpour_cluster::{Account, Leader, Snapshots};
use downpour_coordinator::Ledger;
use downpour_formats::Disk;
use downpour_params::{Recovered, Statistics};
use downpour_tensor::{Result, Status};

use super::PAUSE;
use super::task::{end, first_start, restarts};
use crate::record::{Books, Event, Served, Started, Traffic, Warned, now};
use crate::training::journal::Journal;
use crate::training::own_server::OwnServer;
use crate::training::space::is_of_disk;
use crate::training::strategy::Strategy;
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
    let name = format!("ps-{task}.");
    let file = folder.join(format!("{name}snapshot"));
    let failed = |e: std::io::Error| {
        Status::permission_denied(format!("cannot keep snapshots in {}: {e}", folder.display()))
    };
    Disk::default().open_folder(&folder).map_err(failed)?;
    if first_start() {
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if entry.file_name().to_string_lossy().starts_with(&name) {
                std::fs::remove_file(entry.path()).map_err(failed)?;
            }
        }
    }
    let leader = match trainer.strategy {
        Strategy::Sandblaster(_) => Leader::Coordinator,
        _ => Leader::FirstServer { every },
    };
    Ok(Some(Snapshots { file, leader }))
}

/// Describes a recovery for people; `None` for the one with which every run begins.
fn told(recovered: &Recovered) -> Option<String> {
    let Recovered { restarted, version, steps, lost } = recovered;
    let who = match &restarted[..] {
        [] => "parameter servers did not have the same state".to_string(),
        who => format!("{} came back", who.join(" and ")),
    };
    let after = "what came after it is lost".to_string();
    let lost = match lost {
        None if version.is_none() => return None,
        // How many updates are in the checkpoint no server knows.
        _ if version.is_none() => after,
        None => after,
        Some(1) => "1 update is lost".to_string(),
        Some(lost) => format!("{lost} updates are lost"),
    };
    Some(match version {
        Some(version) => format!(
            "{who}: all parameter servers have gone back to update {version}; {lost}, and training goes on from step {steps}"
        ),
        None => format!(
            "{who}, and there is no snapshot that all parameter servers have: training goes on from the last checkpoint, and \
             {lost}"
        ),
    })
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
        failed: None,
    };
    let stop = trainer.stop.clone();
    let served = server.serve_until(async {
        let mut last = Instant::now();
        while !stop.is_set() && telling.failed.is_none() {
            tokio::time::sleep(PAUSE).await;
            telling.tell_recoveries();
            if last.elapsed() >= TELL {
                last = Instant::now();
                telling.tell();
            }
        }
    });
    telling.tell();
    let failed = telling.failed.take();
    let served = failed.map_or(served, Err);
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
    /// The error of a disk that takes no more: there is no point in continuing.
    failed: Option<Status>,
}

impl Telling<'_> {
    /// Tells what recoveries have cost, at once: this server may be the next that dies.
    fn tell_recoveries(&mut self) {
        for text in self.account.take_recovered().iter().filter_map(told) {
            tracing::warn!("{text}");
            if let Err(e) = self.journal.write(&Event::Warned(Warned { time: now(), text })) {
                tracing::warn!("that is not written down: {e}");
            }
        }
    }

    /// Tells what is new, and looks whether files can be written.
    fn tell(&mut self) {
        self.tell_recoveries();
        let summaries = self.summaries.as_ref().and_then(|summaries| summaries.check().err());
        let snapshots = self.account.snapshot_error();
        self.failed = self.failed.take().or(summaries).or(snapshots.filter(is_of_disk));
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
            self.failed = self.failed.take().or(Some(e).filter(is_of_disk));
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
    fn a_recovery_says_who_came_back_and_what_it_cost() {
        let restarted = vec!["ps/1 at h:1".to_string()];
        let recovered = Recovered { restarted, version: Some(871), steps: 870, lost: Some(12) };
        assert_eq!(
            told(&recovered).unwrap(),
            "ps/1 at h:1 came back: all parameter servers have gone back to update 871; 12 updates are lost, and training \
             goes on from step 870"
        );
        let nothing = Recovered { version: None, ..recovered.clone() };
        let text = told(&nothing).unwrap();
        assert!(
            text.ends_with("from the last checkpoint, and what came after it is lost"),
            "{text}"
        );
        assert!(told(&Recovered { lost: None, ..nothing }).is_none());
        assert!(told(&Recovered { lost: None, ..recovered }).unwrap().contains("after it is lost"));
    }

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
