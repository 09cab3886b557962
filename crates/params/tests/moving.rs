//! Variables move between two servers over pipes: in parts, without a mover that ends it, and back.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use downpour_params::{
    Assembly, Client, Compute, Connect, Definition, Gradient, Inline, Limits, Mode, Move, Patience,
    Piece, Placed, PlainValues, Shard, Store, Stream, Update, Values, serve,
};
use downpour_tensor::{Code, Result, Tensor};
use parking_lot::Mutex;
use tokio::io::duplex;
use tokio::task::AbortHandle;

type Plain = Arc<Store<PlainValues>>;

/// Connections that are open.
type Open = Arc<Mutex<Vec<AbortHandle>>>;

fn connect(store: &Plain, open: &Open, compute: &Arc<dyn Compute>) -> Connect {
    let (store, open, compute) = (store.clone(), open.clone(), compute.clone());
    Arc::new(move || {
        let (store, open, compute) = (store.clone(), open.clone(), compute.clone());
        Box::pin(async move {
            let (near, far) = duplex(1 << 12);
            let serving = tokio::spawn(serve(far, store, compute));
            open.lock().push(serving.abort_handle());
            Ok(Box::new(near) as Box<dyn Stream>)
        }) as Pin<Box<dyn Future<Output = _> + Send>>
    })
}

/// Computes elsewhere, whether somebody waits for it or not.
struct Pool;

impl Compute for Pool {
    fn run(&self, work: Box<dyn FnOnce() + Send>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let done = tokio::task::spawn_blocking(work);
        Box::pin(async move { drop(done.await) })
    }
}

struct World {
    stores: Vec<Plain>,
    open: Vec<Open>,
    compute: Arc<dyn Compute>,
    client: Client,
}

/// Which rows of `w` each server has.
type Rows = [std::ops::Range<usize>; 2];

impl World {
    async fn new(mode: Mode) -> Result<World> {
        World::computing(mode, Arc::new(Inline)).await
    }

    async fn computing(mode: Mode, compute: Arc<dyn Compute>) -> Result<World> {
        let store = || Arc::new(Store::new(PlainValues::new(1.0), Limits::default(), 1));
        let (stores, open) = (vec![store(), store()], vec![Open::default(), Open::default()]);
        let client = Client::new(0, 1, shards(&stores, &open, &compute), Patience::default());
        let world = World { stores, open, compute, client };
        world.client.define(&world.definitions(mode)).await?;
        world.client.join().await?;
        let value = |values: &[f32]| Ok(vec![("w".to_string(), Tensor::vector(values)?)]);
        world.client.put(0, &value(&[1.0, 2.0, 3.0])?, true, 0).await?;
        world.client.put(1, &value(&[4.0, 5.0])?, true, 0).await?;
        world.client.pull(&[vec![], vec![]]).await?;
        Ok(world)
    }

    fn definitions(&self, mode: Mode) -> Vec<Definition> {
        vec![Definition { program: Bytes::new(), mode }; 2]
    }

    async fn push(&self, rows: &Rows, by: f32) -> Result<()> {
        let update = |rows: &std::ops::Range<usize>| {
            let gradient = Gradient::Dense(Tensor::vector(&vec![by; rows.len()])?);
            Ok(Update { gradients: vec![("w".to_string(), gradient)], set: Vec::new() })
        };
        let updates = rows.iter().map(update).collect::<Result<Vec<_>>>()?;
        self.client.push(&updates, 1).await.map(drop)
    }

    fn values(&self, server: usize) -> Vec<f32> {
        let value = self.stores[server].values().get("w").unwrap();
        value.as_slice::<f32>().unwrap().to_vec()
    }

    /// Joins with the layout that the servers have.
    async fn follow(&mut self, mode: Mode, token: u32) -> Result<Placed> {
        let placed = self.client.layout().await?.unwrap();
        self.client = self.client.next_start(token);
        self.client.use_layout(placed.clone());
        self.client.define(&self.definitions(mode)).await?;
        self.client.join().await?;
        self.client.pull(&[vec![], vec![]]).await?;
        Ok(placed)
    }
}

