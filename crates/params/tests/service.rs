//! Servers and workers over pipes: modes, repetition, restarts.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use downpour_compress::{Compression, Compressor};
use downpour_coordinator::Extent;
use downpour_params::{
    Client, Connect, Definition, Gradient, Inline, Limits, Mode, Patience, PlainValues, Shard,
    Store, Stream, Update, keep_watch, read_snapshot, serve, write_snapshot,
};
use downpour_tensor::{Code, Tensor};
use parking_lot::Mutex;
use tokio::io::duplex;
use tokio::task::AbortHandle;
use tokio::time::Instant;

type Plain = Arc<Store<PlainValues>>;

/// A server's address: a test may replace the store that answers there, as a restart does.
#[derive(Clone)]
struct Place(Arc<Mutex<(Plain, Vec<AbortHandle>)>>);

impl Place {
    fn new(store: Plain) -> Place {
        Place(Arc::new(Mutex::new((store, Vec::new()))))
    }

    fn store(&self) -> Plain {
        self.0.lock().0.clone()
    }

    /// Connections to the old one end.
    fn replace(&self, store: Plain) {
        let mut place = self.0.lock();
        place.0 = store;
        place.1.drain(..).for_each(|connection| connection.abort());
    }
}

fn limits() -> Limits {
    Limits { silence: Duration::from_secs(5), wait: Duration::from_secs(1) }
}

fn store(start: u64) -> Plain {
    Arc::new(Store::new(PlainValues::new(1.0), limits(), start))
}

fn connect(place: &Place) -> Connect {
    let place = place.clone();
    Arc::new(move || {
        let place = place.clone();
        Box::pin(async move {
            let (near, far) = duplex(1 << 12);
            let serving = tokio::spawn(serve(far, place.store(), Arc::new(Inline)));
            place.0.lock().1.push(serving.abort_handle());
            Ok(Box::new(near) as Box<dyn Stream>)
        }) as Pin<Box<dyn Future<Output = _> + Send>>
    })
}

fn client(worker: u32, token: u32, places: &[Place]) -> Client {
    let shard = |(number, place): (usize, &Place)| Shard {
        name: format!("ps/{number}"),
        connect: connect(place),
    };
    let shards = places.iter().enumerate().map(shard).collect();
    Client::new(worker, token, shards, Patience::default())
}

fn definition(mode: Mode) -> Definition {
    Definition { program: Default::default(), mode }
}

fn vector(values: &[f32]) -> Tensor {
    Tensor::vector(values).unwrap()
}

fn gradient(values: &[f32]) -> Update {
    let gradients = vec![("w".to_string(), Gradient::Dense(vector(values)))];
    Update { gradients, set: Vec::new() }
}

async fn begin(mode: Mode, workers: u32) -> (Place, Vec<Client>) {
    let place = Place::new(store(1));
    let mut clients = Vec::new();
    for worker in 0..workers {
        let client = client(worker, 1, std::slice::from_ref(&place));
        client.define(&[definition(mode)]).await.unwrap();
        let joined = client.join().await.unwrap();
        if worker == 0 {
            assert!(!joined[0].ready);
            client.put(0, &[("w".to_string(), vector(&[10.0, 20.0]))], true, 0).await.unwrap();
        }
        clients.push(client);
    }
    (place, clients)
}

async fn value(client: &Client) -> Vec<f32> {
    let read = client.read(0, &["w".to_string()]).await.unwrap();
    read.values[0].1.as_slice::<f32>().unwrap().to_vec()
}

fn w() -> Vec<Vec<String>> {
    vec![vec!["w".to_string()]]
}

