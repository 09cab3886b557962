//! A server's side: requests of coordinators and replicas.

use std::sync::Arc;
use std::time::Duration;

use downpour_tensor::{Result, Status, Tensor};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::board::{Progress, Taken};
use super::messages::{Ask, Await, Contribute, Execute, Reply, Request, Take};
use super::server_cuts;
use crate::compute::Compute;
use crate::frame::Item;
use crate::gradient::from_items;
use crate::message::{Answer, Part};
use crate::store::Store;
use crate::values::Values;

type Answered = Option<(Answer, Vec<Item>)>;

/// Nobody is looked after more often than this.
const SHORTEST: Duration = Duration::from_millis(1);

/// Answers one request; `None` for "not yet".
pub(crate) async fn answer<V: Values>(
    store: &Arc<Store<V>>,
    compute: &Arc<dyn Compute>,
    request: Request,
    items: Vec<Item>,
) -> Result<Answered> {
    let Some(ask) = request.ask else {
        return Err(Status::unimplemented(
            "this server does not know this request of L-BFGS: is the coordinator newer?",
        ));
    };
    let now = Instant::now();
    match ask {
        Ask::Post(post) => {
            store.sandblaster.board.post(&post, now)?;
            Ok(replied(store, Reply::default()))
        }
        Ask::End(end) => {
            store.sandblaster.board.end(end.coordinator);
            Ok(replied(store, Reply::default()))
        }
        Ask::Await(wait) => awaited(store, wait).await,
        Ask::Take(take) => taken(store, take).await,
        // The rest computes, or waits for what does, or for a disk.
        Ask::Open(_)
        | Ask::Execute(_)
        | Ask::Contribute(_)
        | Ask::Fetch(_)
        | Ask::TakeCut(_)
        | Ask::WriteCut(_)
        | Ask::GoBack(_) => {
            if !store.is_ready() {
                return Ok(None);
            }
            let (send, receive) = oneshot::channel();
            let own = store.clone();
            let work = move || drop(send.send(computed(&own, ask, items)));
            compute.run(Box::new(work)).await;
            receive.await.map_err(|_| Status::internal("what was to be computed was not"))?
        }
    }
}

fn head<V: Values>(store: &Store<V>, reply: Reply) -> Answer {
    Answer { server: store.incarnation, sandblaster: Some(reply), ..Answer::default() }
}

fn replied<V: Values>(store: &Store<V>, reply: Reply) -> Answered {
    Some((head(store, reply), Vec::new()))
}

fn computed<V: Values>(store: &Store<V>, ask: Ask, items: Vec<Item>) -> Result<Answered> {
    match ask {
        Ask::Open(open) => {
            let _changing = store.changing();
            let mut vectors = store.sandblaster.vectors.lock();
            vectors.open(store.values(), open)?;
            Ok(replied(store, server_cuts::reply(store, &vectors)))
        }
        Ask::Execute(batch) => executed(store, &batch),
        Ask::Contribute(contribution) => contributed(store, &contribution, items),
        Ask::Fetch(fetch) => {
            let vectors = store.sandblaster.vectors.lock();
            let found = vectors.fetch(store.values(), fetch.vector)?;
            let item = |(name, tensor): (String, Tensor)| Item::new(&name, Part::Whole, tensor);
            let items = found.into_iter().map(item).collect();
            Ok(Some((head(store, Reply::default()), items)))
        }
        Ask::TakeCut(take) => Ok(replied(store, server_cuts::take(store, take)?)),
        Ask::WriteCut(write) => Ok(replied(store, server_cuts::write(store, write)?)),
        Ask::GoBack(back) => Ok(replied(store, server_cuts::go_back(store, back)?)),
        Ask::Post(_) | Ask::Await(_) | Ask::Take(_) | Ask::End(_) => {
            Err(Status::internal("a request went astray"))
        }
    }
}

fn executed<V: Values>(store: &Store<V>, batch: &Execute) -> Result<Answered> {
    let _changing = store.changing();
    let mut vectors = store.sandblaster.vectors.lock();
    let mut gather = store.sandblaster.gather.lock();
    let executed = vectors.execute(store.values(), &mut gather, batch)?;
    if executed.published {
        store.published();
    }
    let start = vectors.branch.unwrap_or(store.incarnation);
    Ok(replied(store, Reply { start, ..executed.reply }))
}

fn contributed<V: Values>(
    store: &Store<V>,
    contribution: &Contribute,
    items: Vec<Item>,
) -> Result<Answered> {
    let compressed = |name: &str| {
        Err(Status::invalid_argument(format!(
            "the gradient of '{name}' came compressed, which L-BFGS's replicas do not do"
        )))
    };
    let gradients = from_items(items, compressed)?.gradients;
    let layout = store.sandblaster.vectors.lock().layout()?.clone();
    let used = store.sandblaster.gather.lock().add(&layout, contribution, &gradients)?;
    Ok(Some((Answer { used, ..head(store, Reply::default()) }, Vec::new())))
}

/// Waits for the evaluation's end; says now and then how far it is.
async fn awaited<V: Values>(store: &Arc<Store<V>>, wait: Await) -> Result<Answered> {
    let board = &store.sandblaster.board;
    let until = Instant::now() + store.limits().wait;
    loop {
        // Before looking: what changes from here on is not missed.
        let mut change = std::pin::pin!(board.change());
        change.as_mut().enable();
        board.assign(|(worker, start)| store.takes_part(worker, start), Instant::now());
        let done = match board.progress(wait.evaluation) {
            Progress::Complete(total) => {
                return Ok(replied(store, Reply { total: Some(total), ..Reply::default() }));
            }
            Progress::Unknown => {
                return Err(Status::not_found(
                    "the evaluation is not on the board: this server was restarted, or another coordinator has taken over",
                ));
            }
            Progress::Going(done) => done,
        };
        if tokio::time::timeout_at(until, change).await.is_err() {
            let answer = Answer { again: true, ..head(store, Reply { done, ..Reply::default() }) };
            return Ok(Some((answer, Vec::new())));
        }
    }
}

/// Counts what is reported, and waits for work.
async fn taken<V: Values>(store: &Arc<Store<V>>, take: Take) -> Result<Answered> {
    let board = &store.sandblaster.board;
    let until = Instant::now() + store.limits().wait;
    let mut report = take.done;
    loop {
        let now = Instant::now();
        store.heard(take.worker, take.incarnation, now)?;
        let who = (take.worker, take.incarnation);
        let (wake, late) = match board.take(who, report.take().as_ref(), now)? {
            Taken::Work(work) => {
                return Ok(replied(store, Reply { work: Some(work), ..Reply::default() }));
            }
            Taken::Ended => {
                return Ok(replied(store, Reply { ended: true, ..Reply::default() }));
            }
            Taken::Wait(wake, late) => (wake, late),
        };
        let mut woken = std::pin::pin!(wake.notified());
        woken.as_mut().enable();
        // It may have come in between.
        if !matches!(board.take(who, None, now)?, Taken::Wait(..)) {
            continue;
        }
        let next = late.map_or(until, |late| late.max(now + SHORTEST).min(until));
        if tokio::time::timeout_at(next, woken).await.is_err() && next == until {
            return Ok(None);
        }
    }
}
