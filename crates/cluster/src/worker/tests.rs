use downpour_runtime::{ComputePool, Slot};
use downpour_tensor::Code;

use super::*;
use crate::link::Arrived;
use crate::metrics::Metrics;
use crate::network::{Dialer, Tcp};
use crate::spec::ClusterSpec;

fn worker() -> Arc<Worker> {
    let device = Device::new("/job:w/replica:0/task:0/device:CPU:0", ComputePool::new(1).unwrap());
    let peers = Peers::new(ClusterSpec::default(), Dialer::new(Arc::new(Tcp), Metrics::new()));
    Worker::new(Arc::new(Registry::default()), device, peers)
}

fn dead(step: i64) -> Arrived {
    Arrived { step, slot: Slot::new(0), value: Ok(None) }
}

#[tokio::test]
async fn steps_that_nobody_runs_are_few_and_end_with_their_link() {
    let worker = worker();
    let gone = Status::unavailable("gone");
    let refused = worker.arrived((0..100_000).map(dead).collect(), 7).unwrap_err();
    assert_eq!(refused.code(), Code::ResourceExhausted);
    let held = worker.steps.len();
    assert!(held < 10_000, "{held}");
    // Another link is not kept from anything, and steps that a master runs are not of this kind.
    worker.arrived(vec![dead(-1)], 8).unwrap();
    worker.step(5).unwrap().claim(None, &[]);
    worker.closed(7, &gone);
    assert_eq!(worker.steps.len(), 2);
    worker.closed(8, &gone);
    assert_eq!(worker.steps.len(), 1);
    for step in 0..100_000 {
        worker.arrived(vec![dead(step)], 9).unwrap();
        worker.step(step).unwrap().claim(None, &[]);
        worker.clean_up(step);
    }
}

#[tokio::test]
async fn what_waits_for_a_master_counts_until_it_comes() {
    let worker = worker();
    let counted = || downpour_tensor::memory_use().in_use;
    let before = counted();
    let slots = |number| Arrived { slot: Slot::new(number), ..dead(1) };
    worker.arrived((0..500_000).map(slots).collect(), 1).unwrap();
    assert!(counted() > before + (50 << 20), "{}", counted() - before);
    worker.step(1).unwrap().claim(None, &[]);
    assert!(counted() < before + (50 << 20), "{}", counted() - before);
}

#[tokio::test(start_paused = true)]
async fn a_master_that_uses_its_session_keeps_it_whoever_takes_its_name() {
    let worker = worker();
    let master = |incarnation| Some(SessionMaster { task: "/job:m/task:0".into(), incarnation });
    worker.create_session("first", false, None, master(1));
    worker.create_session("forged", false, None, master(5));
    let is_open = |handle| worker.session(handle, true).is_ok();
    assert!(is_open("first"));
    for _ in 0..5 {
        tokio::time::sleep(Duration::from_secs(20)).await;
        worker.session("first", true).unwrap().touch();
        worker.sweep();
    }
    assert!(is_open("first"));
    // When it is used no more, it was indeed an earlier run.
    tokio::time::sleep(Duration::from_secs(60)).await;
    worker.sweep();
    assert!(!is_open("first") && is_open("forged"));
}
