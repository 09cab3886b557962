//! The calls of MasterService, each handed to what does its work.

use downpour_runtime::{StepOptions, StepTrace};
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::proto::{self, master_service_server::MasterService};
use downpour_wire::{tensor_from_proto, tensor_to_proto};
use tonic::{Request, Response};

use super::{Master, Wanted, signature};
use crate::cluster_session::Signature;
use crate::deadline;
use crate::doors::CallConnection;
use crate::grpc_status::{shorten, to_grpc};
use crate::metadata;
use crate::named_tensors::to_named;
use crate::reply::reply;
use crate::sessions::Backend;

type Reply<T> = std::result::Result<Response<T>, tonic::Status>;

/// The connection a call came over.
fn connection<T>(request: &Request<T>) -> Option<CallConnection> {
    request.extensions().get().cloned()
}

#[tonic::async_trait]
impl MasterService for Master {
    async fn create_session(
        &self,
        request: Request<proto::CreateSessionRequest>,
    ) -> Reply<proto::CreateSessionResponse> {
        let deadline = deadline::of_call(request.metadata());
        let connection = connection(&request);
        let request = request.into_inner();
        let config = request.config.unwrap_or_default();
        let graph = request.graph_def.unwrap_or_default();
        let opened = self.open(&request.target, config, graph, deadline).await;
        let (session_handle, graph_version) = opened.map_err(to_grpc)?;
        self.sessions.get(&session_handle).map_err(to_grpc)?.used_by(connection);
        Ok(Response::new(proto::CreateSessionResponse { session_handle, graph_version }))
    }

    async fn extend_session(
        &self,
        request: Request<proto::ExtendSessionRequest>,
    ) -> Reply<proto::ExtendSessionResponse> {
        let connection = connection(&request);
        let request = request.into_inner();
        let session = self.sessions.get(&request.session_handle).map_err(to_grpc)?;
        session.used_by(connection);
        let graph = request.graph_def.unwrap_or_default();
        let grown = self.grow(session, graph, request.current_graph_version).await;
        let new_graph_version = grown.map_err(to_grpc)?;
        Ok(Response::new(proto::ExtendSessionResponse { new_graph_version }))
    }

    async fn partial_run_setup(
        &self,
        request: Request<proto::PartialRunSetupRequest>,
    ) -> Reply<proto::PartialRunSetupResponse> {
        let connection = connection(&request);
        let request = request.into_inner();
        let session = self.sessions.get(&request.session_handle).map_err(to_grpc)?;
        session.used_by(connection);
        let names = (request.feed, request.fetch, request.target);
        let partial_run_handle = self.set_up_partial(&session, names).await.map_err(to_grpc)?;
        Ok(Response::new(proto::PartialRunSetupResponse { partial_run_handle }))
    }

    async fn run_step(
        &self,
        request: Request<proto::RunStepRequest>,
    ) -> Reply<proto::RunStepResponse> {
        let connection = connection(&request);
        let request = request.into_inner();
        let session = self.sessions.get(&request.session_handle).map_err(to_grpc)?;
        session.used_by(connection);
        let errors_in_body = request.store_errors_in_response_body;
        let names = request.fetch.clone();
        let wanted = Wanted::new(request.options.as_ref(), session.build_cost_model);
        let signature = wanted.partition_graphs.then(|| signature(&request));
        let result = self.run(&session, request, wanted.trace()).await;
        let result = match result {
            Ok(ran) => {
                self.metadata(&session, &wanted, &ran, signature).await.and_then(|metadata| {
                    let tensor = to_named(names.iter().zip(&ran.tensors))?;
                    Ok(proto::RunStepResponse { tensor, metadata, ..Default::default() })
                })
            }
            Err(status) => Err(status),
        };
        match result {
            Ok(response) => Ok(reply(response)),
            Err(status) if errors_in_body => Ok(Response::new(proto::RunStepResponse {
                status_code: status.code() as i32,
                status_error_message: shorten(status.message()),
                ..Default::default()
            })),
            Err(status) => Err(to_grpc(status)),
        }
    }

    async fn close_session(
        &self,
        request: Request<proto::CloseSessionRequest>,
    ) -> Reply<proto::CloseSessionResponse> {
        self.sessions.close(&request.into_inner().session_handle).map_err(to_grpc)?;
        Ok(Response::new(proto::CloseSessionResponse {}))
    }

    async fn list_devices(
        &self,
        request: Request<proto::ListDevicesRequest>,
    ) -> Reply<proto::ListDevicesResponse> {
        let handle = request.into_inner().session_handle;
        let session = self.sessions.get(&handle).ok();
        let (local_device, remote_device) = match session.as_ref().map(|s| &s.session) {
            Some(Backend::Cluster(cluster)) => cluster.list_devices(),
            _ => (vec![self.sessions.worker().attributes()], Vec::new()),
        };
        Ok(Response::new(proto::ListDevicesResponse { local_device, remote_device }))
    }

