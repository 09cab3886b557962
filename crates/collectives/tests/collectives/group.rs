//! Groups: operations by key from any thread, in any order.

use std::sync::Arc;
use std::time::Duration;

use downpour_collectives::{
    BoxStream, Door, Group, GroupConfig, GroupId, Mesh, MeshConfig, ReduceOp, StreamMesh,
};
use downpour_tensor::{Code, Status, Tensor};

use crate::pipes::PATIENCE;

/// A group in one process; its drivers run on the runtime of who calls.
fn in_process(size: usize, config: GroupConfig) -> Vec<Group> {
    let mut star: Vec<Vec<(Option<BoxStream>, String)>> = (0..size).map(|_| Vec::new()).collect();
    star[0].push((None, "zero".into()));
    for rank in 1..size {
        let (near, far) = tokio::io::duplex(1 << 10);
        star[0].push((Some(Box::new(near)), format!("address {rank}")));
        star[rank].push((Some(Box::new(far)), "zero".into()));
    }
    let meshes = StreamMesh::in_process(size, PATIENCE);
    let groups = meshes.into_iter().zip(star).map(|(mesh, star)| {
        let (group, driver) = Group::new(mesh, star, config);
        tokio::spawn(driver.run());
        group
    });
    groups.collect()
}

fn vector(values: &[f32]) -> Tensor {
    Tensor::vector(values).unwrap()
}

fn values(tensor: &Tensor) -> Vec<f32> {
    tensor.as_slice::<f32>().unwrap().to_vec()
}

#[tokio::test(start_paused = true)]
async fn keys_match_whatever_the_order() {
    let groups = in_process(3, GroupConfig::default());
    let mut pending = Vec::new();
    for group in &groups {
        let keys: Vec<u64> = (0..50).collect();
        // Every rank in an order of its own.
        let rotated = |k: u64| (k * 7 + group.rank() as u64 * 13) % 50;
        for key in keys.into_iter().map(rotated) {
            let tensor = vector(&vec![key as f32; 1 + key as usize]);
            pending.push((key, group.all_reduce(key, tensor, ReduceOp::Sum)));
        }
    }
    for (key, result) in pending {
        assert_eq!(values(&result.await.unwrap()), vec![3.0 * key as f32; 1 + key as usize]);
    }
}

#[tokio::test(start_paused = true)]
async fn operations_that_depend_on_each_other_across_ranks() {
    let groups = in_process(2, GroupConfig::default());
    let (a, b) = (groups[0].clone(), groups[1].clone());
    // One rank starts both at once, the other the second only when the first is done.
    let first = a.all_reduce("first", vector(&[1.0]), ReduceOp::Sum);
    let second = a.all_reduce("second", vector(&[2.0]), ReduceOp::Sum);
    let theirs = b.all_reduce("second", vector(&[2.0]), ReduceOp::Sum).await.unwrap();
    let theirs = b.all_reduce("first", theirs, ReduceOp::Sum);
    assert_eq!(values(&first.await.unwrap()), [5.0]);
    assert_eq!(values(&second.await.unwrap()), [4.0]);
    assert_eq!(values(&theirs.await.unwrap()), [5.0]);
}