#[tokio::test(start_paused = true)]
async fn updates_at_once_are_applied_in_turn_and_their_staleness_is_counted() {
    let (place, clients) = begin(Mode::AtOnce, 2).await;
    for client in &clients {
        client.pull(&w()).await.unwrap();
    }
    let first = clients[0].push(&[gradient(&[1.0, 0.0])], 3).await.unwrap();
    let second = clients[1].push(&[gradient(&[0.0, 1.0])], 1).await.unwrap();
    assert_eq!((first[0].version, first[0].steps, first[0].staleness), (1, 3, 0));
    assert_eq!((second[0].version, second[0].steps, second[0].staleness), (2, 4, 1));
    assert_eq!(value(&clients[0]).await, [9.0, 19.0]);
    let seen = place.store().statistics();
    assert_eq!((seen.updates, seen.staleness[0], seen.staleness[1]), (2, 1, 1));
}

#[tokio::test(start_paused = true)]
async fn together_is_the_average_and_waits_for_all() {
    let (_place, clients) = begin(Mode::Together { workers: 2, backups: 0 }, 2).await;
    for client in &clients {
        client.pull(&w()).await.unwrap();
    }
    clients[0].push(&[gradient(&[1.0, 0.0])], 1).await.unwrap();
    // The step is not complete: the first has to wait.
    let waiting = tokio::time::timeout(Duration::from_secs(3), clients[0].pull(&w())).await;
    assert!(waiting.is_err());
    clients[1].push(&[gradient(&[3.0, 2.0])], 1).await.unwrap();
    let pulled = clients[0].pull(&w()).await.unwrap();
    assert_eq!(pulled[0].version, 1);
    assert_eq!(pulled[0].values[0].1.as_slice::<f32>().unwrap(), [8.0, 19.0]);
}

#[tokio::test(start_paused = true)]
async fn who_comes_on_top_of_those_expected_is_waited_for_until_it_leaves() {
    let (place, mut clients) = begin(Mode::Together { workers: 2, backups: 0 }, 2).await;
    let third = client(2, 1, std::slice::from_ref(&place));
    third.join().await.unwrap();
    clients.push(third);
    for client in &clients {
        client.pull(&w()).await.unwrap();
    }
    for client in &clients[..2] {
        client.push(&[gradient(&[3.0, 0.0])], 1).await.unwrap();
    }
    assert_eq!(value(&clients[0]).await, [10.0, 20.0]);
    clients[2].push(&[gradient(&[0.0, 3.0])], 1).await.unwrap();
    assert_eq!(value(&clients[0]).await, [8.0, 19.0]);
    clients[2].leave().await.unwrap();
    for client in &clients[..2] {
        client.pull(&w()).await.unwrap();
        client.push(&[gradient(&[1.0, 1.0])], 1).await.unwrap();
    }
    assert_eq!(value(&clients[0]).await, [7.0, 18.0]);
}

#[tokio::test(start_paused = true)]
async fn a_backup_that_is_late_is_dropped() {
    let (place, clients) = begin(Mode::Together { workers: 3, backups: 1 }, 3).await;
    for client in &clients {
        client.pull(&w()).await.unwrap();
    }
    for client in &clients[..2] {
        assert!(client.push(&[gradient(&[2.0, 2.0])], 1).await.unwrap()[0].used);
    }
    let late = clients[2].push(&[gradient(&[100.0, 100.0])], 1).await.unwrap();
    assert!(!late[0].used);
    assert_eq!(value(&clients[0]).await, [8.0, 18.0]);
    // It goes on from the newest.
    assert_eq!(clients[2].pull(&w()).await.unwrap()[0].version, 1);
    assert_eq!(place.store().statistics().dropped, 1);
}

/// Pushes of leased data, each server's answer whether it was used.
async fn leased(client: &Client, value: f32, start: u64, end: u64) -> bool {
    let update = gradient(&[value, value]).pack(None).unwrap();
    let extent = Extent { dataset: 1, data_epoch: 3, start, end };
    client.push_made_of(vec![update], 1, Some(extent)).await.unwrap()[0].used
}

