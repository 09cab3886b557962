//! Cuts: what all servers had after one iteration, on their disks, so that all can go back to it when one has died.
//!
//! Protocol. Between two iterations servers execute nothing but what the coordinator sends. There it has every server
//! take a snapshot (values are shared, not copied) under a number that was never used before; the servers write it
//! while the next iterations run. When all have written it the cut is whole, and the one before the last is removed.
//! L-BFGS's state at that moment is remembered with the number.
//!
//! A server that comes back starts with its newest cut. If that lacks something, all servers go back to the newest
//! cut that every one of them has, and L-BFGS to its state: no model is put together from different iterations.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use downpour_lbfgs::State;
use downpour_tensor::{Code, Result};
use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::asking::ask;
use super::messages::{Ask, WriteCut};
use super::space::ServiceSpace;
use crate::client::Client;

/// How long writing a cut may take.
const DISK: Duration = Duration::from_secs(600);
/// Pauses are at least this multiple of the time that writing took, while training went on.
const WRITING_SHARE: u32 = 10;

/// A coordinator's first number is this far above those that servers know: one that was taken for the coordinator
/// before, and may still be written, has none of its numbers.
const LEAP: u64 = 1000;

/// The state of all servers after an iteration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// Its number at the servers.
    pub number: u64,
    /// L-BFGS's state then.
    pub state: State,
}

/// All servers have gone back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WentBack {
    /// Servers that had come back without what they had.
    pub servers: Vec<String>,
    /// The iteration after which training goes on; `None` if there was no cut that all servers had, and those that came
    /// back go on from the last point they have, with a new history.
    pub iteration: Option<u64>,
    /// Iterations that were made and are lost.
    pub lost: u64,
}

impl fmt::Display for WentBack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let who = self.servers.join(" and ");
        let Some(iteration) = self.iteration else {
            return write!(
                f,
                "{who} came back without the last iterations, and there is no snapshot that all parameter servers have: \
                 each goes on from what it has"
            );
        };
        let lost = match self.lost {
            1 => "1 iteration is lost".to_string(),
            lost => format!("{lost} iterations are lost"),
        };
        write!(
            f,
            "{who} came back: all parameter servers have gone back to iteration {iteration}; {lost}"
        )
    }
}

/// Hears that servers have gone back.
pub type Tell = Box<dyn FnMut(WentBack) + Send>;

/// A coordinator's cuts.
#[derive(Default)]
pub(super) struct Cuts {
    /// Those that are whole, oldest first: at most two.
    pub whole: Vec<Cut>,
    writing: Option<Writing>,
    /// How long between two, at least; none are made if that was not said.
    every: Option<Duration>,
    next: Option<Instant>,
    /// The last number that this coordinator has used, if it has.
    last: Option<u64>,
}

struct Writing {
    cut: Cut,
    task: JoinHandle<Result<Duration>>,
}

impl Drop for Writing {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Cuts {
    pub fn new(whole: Vec<Cut>) -> Cuts {
        Cuts { whole, ..Cuts::default() }
    }

    /// Makes cuts from now on.
    pub fn make_every(&mut self, every: Duration) {
        self.every = Some(every);
    }

    /// Makes the next cut if it is time. An error is one of the servers, as of any other command.
    ///
    /// Servers then remove the one before the last: by now it must be remembered that this one is whole.
    pub async fn make(&mut self, space: &mut ServiceSpace, state: State) -> Result<()> {
        let is_early = self.next.is_some_and(|next| Instant::now() < next);
        if self.every.is_none() || self.writing.is_some() || is_early {
            return Ok(());
        }
        let there = space.cuts().iter().flatten().copied().max().unwrap_or(0);
        let number = match self.last {
            None => there.saturating_add(LEAP),
            Some(last) => last.max(there).saturating_add(1),
        };
        self.last = Some(number);
        match space.take_cut(number).await {
            Err(status) if status.code() == Code::FailedPrecondition => {
                tracing::info!("parameter servers write no snapshots: {status}");
                self.every = None;
                return Ok(());
            }
            taken => taken?,
        }
        let keep = self.whole.last().map_or(0, |cut| cut.number);
        let task = tokio::spawn(write(space.client(), number, keep));
        self.writing = Some(Writing { cut: Cut { number, state }, task });
        Ok(())
    }

    /// Counts the cut that was being written, if it is whole by now. What is to be saved has it from then on.
    pub async fn settle(&mut self) {
        let every = self.every.unwrap_or_default();
        let Some(writing) = self.writing.as_mut().filter(|writing| writing.task.is_finished())
        else {
            return;
        };
        let written = (&mut writing.task).await;
        let pause = match written {
            Ok(Ok(took)) => {
                self.whole.push(writing.cut.clone());
                let extra = self.whole.len().saturating_sub(2);
                self.whole.drain(..extra);
                every.max(took * WRITING_SHARE)
            }
            Ok(Err(e)) => {
                tracing::warn!(
                    "parameter servers could not write a snapshot: {e}; the one before it stays"
                );
                every
            }
            Err(e) => {
                tracing::error!("writing a snapshot has ended early: {e}");
                every
            }
        };
        self.writing = None;
        self.next = Some(Instant::now() + pause);
    }

    /// Has all servers go back to the newest cut that every one has; `None` if there is none. `iterations` is how far
    /// training was.
    pub async fn go_back(
        &mut self,
        space: &mut ServiceSpace,
        iterations: u64,
    ) -> Result<Option<Cut>> {
        // Whether or not every server has written it, it is not whole.
        self.writing = None;
        while let Some(cut) = self.whole.last().cloned() {
            if space.cuts().iter().all(|own| own.contains(&cut.number)) {
                let lost = iterations.saturating_sub(cut.state.iterations);
                match space.go_back(cut.number, lost).await {
                    Ok(()) => {
                        self.next = None;
                        return Ok(Some(cut));
                    }
                    // A server has it no longer, or cannot read it.
                    Err(status) if status.code() == Code::FailedPrecondition => {
                        tracing::warn!("{status}");
                        space.reopen().await?;
                    }
                    Err(status) => return Err(status),
                }
            }
            self.whole.pop();
        }
        Ok(None)
    }
}

/// Has all servers write a cut; how long it took.
async fn write(client: Arc<Client>, number: u64, keep: u64) -> Result<Duration> {
    let begun = Instant::now();
    let all = client.callers().map(|caller| async move {
        let patient = caller.with_answers_in(DISK);
        ask(&patient, Ask::WriteCut(WriteCut { number, keep }), &[]).await
    });
    try_join_all(all).await?;
    Ok(begun.elapsed())
}
