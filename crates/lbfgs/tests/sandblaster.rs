//! The whole of Sandblaster in simulated time: parameters on servers, a batch in units on replicas that are slow, die and
//! come back, and L-BFGS that walks as if none of this were so.

mod problems;

use std::time::Duration;

use downpour_lbfgs::units::{Answer, Assignment, Schedule};
use downpour_lbfgs::{
    Command, Lbfgs, LocalSpace, Settings, Shard, Side, Vector, VectorSpace, merge,
};
use downpour_tensor::Result;
use problems::{EXAMPLES, INPUTS, Logistic, dot, finish, logistic};

/// What a replica is doing: its work, when it will be done, and what it will answer.
struct Busy {
    work: Assignment,
    end: Duration,
    loss: f64,
    gradient: Vec<f64>,
}

struct Replica {
    id: u64,
    examples_per_second: f64,
    busy: Option<Busy>,
}

struct Cluster {
    problem: Logistic,
    servers: Vec<Shard>,
    schedule: Schedule,
    replicas: Vec<Replica>,
    now: Duration,
    state: u64,
    deaths: u64,
    dropped: u64,
}

impl Cluster {
    fn new(start: &[f64], seed: u64) -> Cluster {
        let mut servers = Vec::new();
        for part in start.chunks(7) {
            let mut server = Shard::new(part.len());
            server.write(Vector::Point(Side::A), part).unwrap();
            servers.push(server);
        }
        let mut schedule = Schedule::default();
        let mut replicas = Vec::new();
        for (id, examples_per_second) in [(1, 100.0), (2, 90.0), (3, 110.0), (4, 25.0)] {
            schedule.join(id);
            replicas.push(Replica { id, examples_per_second, busy: None });
        }
        let (now, problem) = (Duration::ZERO, Logistic::new());
        Cluster { problem, servers, schedule, replicas, now, state: seed, deaths: 0, dropped: 0 }
    }

    fn chance(&mut self, one_in: u64) -> bool {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.state >> 33).is_multiple_of(one_in)
    }

    fn read(&self, vector: Vector) -> Vec<f64> {
        let parts =
            self.servers.iter().map(|s| s.read(vector).map_or(vec![0.0; s.len()], <[f64]>::to_vec));
        parts.collect::<Vec<_>>().concat()
    }

    /// Idle replicas fetch the parameters and begin.
    fn give_work(&mut self, point: Vector) {
        let weights = self.read(point);
        for work in self.schedule.assign(self.now) {
            let Some(replica) = self.replicas.iter_mut().find(|r| r.id == work.replica) else {
                continue;
            };
            let examples = work.examples.start as usize..work.examples.end as usize;
            let time = Duration::from_secs_f64(examples.len() as f64 / replica.examples_per_second);
            let mut gradient = vec![0.0; weights.len()];
            let loss = self.problem.part(&weights, examples, &mut gradient);
            replica.busy = Some(Busy { work, end: self.now + time, loss, gradient });
        }
    }

    /// A busy replica dies; another process takes its place.
    fn accident(&mut self) {
        let which = (self.state >> 40) as usize % self.replicas.len();
        if self.replicas[which].busy.is_none() {
            return;
        }
        self.deaths += 1;
        self.schedule.leave(self.replicas[which].id);
        let new = 100 + self.deaths;
        self.schedule.join(new);
        let replica = &mut self.replicas[which];
        // What the dead one had already sent still arrives.
        let late = replica.busy.take();
        replica.id = new;
        if let Some(late) = late {
            let answer = self.schedule.answer(late.work.replica, late.work.unit, self.now);
            assert_eq!(answer.unwrap(), Answer::Dropped);
        }
    }
}

impl VectorSpace for Cluster {
    async fn execute(&mut self, commands: &[Command]) -> Result<Vec<f64>> {
        let sums: Vec<_> = self.servers.iter_mut().map(|s| s.execute(commands)).collect();
        merge(commands, &sums)
    }

    async fn evaluate(&mut self, point: Vector, gradient: Vector) -> Result<f64> {
        let weights = self.read(point);
        let mut sum = vec![0.0; weights.len()];
        let mut loss = self.problem.penalty(&weights, &mut sum);
        self.schedule.begin(EXAMPLES as u64, 3)?;
        while !self.schedule.is_done() {
            self.give_work(point);
            let ends = self.replicas.iter().filter_map(|r| r.busy.as_ref().map(|busy| busy.end));
            self.now = ends.chain(self.schedule.wake(self.now)).min().expect("somebody works");
            for i in 0..self.replicas.len() {
                let now = self.now;
                let Some(busy) = self.replicas[i].busy.take_if(|busy| busy.end <= now) else {
                    continue;
                };
                match self.schedule.answer(busy.work.replica, busy.work.unit, now)? {
                    Answer::Counted { .. } => {
                        loss += busy.loss;
                        sum.iter_mut().zip(busy.gradient).for_each(|(sum, g)| *sum += g);
                    }
                    Answer::Dropped => self.dropped += 1,
                }
            }
            if self.chance(20) {
                self.accident();
            }
        }
        let mut rest = &sum[..];
        for server in &mut self.servers {
            let (part, after) = rest.split_at(server.len());
            rest = after;
            server.write(gradient, part)?;
        }
        Ok(loss)
    }
}

#[test]
fn it_walks_as_one_process_does() {
    let start = vec![0.1; INPUTS];
    let settings = Settings { history: 5, iterations: 12, ..Settings::default() };
    let mut alone = LocalSpace::new(1, &start, logistic());
    let mut reference = Lbfgs::new(settings).unwrap();
    let expected = alone.minimize(&mut reference).unwrap();
    let expected_point = alone.read(reference.point()).unwrap();
    let (mut deaths, mut dropped) = (0, 0);
    for seed in 0..20 {
        let mut cluster = Cluster::new(&start, seed);
        let mut lbfgs = Lbfgs::new(settings).unwrap();
        let summary = finish(lbfgs.minimize(&mut cluster, |_, _| Ok(()))).unwrap();
        assert_eq!(summary.evaluations, expected.evaluations);
        assert!((summary.loss - expected.loss).abs() < 1e-12, "seed {seed}: {summary:?}");
        let point = cluster.read(lbfgs.point());
        let apart: Vec<f64> = point.iter().zip(&expected_point).map(|(a, b)| a - b).collect();
        let apart = (dot(&apart, &apart) / dot(&point, &point)).sqrt();
        assert!(apart < 1e-8, "seed {seed}: {apart:e}");
        deaths += cluster.deaths;
        dropped += cluster.dropped;
    }
    println!("{deaths} replicas died, {dropped} answers were dropped");
    assert!(deaths > 100 && dropped > 100);
}
