//! Parameters from the servers: whole variables, or some of their rows.

use downpour_tensor::{Result, Status, Tensor};
use futures_util::future::try_join_all;
use tokio::time::Instant;

use super::{Client, Server, lost_state};
use crate::frame::Item;
use crate::gradient::Named;
use crate::message::{Answer, Ask, Part, Pull};

/// A server's values.
#[derive(Clone, Debug)]
pub struct Pulled {
    /// Updates so far.
    pub version: u64,
    /// Steps so far.
    pub steps: u64,
    /// By name, in the order they were asked for.
    pub values: Vec<Named<Tensor>>,
}

fn pulled(answer: Answer, items: Vec<Item>) -> Pulled {
    let values = items.into_iter().map(|item| (item.name, item.tensor)).collect();
    Pulled { version: answer.version, steps: answer.steps, values }
}

impl Client {
    /// Asks every server for values, waiting for other workers as the strategy wants it. Of a server whose names
    /// are none only the version is asked.
    pub async fn pull(&self, names: &[Vec<String>]) -> Result<Vec<Pulled>> {
        let all =
            self.servers.iter().zip(names).map(|(server, names)| self.pull_one(server, names));
        try_join_all(all).await
    }

    async fn pull_one(&self, server: &Server, names: &[String]) -> Result<Pulled> {
        let until = Instant::now() + server.caller.patience().total;
        loop {
            let known = server.state.lock().clone();
            let ask = Ask::Pull(Pull {
                worker: self.worker,
                incarnation: self.incarnation(),
                at_least: known.next,
                names: names.to_vec(),
                now: false,
                clock: *self.clock.lock(),
                exactly: true,
                epoch: self.epoch(),
                recovery: self.recovery(),
            });
            let (answer, items) = server.caller.call(ask, &[]).await.map_err(lost_state)?;
            if !answer.again {
                let mut state = server.state.lock();
                (state.base, state.base_start, state.next) = (answer.version, answer.server, 0);
                state.last = None;
                return Ok(pulled(answer, items));
            }
            if answer.undecided != 0 {
                self.pass_on(server, answer.undecided).await?;
            }
            // A restarted server has the gradients of whole steps; those of the one it is at must come again.
            if let Some((push, items)) = known.last.filter(|_| answer.server != known.start) {
                self.push_one(server, &push, &items).await?;
            }
            if Instant::now() > until {
                return Err(Status::deadline_exceeded(format!(
                    "waited {:.0} s at the parameter server {} for the other workers; are all of them running? \
                     Workers that are not to be waited for are `backups`.",
                    server.caller.patience().total.as_secs_f64(),
                    server.caller.name()
                )));
            }
        }
    }

    /// Values as they are, without waiting for anybody; all of them if none are named.
    pub async fn read(&self, server: usize, names: &[String]) -> Result<Pulled> {
        let names = names.to_vec();
        self.read_now(self.server(server)?, Pull { names, ..Pull::default() }, &[]).await
    }

    /// Rows of variables by their numbers, as they are now: of each server those of its variables.
    ///
    /// They belong to the parameters that were pulled last, unless an update was made since. Where gradients of
    /// other parameters are dropped, so are those of rows that were newer or older: the version they are pushed
    /// with is that of the last pull.
    pub async fn read_rows(&self, wanted: &[Vec<Named<Tensor>>]) -> Result<Vec<Pulled>> {
        let some = self.servers.iter().zip(wanted).filter(|(_, rows)| !rows.is_empty());
        let all = some.map(|(server, rows)| async move {
            let item = |(name, rows): &Named<Tensor>| Item::new(name, Part::Indices, rows.clone());
            let items: Vec<Item> = rows.iter().map(item).collect();
            let pulled = self.read_now(server, Pull { exactly: true, ..Pull::default() }, &items);
            let pulled = pulled.await?;
            let asked = rows.iter().map(|(name, _)| name);
            match pulled.values.iter().map(|(name, _)| name).eq(asked) {
                true => Ok(pulled),
                false => Err(Status::internal(format!(
                    "the parameter server {} has answered with rows of other variables",
                    server.caller.name()
                ))),
            }
        });
        try_join_all(all).await
    }

    async fn read_now(&self, server: &Server, pull: Pull, items: &[Item]) -> Result<Pulled> {
        let (worker, incarnation) = self.identity();
        let (epoch, recovery) = (self.epoch(), self.recovery());
        let ask = Ask::Pull(Pull { worker, incarnation, now: true, epoch, recovery, ..pull });
        let answer = self.patiently(server, ask, items, "the first values").await;
        let (answer, items) = answer.map_err(lost_state)?;
        Ok(pulled(answer, items))
    }
}
