//! Meshes of real sockets over loopback, a thread per rank.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use downpour_collectives::{
    Algorithm, Door, GroupId, Mesh, MeshConfig, ReduceOp, Reduction, SocketMesh, all_reduce,
    all_reduce_bytes, barrier, now,
};
use downpour_tensor::{Code, DataType, Result, Status};

/// Runs `work` on a thread per rank, each with a door of its own.
pub fn on_sockets<T: Send>(
    ranks: usize,
    adjust: impl Fn(&mut MeshConfig) + Sync,
    work: impl Fn(Result<SocketMesh>) -> T + Sync,
) -> Vec<T> {
    let doors: Vec<Door> = (0..ranks).map(|_| Door::open("127.0.0.1:0").unwrap()).collect();
    let addresses: Vec<String> = doors.iter().map(|d| d.address().to_string()).collect();
    std::thread::scope(|scope| {
        let (adjust, work) = (&adjust, &work);
        let threads: Vec<_> = doors
            .iter()
            .enumerate()
            .map(|(rank, door)| {
                let mut config =
                    MeshConfig::new(GroupId::from_name("test"), rank, addresses.clone());
                adjust(&mut config);
                scope.spawn(move || work(SocketMesh::connect(door, &config)))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn every_algorithm_over_both_kinds_of_socket() {
    for near in [true, false] {
        for ranks in [1, 2, 3, 4, 5] {
            on_sockets(
                ranks,
                |config| config.near = near,
                |mesh| {
                    let mut mesh = mesh.unwrap();
                    let size = mesh.size() as i32;
                    if cfg!(target_os = "linux") {
                        assert_eq!(mesh.near_connections(), if near { ranks - 1 } else { 0 });
                    }
                    let reduction = Reduction::new(ReduceOp::Sum, DataType::Int32).unwrap();
                    for algorithm in Algorithm::ALL {
                        for elements in [0, 1, 1000, 150_001] {
                            let mut values: Vec<i32> =
                                (0..elements).map(|i| i + mesh.rank() as i32).collect();
                            let bytes = bytemuck::cast_slice_mut(&mut values);
                            now(all_reduce_bytes(&mut mesh, bytes, reduction, algorithm)).unwrap();
                            let more = (0..size).sum::<i32>();
                            let right = |(i, v): (usize, &i32)| *v == size * i as i32 + more;
                            assert!(values.iter().enumerate().all(right), "{algorithm:?}");
                        }
                    }
                    now(barrier(&mut mesh)).unwrap();
                },
            );
        }
    }
}

#[test]
fn what_is_moved_is_counted() {
    let moved = on_sockets(
        4,
        |_| (),
        |mesh| {
            let mut mesh = mesh.unwrap();
            let mut values = vec![1i32; 100_000];
            let reduction = Reduction::new(ReduceOp::Sum, DataType::Int32).unwrap();
            let bytes = bytemuck::cast_slice_mut(&mut values);
            now(all_reduce_bytes(&mut mesh, bytes, reduction, Algorithm::Ring)).unwrap();
            mesh.moved()
        },
    );
    for (sent, received) in moved {
        // Six messages of a quarter each, with their headers.
        assert_eq!((sent, received), (6 * (100_000 + 16), 6 * (100_000 + 16)));
    }
}

#[test]
fn a_rank_that_leaves_ends_the_operation_everywhere() {
    let errors = on_sockets(
        4,
        |_| (),
        |mesh| {
            let mut mesh = mesh.unwrap();
            let mut values = vec![1.0f32; 3_000_000];
            if mesh.rank() == 2 {
                // Takes part in one round of the ring and is gone.
                let _ = now(mesh.send(0, 3, &[0; 100]));
                return None;
            }
            Some(now(all_reduce(&mut mesh, &mut values, ReduceOp::Sum)).unwrap_err())
        },
    );
    for error in errors.into_iter().flatten() {
        assert!(matches!(error.code(), Code::Unavailable | Code::Internal), "{error}");
        assert!(error.message().contains("127.0.0.1:"), "{error}");
    }
}

#[test]
fn a_silent_rank_is_named() {
    let (quiet, heard) = std::sync::mpsc::channel::<()>();
    let heard = std::sync::Mutex::new(heard);
    let quiet = std::sync::Mutex::new(Some(quiet));
    let errors = on_sockets(
        2,
        |config| config.patience = Duration::from_millis(200),
        |mesh| {
            let mut mesh = mesh.unwrap();
            if mesh.rank() == 1 {
                // Stays until the other has given up.
                let _ = heard.lock().unwrap().recv();
                return None;
            }
            let error = now(all_reduce(&mut mesh, &mut [1.0f32], ReduceOp::Sum)).unwrap_err();
            quiet.lock().unwrap().take();
            Some(error)
        },
    );
    let error = errors[0].as_ref().unwrap();
    assert_eq!(error.code(), Code::Unavailable);
    assert!(error.message().contains("rank 1 (127.0.0.1:"), "{error}");
    assert!(error.message().contains("silent"), "{error}");
}

#[test]
fn another_thread_cancels_a_waiting_operation() {
    let codes = on_sockets(
        2,
        |_| (),
        |mesh| {
            let mut mesh = mesh.unwrap();
            if mesh.rank() == 1 {
                // Waits for the end of the other's.
                return now(mesh.receive(7, 0, &mut [0; 4])).unwrap_err().code();
            }
            let canceller = mesh.canceller();
            let other = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(20));
                canceller.cancel(Status::cancelled("enough"));
            });
            let error = now(mesh.receive(7, 1, &mut [0; 4])).unwrap_err();
            other.join().unwrap();
            assert_eq!(error.message(), "enough");
            error.code()
        },
    );
    assert_eq!(codes, [Code::Cancelled, Code::Unavailable]);
}

#[test]
fn who_does_not_come_is_named() {
    let door = Door::open("127.0.0.1:0").unwrap();
    let absent = Door::open("127.0.0.1:0").unwrap();
    let addresses = vec![door.address().to_string(), absent.address().to_string()];
    for rank in [0, 1] {
        let mut config = MeshConfig::new(GroupId::from_number(1), rank, addresses.clone());
        config.deadline = Instant::now() + Duration::from_millis(100);
        let door = if rank == 0 { &door } else { &absent };
        let error = SocketMesh::connect(door, &config).err().unwrap();
        assert_eq!(error.code(), Code::Unavailable);
        assert!(error.message().contains(&addresses[1 - rank]), "{error}");
    }
}

#[test]
fn strangers_do_not_disturb() {
    let doors: Vec<Door> = (0..3).map(|_| Door::open("127.0.0.1:0").unwrap()).collect();
    let addresses: Vec<String> = doors.iter().map(|d| d.address().to_string()).collect();
    // Some say nonsense, some say nothing, some leave; all before and while the group connects.
    let call = || TcpStream::connect(doors[0].address()).unwrap();
    let silent: Vec<TcpStream> = (0..10).map(|_| call()).collect();
    let mut nonsense = call();
    nonsense.write_all(&[b'x'; 4096]).unwrap();
    drop(call());
    let mut almost = call();
    almost
        .write_all(b"dpmesh\x01\0and then something that is no group of ours at all.....")
        .unwrap();
    std::thread::scope(|scope| {
        for (rank, door) in doors.iter().enumerate() {
            let config = MeshConfig::new(GroupId::from_name("quiet"), rank, addresses.clone());
            scope.spawn(move || {
                let mut mesh = SocketMesh::connect(door, &config).unwrap();
                let mut values = [1.0f32; 100];
                now(all_reduce(&mut mesh, &mut values, ReduceOp::Sum)).unwrap();
                assert_eq!(values, [3.0; 100]);
            });
        }
    });
    nonsense.set_read_timeout(Some(Duration::from_secs(300))).unwrap();
    // It was hung up on: an end or a reset, never an answer.
    assert!(!matches!(nonsense.read(&mut [0; 100]), Ok(1..)));
    drop(silent);
}

#[test]
fn who_gives_up_says_whom_it_has_waited_for() {
    let doors: Vec<Door> = (0..2).map(|_| Door::open("127.0.0.1:0").unwrap()).collect();
    let addresses: Vec<String> = doors.iter().map(|d| d.address().to_string()).collect();
    // The lower rank waits for a call, the higher one calls in vain.
    for (rank, other) in [(0, 1), (1, 0)] {
        let flag = Arc::new(AtomicBool::new(false));
        let config = MeshConfig {
            give_up: Some(flag.clone()),
            deadline: Instant::now() + Duration::from_secs(600),
            ..MeshConfig::new(GroupId::from_name("patience"), rank, addresses.clone())
        };
        let error = std::thread::scope(|scope| {
            let waiting = scope.spawn(|| SocketMesh::connect(&doors[rank], &config).err());
            flag.store(true, Ordering::Relaxed);
            waiting.join().unwrap().unwrap()
        });
        assert_eq!(error.code(), Code::Cancelled, "{error}");
        assert!(
            error.message().contains(&format!("rank {other} ({}", addresses[other])),
            "{error}"
        );
    }
}

#[test]
fn another_life_of_the_group_is_turned_away() {
    let doors: Vec<Door> = (0..2).map(|_| Door::open("127.0.0.1:0").unwrap()).collect();
    let addresses: Vec<String> = doors.iter().map(|d| d.address().to_string()).collect();
    let config = |rank, incarnation, size: usize| MeshConfig {
        incarnation,
        deadline: Instant::now() + Duration::from_secs(300),
        ..MeshConfig::new(
            GroupId::from_name("lives"),
            rank,
            addresses.iter().cycle().take(size).cloned().collect(),
        )
    };
    std::thread::scope(|scope| {
        let first = scope.spawn(|| SocketMesh::connect(&doors[0], &config(0, 5, 2)).map(|_| ()));
        let old = loop {
            // Until the first is there, the answer is "later".
            let mut old = config(1, 4, 2);
            old.deadline = Instant::now() + Duration::from_millis(50);
            match SocketMesh::connect(&doors[1], &old).err().unwrap() {
                error if error.code() == Code::Unavailable => continue,
                error => break error,
            }
        };
        assert_eq!(old.code(), Code::Aborted, "{old}");
        let unfit = SocketMesh::connect(&doors[1], &config(1, 5, 3)).err().unwrap();
        assert_eq!(unfit.code(), Code::InvalidArgument, "{unfit}");
        SocketMesh::connect(&doors[1], &config(1, 5, 2)).unwrap();
        first.join().unwrap().unwrap();
    });
}

#[test]
fn several_groups_share_a_door() {
    let doors: Vec<Door> = (0..2).map(|_| Door::open("127.0.0.1:0").unwrap()).collect();
    let addresses: Vec<String> = doors.iter().map(|d| d.address().to_string()).collect();
    std::thread::scope(|scope| {
        for group in 0..4 {
            for (rank, door) in doors.iter().enumerate() {
                let config = MeshConfig::new(GroupId::from_number(group), rank, addresses.clone());
                scope.spawn(move || {
                    let mut mesh = SocketMesh::connect(door, &config).unwrap();
                    let mut values = [group as i64];
                    now(all_reduce(&mut mesh, &mut values, ReduceOp::Sum)).unwrap();
                    assert_eq!(values, [2 * group as i64]);
                });
            }
        }
    });
}
