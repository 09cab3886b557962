//! One connection's requests, one after the other.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use downpour_coordinator::door::ConnectionLimits;
use downpour_tensor::{Code, Result, Status, Tensor};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::compute::Compute;
use crate::frame::{Item, Reader, pieces};
use crate::gradient::{Named, from_items};
use crate::message::{Answer, Ask, Hello, MAGIC, Part, Pull, Request, VERSION};
use crate::mode::Mode;
use crate::moving::Placed;
use crate::pieces::Pieces;
use crate::store::{Definition, Store, answer_leader, answer_mover};
use crate::values::Values;

/// How long a server that waits for a recovery, or for an earlier start of a worker to end, lets whoever asks wait before it
/// says "not yet".
const WAITING: Duration = Duration::from_millis(20);

/// How long a push waits for a move before its worker is told "not yet".
const LONGEST_HELD: Duration = Duration::from_secs(1);

/// Answers a connection until it ends.
pub async fn serve<S, V>(
    stream: S,
    store: Arc<Store<V>>,
    compute: Arc<dyn Compute>,
) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
    V: Values,
{
    serve_within(stream, store, compute, &ConnectionLimits::default(), || ()).await
}

/// Answers a connection until it ends or passes a limit. `greeted` is called when the other side has said hello.
pub async fn serve_within<S, V>(
    stream: S,
    store: Arc<Store<V>>,
    compute: Arc<dyn Compute>,
    limits: &ConnectionLimits,
    greeted: impl FnOnce(),
) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
    V: Values,
{
    let mut reader = Reader::with_stall(stream, limits.stall);
    limits.hello(meet(&mut reader)).await?;
    greeted();
    let mut presence = store.attendance.connection();
    loop {
        let (request, items) = match reader.message::<Request>().await {
            Ok(message) => message,
            // Whoever asked has gone, between two requests or within one: nothing of it was applied.
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            Err(e) => return Err(e),
        };
        let joins = match &request.ask {
            Some(Ask::Join(join)) => Some(join.worker),
            _ => None,
        };
        let answered = match items {
            Ok(items) => answer(&store, &compute, request, items).await,
            Err(status) => Err(status),
        };
        let (epoch, undecided) = store.layout_now();
        let (head, items) = match answered {
            Ok(Some((head, items))) => {
                if let Some(worker) = joins.filter(|_| !head.again) {
                    presence.joined(worker.into(), head.incarnation);
                }
                (head, items)
            }
            Ok(None) => {
                (Answer { again: true, server: store.incarnation, ..Answer::default() }, Vec::new())
            }
            Err(status) => (failed(&status), Vec::new()),
        };
        let head = Answer { epoch, undecided, recovery: store.recovery(), ..head };
        let out = pieces(head, &items).unwrap_or_else(|status| {
            // An answer whose tensors cannot be written: strings of a kind that has no encoding.
            Pieces::new(&failed(&status), [])
        });
        out.write(reader.stream()).await?;
    }
}

async fn meet<S: AsyncRead + AsyncWrite + Unpin>(reader: &mut Reader<S>) -> io::Result<()> {
    let mut magic = [0; 8];
    reader.stream().read_exact(&mut magic).await?;
    let hello: Hello = reader.hello().await?;
    if magic != MAGIC || hello.version != VERSION {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("it speaks version {} of the parameter service, not {VERSION}", hello.version),
        ));
    }
    Pieces::new(&Hello { version: VERSION }, []).write(reader.stream()).await
}

fn failed(status: &Status) -> Answer {
    Answer {
        code: status.code() as i32,
        message: status.message().to_string(),
        ..Answer::default()
    }
}

type Answered = Option<(Answer, Vec<Item>)>;

async fn answer<V: Values>(
    store: &Arc<Store<V>>,
    compute: &Arc<dyn Compute>,
    request: Request,
    items: Vec<Item>,
) -> Result<Answered> {
    let ask = request.ask.ok_or_else(|| {
        Status::unimplemented(
            "the parameter service does not know this request: is the worker newer?",
        )
    })?;
    if store.waits_for_recovery() && !matches!(ask, Ask::Recovery(_) | Ask::Statistics(_)) {
        // Whoever asks does so again soon, and a recovery takes no longer than the leader needs to see that it is due.
        tokio::time::sleep(WAITING).await;
        return Ok(None);
    }
    match ask {
        Ask::Pull(pull) => return pulled(store, compute, pull, items).await,
        Ask::Join(join) => {
            let joined = store.join(&join, Instant::now())?;
            if joined.is_none() {
                tokio::time::sleep(WAITING).await;
            }
            return Ok(joined.map(|answer| (answer, Vec::new())));
        }
        Ask::Statistics(_) => return Ok(Some((statistics(store), Vec::new()))),
        Ask::Sandblaster(request) => {
            return crate::sandblaster::answer(store, compute, request, items).await;
        }
        _ => {}
    }
    let push = matches!(ask, Ask::Push(_));
    // Before it computes: what changes from here on is not missed.
    let mut change = std::pin::pin!(store.change());
    change.as_mut().enable();
    // The rest computes.
    let (own, now) = (store.clone(), Instant::now());
    let answer = run(compute, move || computed(&own, ask, items, now)).await??;
    if push && answer.is_none() && store.is_held() {
        // Gradients that would only be sent again wait here, not on the way.
        let longest = store.limits().wait.min(LONGEST_HELD);
        drop(tokio::time::timeout(longest, change).await);
    }
    Ok(answer.map(|answer| (answer, Vec::new())))
}

