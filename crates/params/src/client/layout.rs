//! A worker and the layout: which one it has, and moves that nobody has told a server about.

use downpour_tensor::{Code, Result, Status};
use futures_util::future::try_join_all;
use tokio::time::Instant;

use super::{Client, Server};
use crate::caller::NOT_YET;
use crate::moving::messages::{Decide, Fate, Step};
use crate::moving::{Mover, Placed, ask, look};

impl Client {
    /// Where variables are, as the newest layout of all servers says; `None` while no server was told what it trains.
    ///
    /// Servers that do not know whether a move has happened are told.
    pub async fn layout(&self) -> Result<Option<Placed>> {
        let Some(first) = self.servers.first() else { return Ok(None) };
        let until = Instant::now() + first.caller.patience().total;
        loop {
            let all = self.servers.iter().map(|server| look(&server.caller, 0));
            let replies = try_join_all(all).await?;
            let undecided = replies.iter().position(|reply| reply.prepared != 0);
            let Some(server) = undecided else {
                let defined = replies.into_iter().filter(|reply| reply.defined);
                let newest = defined.max_by_key(|reply| reply.epoch);
                return Ok(newest.map(|reply| Placed { epoch: reply.epoch, layout: reply.layout }));
            };
            self.pass_on(&self.servers[server], replies[server].prepared).await?;
            if Instant::now() > until {
                return Err(Status::deadline_exceeded(
                    "waited until the parameter servers had decided whether variables move",
                ));
            }
            tokio::time::sleep(NOT_YET).await;
        }
    }

    /// From now on this is the layout its requests are of.
    pub fn use_layout(&self, placed: Placed) {
        *self.placed.lock() = placed;
    }

    /// Whether some server has said that it has a newer layout.
    pub fn has_moved(&self) -> bool {
        let own = self.epoch();
        self.servers.iter().any(|server| server.caller.newest() > own)
    }

    pub(super) fn epoch(&self) -> u64 {
        self.placed.lock().epoch
    }

    /// One that moves variables between the same servers.
    pub fn mover(&self, patience: std::time::Duration) -> Mover {
        Mover::new(self.servers.iter().map(|server| server.caller.again()).collect(), patience)
    }

    /// Asks the server that decides whether a move has happened, and tells one that does not know.
    pub(super) async fn pass_on(&self, server: &Server, id: u64) -> Result<()> {
        let Some(first) = self.servers.first() else { return Ok(()) };
        let fate = look(&first.caller, id).await?.fate;
        if fate == Fate::Undecided as u32 {
            return Ok(());
        }
        let happens = fate == Fate::Happened as u32;
        match ask(&server.caller, id, Step::Decide(Decide { happens }), &[]).await {
            // Somebody else has told it, and something else goes on there.
            Err(status) if status.code() == Code::Aborted => Ok(()),
            told => told.map(drop),
        }
    }
}
