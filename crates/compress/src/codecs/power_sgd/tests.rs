use super::*;

/// Deterministic values between -1 and 1.
fn noise(count: usize, mut state: u64) -> Vec<f64> {
    let mut values = Vec::with_capacity(count);
    for _ in 0..count {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        values.push((state >> 11) as f64 / (1u64 << 52) as f64 - 1.0);
    }
    values
}

fn low_rank(rows: usize, columns: usize, rank: usize, seed: u64) -> Vec<f64> {
    let (p, q) = (noise(rows * rank, seed), noise(rank * columns, seed + 1));
    let mut out = vec![0.0; rows * columns];
    matrix::product(&p, &q, Extent { rows, columns, rank }, &mut out);
    out
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

#[test]
fn a_matrix_of_that_rank_comes_back_at_once() {
    let values = low_rank(40, 30, 3, 5);
    let gradient = Tensor::from_slice([40, 30], &values).unwrap();
    let mut power = PowerSgd::new(3, 1).unwrap();
    let bytes = power.encode::<f64>("w", &gradient).unwrap().unwrap();
    assert_eq!(bytes.len(), 8 + 8 * 3 * 70);
    let mut back = vec![0.0; 1200];
    decode(&bytes, gradient.shape(), &mut back).unwrap();
    assert!(distance(&values, &back) < 1e-10 * distance(&values, &[0.0; 1200]));
}

#[test]
fn a_warm_start_finds_the_best_approximation() {
    // Two strong directions and noise: repeated on the same matrix, the error nears that of the best rank-2 matrix.
    let strong = low_rank(50, 40, 2, 9);
    let weak = noise(2000, 3);
    let values: Vec<f64> = strong.iter().zip(&weak).map(|(s, w)| s + 0.05 * w).collect();
    let mut direction = Direction::new(1, "w");
    let extent = Extent { rows: 50, columns: 40, rank: 2 };
    let mut errors = Vec::new();
    for _ in 0..10 {
        let mut p = vec![0.0; 100];
        let mut q = vec![0.0; 80];
        matrix::project(&values, direction.values(extent).unwrap(), extent, &mut p);
        matrix::orthonormalize(&mut p, extent);
        matrix::project_back(&values, &p, extent, &mut q);
        let mut back = vec![0.0; 2000];
        matrix::product(&p, &q, extent, &mut back);
        errors.push(distance(&values, &back));
        direction.follow(&q, extent).unwrap();
    }
    let noise_only = 0.05 * distance(&weak, &[0.0; 2000]);
    assert!(errors[9] <= noise_only && errors[9] <= errors[0], "{errors:?} {noise_only}");
}

#[test]
fn columns_become_orthonormal_and_dependent_ones_zero() {
    let extent = Extent { rows: 20, columns: 5, rank: 3 };
    let mut p: Vec<f32> = noise(60, 4).iter().map(|&v| v as f32).collect();
    for row in p.chunks_exact_mut(3) {
        row[1] = 2.0 * row[0];
    }
    matrix::orthonormalize(&mut p, extent);
    let dot = |a: usize, b: usize| -> f32 { p.chunks_exact(3).map(|row| row[a] * row[b]).sum() };
    assert!((dot(0, 0) - 1.0).abs() < 1e-5 && (dot(2, 2) - 1.0).abs() < 1e-5);
    assert!(dot(0, 2).abs() < 1e-5);
    assert_eq!(dot(1, 1), 0.0);
    let mut nan = vec![1f32; 60];
    nan[7] = f32::NAN;
    matrix::orthonormalize(&mut nan, extent);
    assert!(nan.iter().any(|v| v.is_nan()));
}

#[test]
fn a_gradient_of_zeros_does_not_end_it() {
    let mut power = PowerSgd::new(2, 1).unwrap();
    let zeros = Tensor::zeros(DataType::Float, [16, 16]).unwrap();
    power.encode::<f32>("w", &zeros).unwrap().unwrap();
    let values: Vec<f32> = low_rank(16, 16, 2, 8).iter().map(|&v| v as f32).collect();
    let gradient = Tensor::from_slice([16, 16], &values).unwrap();
    let bytes = power.encode::<f32>("w", &gradient).unwrap().unwrap();
    let mut back = vec![0f32; 256];
    decode(&bytes, gradient.shape(), &mut back).unwrap();
    for (a, b) in values.iter().zip(back) {
        assert!((a - b).abs() < 1e-4);
    }
}

#[test]
fn vectors_and_small_matrices_pass() {
    let power = PowerSgd::new(4, 1).unwrap();
    for (shape, applies) in
        [(vec![1000], false), (vec![8, 8], false), (vec![64, 64], true), (vec![3, 3, 16, 32], true)]
    {
        assert_eq!(power.applies(&Tensor::zeros(DataType::Float, shape).unwrap()), applies);
    }
    assert!(!power.applies(&Tensor::zeros(DataType::Int32, [64, 64]).unwrap()));
    assert!(PowerSgd::new(0, 1).is_err());
}

/// Runs one round on several workers with exact means.
fn reduce(workers: &mut [PowerSgd], gradients: &[Tensor]) -> Vec<Tensor> {
    fn mean(parts: Vec<&Tensor>) -> Tensor {
        let count = parts.len() as f64;
        Tensor::build(parts[0].shape(), |out: &mut [f64]| {
            out.fill(0.0);
            for part in parts {
                out.iter_mut()
                    .zip(part.as_slice::<f64>().unwrap())
                    .for_each(|(o, v)| *o += v / count);
            }
        })
        .unwrap()
    }
    let rounds = workers.iter_mut().zip(gradients).map(|(w, g)| w.begin("w", g).unwrap());
    let rounds: Vec<Projected> = rounds.collect();
    let p = mean(rounds.iter().map(Projected::factor).collect());
    let rounds: Vec<Reduced> = rounds.into_iter().map(|r| r.reduced(&p).unwrap()).collect();
    let q = mean(rounds.iter().map(Reduced::factor).collect());
    workers.iter_mut().zip(rounds).map(|(w, r)| w.finish(r, &q).unwrap()).collect()
}

#[test]
fn workers_agree_and_lose_nothing() {
    let mut workers: Vec<PowerSgd> = (0..3).map(|_| PowerSgd::new(2, 11).unwrap()).collect();
    let (mut given, mut received) = (vec![0.0; 600], vec![0.0; 600]);
    for step in 0..5 {
        let gradients: Vec<Tensor> = (0..3)
            .map(|w| Tensor::from_slice([30, 20], &noise(600, 100 * step + w)).unwrap())
            .collect();
        for gradient in &gradients {
            let values = gradient.as_slice::<f64>().unwrap();
            given.iter_mut().zip(values).for_each(|(sum, v)| *sum += v / 3.0);
        }
        let results = reduce(&mut workers, &gradients);
        for result in &results {
            assert_eq!(result.as_slice::<f64>().unwrap(), results[0].as_slice::<f64>().unwrap());
        }
        let values = results[0].as_slice::<f64>().unwrap();
        received.iter_mut().zip(values).for_each(|(sum, v)| *sum += v);
    }
    for worker in &workers {
        let kept = worker.residual("w").unwrap().as_slice::<f64>().unwrap();
        received.iter_mut().zip(kept).for_each(|(sum, v)| *sum += v / 3.0);
    }
    assert!(distance(&given, &received) < 1e-12 * distance(&given, &[0.0; 600]));
}

#[test]
fn one_worker_reducing_alone_equals_its_messages() {
    let gradient = Tensor::from_slice([30, 20], &noise(600, 1)).unwrap();
    let mut alone = PowerSgd::new(2, 5).unwrap();
    let mut sender = PowerSgd::new(2, 5).unwrap();
    for _ in 0..3 {
        let reduced = reduce(std::slice::from_mut(&mut alone), std::slice::from_ref(&gradient));
        let bytes = sender.encode::<f64>("w", &gradient).unwrap().unwrap();
        let mut back = vec![0.0; 600];
        decode(&bytes, gradient.shape(), &mut back).unwrap();
        assert_eq!(reduced[0].as_slice::<f64>().unwrap(), back);
    }
}

#[test]
fn what_is_not_finite_is_seen_and_not_kept() {
    let good = Tensor::from_slice([30, 20], &noise(600, 1)).unwrap();
    let mut values = noise(600, 2);
    values[17] = f64::NAN;
    let bad = Tensor::from_slice([30, 20], &values).unwrap();
    let mut workers = vec![PowerSgd::new(2, 5).unwrap(), PowerSgd::new(2, 5).unwrap()];
    reduce(&mut workers, &[good.clone(), good.clone()]);
    let before = workers[1].residual("w").unwrap().clone();
    let results = reduce(&mut workers, &[good.clone(), bad]);
    assert!(results[0].as_slice::<f64>().unwrap().iter().any(|v| v.is_nan()));
    let after = workers[1].residual("w").unwrap();
    assert_eq!(before.as_slice::<f64>().unwrap(), after.as_slice::<f64>().unwrap());
    let results = reduce(&mut workers, &[good.clone(), good]);
    assert!(results[0].as_slice::<f64>().unwrap().iter().all(|v| v.is_finite()));
}

#[test]
fn factors_of_another_shape_are_refused() {
    let gradient = Tensor::from_slice([30, 20], &noise(600, 1)).unwrap();
    let mut power = PowerSgd::new(2, 5).unwrap();
    let projected = power.begin("w", &gradient).unwrap();
    assert!(projected.reduced(&Tensor::zeros(DataType::Double, [30, 3]).unwrap()).is_err());
    let projected = power.begin("w", &gradient).unwrap();
    assert!(projected.reduced(&Tensor::zeros(DataType::Float, [30, 2]).unwrap()).is_err());
    assert!(power.begin("v", &Tensor::zeros(DataType::Float, [20]).unwrap()).is_err());
    assert!(power.residual("w").is_none(), "rounds that were dropped left nothing");
}
