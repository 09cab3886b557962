//! Every algorithm against a plain reduction, for all numbers of ranks and sizes that are special.

use downpour_collectives::{Algorithm, Number, ReduceOp, Reduction, all_reduce, all_reduce_bytes};
use downpour_tensor::{bf16, f16};
use proptest::prelude::*;

use crate::pipes::on_ranks;

/// Element `i` of rank `r`: small integers, exact in every type, of both signs.
fn value(rank: usize, i: usize) -> i64 {
    ((rank * 7 + i * 13) % 5) as i64 - if i.is_multiple_of(3) { 2 } else { 1 }
}

fn expected(op: ReduceOp, ranks: usize, i: usize) -> f64 {
    let all = (0..ranks).map(|r| value(r, i));
    match op {
        ReduceOp::Sum => all.sum::<i64>() as f64,
        ReduceOp::Mean => all.sum::<i64>() as f64 / ranks as f64,
        ReduceOp::Min => all.min().unwrap_or(0) as f64,
        ReduceOp::Max => all.max().unwrap_or(0) as f64,
        ReduceOp::Product => all.product::<i64>() as f64,
    }
}

fn reduced<T: Number>(
    machines: &[usize],
    algorithm: Algorithm,
    op: ReduceOp,
    elements: usize,
) -> Vec<Vec<T>> {
    let rank_of = downpour_collectives::Mesh::rank;
    on_ranks(machines, |mut mesh| async move {
        let rank = rank_of(&mesh);
        let mut values: Vec<T> =
            (0..elements).map(|i| T::from_f64_lossy(value(rank, i) as f64)).collect();
        let reduction = Reduction::new(op, T::DTYPE).unwrap();
        let bytes = bytemuck::cast_slice_mut(&mut values);
        all_reduce_bytes(&mut mesh, bytes, reduction, algorithm).await.unwrap();
        values
    })
}

fn check<T: Number>(machines: &[usize], algorithm: Algorithm, op: ReduceOp, elements: usize) {
    let ranks = machines.len();
    let results = reduced::<T>(machines, algorithm, op, elements);
    for values in &results {
        let same = bytemuck::cast_slice::<T, u8>(values) == bytemuck::cast_slice(&results[0]);
        assert!(same, "ranks differ: {algorithm:?} {op:?} {} {ranks} ranks", T::DTYPE);
    }
    for (i, value) in results[0].iter().enumerate() {
        let (wanted, got) = (expected(op, ranks, i), value.to_f64_lossy());
        let wanted = if T::IS_INTEGER { wanted.trunc() } else { wanted };
        let near = (wanted - got).abs() <= wanted.abs() * 0.01;
        assert!(
            near,
            "{algorithm:?} {op:?} {} {machines:?} element {i} of {elements}: {got}, not {wanted}",
            T::DTYPE
        );
    }
}

#[test]
fn every_algorithm_at_every_size_and_number_of_ranks() {
    for ranks in 1..=9 {
        for algorithm in Algorithm::ALL {
            for elements in [0, 1, 2, ranks, 97, 5000] {
                check::<f32>(&vec![0; ranks], algorithm, ReduceOp::Sum, elements);
            }
        }
    }
}

#[test]
fn every_operation_and_type() {
    use ReduceOp::{Max, Mean, Min, Product, Sum};
    for op in [Sum, Mean, Min, Max, Product] {
        for algorithm in Algorithm::ALL {
            check::<f32>(&[0; 5], algorithm, op, 31);
            check::<f64>(&[0; 5], algorithm, op, 31);
            check::<i32>(&[0; 5], algorithm, op, 31);
            check::<i64>(&[0; 5], algorithm, op, 31);
            check::<bf16>(&[0; 5], algorithm, op, 31);
            check::<f16>(&[0; 5], algorithm, op, 31);
        }
    }
}

#[test]
fn large_buffers_pass_through_small_pipes() {
    for algorithm in Algorithm::ALL {
        check::<f32>(&[0, 0, 1, 1], algorithm, ReduceOp::Sum, 1_000_003);
    }
}

#[test]
fn ranks_of_several_machines() {
    // Equal machines, unequal ones, ranks dealt out in turn.
    for machines in [&[0, 0, 1, 1][..], &[0, 0, 0, 1, 1], &[0, 1, 2, 0, 1, 2], &[3, 1, 3]] {
        for op in [ReduceOp::Sum, ReduceOp::Mean] {
            for elements in [0, 1, 5, 4001] {
                check::<f32>(machines, Algorithm::Hierarchical, op, elements);
            }
        }
    }
}

#[test]
fn infinities_and_signed_zeros_are_the_same_bits_everywhere() {
    for algorithm in Algorithm::ALL {
        for ranks in [2, 3, 4, 7] {
            let results = on_ranks(&vec![0; ranks], |mut mesh| async move {
                let rank = downpour_collectives::Mesh::rank(&mesh);
                let zero = if rank % 2 == 0 { 0.0f32 } else { -0.0 };
                let mut values = [zero, zero, f32::INFINITY, 0.1 * rank as f32];
                let reduction = Reduction::new(ReduceOp::Min, downpour_tensor::DataType::Float);
                let bytes = bytemuck::cast_slice_mut(&mut values);
                all_reduce_bytes(&mut mesh, bytes, reduction.unwrap(), algorithm).await.unwrap();
                values.map(f32::to_bits)
            });
            assert!(results.iter().all(|r| r == &results[0]), "{algorithm:?} {ranks}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn all_algorithms_agree(ranks in 1usize..10, elements in 0usize..3000, machines in 1usize..4) {
        let machines: Vec<usize> = (0..ranks).map(|r| r % machines).collect();
        for algorithm in Algorithm::ALL {
            check::<i64>(&machines, algorithm, ReduceOp::Sum, elements);
        }
    }

    #[test]
    fn arbitrary_floats_are_the_same_bits_on_every_rank(
        ranks in 2usize..8,
        seeds in proptest::collection::vec(any::<f32>(), 1..50),
    ) {
        let results = on_ranks(&vec![0; ranks], |mut mesh| {
            let seeds = seeds.clone();
            async move {
                let rank = downpour_collectives::Mesh::rank(&mesh) as f32;
                let mut values: Vec<f32> = seeds.iter().map(|s| s * (1.0 + rank * 0.37)).collect();
                all_reduce(&mut mesh, &mut values, ReduceOp::Sum).await.unwrap();
                values.into_iter().map(f32::to_bits).collect::<Vec<_>>()
            }
        });
        prop_assert!(results.iter().all(|r| r == &results[0]));
    }
}
