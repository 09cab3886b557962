//! The distributed L-BFGS walks the same way as a textbook one that holds its vectors.

mod problems;

use downpour_lbfgs::line_search::{LineSearch, Next};
use downpour_lbfgs::{Lbfgs, LocalSpace, Settings, Stop};
use problems::{INPUTS, Problem, dot, finish, logistic, ridge, rosenbrock};

/// Nocedal and Wright, algorithms 7.4 and 7.5, word for word: vectors in memory, two loops over pairs.
fn textbook(settings: Settings, start: &[f64], mut f: Problem, iterations: usize) -> Vec<Vec<f64>> {
    let n = start.len();
    let mut x = start.to_vec();
    let mut gradient = vec![0.0; n];
    let mut loss = f(&x, &mut gradient);
    let mut pairs: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
    let mut path = vec![x.clone()];
    for _ in 0..iterations {
        let mut q = gradient.clone();
        let mut alphas = Vec::new();
        for (s, y) in pairs.iter().rev() {
            let alpha = dot(s, &q) / dot(s, y);
            q.iter_mut().zip(y).for_each(|(q, y)| *q -= alpha * y);
            alphas.push(alpha);
        }
        if let Some((s, y)) = pairs.last() {
            let scale = dot(s, y) / dot(y, y);
            q.iter_mut().for_each(|q| *q *= scale);
        }
        for ((s, y), alpha) in pairs.iter().zip(alphas.into_iter().rev()) {
            let beta = dot(y, &q) / dot(s, y);
            q.iter_mut().zip(s).for_each(|(q, s)| *q += (alpha - beta) * s);
        }
        let direction: Vec<f64> = q.iter().map(|q| -q).collect();

        let first =
            if pairs.is_empty() { (1.0 / dot(&gradient, &gradient).sqrt()).min(1.0) } else { 1.0 };
        let mut search =
            LineSearch::new(settings.line_search, loss, dot(&gradient, &direction), first);
        let mut next = search.first();
        let mut new_gradient = vec![0.0; n];
        let mut new_x = x.clone();
        let mut new_loss = loss;
        while let Next::Evaluate(step) = next {
            new_x = x.iter().zip(&direction).map(|(x, d)| x + step * d).collect();
            new_loss = f(&new_x, &mut new_gradient);
            next = search.told(new_loss, dot(&new_gradient, &direction));
        }
        if !matches!(next, Next::Accept(_)) {
            break;
        }
        let s = new_x.iter().zip(&x).map(|(a, b)| a - b).collect();
        let y = new_gradient.iter().zip(&gradient).map(|(a, b)| a - b).collect();
        pairs.push((s, y));
        if pairs.len() > settings.history {
            pairs.remove(0);
        }
        (x, gradient, loss) = (new_x, new_gradient, new_loss);
        path.push(x.clone());
    }
    path
}

fn walk(
    settings: Settings,
    start: &[f64],
    f: Problem,
    iterations: usize,
    shards: usize,
) -> Vec<Vec<f64>> {
    let mut space = LocalSpace::new(shards, start, f);
    let mut lbfgs = Lbfgs::new(settings).unwrap();
    let mut path = vec![start.to_vec()];
    for _ in 0..iterations {
        let iteration = finish(lbfgs.iterate(&mut space)).unwrap();
        if iteration.step > 0.0 {
            path.push(space.read(lbfgs.point()).unwrap());
        }
        if iteration.stop.is_some() {
            break;
        }
    }
    path
}

/// The largest difference between two paths, relative to the point.
fn difference(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    let mut largest = 0f64;
    for (a, b) in a.iter().zip(b) {
        let apart: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        largest = largest.max((dot(&apart, &apart) / dot(a, a).max(1e-300)).sqrt());
    }
    largest
}

fn endless(history: usize) -> Settings {
    Settings { history, gradient_norm: 0.0, relative_decrease: 0.0, ..Settings::default() }
}

#[test]
fn convex_problems_step_by_step() {
    for (name, problem, iterations) in
        [("ridge", ridge as fn() -> Problem, 25), ("logistic", logistic, 15)]
    {
        let start = vec![0.1; INPUTS];
        for history in [1, 3, 10] {
            let settings = endless(history);
            let expected = textbook(settings, &start, problem(), iterations);
            assert_eq!(expected.len(), iterations + 1);
            for shards in [1, 3, 20] {
                let path = walk(settings, &start, problem(), iterations, shards);
                assert_eq!(path.len(), expected.len());
                let apart = difference(&path, &expected);
                println!("{name}, history {history}, {shards} shards: {apart:.1e} apart");
                assert!(apart < 1e-8, "{name}, history {history}, {shards} shards: {apart:e}");
            }
        }
    }
}

#[test]
fn the_valley_step_by_step() {
    let start: Vec<f64> = (0..10).map(|i| if i % 2 == 0 { -1.2 } else { 1.0 }).collect();
    let settings = endless(5);
    let expected = textbook(settings, &start, rosenbrock(), 30);
    let path = walk(settings, &start, rosenbrock(), 30, 4);
    assert_eq!(path.len(), 31);
    let apart = difference(&path, &expected);
    println!("{apart:.1e} apart");
    assert!(apart < 1e-6, "{apart:e}");
}

#[test]
fn the_end_is_that_of_scipy() {
    // scipy.optimize.fmin_l_bfgs_b(m=10, factr=10, pgtol=1e-9) on the same functions; other line search, same minimum.
    let valley: Vec<f64> = (0..10).map(|i| if i % 2 == 0 { -1.2 } else { 1.0 }).collect();
    let settings = Settings { gradient_norm: 1e-9, relative_decrease: 0.0, ..Settings::default() };
    for (name, problem, start, loss) in [
        ("ridge", ridge as fn() -> Problem, vec![0.1; INPUTS], SCIPY_RIDGE),
        ("logistic", logistic, vec![0.1; INPUTS], SCIPY_LOGISTIC),
        ("rosenbrock", rosenbrock, valley, 0.0),
    ] {
        let mut space = LocalSpace::new(3, &start, problem());
        let summary = space.minimize(&mut Lbfgs::new(settings).unwrap()).unwrap();
        println!("{name}: {summary:?} (SciPy: {loss})");
        assert_ne!(summary.stop, Stop::Iterations, "{name}: {summary:?}");
        assert!((summary.loss - loss).abs() < 1e-12, "{name}: {summary:?}");
        assert!(summary.gradient_norm < 1e-6);
    }
}

const SCIPY_RIDGE: f64 = 0.316_231_100_268_804;
const SCIPY_LOGISTIC: f64 = 0.212_333_900_568_206;
