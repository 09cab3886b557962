//! Peers that die, fall silent, or do something else.

use downpour_collectives::{Algorithm, Mesh, ReduceOp, Reduction, all_reduce, all_reduce_bytes};
use downpour_tensor::{Code, DataType};

use crate::pipes::on_ranks;

#[test]
fn a_peer_that_dies_ends_the_operation_everywhere() {
    for algorithm in Algorithm::ALL {
        let results = on_ranks(&[0, 0, 1, 1, 1], |mut mesh| async move {
            let rank = mesh.rank();
            let mut values = vec![1.0f32; 200_000];
            let reduction = Reduction::new(ReduceOp::Sum, DataType::Float).unwrap();
            let bytes = bytemuck::cast_slice_mut(&mut values);
            let work = all_reduce_bytes(&mut mesh, bytes, reduction, algorithm);
            if rank == 3 {
                // Dies in the middle: gives up when the others wait for it.
                return tokio::select! {
                    biased;
                    result = work => result,
                    () = async { for _ in 0..20 { tokio::task::yield_now().await } } => {
                        Err(downpour_tensor::Status::cancelled("died"))
                    }
                };
            }
            // Whoever fails drops its mesh, as a process that ends does.
            work.await
        });
        for (rank, result) in results.iter().enumerate() {
            let error = result.as_ref().expect_err("nobody can have everything");
            if rank != 3 {
                assert_eq!(error.code(), Code::Unavailable, "{algorithm:?}: {error}");
                assert!(error.message().contains("rank "), "{error}");
            }
        }
    }
}

#[test]
fn a_silent_peer_is_named_when_patience_ends() {
    let results = on_ranks(&[0, 0], |mut mesh| async move {
        if mesh.rank() == 1 {
            tokio::time::sleep(std::time::Duration::from_secs(3600)).await;
            return None;
        }
        let mut values = vec![1.0f32; 10];
        let error = all_reduce(&mut mesh, &mut values, ReduceOp::Sum).await.unwrap_err();
        let again = all_reduce(&mut mesh, &mut values, ReduceOp::Sum).await.unwrap_err();
        assert_eq!(again, error);
        Some(error)
    });
    let error = results[0].as_ref().unwrap();
    assert_eq!(error.code(), Code::Unavailable);
    assert!(error.message().contains("rank 1 (this process)"), "{error}");
}

#[test]
fn ranks_that_do_different_things_are_told() {
    let results = on_ranks(&[0, 0], |mut mesh| async move {
        let mut values = vec![1.0f32; 10 + mesh.rank()];
        all_reduce(&mut mesh, &mut values, ReduceOp::Sum).await
    });
    assert!(results.iter().any(|r| r.as_ref().is_err_and(|e| e.code() == Code::Internal)));
    let results = on_ranks(&[0, 0], |mut mesh| async move {
        let op = if mesh.rank() == 0 { ReduceOp::Sum } else { ReduceOp::Max };
        all_reduce(&mut mesh, &mut [1.0f32], op).await
    });
    assert!(results.iter().any(|r| r.as_ref().is_err_and(|e| e.code() == Code::Internal)));
}

#[test]
fn an_operation_given_up_half_way_leaves_no_mesh() {
    let results = on_ranks(&[0, 0], |mut mesh| async move {
        let mut values = vec![1.0f32; 100];
        if mesh.rank() == 1 {
            // Never answers, but stays.
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            return Code::Ok;
        }
        {
            let work = all_reduce(&mut mesh, &mut values, ReduceOp::Sum);
            let given_up = tokio::time::timeout(std::time::Duration::from_millis(5), work).await;
            assert!(given_up.is_err());
        }
        all_reduce(&mut mesh, &mut values, ReduceOp::Sum).await.unwrap_err().code()
    });
    assert_eq!(results[0], Code::Cancelled);
}
