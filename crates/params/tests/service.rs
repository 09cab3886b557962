//! Servers and workers over pipes: modes, repetition, restarts.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use downpour_compress::{Compression, Compressor};
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

fn client(worker: u32, incarnation: u64, places: &[Place]) -> Client {
    let shard = |(number, place): (usize, &Place)| Shard {
        name: format!("ps/{number}"),
        connect: connect(place),
    };
    let shards = places.iter().enumerate().map(shard).collect();
    Client::new(worker, incarnation, shards, Patience::default())
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
