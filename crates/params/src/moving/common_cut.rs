//! Bringing all servers to the same updates.

use std::collections::BTreeMap;
use std::time::Duration;

use downpour_tensor::{Result, Status};
use futures_util::future::{join_all, try_join_all};
use tokio::time::Instant;

use super::messages::{Decide, Hold, Last, Reply, Step};
use super::mover::ask;
use crate::caller::Caller;
use crate::message::Answer;

/// The pauses between looks at who has pushed what: short at first, since nobody's push is applied meanwhile.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(5);

/// How servers are brought to the same updates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// Nobody else has this number.
    pub id: u64,
    /// The layout that servers must have, if it matters.
    pub layout: Option<u64>,
    /// Servers must have applied the same positions of leased data, too.
    pub same_positions: bool,
    /// How long to try.
    pub patience: Duration,
    /// How long a server holds without hearing anything.
    pub hold: Duration,
}

/// One server at the cut.
pub(crate) struct AtCut {
    /// Its start.
    pub start: u64,
    /// Which of that start's holds it is.
    pub hold: u64,
}

impl Cut {
    /// All servers have the same updates, and take no others, when this returns.
    pub async fn reach(&self, servers: &[Caller]) -> Result<Vec<AtCut>> {
        let until = Instant::now() + self.patience;
        let mut last: Vec<Last> = Vec::new();
        let mut begin = true;
        let mut pause = Duration::ZERO;
        loop {
            let replies = self.hold(servers, begin, last.clone()).await?;
            let first = &replies[0].1;
            let layout = self.layout.unwrap_or(first.epoch);
            if let Some((_, other)) = replies.iter().find(|(_, reply)| reply.epoch != layout) {
                return Err(Status::aborted(format!("a server has the layout {}", other.epoch)));
            }
            let agrees = |reply: &Reply| {
                !reply.open
                    && reply.last == last
                    && (!self.same_positions || reply.positions == first.positions)
            };
            if !begin && replies.iter().all(|(_, reply)| agrees(reply)) {
                let cut = |(answer, reply): &(Answer, Reply)| AtCut {
                    start: answer.server,
                    hold: reply.hold,
                };
                return Ok(replies.iter().map(cut).collect());
            }
            if Instant::now() > until {
                return Err(Status::aborted(format!(
                    "servers have not come to the same updates in {:.1} s",
                    self.patience.as_secs_f64()
                )));
            }
            last = newest(replies.iter().flat_map(|(_, reply)| &reply.last));
            begin = false;
            tokio::time::sleep(pause).await;
            pause = (pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
        }
    }

    /// Has all servers hold, or go on holding.
    pub async fn hold(
        &self,
        servers: &[Caller],
        begin: bool,
        last: Vec<Last>,
    ) -> Result<Vec<(Answer, Reply)>> {
        let hold = Hold { begin, milliseconds: self.hold.as_millis() as u64, last };
        let all = servers.iter().map(|server| ask(server, self.id, Step::Hold(hold.clone()), &[]));
        try_join_all(all).await
    }

    /// Ends the hold. A server that misses this message ends it by itself after a while.
    pub async fn let_go(&self, servers: &[Caller]) {
        let all = servers.iter().map(|server| async move {
            let undo = Step::Decide(Decide { happens: false });
            if let Err(e) = ask(server, self.id, undo, &[]).await {
                tracing::debug!("the parameter server {} lets go by itself: {e}", server.name());
            }
        });
        join_all(all).await;
    }
}

/// Returns the newest update of each worker that any server has.
fn newest<'l>(all: impl Iterator<Item = &'l Last>) -> Vec<Last> {
    let mut newest: BTreeMap<u32, Last> = BTreeMap::new();
    for last in all {
        let known = newest.entry(last.worker).or_insert(*last);
        if (last.incarnation, last.sequence) > (known.incarnation, known.sequence) {
            *known = *last;
        }
    }
    newest.into_values().collect()
}
