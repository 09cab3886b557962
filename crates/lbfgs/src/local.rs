//! A vector space in this process: for tests, and for problems that fit one machine.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use downpour_tensor::{Result, Status};

use crate::{Command, Lbfgs, Shard, Side, Summary, Vector, VectorSpace, merge};

/// Shards in memory and a function of the whole point that gives the loss and writes the gradient.
pub struct LocalSpace<F> {
    shards: Vec<Shard>,
    loss: F,
    messages: usize,
    evaluations: usize,
}

impl<F: FnMut(&[f64], &mut [f64]) -> f64 + Send> LocalSpace<F> {
    /// The space around a starting point, cut into this many shards (at least one).
    pub fn new(shards: usize, start: &[f64], loss: F) -> LocalSpace<F> {
        let size = start.len().div_ceil(shards.max(1)).max(1);
        let mut space = LocalSpace { shards: Vec::new(), loss, messages: 0, evaluations: 0 };
        space.shards.extend(start.chunks(size).map(|part| Shard::new(part.len())));
        space.put(Vector::Point(Side::A), start);
        space
    }

    /// The whole of a vector.
    pub fn read(&self, vector: Vector) -> Result<Vec<f64>> {
        let length = self.shards.iter().map(Shard::len).sum();
        let mut whole = Vec::with_capacity(length);
        for shard in &self.shards {
            let from = whole.len();
            whole.extend_from_slice(shard.read(vector).unwrap_or(&[]));
            whole.resize(from + shard.len(), 0.0);
        }
        if whole.len() != length {
            return Err(Status::internal(format!("{vector} has {} elements", whole.len())));
        }
        Ok(whole)
    }

    fn put(&mut self, vector: Vector, values: &[f64]) {
        let mut rest = values;
        for shard in &mut self.shards {
            let (part, after) = rest.split_at(shard.len().min(rest.len()));
            rest = after;
            // Shards were cut from a vector of this length.
            let _ = shard.write(vector, part);
        }
    }

    /// Calls of [`VectorSpace::execute`] so far: messages that each server would have got.
    pub fn messages(&self) -> usize {
        self.messages
    }

    /// Evaluations so far.
    pub fn evaluations(&self) -> usize {
        self.evaluations
    }

    /// Runs an optimization to its end on this thread.
    pub fn minimize(&mut self, lbfgs: &mut Lbfgs) -> Result<Summary> {
        let minimization = pin!(lbfgs.minimize(self, |_, _| Ok(())));
        match minimization.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => result,
            Poll::Pending => Err(Status::internal("a space in memory never waits")),
        }
    }
}

impl<F: FnMut(&[f64], &mut [f64]) -> f64 + Send> VectorSpace for LocalSpace<F> {
    async fn execute(&mut self, commands: &[Command]) -> Result<Vec<f64>> {
        self.messages += 1;
        let sums: Vec<_> = self.shards.iter_mut().map(|shard| shard.execute(commands)).collect();
        merge(commands, &sums)
    }

    async fn evaluate(&mut self, point: Vector, gradient: Vector) -> Result<f64> {
        self.evaluations += 1;
        let point = self.read(point)?;
        let mut slopes = vec![0.0; point.len()];
        let loss = (self.loss)(&point, &mut slopes);
        self.put(gradient, &slopes);
        Ok(loss)
    }
}