fn computed<V: Values>(
    store: &Store<V>,
    ask: Ask,
    items: Vec<Item>,
    now: Instant,
) -> Result<Option<Answer>> {
    match ask {
        Ask::Define(define) => {
            let mode = Mode::from_parts(define.mode, define.workers, define.amount)?;
            let placed = Placed { epoch: define.epoch, layout: define.layout };
            store.define_placed(Definition { program: define.program, mode }, placed)?;
            Ok(Some(Answer::default()))
        }
        Ask::Put(put) => {
            let values = items.into_iter().map(|item| (item.name, item.tensor)).collect();
            store.put(&put, values, now).map(Some)
        }
        Ask::Push(push) => {
            let update = || from_items(items, |name| store.values().form(name));
            store.push(&push, update, now)
        }
        Ask::Leave(leave) => store.leave(&leave).map(Some),
        Ask::Moving(request) => {
            let values = items.into_iter().map(|item| (item.name, item.tensor)).collect();
            let reply = answer_mover(store, request, values, now)?;
            Ok(Some(Answer { moving: Some(reply), server: store.incarnation, ..Answer::default() }))
        }
        Ask::Recovery(request) => {
            let reply = answer_leader(store, request, now)?;
            let recovering = Some(reply);
            Ok(Some(Answer { recovering, server: store.incarnation, ..Answer::default() }))
        }
        // Answered without computing.
        Ask::Pull(_) | Ask::Join(_) | Ask::Statistics(_) | Ask::Sandblaster(_) => {
            Err(Status::internal("a request went astray"))
        }
    }
}

/// Waits until the worker may go on, then gives it the parameters.
async fn pulled<V: Values>(
    store: &Arc<Store<V>>,
    compute: &Arc<dyn Compute>,
    pull: Pull,
    items: Vec<Item>,
) -> Result<Answered> {
    let rows = wanted_rows(items)?;
    let until = Instant::now() + store.limits().wait;
    loop {
        // Before looking: what changes from here on is not missed.
        let mut change = std::pin::pin!(store.change());
        change.as_mut().enable();
        if store.may_pull(&pull, Instant::now())? {
            break;
        }
        // Too late is "not yet".
        if tokio::time::timeout_at(until, change).await.is_err() {
            return Ok(None);
        }
    }
    // Whole values are shared; rows are picked, which computes.
    let (answer, wanted) = match rows.is_empty() {
        true => store.pull(&pull, rows)?,
        false => {
            let own = store.clone();
            run(compute, move || own.pull(&pull, rows)).await??
        }
    };
    let item = |part: Part| {
        move |(name, tensor): Named<Tensor>| Item { name, part, tensor, packed: false }
    };
    let whole = wanted.whole.into_iter().map(item(Part::Whole));
    Ok(Some((answer, whole.chain(wanted.rows.into_iter().map(item(Part::Rows))).collect())))
}

/// The rows a pull asks for.
fn wanted_rows(items: Vec<Item>) -> Result<Vec<Named<Tensor>>> {
    let numbers = |item: Item| match item.part == Part::Indices && !item.packed {
        true => Ok((item.name, item.tensor)),
        false => Err(Status::invalid_argument(format!(
            "a pull comes with the numbers of rows, and '{}' is something else",
            item.name
        ))),
    };
    items.into_iter().map(numbers).collect()
}

/// Computes where that is done.
async fn run<T: Send + 'static>(
    compute: &Arc<dyn Compute>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let (send, receive) = oneshot::channel();
    compute.run(Box::new(move || drop(send.send(work())))).await;
    receive.await.map_err(|_| Status::internal("what was to be computed was not"))
}

fn statistics<V: Values>(store: &Store<V>) -> Answer {
    let seen = store.statistics();
    Answer {
        version: seen.updates,
        steps: seen.steps,
        counts: vec![seen.updates, seen.repeated, seen.dropped, seen.lost, seen.refused],
        data: vec![seen.known, seen.examples],
        histogram: seen.staleness,
        ready: store.is_ready(),
        server: store.incarnation,
        ..Answer::default()
    }
}

/// Looks every so often for workers that have gone silent; never ends.
///
/// A process that was stopped for a while has heard nobody, and must not take that for their silence.
pub async fn keep_watch<V: Values>(
    store: Arc<Store<V>>,
    compute: Arc<dyn Compute>,
    every: Duration,
) {
    let mut last = Instant::now();
    loop {
        tokio::time::sleep(every).await;
        let (own, now) = (store.clone(), Instant::now());
        let asleep = now.duration_since(last) > every + own.limits().silence / 2;
        last = now;
        let look = move || {
            if asleep {
                own.forgive(now);
            }
            if let Err(e) = own.tick(now) {
                tracing::error!("an update without workers that are gone: {e}");
            }
        };
        compute.run(Box::new(look)).await;
    }
}

/// The status an answer carries.
pub(crate) fn status_of(answer: &Answer) -> Result<()> {
    match answer.code {
        0 => Ok(()),
        code => Err(Status::new(Code::from_i32(code), answer.message.clone())),
    }
}
