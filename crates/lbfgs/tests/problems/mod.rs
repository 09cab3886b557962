//! Functions to minimize, the same in every test (and in the script that asked SciPy).
#![allow(dead_code, reason = "each test uses some of them")]

use std::future::Future;
use std::ops::Range;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Values between -1 and 1 from a linear congruential generator.
pub fn noise(count: usize, mut state: u64) -> Vec<f64> {
    let mut values = Vec::with_capacity(count);
    for _ in 0..count {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        values.push((state >> 11) as f64 / (1u64 << 52) as f64 - 1.0);
    }
    values
}

pub type Problem = Box<dyn FnMut(&[f64], &mut [f64]) -> f64 + Send>;

pub const EXAMPLES: usize = 200;
pub const INPUTS: usize = 20;

/// Logistic regression with a small penalty on the squares of the weights.
pub struct Logistic {
    inputs: Vec<f64>,
    labels: Vec<f64>,
}

impl Logistic {
    pub fn new() -> Logistic {
        let inputs = noise(EXAMPLES * INPUTS, 1);
        let hidden = noise(INPUTS, 2);
        let doubt = noise(EXAMPLES, 3);
        let label = |(input, doubt): (&[f64], &f64)| (dot(input, &hidden) + doubt).signum();
        let labels = inputs.chunks(INPUTS).zip(&doubt).map(label).collect();
        Logistic { inputs, labels }
    }

    /// The penalty, and its gradient written.
    pub fn penalty(&self, weights: &[f64], gradient: &mut [f64]) -> f64 {
        let penalty = 1e-3;
        gradient.iter_mut().zip(weights).for_each(|(g, w)| *g = 2.0 * penalty * w);
        penalty * dot(weights, weights)
    }

    /// What some examples add to the mean loss and to its gradient.
    pub fn part(&self, weights: &[f64], examples: Range<usize>, gradient: &mut [f64]) -> f64 {
        let mut loss = 0.0;
        let inputs = self.inputs[examples.start * INPUTS..examples.end * INPUTS].chunks(INPUTS);
        for (input, label) in inputs.zip(&self.labels[examples]) {
            let margin = label * dot(input, weights);
            loss += (-margin).exp().ln_1p() / EXAMPLES as f64;
            let pull = -label / (1.0 + margin.exp()) / EXAMPLES as f64;
            gradient.iter_mut().zip(input).for_each(|(g, x)| *g += pull * x);
        }
        loss
    }
}

/// Logistic regression over the whole batch.
pub fn logistic() -> Problem {
    let problem = Logistic::new();
    Box::new(move |weights, gradient| {
        problem.penalty(weights, gradient) + problem.part(weights, 0..EXAMPLES, gradient)
    })
}

/// Ridge regression: columns of very different size, so that steepest descent would take for ever.
pub fn ridge() -> Problem {
    let mut inputs = noise(EXAMPLES * INPUTS, 4);
    for row in inputs.chunks_mut(INPUTS) {
        row.iter_mut().enumerate().for_each(|(i, x)| *x *= 1.0 + i as f64);
    }
    let targets = noise(EXAMPLES, 5);
    Box::new(move |weights, gradient| {
        let penalty = 1e-2;
        gradient.iter_mut().zip(weights).for_each(|(g, w)| *g = 2.0 * penalty * w);
        let mut loss = penalty * dot(weights, weights);
        for (input, target) in inputs.chunks(INPUTS).zip(&targets) {
            let error = dot(input, weights) - target;
            loss += error * error / EXAMPLES as f64;
            let pull = 2.0 * error / EXAMPLES as f64;
            gradient.iter_mut().zip(input).for_each(|(g, x)| *g += pull * x);
        }
        loss
    })
}

/// Rosenbrock's valley, chained over any even number of dimensions; the minimum is 0 where all are 1.
pub fn rosenbrock() -> Problem {
    Box::new(|x, gradient| {
        gradient.fill(0.0);
        let mut loss = 0.0;
        for i in 0..x.len() - 1 {
            let (valley, along) = (x[i + 1] - x[i] * x[i], 1.0 - x[i]);
            loss += 100.0 * valley * valley + along * along;
            gradient[i] += -400.0 * valley * x[i] - 2.0 * along;
            gradient[i + 1] += 200.0 * valley;
        }
        loss
    })
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Runs a future that never waits.
pub fn finish<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => panic!("this space never waits"),
    }
}
