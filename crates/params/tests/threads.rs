//! A store with many threads in it: every snapshot has updates with their receipts or neither, while
//! connections are cut and requests repeated.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use downpour_params::{
    Client, Compute, Connect, Definition, Gradient, Limits, Mode, Patience, PlainValues, Shard,
    Snapshot, Store, Stream, Update, serve,
};
use downpour_tensor::{Result, Tensor};
use parking_lot::Mutex;
use tokio::io::duplex;
use tokio::task::AbortHandle;

const WORKERS: u32 = 4;
const PUSHES: u64 = 200;

struct Pool;

impl Compute for Pool {
    fn run(&self, work: Box<dyn FnOnce() + Send>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        // It begins now, and goes on when nobody waits for it any more.
        let done = tokio::task::spawn_blocking(work);
        Box::pin(async move { drop(done.await) })
    }
}

type Open = Arc<Mutex<Vec<AbortHandle>>>;

fn connect(store: &Arc<Store<PlainValues>>, open: &Open) -> Connect {
    let (store, open) = (store.clone(), open.clone());
    Arc::new(move || {
        let (store, open) = (store.clone(), open.clone());
        Box::pin(async move {
            let (near, far) = duplex(256);
            let serving = tokio::spawn(serve(far, store, Arc::new(Pool)));
            open.lock().push(serving.abort_handle());
            Ok(Box::new(near) as Box<dyn Stream>)
        })
    })
}

async fn train(worker: u32, client: Client, mode: Mode) -> Result<()> {
    client.define(&[Definition { program: Default::default(), mode }]).await?;
    client.join().await?;
    if worker == 0 {
        let mut values = vec![("w".to_string(), Tensor::vector(&[0f32; WORKERS as usize])?)];
        for worker in 0..WORKERS {
            values.push((format!("position/{worker}"), Tensor::scalar(0f32)));
        }
        client.put(0, &values, true, 0).await?;
    }
    for push in 1..=PUSHES {
        client.pull(&[vec!["w".to_string()]]).await?;
        let mut own = [0f32; WORKERS as usize];
        own[worker as usize] = 1.0;
        let gradients = vec![("w".to_string(), Gradient::Dense(Tensor::vector(&own)?))];
        let set = vec![(format!("position/{worker}"), Tensor::scalar(push as f32))];
        client.push(&[Update { gradients, set }], 1).await?;
    }
    client.leave().await
}

/// What the books say of each worker is what the variables have of it.
fn check(snapshot: &Snapshot, mode: Mode) {
    let value = |name: &str| {
        let found = snapshot.values.iter().find(|(n, _)| n == name);
        found.unwrap().1.as_slice::<f32>().unwrap().to_vec()
    };
    let share = if matches!(mode, Mode::AtOnce) { 1.0 } else { 1.0 / WORKERS as f32 };
    let sums = value("w");
    for member in &snapshot.members {
        let worker = member.tag.worker;
        assert_eq!(member.tag.sequence, member.used, "{member:?}");
        assert_eq!(-sums[worker as usize], member.used as f32 * share, "{member:?}");
        assert_eq!(value(&format!("position/{worker}")), [member.used as f32], "{member:?}");
    }
    let used: u64 = snapshot.members.iter().map(|member| member.used).sum();
    assert_eq!(snapshot.version as f32, used as f32 * share);
}

fn run(mode: Mode) {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(4).enable_time().build().unwrap();
    let store = Arc::new(Store::new(PlainValues::new(1.0), Limits::default(), 1));
    let open = Open::default();
    let done = Arc::new(AtomicBool::new(false));
    let watching = std::thread::spawn({
        let (store, done) = (store.clone(), done.clone());
        move || {
            while !done.load(Ordering::Relaxed) {
                if let Some(snapshot) = store.snapshot().unwrap() {
                    check(&snapshot, mode);
                }
                std::thread::sleep(Duration::from_micros(300));
            }
        }
    });
    runtime.block_on(async {
        let cutting = tokio::spawn({
            let open = open.clone();
            async move {
                loop {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                    let connection = open.lock().pop();
                    connection.inspect(|connection| connection.abort());
                }
            }
        });
        let worker = |worker| {
            let shard = Shard { name: "ps/0".to_string(), connect: connect(&store, &open) };
            let patience =
                Patience { first_pause: Duration::from_millis(1), ..Patience::default() };
            let client = Client::new(worker, 1, vec![shard], patience);
            tokio::spawn(train(worker, client, mode))
        };
        let workers: Vec<_> = (0..WORKERS).map(worker).collect();
        for worker in workers {
            worker.await.unwrap().unwrap();
        }
        cutting.abort();
    });
    done.store(true, Ordering::Relaxed);
    watching.join().unwrap();
    let last = store.snapshot().unwrap().unwrap();
    check(&last, mode);
    assert!(last.members.iter().all(|member| member.used == PUSHES));
}

#[test]
fn snapshots_among_updates_at_once() {
    run(Mode::AtOnce);
}

#[test]
fn snapshots_among_steps_of_all_together() {
    run(Mode::Together { workers: WORKERS, backups: 0 });
}
