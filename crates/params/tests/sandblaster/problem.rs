//! Functions that are means over examples.

use std::ops::Range;

pub const EXAMPLES: u64 = 240;
pub const INPUTS: usize = 20;

/// Values between -1 and 1 from a linear congruential generator.
pub fn noise(count: usize, mut state: u64) -> Vec<f64> {
    let mut values = Vec::with_capacity(count);
    for _ in 0..count {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        values.push((state >> 11) as f64 / (1u64 << 52) as f64 - 1.0);
    }
    values
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Ridge,
    Logistic,
}

pub struct Problem {
    pub kind: Kind,
    pub l2: f64,
    inputs: Vec<f64>,
    targets: Vec<f64>,
}

impl Problem {
    pub fn new(kind: Kind) -> Problem {
        let mut inputs = noise(EXAMPLES as usize * INPUTS, 1);
        if kind == Kind::Ridge {
            // Columns of different size: steepest descent would take for ever.
            for row in inputs.chunks_mut(INPUTS) {
                row.iter_mut().enumerate().for_each(|(i, x)| *x *= 1.0 + i as f64 / 2.0);
            }
        }
        let (hidden, doubt) = (noise(INPUTS, 2), noise(EXAMPLES as usize, 3));
        let target = |(input, doubt): (&[f64], &f64)| dot(input, &hidden) + doubt;
        let mut targets: Vec<f64> = inputs.chunks(INPUTS).zip(&doubt).map(target).collect();
        if kind == Kind::Logistic {
            targets.iter_mut().for_each(|target| *target = target.signum());
        }
        Problem { kind, l2: 1e-2, inputs, targets }
    }

    /// The sum of losses over some examples; the gradient is added.
    pub fn sum(&self, weights: &[f64], examples: Range<u64>, gradient: &mut [f64]) -> f64 {
        let examples = examples.start as usize..examples.end as usize;
        let inputs = self.inputs[examples.start * INPUTS..examples.end * INPUTS].chunks(INPUTS);
        let mut loss = 0.0;
        for (input, target) in inputs.zip(&self.targets[examples]) {
            let output = dot(input, weights);
            let pull = match self.kind {
                Kind::Ridge => {
                    loss += (output - target).powi(2);
                    2.0 * (output - target)
                }
                Kind::Logistic => {
                    let margin = target * output;
                    loss += (-margin).exp().ln_1p();
                    -target / (1.0 + margin.exp())
                }
            };
            gradient.iter_mut().zip(input).for_each(|(g, x)| *g += pull * x);
        }
        loss
    }

    /// The mean over all examples with its penalty, as one process computes it.
    pub fn whole(&self, weights: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        let loss = self.sum(weights, 0..EXAMPLES, gradient);
        let all = EXAMPLES as f64;
        gradient.iter_mut().zip(weights).for_each(|(g, w)| *g = *g / all + 2.0 * self.l2 * w);
        loss / all + self.l2 * dot(weights, weights)
    }
}