#[tokio::test(start_paused = true)]
async fn every_kind_of_operation() {
    let groups = in_process(2, GroupConfig::default());
    let tasks: Vec<_> = groups
        .into_iter()
        .map(|group| {
            tokio::spawn(async move {
                let rank = group.rank() as f32;
                let mine = || vector(&[rank, rank + 10.0]);
                let gathered = group.all_gather("gather", mine()).await.unwrap();
                assert_eq!(values(&gathered), [0.0, 10.0, 1.0, 11.0]);
                let scalar = group.all_gather("scalar", Tensor::scalar(rank)).await.unwrap();
                assert_eq!(values(&scalar), [0.0, 1.0]);
                let heard = group.broadcast("root", mine(), 1).await.unwrap();
                assert_eq!(values(&heard), [1.0, 11.0]);
                let part = group.reduce_scatter("part", mine(), ReduceOp::Max).await.unwrap();
                assert_eq!(values(&part), [1.0 + 10.0 * rank]);
                let swapped = group.all_to_all("swap", mine()).await.unwrap();
                assert_eq!(values(&swapped), [10.0 * rank, 1.0 + 10.0 * rank]);
                group.barrier("end").await.unwrap();
                // A key that is done is free again.
                group.barrier("end").await.unwrap();
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn what_does_not_fit_fails_alone() {
    let groups = in_process(2, GroupConfig { start_limit: Duration::from_secs(5) });
    let (a, b) = (&groups[0], &groups[1]);
    let one = a.all_reduce("shapes", vector(&[1.0]), ReduceOp::Sum);
    let other = b.all_reduce("shapes", vector(&[1.0, 2.0]), ReduceOp::Sum);
    for error in [one.await.unwrap_err(), other.await.unwrap_err()] {
        assert_eq!(error.code(), Code::InvalidArgument);
        assert!(error.message().contains("all-reduce (sum) of float"), "{error}");
    }
    let alone = b.barrier("alone").await.unwrap_err();
    assert_eq!(alone.code(), Code::DeadlineExceeded);
    assert!(alone.message().contains("rank 0"), "{alone}");
    let strings = a.all_gather("strings", Tensor::string("x")).await.unwrap_err();
    assert_eq!(strings.code(), Code::InvalidArgument);
    assert_eq!(
        a.broadcast("nobody", vector(&[]), 2).await.unwrap_err().code(),
        Code::InvalidArgument
    );
    let twice = (a.barrier("twice"), a.barrier("twice"));
    assert_eq!(twice.1.await.unwrap_err().code(), Code::AlreadyExists);
    b.barrier("twice").await.unwrap();
    twice.0.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn who_leaves_is_named_and_nobody_hangs() {
    for leaver in [0, 2] {
        let mut groups = in_process(3, GroupConfig::default());
        let waiting: Vec<_> = (0..3)
            .filter(|&rank| rank != leaver)
            .map(|rank| groups[rank].barrier("never"))
            .collect();
        drop(groups.remove(leaver));
        for pending in waiting {
            let error = pending.await.unwrap_err();
            assert_eq!(error.code(), Code::Unavailable);
            assert!(error.message().contains(&format!("rank {leaver} (")), "{error}");
        }
        let later = groups[0].barrier("later").await.unwrap_err();
        assert_eq!(later.code(), Code::Unavailable, "{later}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_abort_reaches_everybody() {
    let groups = in_process(3, GroupConfig::default());
    let waiting: Vec<_> = groups.iter().skip(1).map(|group| group.barrier("never")).collect();
    groups[1].abort(Status::aborted("enough"));
    for pending in waiting {
        let error = pending.await.unwrap_err();
        assert_eq!((error.code(), error.message()), (Code::Aborted, "enough"));
    }
}

#[test]
fn threads_of_several_ranks_over_sockets() {
    let doors: Vec<Door> = (0..3).map(|_| Door::open("127.0.0.1:0").unwrap()).collect();
    let addresses: Vec<String> = doors.iter().map(|d| d.address().to_string()).collect();
    std::thread::scope(|scope| {
        for (rank, door) in doors.iter().enumerate() {
            let config = MeshConfig::new(GroupId::from_name("threads"), rank, addresses.clone());
            scope.spawn(move || {
                let group = Group::connect(door, &config, GroupConfig::default()).unwrap();
                let group = Arc::new(group);
                std::thread::scope(|scope| {
                    for thread in 0..4 {
                        let group = group.clone();
                        scope.spawn(move || {
                            for step in 0..20 {
                                let key = format!("{}/{step}", (thread + rank) % 4);
                                let tensor = vector(&[step as f32; 5000]);
                                let sum = group.all_reduce(key, tensor, ReduceOp::Sum).wait();
                                assert_eq!(values(&sum.unwrap()), [3.0 * step as f32; 5000]);
                            }
                        });
                    }
                });
            });
        }
    });
}

#[tokio::test(start_paused = true)]
async fn many_tensors_in_buckets() {
    let meshes = StreamMesh::in_process(3, PATIENCE);
    let tasks: Vec<_> = meshes
        .into_iter()
        .map(|mut mesh| {
            tokio::spawn(async move {
                let rank = mesh.rank();
                let mut tensors: Vec<Tensor> = (0..20usize)
                    .map(|i| match i % 3 {
                        0 => Tensor::vector(&vec![(i + rank) as i64; i]).unwrap(),
                        _ => vector(&vec![(i + rank) as f32; i * 10]),
                    })
                    .collect();
                // Others hold one of them: it must not change under them.
                let held = tensors[1].clone();
                downpour_collectives::all_reduce_many(&mut mesh, &mut tensors, ReduceOp::Sum, 2000)
                    .await
                    .unwrap();
                assert_eq!(values(&held), vec![(1 + rank) as f32; 10]);
                for (i, tensor) in tensors.iter().enumerate() {
                    let wanted = 3 * i + 3;
                    match i % 3 {
                        0 => assert_eq!(tensor.as_slice::<i64>().unwrap(), vec![wanted as i64; i]),
                        _ => assert_eq!(values(tensor), vec![wanted as f32; i * 10]),
                    }
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
}
