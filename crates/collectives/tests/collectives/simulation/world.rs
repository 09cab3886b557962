//! A plan, executed: ranks as processes that are stopped and killed, over connections that break.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use downpour_collectives::{
    BoxStream, Group, GroupConfig, ReduceOp, Reduction, StreamMesh, all_reduce_bytes,
};
use downpour_simulation::Random;
use downpour_tensor::{DataType, Result, Tensor};
use parking_lot::Mutex;

use super::plan::{Fault, Operation, PATIENCE, Plan, START_LIMIT, Trouble, Way};
use super::process::Process;
use super::wire::{End, Wire};

/// Longer than anything can take: whoever is not done then hangs.
const LATEST: Duration = Duration::from_secs(300);

/// Less than a few announcements: who does not listen is soon noticed.
const STAR_WINDOW: usize = 100;

/// What a rank got, operation by operation.
pub type Results = BTreeMap<usize, Result<Vec<i64>>>;

/// A group of ranks that are under way.
pub struct World {
    processes: Vec<Process>,
    /// By the lower and the higher rank; a mesh's and a star's.
    wires: BTreeMap<(usize, usize), Vec<Wire>>,
    results: Arc<Mutex<Vec<Results>>>,
    done: Arc<Mutex<Vec<bool>>>,
}

/// One rank's streams to all.
type Row = Vec<(Option<End>, String)>;

pub fn value(rank: usize, operation: usize, index: usize) -> i64 {
    ((rank + 1) * 1_000_003 + operation * 7919 + index * 31) as i64
}

fn inputs(rank: usize, operation: usize, length: usize) -> Vec<i64> {
    (0..length).map(|index| value(rank, operation, index)).collect()
}

impl World {
    /// Begins; ranks come when their time has come.
    pub fn begin(plan: &Plan, random: &mut Random) -> World {
        let mut wires: BTreeMap<(usize, usize), Vec<Wire>> = BTreeMap::new();
        let address = |rank: usize| format!("address {rank}");
        let empty = || -> Vec<Row> {
            let row = || (0..plan.size).map(|rank| (None, address(rank))).collect();
            (0..plan.size).map(|_| row()).collect()
        };
        let (mut mesh, mut star) = (empty(), empty());
        for low in 0..plan.size {
            for high in low + 1..plan.size {
                let mut connect = |rows: &mut Vec<Row>, window| {
                    let (wire, near, far) = Wire::new(random.fork(), plan.delay, window);
                    rows[low][high].0 = Some(near);
                    rows[high][low].0 = Some(far);
                    wires.entry((low, high)).or_default().push(wire);
                };
                connect(&mut mesh, plan.window);
                if low == 0 && plan.way == Way::Group {
                    connect(&mut star, STAR_WINDOW);
                }
            }
        }
        let world = World {
            processes: (0..plan.size).map(|_| Process::default()).collect(),
            wires,
            results: Arc::new(Mutex::new(vec![Results::new(); plan.size])),
            done: Arc::new(Mutex::new(vec![false; plan.size])),
        };
        for (rank, (mesh, star)) in mesh.into_iter().zip(star).enumerate() {
            let rank = Rank {
                rank,
                plan: plan.clone(),
                process: world.processes[rank].clone(),
                random: random.fork(),
                results: world.results.clone(),
                done: world.done.clone(),
            };
            world.processes[rank.rank].spawn(rank.live(mesh, star));
        }
        world
    }

    /// Lets a fault happen, and end.
    pub async fn suffer(self: Arc<World>, trouble: Trouble) {
        tokio::time::sleep(trouble.after).await;
        let process = &self.processes[trouble.rank];
        let (low, high) = (trouble.rank.min(trouble.other), trouble.rank.max(trouble.other));
        match trouble.fault {
            Fault::Cut => self.wires[&(low, high)].iter().for_each(Wire::cut),
            Fault::Silence => self.wires[&(low, high)].iter().for_each(Wire::silence),
            Fault::Kill => process.kill(),
            Fault::Pause | Fault::LongPause => {
                process.stop();
                tokio::time::sleep(trouble.lasts).await;
                process.go_on();
            }
        }
    }

    /// What everybody got; an error names who hangs, of those who are `alive`.
    pub async fn end(&self, alive: &[usize]) -> std::result::Result<Vec<Results>, String> {
        let begun = tokio::time::Instant::now();
        loop {
            let hangs = alive.iter().filter(|rank| !self.done.lock()[**rank]).collect::<Vec<_>>();
            if hangs.is_empty() {
                break;
            }
            if begun.elapsed() > LATEST {
                return Err(format!("ranks {hangs:?} hang"));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(std::mem::take(&mut *self.results.lock()))
    }
}

struct Rank {
    rank: usize,
    plan: Plan,
    process: Process,
    random: Random,
    results: Arc<Mutex<Vec<Results>>>,
    done: Arc<Mutex<Vec<bool>>>,
}

impl Rank {
    async fn live(mut self, mesh: Row, star: Row) {
        tokio::time::sleep(self.plan.starts[self.rank]).await;
        let mesh =
            StreamMesh::new(self.rank, mesh, PATIENCE).on_machines(self.plan.machines.clone());
        match self.plan.way {
            Way::Mesh => self.in_order(mesh).await,
            Way::Group => self.by_key(mesh, star).await,
        }
        self.done.lock()[self.rank] = true;
    }

    fn got(&self, operation: usize, result: Result<Vec<i64>>) {
        self.results.lock()[self.rank].insert(operation, result);
    }

    /// One after the other, as long as it goes well; the mesh goes with its rank.
    async fn in_order(&mut self, mut mesh: StreamMesh<End>) {
        for (number, Operation { algorithm, values }) in self.plan.operations.iter().enumerate() {
            tokio::time::sleep(self.random.millis(0, 200)).await;
            let mut sum = inputs(self.rank, number, *values);
            let reduction = Reduction::new(ReduceOp::Sum, DataType::Int64).expect("there is one");
            let bytes = bytemuck::cast_slice_mut(&mut sum);
            let reduced = all_reduce_bytes(&mut mesh, bytes, reduction, *algorithm).await;
            let failed = reduced.is_err();
            self.got(number, reduced.map(|()| sum));
            if failed {
                return;
            }
        }
    }

    async fn by_key(&mut self, mesh: StreamMesh<End>, star: Row) {
        let boxed =
            |(end, name): (Option<End>, String)| (end.map(|end| Box::new(end) as BoxStream), name);
        let star = star.into_iter().map(boxed);
        let star = if self.rank == 0 { star.collect() } else { star.take(1).collect() };
        let (group, driver) = Group::new(mesh, star, GroupConfig { start_limit: START_LIMIT });
        self.process.spawn(driver.run());
        let mut order: Vec<usize> = (0..self.plan.operations.len()).collect();
        for place in (1..order.len()).rev() {
            order.swap(place, self.random.below(place as u64 + 1) as usize);
        }
        let mut pending = Vec::new();
        for number in order {
            tokio::time::sleep(self.random.millis(0, 100)).await;
            let length = self.plan.operations[number].values;
            let tensor = Tensor::vector(&inputs(self.rank, number, length)).expect("plain numbers");
            let key = number as u64;
            pending.push((number, group.all_reduce(key, tensor, ReduceOp::Sum)));
        }
        for (number, pending) in pending {
            let sum = pending.await;
            self.got(
                number,
                sum.map(|sum| sum.as_slice::<i64>().expect("as it was given").to_vec()),
            );
        }
    }
}
