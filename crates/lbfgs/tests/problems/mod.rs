//! Functions to minimize, the same in every test (and in the script that asked SciPy).

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

const EXAMPLES: usize = 200;
pub const INPUTS: usize = 20;

/// Logistic regression with a small penalty on the squares of the weights.
pub fn logistic() -> Problem {
    let inputs = noise(EXAMPLES * INPUTS, 1);
    let hidden = noise(INPUTS, 2);
    let doubt = noise(EXAMPLES, 3);
    Box::new(move |weights, gradient| {
        let penalty = 1e-3;
        gradient.iter_mut().zip(weights).for_each(|(g, w)| *g = 2.0 * penalty * w);
        let mut loss = penalty * dot(weights, weights);
        for (input, doubt) in inputs.chunks(INPUTS).zip(&doubt) {
            let label = if dot(input, &hidden) + doubt > 0.0 { 1.0 } else { -1.0 };
            let margin = label * dot(input, weights);
            loss += (-margin).exp().ln_1p() / EXAMPLES as f64;
            let pull = -label / (1.0 + margin.exp()) / EXAMPLES as f64;
            gradient.iter_mut().zip(input).for_each(|(g, x)| *g += pull * x);
        }
        loss
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