fn shards(stores: &[Plain], open: &[Open], compute: &Arc<dyn Compute>) -> Vec<Shard> {
    let shard = |(store, open)| Shard { name: "ps".into(), connect: connect(store, open, compute) };
    stores.iter().zip(open).map(shard).collect()
}

/// Three and two rows become one and four.
fn to_the_second() -> Move {
    let piece = |server, rows| Piece { server, rows };
    let assembly = |pieces| vec![Assembly { name: "w".to_string(), pieces }];
    Move {
        layout: Bytes::from_static(b"1, 4"),
        programs: vec![Bytes::new(); 2],
        values: vec![
            assembly(vec![piece(0, Some(0..1))]),
            assembly(vec![piece(0, Some(1..3)), piece(1, None)]),
        ],
        leaving: vec![Vec::new(); 2],
    }
}

const BEFORE: Rows = [0..3, 3..5];
const AFTER: Rows = [0..1, 1..5];
const PATIENCE: Duration = Duration::from_secs(5);

#[tokio::test(start_paused = true)]
async fn rows_move_with_what_was_pushed_and_the_old_layout_is_refused() -> Result<()> {
    for mode in [Mode::AtOnce, Mode::Together { workers: 1, backups: 0 }] {
        let mut world = World::new(mode).await?;
        world.push(&BEFORE, 1.0).await?;
        let moved = world.client.mover(PATIENCE).carry_out(7, 0, &to_the_second()).await?;
        assert_eq!((moved.epoch, moved.bytes), (1, 20));
        assert_eq!((world.values(0), world.values(1)), (vec![0.0], vec![1.0, 2.0, 3.0, 4.0]));
        let refused = world.push(&BEFORE, 1.0).await.unwrap_err();
        assert_eq!(refused.code(), Code::Aborted, "{refused}");
        assert!(world.client.has_moved());
        assert_eq!(world.follow(mode, 2).await?.layout, "1, 4");
        assert!(!world.client.has_moved());
        world.push(&AFTER, 1.0).await?;
        assert_eq!((world.values(0), world.values(1)), (vec![-1.0], vec![0.0, 1.0, 2.0, 3.0]));
        // The same move again does nothing, and one of an old layout is refused.
        assert!(world.client.mover(PATIENCE).carry_out(8, 0, &to_the_second()).await.is_err());
        world.push(&AFTER, 0.0).await?;
        // It is in snapshots.
        let snapshot = world.stores[1].snapshot()?.unwrap();
        let back = Store::new(PlainValues::new(1.0), Limits::default(), 2);
        back.restore(snapshot, tokio::time::Instant::now())?;
        assert_eq!(back.placed(), Placed { epoch: 1, layout: Bytes::from_static(b"1, 4") });
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_step_that_has_begun_is_completed_first() -> Result<()> {
    let mode = Mode::Together { workers: 2, backups: 0 };
    let world = World::new(mode).await?;
    let shards = shards(&world.stores, &world.open, &world.compute);
    let client = Client::new(1, 1, shards, Patience::default());
    let (stores, open) = (world.stores.clone(), world.open.clone());
    let other = World { stores, open, compute: world.compute.clone(), client };
    other.client.join().await?;
    other.client.pull(&[vec![], vec![]]).await?;
    world.push(&BEFORE, 1.0).await?;
    let plan = to_the_second();
    let mover = world.client.mover(PATIENCE);
    let moving = mover.carry_out(7, 0, &plan);
    let late = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        other.push(&BEFORE, 3.0).await
    };
    let (moved, pushed) = tokio::join!(moving, late);
    moved?;
    pushed?;
    assert_eq!((world.values(0), world.values(1)), (vec![-1.0], vec![0.0, 1.0, 2.0, 3.0]));
    Ok(())
}

/// Polls a future so many times, each time after everything else that can run, and drops it. Returns whether it was done.
async fn is_done_after<T>(polls: usize, future: impl Future<Output = T>) -> bool {
    let mut future = std::pin::pin!(future);
    for _ in 0..polls {
        let done =
            std::future::poll_fn(|cx| Poll::Ready(future.as_mut().poll(cx).is_ready())).await;
        if done {
            return true;
        }
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }
    false
}

#[tokio::test(start_paused = true)]
async fn a_mover_that_vanishes_leaves_everything_where_it_is() -> Result<()> {
    let mode = Mode::Together { workers: 2, backups: 0 };
    let world = World::new(mode).await?;
    // Half of a step: it is not cut.
    world.push(&BEFORE, 1.0).await?;
    let refused = world.client.mover(PATIENCE).carry_out(7, 0, &to_the_second()).await.unwrap_err();
    assert!(refused.message().contains("same updates"), "{refused}");
    let (mover, plan) = (world.client.mover(PATIENCE), to_the_second());
    let vanished = tokio::time::timeout(Duration::from_secs(1), mover.carry_out(8, 0, &plan));
    assert!(vanished.await.is_err());
    assert_eq!(world.client.layout().await?.unwrap().epoch, 0);
    // Each time it gets a little further, until the move is decided.
    for polls in 1.. {
        let world = World::new(Mode::AtOnce).await?;
        let (mover, plan) = (world.client.mover(PATIENCE), to_the_second());
        let done = is_done_after(polls, mover.carry_out(9, 0, &plan)).await;
        if done || world.client.layout().await?.unwrap().epoch > 0 {
            assert!(polls > 3, "it has vanished at {} points only", polls - 1);
            break;
        }
        // After a while servers let go by themselves.
        world.push(&BEFORE, 1.0).await?;
        assert_eq!(world.values(0), [0.0, 1.0, 2.0], "after {polls} polls");
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn what_variables_cost_is_counted() -> Result<()> {
    let world = World::new(Mode::AtOnce).await?;
    world.push(&BEFORE, 1.0).await?;
    world.client.pull(&[vec!["w".to_string()], vec![]]).await?;
    let loads: Vec<BTreeMap<_, _>> =
        world.client.mover(PATIENCE).loads().await?.into_iter().map(|(_, loads)| loads).collect();
    assert_eq!((loads[0]["w"].received, loads[0]["w"].sent), (12, 12));
    assert_eq!((loads[1]["w"].received, loads[1]["w"].sent), (8, 0));
    assert!(!loads[0]["w"].applying.is_zero());
    Ok(())
}

/// The connection breaks while the decision is written down, so that it is asked for again in the middle of that.
#[tokio::test(flavor = "multi_thread")]
async fn a_decision_whose_answer_is_lost_is_the_same_for_all() -> Result<()> {
    let mut world = World::computing(Mode::AtOnce, Arc::new(Pool)).await?;
    let open = world.open[0].clone();
    world.stores[0].keep_with(Box::new(move |make| {
        make()?;
        open.lock().drain(..).for_each(|connection| connection.abort());
        while open.lock().is_empty() {
            std::thread::sleep(Duration::from_millis(1));
        }
        // Long enough for the question; a longer one changes nothing.
        std::thread::sleep(Duration::from_millis(100));
        Ok(())
    }));
    // In real time, unlike the others: this only turns a hang into a failure.
    let mover = world.client.mover(Duration::from_secs(300));
    let moved = mover.carry_out(7, 0, &to_the_second()).await?;
    assert_eq!(moved.epoch, 1);
    assert_eq!((world.values(0), world.values(1)), (vec![1.0], vec![2.0, 3.0, 4.0, 5.0]));
    assert_eq!(world.follow(Mode::AtOnce, 2).await?.epoch, 1);
    world.push(&AFTER, 1.0).await?;
    assert_eq!((world.values(0), world.values(1)), (vec![0.0], vec![1.0, 2.0, 3.0, 4.0]));
    Ok(())
}
