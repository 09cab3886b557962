//! All tasks of a cluster, asked at once how they are.

use std::time::{Duration, Instant};

use downpour_graph::DeviceName;
use downpour_tensor::{Code, Result, Status};
use downpour_wire::proto::worker_service_client::WorkerServiceClient;
use downpour_wire::proto::{DeviceAttributes, GetStatusRequest};
use downpour_wire::task::task_service_client::TaskServiceClient;
use downpour_wire::task::{StatusRequest, StatusResponse};
use tokio::task::JoinSet;
use tonic::transport::{Channel, Endpoint};

use crate::grpc_status::from_grpc;
use crate::spec::{ClusterSpec, TaskAddress};

/// What all tasks answered.
pub struct Survey {
    /// By job and number.
    pub tasks: Vec<TaskReport>,
    /// False if the first task could not tell which others there are.
    pub complete: bool,
}

/// What one task answered.
pub struct TaskReport {
    /// None if the task is known by its address alone.
    pub task: Option<TaskAddress>,
    /// Where it was asked.
    pub address: String,
    pub answer: std::result::Result<Answer, NoAnswer>,
}

pub enum Answer {
    Downpour(Box<StatusResponse>),
    /// A real TensorFlow server, which tells only its devices.
    TensorFlow(Vec<DeviceAttributes>),
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub struct NoAnswer {
    pub status: Status,
    pub waited: Duration,
}

/// Asks the task at `address`, then all the others it knows; each has `limit` to answer.
pub async fn survey(address: &str, limit: Duration) -> Survey {
    let first = ask(address, limit).await;
    let (own, spec) = match &first {
        Ok(Answer::Downpour(status)) => match place(status) {
            Ok((own, spec)) => (Some(own), Some(spec)),
            Err(status) => {
                let answer = Err(NoAnswer { status, waited: Duration::ZERO });
                let task = TaskReport { task: None, address: address.to_string(), answer };
                return Survey { tasks: vec![task], complete: false };
            }
        },
        Ok(Answer::TensorFlow(devices)) => (named(devices, address), None),
        Err(_) => (None, None),
    };
    let complete = spec.is_some();
    let others = spec.iter().flat_map(ClusterSpec::tasks).filter(|task| Some(task) != own.as_ref());
    let mut asked = JoinSet::new();
    for task in others {
        asked.spawn(async move {
            let answer = ask(&task.address, limit).await;
            TaskReport { address: task.address.clone(), task: Some(task), answer }
        });
    }
    let mut tasks = asked.join_all().await;
    tasks.push(TaskReport { task: own, address: address.to_string(), answer: first });
    tasks.sort_by_key(|report| report.task.as_ref().map(|task| (task.job.clone(), task.task)));
    Survey { tasks, complete }
}

/// The task's place in the cluster it knows.
fn place(status: &StatusResponse) -> Result<(TaskAddress, ClusterSpec)> {
    let spec = ClusterSpec::from_proto(&status.cluster.clone().unwrap_or_default())?;
    let own = spec.task(&status.job, status.task as u32)?;
    Ok((own, spec))
}

/// A task by the name of its devices.
fn named(devices: &[DeviceAttributes], address: &str) -> Option<TaskAddress> {
    let name = DeviceName::parse(&devices.first()?.name).ok()?;
    Some(TaskAddress { job: name.job?, task: name.task?, address: address.to_string() })
}

async fn ask(address: &str, limit: Duration) -> std::result::Result<Answer, NoAnswer> {
    let start = Instant::now();
    let answer = tokio::time::timeout(limit, ask_unlimited(address)).await;
    let answer = answer.unwrap_or_else(|_| {
        let what = format!("no answer within {:.1} s", limit.as_secs_f64());
        Err(Status::deadline_exceeded(what))
    });
    answer.map_err(|status| NoAnswer { status, waited: start.elapsed() })
}

async fn ask_unlimited(address: &str) -> Result<Answer> {
    let channel = connect(address).await?;
    let mut ours = TaskServiceClient::new(channel.clone());
    match ours.status(StatusRequest {}).await {
        Ok(status) => return Ok(Answer::Downpour(Box::new(status.into_inner()))),
        Err(e) if e.code() == tonic::Code::Unimplemented => {}
        Err(e) => return Err(from_grpc(&e)),
    }
    let mut tensorflow = WorkerServiceClient::new(channel);
    let reply = tensorflow.get_status(GetStatusRequest {}).await.map_err(|e| from_grpc(&e))?;
    Ok(Answer::TensorFlow(reply.into_inner().device_attributes))
}

async fn connect(address: &str) -> Result<Channel> {
    let endpoint = Endpoint::from_shared(format!("http://{address}")).map_err(|e| {
        Status::invalid_argument(format!("'{address}' is not an address (host:port): {e}"))
    })?;
    endpoint.connect().await.map_err(|e| {
        let mut cause: &dyn std::error::Error = &e;
        while let Some(deeper) = cause.source() {
            cause = deeper;
        }
        Status::new(Code::Unavailable, cause.to_string())
    })
}
