//! TaskService: what this task is, what it holds and what it does, for `downpour status`.

use std::sync::Arc;

use downpour_wire::task::task_service_server::TaskService;
use downpour_wire::task::{Load, MemoryStatus, SessionStatus, StatusRequest, StatusResponse};
use tonic::{Request, Response};

use crate::heap::resident_bytes;
use crate::metrics::Metrics;
use crate::sessions::{MasterSession, Sessions};

/// The gRPC side of a task's own report.
pub struct TaskDoor(pub Arc<Sessions>);

#[tonic::async_trait]
impl TaskService for TaskDoor {
    async fn status(
        &self,
        _request: Request<StatusRequest>,
    ) -> Result<Response<StatusResponse>, tonic::Status> {
        let sessions = &self.0;
        let (own, metrics) = (sessions.own(), sessions.metrics());
        let mut session: Vec<SessionStatus> =
            sessions.list().iter().map(|(handle, session)| report(handle, session)).collect();
        session.sort_by(|a, b| b.age_seconds.total_cmp(&a.age_seconds));
        Ok(Response::new(StatusResponse {
            version: env!("CARGO_PKG_VERSION").to_string(),
            job: own.job.clone(),
            task: own.task as i32,
            cluster: Some(sessions.peers().spec().to_proto()),
            process_id: std::process::id(),
            uptime_seconds: metrics.uptime().as_secs_f64(),
            device: vec![sessions.worker().attributes()],
            memory: Some(memory()),
            load: Some(load(metrics)),
            session,
            hosted_sessions: sessions.worker().session_count() as u32,
        }))
    }
}

fn report(handle: &str, session: &MasterSession) -> SessionStatus {
    let activity = &session.activity;
    SessionStatus {
        handle: handle.to_string(),
        age_seconds: activity.age().as_secs_f64(),
        nodes: activity.nodes(),
        steps: activity.steps.ended(),
        running_steps: activity.steps.running(),
        idle_seconds: activity.idle().as_secs_f64(),
        seconds_since_step: activity.since_step().map(|since| since.as_secs_f64()),
    }
}

fn load(metrics: &Metrics) -> Load {
    let (totals, rates) = (metrics.totals(), metrics.rates());
    Load {
        window_seconds: rates.window.as_secs_f64(),
        steps: totals.steps,
        running_steps: metrics.steps.running(),
        steps_per_second: rates.steps,
        parts: totals.parts,
        running_parts: metrics.parts.running(),
        parts_per_second: rates.parts,
        bytes_in: totals.bytes_in,
        bytes_out: totals.bytes_out,
        bytes_in_per_second: rates.bytes_in,
        bytes_out_per_second: rates.bytes_out,
    }
}

fn memory() -> MemoryStatus {
    let tensors = downpour_tensor::memory_use();
    MemoryStatus {
        resident_bytes: resident_bytes().unwrap_or(0),
        tensor_bytes: tensors.in_use as u64,
        peak_tensor_bytes: tensors.peak as u64,
        limit_bytes: tensors.limit as u64,
    }
}