    async fn reset(&self, request: Request<proto::ResetRequest>) -> Reply<proto::ResetResponse> {
        let request = request.into_inner();
        self.clear_others(&request.container).await.map_err(to_grpc)?;
        let sessions = self.sessions.clone();
        self.sessions
            .worker()
            .compute(move || {
                sessions.reset(&request.container);
                Ok(())
            })
            .await
            .map_err(to_grpc)?;
        Ok(Response::new(proto::ResetResponse {}))
    }

    async fn make_callable(
        &self,
        request: Request<proto::MakeCallableRequest>,
    ) -> Reply<proto::MakeCallableResponse> {
        let connection = connection(&request);
        let request = request.into_inner();
        let session = self.sessions.get(&request.session_handle).map_err(to_grpc)?;
        session.used_by(connection);
        let options = request.options.unwrap_or_default();
        if !options.tensor_connection.is_empty() {
            return Err(to_grpc(Status::unimplemented(
                "MakeCallable with tensor_connection is not supported; feed the tensors instead",
            )));
        }
        let traced = Wanted::new(options.run_options.as_ref(), false).stats;
        let handle = match &session.session {
            Backend::Local(local) => {
                let local = local.clone();
                self.sessions
                    .worker()
                    .compute(move || {
                        local.make_callable(options.feed, options.fetch, options.target)
                    })
                    .await
            }
            Backend::Cluster(cluster) => {
                let signature = Signature {
                    feeds: options.feed,
                    fetches: options.fetch,
                    targets: options.target,
                };
                cluster.make_callable(signature).await
            }
        }
        .map_err(to_grpc)?;
        session.set_traced(handle, traced);
        Ok(Response::new(proto::MakeCallableResponse { handle }))
    }

    async fn run_callable(
        &self,
        request: Request<proto::RunCallableRequest>,
    ) -> Reply<proto::RunCallableResponse> {
        let connection = connection(&request);
        let request = request.into_inner();
        let session = self.sessions.get(&request.session_handle).map_err(to_grpc)?;
        session.used_by(connection);
        let _running = self.running(&session);
        let feeds: Vec<Tensor> =
            request.feed.iter().map(tensor_from_proto).collect::<Result<_>>().map_err(to_grpc)?;
        let traced = session.is_traced(request.handle);
        let local = match &session.session {
            Backend::Local(local) => local.clone(),
            Backend::Cluster(cluster) => {
                let step = cluster.callable(request.handle).map_err(to_grpc)?;
                let (tensors, stats) = cluster.run(&step, feeds, traced).await.map_err(to_grpc)?;
                let fetch =
                    tensors.iter().map(tensor_to_proto).collect::<Result<_>>().map_err(to_grpc)?;
                let all = stats.into_iter().flat_map(|part| part.dev_stats).collect();
                let metadata = traced.then(|| proto::RunMetadata {
                    step_stats: Some(proto::StepStats { dev_stats: all }),
                    ..Default::default()
                });
                return Ok(reply(proto::RunCallableResponse { fetch, metadata }));
            }
        };
        let trace = traced.then(StepTrace::new);
        let collector = trace.clone();
        let tensors = self
            .step(move |token, done| {
                let options =
                    StepOptions { cancellation: Some(token), trace: collector, timeout: None };
                local.run_callable_async(request.handle, feeds, &options, done);
            })
            .await
            .map_err(to_grpc)?;
        let fetch = tensors.iter().map(tensor_to_proto).collect::<Result<_>>().map_err(to_grpc)?;
        let metadata = trace.map(|trace| proto::RunMetadata {
            step_stats: Some(metadata::step_stats(&trace, self.sessions.device().name())),
            ..Default::default()
        });
        Ok(reply(proto::RunCallableResponse { fetch, metadata }))
    }

    async fn release_callable(
        &self,
        request: Request<proto::ReleaseCallableRequest>,
    ) -> Reply<proto::ReleaseCallableResponse> {
        let connection = connection(&request);
        let request = request.into_inner();
        let session = self.sessions.get(&request.session_handle).map_err(to_grpc)?;
        session.used_by(connection);
        match &session.session {
            Backend::Local(local) => local.release_callable(request.handle),
            Backend::Cluster(cluster) => cluster.release_callable(request.handle),
        }
        .map_err(to_grpc)?;
        session.set_traced(request.handle, false);
        Ok(Response::new(proto::ReleaseCallableResponse {}))
    }
}
