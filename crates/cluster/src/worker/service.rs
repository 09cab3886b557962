//! WorkerService: what masters and other workers ask of this task over gRPC.

use std::sync::Arc;

use downpour_runtime::StepTrace;
use downpour_tensor::{Result, Status};
use downpour_wire::proto::{self, worker_service_server::WorkerService};
use downpour_wire::tensor_to_proto;
use tonic::{Request, Response};

use super::{RunPart, SessionCluster, SessionMaster, Worker};
use crate::config::session_options;
use crate::grpc_status::{shorten, to_grpc};
use crate::metadata;
use crate::named_tensors::{from_named, to_named};
use crate::reply::reply;
use crate::spec::ClusterSpec;

/// The gRPC side of a worker.
pub struct WorkerDoor(pub Arc<Worker>);

type Reply<T> = std::result::Result<Response<T>, tonic::Status>;

impl WorkerDoor {
    async fn run(&self, request: proto::RunGraphRequest) -> Result<proto::RunGraphResponse> {
        let feeds = from_named(&request.send)?;
        if request.is_partial {
            return Err(Status::unimplemented(
                "partial runs over several tasks are not supported; run the whole step at once",
            ));
        }
        let options = request.exec_opts.unwrap_or_default();
        let trace = (options.record_timeline || options.record_costs).then(StepTrace::new);
        let part = RunPart {
            graph: request.graph_handle.clone(),
            step: request.step_id,
            feeds,
            fetches: request.recv_key.clone(),
            trace: trace.clone(),
        };
        let fetched = self.0.run(part).await?;
        let device = self.0.device_of(&request.graph_handle)?;
        let device = device.name();
        let graphs = match options.record_partition_graphs {
            true => vec![self.0.export(&request.graph_handle)?],
            false => Vec::new(),
        };
        Ok(proto::RunGraphResponse {
            recv: to_named(request.recv_key.iter().zip(&fetched))?,
            step_stats: trace.as_deref().map(|trace| metadata::step_stats(trace, device)),
            cost_graph: trace
                .as_deref()
                .filter(|_| options.record_costs)
                .map(|trace| metadata::cost_graph(trace, device)),
            partition_graph: graphs,
            ..Default::default()
        })
    }
}

/// The cluster a session brings along, if it brings one.
fn session_cluster(server: &proto::ServerDef) -> Option<Result<SessionCluster>> {
    let cluster = server.cluster.as_ref().filter(|cluster| !cluster.job.is_empty())?;
    let task = u32::try_from(server.task_index)
        .map_err(|_| Status::invalid_argument(format!("there is no task {}", server.task_index)));
    Some(task.and_then(|task| {
        let spec = ClusterSpec::from_proto(cluster)?;
        Ok(SessionCluster { spec, job: server.job_name.clone(), task })
    }))
}

fn unsupported<T>(what: &str, instead: &str) -> Reply<T> {
    Err(to_grpc(Status::unimplemented(format!("{what} is not supported; {instead}"))))
}

#[tonic::async_trait]
impl WorkerService for WorkerDoor {
    async fn get_status(
        &self,
        _request: Request<proto::GetStatusRequest>,
    ) -> Reply<proto::GetStatusResponse> {
        let device_attributes = vec![self.0.attributes()];
        Ok(Response::new(proto::GetStatusResponse { device_attributes }))
    }

    async fn create_worker_session(
        &self,
        request: Request<proto::CreateWorkerSessionRequest>,
    ) -> Reply<proto::CreateWorkerSessionResponse> {
        let request = request.into_inner();
        let cluster = request.server_def.as_ref().and_then(session_cluster).transpose();
        let cluster = cluster.map_err(to_grpc)?;
        let master = (!request.master_task.is_empty()).then(|| SessionMaster {
            task: request.master_task.clone(),
            incarnation: request.master_incarnation as u64,
        });
        let isolate = request.isolate_session_state;
        self.0.create_session(&request.session_handle, isolate, cluster, master);
        Ok(Response::new(proto::CreateWorkerSessionResponse {}))
    }

    async fn delete_worker_session(
        &self,
        request: Request<proto::DeleteWorkerSessionRequest>,
    ) -> Reply<proto::DeleteWorkerSessionResponse> {
        self.0.delete_session(&request.into_inner().session_handle);
        Ok(Response::new(proto::DeleteWorkerSessionResponse {}))
    }

