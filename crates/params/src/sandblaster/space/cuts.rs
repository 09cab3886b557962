//! Cuts of all servers at once (see [`super::super::coordinator_cuts`]).

use std::sync::Arc;
use std::time::Duration;

use downpour_tensor::Result;
use futures_util::future::join_all;

use super::super::asking::{ask, ask_ready};
use super::super::messages::{Ask, GoBack, MarkMessage, TakeCut};
use super::ServiceSpace;
use crate::client::Client;

/// How long reading a cut may take.
const DISK: Duration = Duration::from_secs(600);

impl ServiceSpace {
    /// The way to the servers.
    pub(in crate::sandblaster) fn client(&self) -> Arc<Client> {
        self.client.clone()
    }

    /// The cuts that each server had when the term was opened.
    pub(in crate::sandblaster) fn cuts(&self) -> &[Vec<u64>] {
        &self.cuts
    }

    /// The servers' names.
    pub(in crate::sandblaster) fn names(&self, servers: &[usize]) -> Vec<String> {
        let all = self.client.callers().enumerate();
        let chosen = all.filter(|(server, _)| servers.contains(server));
        chosen.map(|(_, caller)| caller.name().to_string()).collect()
    }

    /// Has every server take a snapshot where it is.
    pub(in crate::sandblaster) async fn take_cut(&mut self, number: u64) -> Result<()> {
        self.be_sure().await?;
        let term = self.term;
        let all = self.client.callers().zip(&self.marks).map(|(caller, mark)| {
            let take = TakeCut { term, number, executed: mark.executed };
            ask(caller, Ask::TakeCut(take), &[])
        });
        join_all(all).await.into_iter().try_for_each(|told| told.map(drop))
    }

    /// Has every server go back to a cut.
    pub(in crate::sandblaster) async fn go_back(&mut self, number: u64, lost: u64) -> Result<()> {
        self.be_sure().await?;
        self.unsure = true;
        let term = self.term;
        let all = self.client.callers().zip(&self.marks).map(|(caller, mark)| async move {
            let patient = caller.with_answers_in(DISK);
            let from = MarkMessage { start: mark.start, executed: mark.executed };
            let back = GoBack { term, number, from, lost };
            ask_ready(&patient, Ask::GoBack(back), &[]).await
        });
        let all: Vec<_> = join_all(all).await.into_iter().collect::<Result<_>>()?;
        for (server, told) in all.into_iter().enumerate() {
            self.is_at(server, told.reply);
        }
        self.unsure = false;
        Ok(())
    }
}