#[tokio::test(start_paused = true)]
async fn the_work_of_a_worker_that_was_given_up_is_not_applied_twice() {
    let (place, clients) = begin(Mode::AtOnce, 2).await;
    let before = value(&clients[0]).await[0];
    assert!(leased(&clients[0], 1.0, 0, 8).await);
    // Its lease has moved: the other does the same again, and goes on.
    assert!(leased(&clients[1], 1.0, 0, 8).await);
    assert!(leased(&clients[1], 1.0, 8, 16).await);
    assert_eq!(value(&clients[0]).await[0], before - 2.0);
    // The first wakes up with what it had begun.
    assert!(leased(&clients[0], 1.0, 8, 16).await);
    let seen = place.store().statistics();
    assert_eq!((seen.updates, seen.known, seen.examples), (2, 2, 16));
    // Positions and values come back together.
    let saved = place.store().snapshot().unwrap().unwrap();
    let again = store(9);
    again.restore(saved, Instant::now()).unwrap();
    place.replace(again);
    assert!(leased(&clients[1], 1.0, 0, 8).await);
    assert!(leased(&clients[1], 1.0, 16, 24).await);
    assert_eq!(value(&clients[0]).await[0], before - 3.0);
    assert_eq!(place.store().positions().applied(1, 3), 24);
    let none = clients[0].push_made_of(
        vec![gradient(&[1.0, 1.0]).pack(None).unwrap()],
        1,
        Some(Extent { dataset: 1, data_epoch: 3, start: 8, end: 8 }),
    );
    assert_eq!(none.await.unwrap_err().code(), Code::InvalidArgument);
}

#[tokio::test(start_paused = true)]
async fn positions_of_a_step_are_applied_with_the_step() {
    let (place, clients) = begin(Mode::Together { workers: 3, backups: 1 }, 3).await;
    assert!(leased(&clients[0], 1.0, 0, 8).await);
    assert_eq!(place.store().positions().applied(1, 3), 0);
    assert!(leased(&clients[1], 3.0, 8, 16).await);
    assert_eq!(place.store().positions().applied(1, 3), 16);
    // Too late for its step: its examples must come again.
    assert!(!leased(&clients[2], 9.0, 16, 24).await);
    clients[2].pull(&w()).await.unwrap();
    assert!(leased(&clients[2], 9.0, 16, 24).await);
    clients[0].pull(&w()).await.unwrap();
    assert!(leased(&clients[0], 1.0, 24, 32).await);
    assert_eq!(place.store().positions().applied(1, 3), 32);
}

