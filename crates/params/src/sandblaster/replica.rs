//! A replica: takes units from the board, computes them, hands their gradients to the servers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use downpour_tensor::{Code, Result, Status, Tensor};
use futures_util::future::try_join_all;
use tokio::time::Instant;

use super::asking::{ask, ask_ready};
use super::messages::{Ask, Contribute, Done, Evaluation, Fetch, Take, WorkMessage};
use crate::client::Client;
use crate::gradient::{Gradient, Named, Update};

/// A unit to be computed. It must give the same whenever and wherever it is computed.
#[derive(Clone, Debug)]
pub struct Work {
    /// The parameters to compute it at, by their variables' names.
    pub point: Arc<Vec<Named<Tensor>>>,
    /// Which part of the examples.
    pub unit: u64,
    /// How many parts there are.
    pub units: u64,
}

impl Work {
    /// Its part of so many examples; parts are equal but for one example.
    pub fn examples(&self, of: u64) -> std::ops::Range<u64> {
        let edge =
            |unit: u64| (u128::from(of) * u128::from(unit) / u128::from(self.units.max(1))) as u64;
        edge(self.unit)..edge(self.unit + 1)
    }
}

/// What a unit gives.
#[derive(Clone, Debug)]
pub struct Contribution {
    /// The sum of losses over its examples.
    pub loss: f64,
    /// Their number, or the sum of their weights: all sums are divided by that of all units.
    pub weight: f64,
    /// The gradients of that sum, of every parameter.
    pub gradients: Vec<Named<Gradient>>,
}

/// What a replica has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worked {
    /// Units computed.
    pub units: u64,
    /// Of these, units that were of no use: another replica was faster.
    pub superfluous: u64,
    /// Points fetched.
    pub points: u64,
}

/// A point, and which server has which of its variables.
struct Point {
    evaluation: Evaluation,
    values: Arc<Vec<Named<Tensor>>>,
    servers: BTreeMap<String, usize>,
}

/// Works until the coordinator says that it is over. The client has joined; every `beat` it gives a sign of life,
/// for which `compute` must not block: what computes belongs on other threads.
///
/// `ABORTED` says that this start of the worker is over (it was silent for too long, or the first server lost
/// its state): join with a new client of a larger incarnation, and work again.
pub async fn work<C, F>(client: &Client, beat: Duration, compute: C) -> Result<Worked>
where
    C: FnMut(Work) -> F,
    F: Future<Output = Result<Contribution>>,
{
    let beats = async {
        loop {
            tokio::time::sleep(beat).await;
            if let Err(status) = client.beat().await {
                return status;
            }
        }
    };
    tokio::select! {
        biased;
        worked = work_on(client, compute) => worked,
        status = beats => Err(status),
    }
}

async fn work_on<C, F>(client: &Client, mut compute: C) -> Result<Worked>
where
    C: FnMut(Work) -> F,
    F: Future<Output = Result<Contribution>>,
{
    let (worker, incarnation) = client.identity();
    let Some(board) = client.callers().next() else {
        return Err(Status::invalid_argument("there is no parameter server"));
    };
    let patience = board.patience();
    let mut until = Instant::now() + patience.total;
    let mut worked = Worked::default();
    let mut done = None;
    let mut point: Option<Point> = None;
    loop {
        let take = Ask::Take(Take { worker, incarnation, done: done.clone() });
        let told = ask(board, take, &[]).await?;
        if told.reply.ended {
            return Ok(worked);
        }
        let Some(work) = told.reply.work else {
            if Instant::now() > until {
                return Err(Status::deadline_exceeded(format!(
                    "there was no work for {:.0} s; is the coordinator running?",
                    patience.total.as_secs_f64()
                )));
            }
            // What was reported is known there.
            done = None;
            continue;
        };
        match one_unit(client, &mut point, &mut compute, &work).await {
            Ok((contribution, used)) => {
                worked.units += 1;
                worked.superfluous += u64::from(!used);
                worked.points += u64::from(contribution.1);
                done = Some(contribution.0);
                until = Instant::now() + patience.total;
            }
            // A server has come back without its vectors: the coordinator will see to it.
            Err(status) if status.code() == Code::FailedPrecondition && Instant::now() < until => {
                tracing::debug!("a unit is given up: {status}");
                (done, point) = (None, None);
                tokio::time::sleep(patience.first_pause).await;
            }
            Err(status) => return Err(status),
        }
    }
}

/// Computes a unit and hands it in: what to report, whether a new point was fetched, and whether it was of use.
async fn one_unit<C, F>(
    client: &Client,
    known: &mut Option<Point>,
    compute: &mut C,
    work: &WorkMessage,
) -> Result<((Done, bool), bool)>
where
    C: FnMut(Work) -> F,
    F: Future<Output = Result<Contribution>>,
{
    let &WorkMessage { evaluation, unit, units, .. } = work;
    let fresh = known.as_ref().is_none_or(|point| point.evaluation != evaluation);
    if fresh {
        // The old one goes first: there need not be room for two.
        *known = None;
        *known = Some(fetched(client, work).await?);
    }
    let Some(point) = known else { return Err(Status::internal("a point was not kept")) };
    let contribution = compute(Work { point: point.values.clone(), unit, units }).await?;
    let Contribution { loss, weight, gradients } = contribution;
    let mut parts: Vec<Update> = vec![Update::default(); client.servers()];
    for (name, gradient) in gradients {
        let Some(&server) = point.servers.get(&name) else {
            return Err(Status::invalid_argument(format!(
                "a gradient of '{name}' was computed, which is not trained"
            )));
        };
        parts[server].gradients.push((name, gradient));
    }
    let contribute = Contribute { evaluation, unit, units };
    let all = client.callers().zip(&parts).map(|(caller, part)| {
        let (ask, packed) = (Ask::Contribute(contribute.clone()), part.pack(None));
        async move { ask_ready(caller, ask, &packed?.0).await.map(|told| told.answer.used) }
    });
    let used = try_join_all(all).await?.into_iter().any(|used| used);
    Ok(((Done { evaluation, unit, loss, weight }, fresh), used))
}

async fn fetched(client: &Client, work: &WorkMessage) -> Result<Point> {
    let all = client.callers().map(|caller| async move {
        let fetch = Ask::Fetch(Fetch { vector: work.point });
        ask_ready(caller, fetch, &[]).await.map(|told| told.items)
    });
    let (mut values, mut servers) = (Vec::new(), BTreeMap::new());
    for (server, items) in try_join_all(all).await?.into_iter().enumerate() {
        for item in items {
            servers.insert(item.name.clone(), server);
            values.push((item.name, item.tensor));
        }
    }
    Ok(Point { evaluation: work.evaluation, values: Arc::new(values), servers })
}
