//! All-gather, broadcast, reduce-scatter, all-to-all and barrier.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use downpour_collectives::{
    Mesh, ReduceOp, Reduction, all_gather, all_to_all, barrier, broadcast, reduce_scatter,
};
use downpour_tensor::{Code, DataType};

use crate::pipes::on_ranks;

const SIZES: [usize; 5] = [0, 1, 7, 9001, 300_000];

#[test]
fn everybody_gathers_everything() {
    for ranks in 1..=9 {
        for length in SIZES {
            let results = on_ranks(&vec![0; ranks], |mut mesh| async move {
                let own = vec![mesh.rank() as u8; length];
                let mut all = vec![99; length * mesh.size()];
                all_gather(&mut mesh, &own, &mut all).await.unwrap();
                all
            });
            let wanted: Vec<u8> = (0..ranks).flat_map(|r| vec![r as u8; length]).collect();
            assert!(results.iter().all(|r| *r == wanted), "{ranks} ranks, {length} bytes");
        }
    }
}

#[test]
fn every_root_is_heard() {
    for ranks in 1..=9 {
        for root in 0..ranks {
            for length in SIZES {
                let results = on_ranks(&vec![0; ranks], |mut mesh| async move {
                    let mut bytes = vec![mesh.rank() as u8; length];
                    broadcast(&mut mesh, &mut bytes, root).await.unwrap();
                    bytes
                });
                assert!(results.iter().all(|r| *r == vec![root as u8; length]), "{ranks} {root}");
            }
        }
    }
}

#[test]
fn everybody_keeps_a_part_of_the_sum() {
    for ranks in 1..=9 {
        for each in [0, 1, 1001] {
            let results = on_ranks(&vec![0; ranks], |mut mesh| async move {
                let (rank, size) = (mesh.rank() as i32, mesh.size());
                let mut parts: Vec<i32> = (0..each * size).map(|i| i as i32 + rank).collect();
                let mut own = vec![0; each];
                let reduction = Reduction::new(ReduceOp::Sum, DataType::Int32).unwrap();
                let parts = bytemuck::cast_slice_mut(&mut parts);
                let part = bytemuck::cast_slice_mut(&mut own);
                reduce_scatter(&mut mesh, parts, part, reduction).await.unwrap();
                own
            });
            let ranks_sum = (0..ranks as i32).sum::<i32>();
            for (i, value) in results.concat().into_iter().enumerate() {
                assert_eq!(value, ranks as i32 * i as i32 + ranks_sum);
            }
        }
    }
}

#[test]
fn parts_change_places() {
    for ranks in 1..=6 {
        let results = on_ranks(&vec![0; ranks], |mut mesh| async move {
            let (rank, size) = (mesh.rank(), mesh.size());
            let send: Vec<u8> =
                (0..size).flat_map(|to| vec![(10 * rank + to) as u8; 100]).collect();
            let mut received = vec![0; send.len()];
            all_to_all(&mut mesh, &send, &mut received).await.unwrap();
            received
        });
        for (rank, received) in results.iter().enumerate() {
            for from in 0..ranks {
                assert_eq!(received[from * 100], (10 * from + rank) as u8);
            }
        }
    }
}

#[test]
fn nobody_leaves_a_barrier_early() {
    for ranks in 1..=9 {
        let arrived = Arc::new(AtomicUsize::new(0));
        on_ranks(&vec![0; ranks], |mut mesh| {
            let arrived = arrived.clone();
            async move {
                for round in 1..=3 {
                    for _ in 0..mesh.rank() {
                        tokio::task::yield_now().await;
                    }
                    arrived.fetch_add(1, Ordering::SeqCst);
                    barrier(&mut mesh).await.unwrap();
                    assert!(arrived.load(Ordering::SeqCst) >= round * ranks);
                }
            }
        });
    }
}

#[test]
fn wrong_sizes_are_refused() {
    on_ranks(&[0], |mut mesh| async move {
        let error = all_gather(&mut mesh, &[0; 3], &mut [0; 4]).await.unwrap_err();
        assert_eq!(error.code(), Code::InvalidArgument);
        let error = broadcast(&mut mesh, &mut [0; 4], 1).await.unwrap_err();
        assert_eq!(error.code(), Code::InvalidArgument);
        let float = Reduction::new(ReduceOp::Sum, DataType::Float).unwrap();
        let error = reduce_scatter(&mut mesh, &mut [0; 3], &mut [0; 3], float).await.unwrap_err();
        assert_eq!(error.code(), Code::InvalidArgument);
    });
}