    async fn register_graph(
        &self,
        request: Request<proto::RegisterGraphRequest>,
    ) -> Reply<proto::RegisterGraphResponse> {
        let request = request.into_inner();
        let mut config = request.config_proto.unwrap_or_default();
        if config.graph_options.is_none() {
            config.graph_options = request.graph_options;
        }
        let graph_handle = self
            .0
            .register(
                &request.session_handle,
                request.create_worker_session_called,
                request.graph_def.unwrap_or_default(),
                session_options(&config),
            )
            .await
            .map_err(to_grpc)?;
        Ok(Response::new(proto::RegisterGraphResponse { graph_handle }))
    }

    async fn deregister_graph(
        &self,
        request: Request<proto::DeregisterGraphRequest>,
    ) -> Reply<proto::DeregisterGraphResponse> {
        self.0.deregister(&request.into_inner().graph_handle);
        Ok(Response::new(proto::DeregisterGraphResponse {}))
    }

    async fn run_graph(
        &self,
        request: Request<proto::RunGraphRequest>,
    ) -> Reply<proto::RunGraphResponse> {
        let request = request.into_inner();
        let errors_in_body = request.store_errors_in_response_body;
        match self.run(request).await {
            Ok(response) => Ok(reply(response)),
            Err(status) if errors_in_body => Ok(Response::new(proto::RunGraphResponse {
                status_code: status.code() as i32,
                status_error_message: shorten(status.message()),
                ..Default::default()
            })),
            Err(status) => Err(to_grpc(status)),
        }
    }

    async fn cleanup_graph(
        &self,
        request: Request<proto::CleanupGraphRequest>,
    ) -> Reply<proto::CleanupGraphResponse> {
        self.0.clean_up(request.into_inner().step_id);
        Ok(Response::new(proto::CleanupGraphResponse {}))
    }

    async fn cleanup_all(
        &self,
        request: Request<proto::CleanupAllRequest>,
    ) -> Reply<proto::CleanupAllResponse> {
        let mut containers = request.into_inner().container;
        if containers.is_empty() {
            containers.push(downpour_runtime::DEFAULT_CONTAINER.to_string());
        }
        self.0.clear(&containers);
        Ok(Response::new(proto::CleanupAllResponse {}))
    }

    async fn recv_tensor(
        &self,
        request: Request<proto::RecvTensorRequest>,
    ) -> Reply<proto::RecvTensorResponse> {
        let request = request.into_inner();
        let value = self.0.send_tensor(request.step_id, &request.rendezvous_key).await;
        let response = value.and_then(|value| {
            let is_dead = value.is_none();
            let tensor = value.as_ref().map(tensor_to_proto).transpose()?;
            Ok(proto::RecvTensorResponse { is_dead, tensor, ..Default::default() })
        });
        response.map(reply).map_err(to_grpc)
    }

    async fn mark_recv_finished(
        &self,
        _request: Request<proto::MarkRecvFinishedRequest>,
    ) -> Reply<proto::MarkRecvFinishedResponse> {
        // We never ask for acknowledgements: nothing is kept for a repeated request.
        Ok(Response::new(proto::MarkRecvFinishedResponse {}))
    }

    async fn logging(
        &self,
        _request: Request<proto::LoggingRequest>,
    ) -> Reply<proto::LoggingResponse> {
        Ok(Response::new(proto::LoggingResponse::default()))
    }

    async fn tracing(
        &self,
        _request: Request<proto::TracingRequest>,
    ) -> Reply<proto::TracingResponse> {
        Ok(Response::new(proto::TracingResponse::default()))
    }

    async fn recv_buf(
        &self,
        _request: Request<proto::RecvBufRequest>,
    ) -> Reply<proto::RecvBufResponse> {
        unsupported("RecvBuf (collective operations)", "use parameter servers")
    }

    async fn get_step_sequence(
        &self,
        _request: Request<proto::GetStepSequenceRequest>,
    ) -> Reply<proto::GetStepSequenceResponse> {
        unsupported("GetStepSequence (collective operations)", "use parameter servers")
    }

    async fn complete_group(
        &self,
        _request: Request<proto::CompleteGroupRequest>,
    ) -> Reply<proto::CompleteGroupResponse> {
        unsupported("CompleteGroup (collective operations)", "use parameter servers")
    }

    async fn complete_instance(
        &self,
        _request: Request<proto::CompleteInstanceRequest>,
    ) -> Reply<proto::CompleteInstanceResponse> {
        unsupported("CompleteInstance (collective operations)", "use parameter servers")
    }
}
