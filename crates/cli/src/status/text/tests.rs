use std::time::Duration;

use downpour_cluster::TaskAddress;
use downpour_tensor::Status;
use downpour_wire::proto::DeviceAttributes;
use downpour_wire::task::{Load, MemoryStatus};

use super::*;

fn task(job: &str, task: u32, answer: Result<Answer, NoAnswer>) -> TaskReport {
    let address = format!("127.0.0.1:{}", 2222 + task);
    TaskReport {
        task: Some(TaskAddress { job: job.into(), task, address: address.clone() }),
        address,
        answer,
    }
}

fn device(name: &str) -> DeviceAttributes {
    DeviceAttributes { name: name.into(), ..Default::default() }
}

#[test]
fn a_mixed_cluster_with_a_dead_task() {
    let session = SessionStatus {
        handle: "00ab".into(),
        age_seconds: 75.0,
        nodes: 12,
        steps: 1,
        running_steps: 0,
        idle_seconds: 0.5,
        seconds_since_step: Some(0.5),
    };
    let status = StatusResponse {
        version: "1.2.3".into(),
        job: "ps".into(),
        task: 0,
        process_id: 42,
        uptime_seconds: 3.0,
        device: vec![device("/job:ps/replica:0/task:0/device:CPU:0")],
        memory: Some(MemoryStatus {
            resident_bytes: 18 << 20,
            tensor_bytes: 512,
            peak_tensor_bytes: 2 << 10,
            limit_bytes: 16 << 30,
        }),
        load: Some(Load {
            window_seconds: 10.0,
            steps: 1,
            steps_per_second: 0.1,
            ..Load::default()
        }),
        session: vec![session],
        hosted_sessions: 2,
        ..StatusResponse::default()
    };
    let refused = NoAnswer {
        status: Status::unavailable("Connection refused (os error 111)"),
        waited: Duration::from_millis(100),
    };
    let tasks = vec![
        task("ps", 0, Ok(Answer::Downpour(Box::new(status)))),
        task("worker", 0, Ok(Answer::TensorFlow(vec![device("/job:worker/task:0/device:CPU:0")]))),
        task("worker", 1, Err(refused)),
    ];
    let expected = "\
/job:ps/task:0      127.0.0.1:2222  downpour 1.2.3, up 3.0 s, process 42
    devices  /job:ps/replica:0/task:0/device:CPU:0
    memory   18 MB resident, 512 B in tensors (at most 2.0 KB) of 16 GB
    load     0.1 steps/s, 0.0 parts/s, 0 B/s in, 0 B/s out over 10 s
             0 steps and 0 parts running; 1 step and 0 parts done
    hosts    2 sessions of the cluster
    session  00ab, 1 min 15 s old, 12 nodes, 1 step (last 0.5 s ago), idle for 0.5 s
/job:worker/task:0  127.0.0.1:2222  TensorFlow (tells only its devices)
    devices  /job:worker/task:0/device:CPU:0
/job:worker/task:1  127.0.0.1:2223  NO ANSWER: Connection refused (os error 111) (waited 0.1 s)
    hint:    nothing listens there: start the task (downpour serve --cluster ... --job worker --task 1), or correct its address
2 of 3 tasks answer
";
    assert_eq!(report(&Survey { tasks, complete: true }), expected);
}