#[tokio::test(start_paused = true)]
async fn the_fast_wait_at_the_bound() {
    let (_place, clients) = begin(Mode::Bounded { workers: 2, bound: 2 }, 2).await;
    for _ in 0..2 {
        clients[0].pull(&w()).await.unwrap();
        clients[0].push(&[gradient(&[2.0, 0.0])], 1).await.unwrap();
    }
    clients[0].pull(&w()).await.unwrap();
    clients[0].push(&[gradient(&[2.0, 0.0])], 1).await.unwrap();
    let third = tokio::time::timeout(Duration::from_secs(3), clients[0].pull(&w())).await;
    assert!(third.is_err(), "three steps ahead of a worker that has done none");
    clients[1].pull(&w()).await.unwrap();
    clients[1].push(&[gradient(&[0.0, 2.0])], 1).await.unwrap();
    clients[0].pull(&w()).await.unwrap();
    // Each gradient is one worker's share of a step.
    assert_eq!(value(&clients[0]).await, [7.0, 19.0]);
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_the_silent_and_they_are_fenced() {
    let (place, clients) = begin(Mode::Together { workers: 2, backups: 0 }, 2).await;
    tokio::spawn(keep_watch(place.store(), Arc::new(Inline), Duration::from_secs(1)));
    for client in &clients {
        client.pull(&w()).await.unwrap();
    }
    clients[0].push(&[gradient(&[1.0, 1.0])], 1).await.unwrap();
    // The other says nothing; waiting is a sign of life.
    assert_eq!(clients[0].pull(&w()).await.unwrap()[0].version, 1);
    let refused = clients[1].push(&[gradient(&[50.0, 50.0])], 1).await.unwrap_err();
    assert_eq!(refused.code(), Code::Aborted);
    assert_eq!(value(&clients[0]).await, [9.0, 19.0]);
    let again = client(1, 2, std::slice::from_ref(&place));
    again.join().await.unwrap();
    again.pull(&w()).await.unwrap();
    clients[0].push(&[gradient(&[1.0, 1.0])], 1).await.unwrap();
    again.push(&[gradient(&[3.0, 1.0])], 1).await.unwrap();
    assert_eq!(clients[0].pull(&w()).await.unwrap()[0].version, 2);
    assert_eq!(value(&clients[0]).await, [7.0, 18.0]);
    assert_eq!(place.store().statistics().refused, 1);
}

#[tokio::test(start_paused = true)]
async fn a_restarted_server_goes_on_from_its_snapshot() {
    let (place, clients) = begin(Mode::Together { workers: 2, backups: 0 }, 2).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store");
    for client in &clients {
        client.pull(&w()).await.unwrap();
        client.push(&[gradient(&[1.0, 1.0])], 1).await.unwrap();
    }
    clients[0].pull(&w()).await.unwrap();
    clients[0].push(&[gradient(&[4.0, 0.0])], 1).await.unwrap();
    // Half a step is in the sums: the snapshot must not take it for done.
    let snapshot = place.store().snapshot().unwrap().unwrap();
    write_snapshot(&snapshot, &file).unwrap();
    let next = store(2);
    let read = read_snapshot(&file).unwrap().unwrap();
    next.restore(read, Instant::now()).unwrap();
    place.replace(next);
    // Both go on: the first's half of the step is sent again while it waits.
    clients[1].pull(&w()).await.unwrap();
    clients[1].push(&[gradient(&[0.0, 4.0])], 1).await.unwrap();
    let pulled = clients[0].pull(&w()).await.unwrap();
    assert_eq!(pulled[0].version, 2);
    assert_eq!(value(&clients[0]).await, [7.0, 17.0]);
    assert_eq!(place.store().statistics().lost, 0);
}

#[tokio::test(start_paused = true)]
async fn what_came_after_the_snapshot_is_lost_and_counted() {
    let (place, clients) = begin(Mode::AtOnce, 1).await;
    clients[0].push(&[gradient(&[1.0, 1.0])], 1).await.unwrap();
    let snapshot = place.store().snapshot().unwrap().unwrap();
    for _ in 0..3 {
        clients[0].push(&[gradient(&[1.0, 1.0])], 1).await.unwrap();
    }
    let next = store(2);
    next.restore(snapshot, Instant::now()).unwrap();
    place.replace(next);
    clients[0].push(&[gradient(&[1.0, 1.0])], 1).await.unwrap();
    assert_eq!(place.store().statistics().lost, 3);
    assert_eq!(value(&clients[0]).await, [8.0, 18.0]);
}

#[tokio::test(start_paused = true)]
async fn an_empty_server_says_that_it_has_lost_its_state() {
    let (place, clients) = begin(Mode::AtOnce, 1).await;
    place.replace(store(2));
    let refused = clients[0].push(&[gradient(&[1.0, 1.0])], 1).await.unwrap_err();
    assert_eq!(refused.code(), Code::Aborted);
    assert!(refused.message().contains("lost its state"), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn gradients_in_fewer_bytes_arrive_and_nothing_is_lost_over_time() {
    let (_place, clients) = begin(Mode::AtOnce, 1).await;
    let size = 500;
    let start = vec![0f32; size];
    clients[0].put(0, &[("w".to_string(), vector(&start))], false, 0).await.unwrap();
    let setting: Compression = "top-k:0.1".parse().unwrap();
    let mut compressor = Compressor::new(setting, 1).unwrap();
    let step: Vec<f32> = (0..size).map(|i| (i % 7) as f32).collect();
    for _ in 0..5 {
        let packed = gradient(&step).pack(Some(&mut compressor)).unwrap();
        clients[0].push_packed(vec![packed], 1).await.unwrap();
    }
    let arrived = value(&clients[0]).await;
    let kept = compressor.residual("w").unwrap();
    for (i, kept) in kept.as_slice::<f32>().unwrap().iter().enumerate() {
        assert!((-arrived[i] + kept - 5.0 * step[i]).abs() < 1e-3, "{i}");
    }
    assert!(compressor.traffic().sent < compressor.traffic().given / 4);
}

#[tokio::test(start_paused = true)]
async fn servers_refuse_what_does_not_fit() {
    let (_place, clients) = begin(Mode::AtOnce, 1).await;
    let other = definition(Mode::Bounded { workers: 1, bound: 1 });
    let refused = clients[0].define(&[other]).await.unwrap_err();
    assert!(refused.message().contains("trains something else"), "{refused}");
    let wrong = clients[0].push(&[gradient(&[1.0])], 1).await.unwrap_err();
    assert_eq!(wrong.code(), Code::InvalidArgument);
    let all = Mode::Together { workers: 2, backups: 2 }.checked().unwrap_err();
    assert!(all.message().contains("nobody to wait for"), "{all}");
}

#[test]
fn a_damaged_snapshot_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store");
    assert!(read_snapshot(&file).unwrap().is_none());
    let store = store(1);
    store.define(definition(Mode::AtOnce)).unwrap();
    assert!(store.snapshot().unwrap().is_none());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let whole = runtime.block_on(async {
        let (place, _clients) = begin(Mode::AtOnce, 1).await;
        place.store().snapshot().unwrap().unwrap()
    });
    write_snapshot(&whole, &file).unwrap();
    let mut bytes = std::fs::read(&file).unwrap();
    let last = bytes.len() - 6;
    bytes[last] ^= 1;
    std::fs::write(&file, &bytes).unwrap();
    let refused = read_snapshot(&file).unwrap_err();
    assert!(refused.message().contains("checksum"), "{refused}");
    bytes.truncate(20);
    std::fs::write(&file, &bytes).unwrap();
    assert!(read_snapshot(&file).is_err());
}

#[tokio::test(start_paused = true)]
async fn who_leaves_in_the_middle_of_a_step_takes_nobodys_place_in_it() {
    let (_place, clients) = begin(Mode::Together { workers: 3, backups: 0 }, 3).await;
    for client in &clients {
        client.pull(&w()).await.unwrap();
    }
    clients[0].push(&[gradient(&[3.0, 0.0])], 1).await.unwrap();
    clients[0].leave().await.unwrap();
    clients[1].push(&[gradient(&[0.0, 3.0])], 1).await.unwrap();
    // The third has not brought its own yet.
    assert_eq!(value(&clients[1]).await, [10.0, 20.0]);
    clients[2].push(&[gradient(&[3.0, 3.0])], 1).await.unwrap();
    assert_eq!(value(&clients[1]).await, [8.0, 18.0]);
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_is_started_again_counts_once_in_a_step() {
    let (place, clients) = begin(Mode::Together { workers: 2, backups: 0 }, 2).await;
    for client in &clients {
        client.pull(&w()).await.unwrap();
    }
    clients[0].push(&[gradient(&[2.0, 0.0])], 1).await.unwrap();
    let again = clients[0].next_start(2);
    again.join().await.unwrap();
    again.pull(&w()).await.unwrap();
    assert!(!again.push(&[gradient(&[50.0, 50.0])], 1).await.unwrap()[0].used);
    assert_eq!(value(&again).await, [10.0, 20.0]);
    clients[1].push(&[gradient(&[0.0, 2.0])], 1).await.unwrap();
    assert_eq!(again.pull(&w()).await.unwrap()[0].version, 1);
    assert_eq!(value(&again).await, [9.0, 19.0]);
    assert_eq!(place.store().statistics().dropped, 1);
}

#[tokio::test(start_paused = true)]
async fn gradients_of_lost_parameters_are_in_no_average() {
    let (place, clients) = begin(Mode::Together { workers: 1, backups: 0 }, 1).await;
    let snapshot = place.store().snapshot().unwrap().unwrap();
    clients[0].pull(&w()).await.unwrap();
    clients[0].push(&[gradient(&[1.0, 1.0])], 1).await.unwrap();
    clients[0].pull(&w()).await.unwrap();
    let next = store(2);
    next.restore(snapshot, Instant::now()).unwrap();
    place.replace(next);
    // It is of version 1, and the server is at 0 again.
    assert!(!clients[0].push(&[gradient(&[5.0, 5.0])], 1).await.unwrap()[0].used);
    assert_eq!(clients[0].pull(&w()).await.unwrap()[0].version, 0);
    assert!(clients[0].push(&[gradient(&[2.0, 2.0])], 1).await.unwrap()[0].used);
    assert_eq!(value(&clients[0]).await, [8.0, 18.0]);
    assert_eq!(place.store().statistics().lost, 1);
}

#[tokio::test(start_paused = true)]
async fn first_values_come_once() {
    let (_place, clients) = begin(Mode::AtOnce, 2).await;
    clients[1].push(&[gradient(&[1.0, 1.0])], 1).await.unwrap();
    for client in &clients {
        client.put(0, &[("w".to_string(), vector(&[0.0, 0.0]))], true, 0).await.unwrap();
    }
    assert_eq!(value(&clients[0]).await, [9.0, 19.0]);
    let over = clients[0].next_start(2);
    over.join().await.unwrap();
    let late = clients[0].put(0, &[("w".to_string(), vector(&[0.0, 0.0]))], false, 0).await;
    assert_eq!(late.unwrap_err().code(), Code::Aborted);
}

#[tokio::test(start_paused = true)]
async fn a_sign_of_life_does_not_join_a_server_that_knows_nobody() {
    let (place, clients) = begin(Mode::AtOnce, 1).await;
    let next = store(2);
    next.define(definition(Mode::AtOnce)).unwrap();
    place.replace(next);
    clients[0].beat().await.unwrap();
    // The first try met the old connection; the next meets the new server.
    assert_eq!(clients[0].beat().await.unwrap_err().code(), Code::Aborted);
    // Otherwise the chief would wait for values that only it can give.
    let refused = clients[0].push(&[gradient(&[1.0, 1.0])], 1).await.unwrap_err();
    assert_eq!(refused.code(), Code::Aborted);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_answer_keeps_no_other_from_hearing_a_worker() {
    let silence = Duration::from_secs(2);
    let limits = Limits { silence, ..Limits::default() };
    let [heard, other] =
        [0, 1].map(|_| Place::new(Arc::new(Store::new(PlainValues::new(1.0), limits, 1))));
    // Once it is stopped it takes connections and says nothing.
    let stopped = Arc::new(AtomicBool::new(false));
    let (now, way) = (stopped.clone(), connect(&other));
    let stops: Connect = Arc::new(move || {
        if !now.load(Ordering::Relaxed) {
            return way();
        }
        Box::pin(async {
            let (near, far) = duplex(1 << 12);
            tokio::spawn(async move {
                std::future::pending::<()>().await;
                drop(far);
            });
            Ok(Box::new(near) as Box<dyn Stream>)
        })
    });
    let beat = Limits::beat(silence);
    let patience = Patience { beat, ..Patience::default() };
    let place = |name: &str, connect: Connect| Shard { name: name.to_string(), connect };
    let shards = vec![place("ps/0", connect(&heard)), place("ps/1", stops)];
    let client = Client::new(0, 1, shards, patience);
    let definitions = [0, 1].map(|_| definition(Mode::AtOnce));
    client.define(&definitions).await.unwrap();
    client.join().await.unwrap();
    stopped.store(true, Ordering::Relaxed);
    other.replace(store(2));
    let watch = Limits::watch(silence);
    tokio::spawn(keep_watch(heard.store(), Arc::new(Inline), watch));
    for _ in 0..20 {
        tokio::time::sleep(beat).await;
        client.beat().await.unwrap();
        assert!(!heard.store().members()[0].gone);
    }
    tokio::time::sleep(2 * silence).await;
    assert!(heard.store().members()[0].gone);
}

#[tokio::test(start_paused = true)]
async fn rows_are_pulled_by_their_numbers_and_only_what_was_asked_for() {
    let (place, clients) = begin(Mode::Together { workers: 2, backups: 0 }, 2).await;
    let rows = |numbers: &[i64]| vec![vec![("w".to_string(), Tensor::vector(numbers).unwrap())]];
    let read = clients[1].read_rows(&rows(&[1, 0, 1])).await.unwrap();
    assert_eq!(read[0].values[0].1.as_slice::<f32>().unwrap(), [20.0, 10.0, 20.0]);
    for wrong in [-1, 2, i64::MAX] {
        let refused = clients[0].read_rows(&rows(&[0, wrong])).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
        assert!(refused.message().contains(&format!("no row {wrong}")), "{refused}");
    }
    let unknown = vec![vec![("v".to_string(), Tensor::vector(&[0i64]).unwrap())]];
    assert_eq!(clients[0].read_rows(&unknown).await.unwrap_err().code(), Code::NotFound);
    // A worker that needs no whole variable still waits for its step.
    for client in &clients {
        assert!(client.pull(&[vec![]]).await.unwrap()[0].values.is_empty());
    }
    clients[0].push(&[gradient(&[1.0, 1.0])], 1).await.unwrap();
    let early = tokio::time::timeout(Duration::from_secs(3), clients[0].pull(&[vec![]])).await;
    assert!(early.is_err());
    clients[1].push(&[gradient(&[3.0, 5.0])], 1).await.unwrap();
    assert_eq!(clients[0].pull(&[vec![]]).await.unwrap()[0].version, 1);
    let read = clients[0].read_rows(&rows(&[1])).await.unwrap();
    assert_eq!(read[0].values[0].1.as_slice::<f32>().unwrap(), [17.0]);
    assert_eq!(place.store().statistics().dropped, 0);
}

/// Where `rows` is changed by itself.
fn hybrid_store(start: u64) -> Plain {
    Arc::new(Store::new(PlainValues::new(1.0).apart(&["rows"]), limits(), start))
}

fn both(dense: f32, rows: f32) -> Vec<Update> {
    let gradient = |name: &str, value| (name.to_string(), Gradient::Dense(vector(&[value])));
    vec![Update { gradients: vec![gradient("w", dense), gradient("rows", rows)], set: Vec::new() }]
}

async fn begin_hybrid(place: &Place) -> Vec<Client> {
    let mut clients = Vec::new();
    for worker in 0..2 {
        let client = client(worker, 1, std::slice::from_ref(place));
        client.define(&[definition(Mode::Together { workers: 2, backups: 0 })]).await.unwrap();
        client.join().await.unwrap();
        let first = [("w".to_string(), vector(&[10.0])), ("rows".to_string(), vector(&[10.0]))];
        client.put(0, &first, true, 0).await.unwrap();
        client.pull(&w()).await.unwrap();
        clients.push(client);
    }
    clients
}

fn has(place: &Place, name: &str) -> f32 {
    let value = downpour_params::Values::get(place.store().values(), name).unwrap();
    value.as_slice::<f32>().unwrap()[0]
}

#[tokio::test(start_paused = true)]
async fn what_is_changed_by_itself_waits_for_nobody_and_the_rest_for_all() {
    let place = Place::new(hybrid_store(1));
    let clients = begin_hybrid(&place).await;
    clients[0].push(&both(2.0, 4.0), 1).await.unwrap();
    // A share of a step of two workers.
    assert_eq!((has(&place, "w"), has(&place, "rows")), (10.0, 8.0));
    clients[1].push(&both(4.0, 2.0), 1).await.unwrap();
    assert_eq!((has(&place, "w"), has(&place, "rows")), (7.0, 7.0));
    assert_eq!(place.store().statistics().updates, 1);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_comes_back_within_a_step_has_what_was_changed_by_itself_once() {
    let place = Place::new(hybrid_store(1));
    let clients = begin_hybrid(&place).await;
    clients[0].push(&both(2.0, 4.0), 1).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("snapshot");
    write_snapshot(&place.store().snapshot().unwrap().unwrap(), &file).unwrap();
    let again = hybrid_store(2);
    again.restore(read_snapshot(&file).unwrap().unwrap(), Instant::now()).unwrap();
    place.replace(again);
    assert_eq!((has(&place, "w"), has(&place, "rows")), (10.0, 8.0));
    // The first sends again what the average lacks; it waits for the second.
    let names = w();
    let (first, second) = tokio::join!(clients[0].pull(&names), async {
        tokio::time::sleep(Duration::from_secs(3)).await;
        clients[1].push(&both(4.0, 2.0), 1).await
    });
    assert_eq!(first.unwrap()[0].version, 1);
    assert!(second.unwrap()[0].used);
    assert_eq!((has(&place, "w"), has(&place, "rows")), (7.0, 7.0));
}

#[tokio::test(start_paused = true)]
async fn a_join_takes_no_place_from_a_worker_that_lives() {
    let (place, clients) = begin(Mode::AtOnce, 1).await;
    let stranger = client(0, 77, std::slice::from_ref(&place));
    let waits = tokio::time::timeout(Duration::from_secs(3), stranger.join()).await;
    assert!(waits.is_err(), "it has taken the place of a worker that lives");
    assert!(clients[0].push(&[gradient(&[1.0, 1.0])], 1).await.unwrap()[0].used);
    assert_eq!(place.store().members()[0].incarnation, clients[0].incarnation());
    // Its process has ended: the connections are closed, and whoever comes next need not wait.
    drop(clients);
    let next = client(0, 78, std::slice::from_ref(&place));
    tokio::time::timeout(Duration::from_secs(1), next.join()).await.unwrap().unwrap();
    assert!(next.push(&[gradient(&[1.0, 1.0])], 1).await.unwrap()[0].used);
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_is_connected_and_silent_is_replaced() {
    let (place, _silent) = begin(Mode::AtOnce, 1).await;
    tokio::spawn(keep_watch(place.store(), Arc::new(Inline), Limits::watch(limits().silence)));
    let next = client(0, 2, std::slice::from_ref(&place));
    tokio::time::timeout(2 * limits().silence, next.join()).await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_first_server_that_knows_less_gives_a_number_above_what_the_others_know() {
    let places = [Place::new(store(1)), Place::new(store(1))];
    let definitions = [definition(Mode::AtOnce), definition(Mode::AtOnce)];
    for token in 0..3 {
        let client = client(0, token, &places);
        client.define(&definitions).await.unwrap();
        client.join().await.unwrap();
    }
    places[0].replace(store(2));
    let next = client(0, 9, &places);
    next.define(&definitions).await.unwrap();
    next.join().await.unwrap();
    let known = places.each_ref().map(|place| place.store().members()[0].incarnation);
    assert_eq!(known, [next.incarnation(); 2]);
    assert_eq!(next.incarnation() >> 32, 4);
}
