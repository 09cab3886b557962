//! The gRPC services behind one port.

use std::convert::Infallible;
use std::task::{Context, Poll};

use downpour_wire::proto::master_service_server::MasterServiceServer;
use downpour_wire::proto::worker_service_server::WorkerServiceServer;
use downpour_wire::task::task_service_server::TaskServiceServer;
use hyper::body::Incoming;
use tonic::body::Body;
use tonic::codegen::{BoxFuture, Service, http};

use crate::master::Master;
use crate::task_service::TaskDoor;
use crate::worker::WorkerDoor;

/// Hands a call to the service its path names. Calls of none of them are the master's to refuse.
#[derive(Clone)]
pub struct Doors {
    pub master: MasterServiceServer<Master>,
    pub worker: WorkerServiceServer<WorkerDoor>,
    pub task: TaskServiceServer<TaskDoor>,
}

impl Service<http::Request<Incoming>> for Doors {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Infallible>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // All services are always ready.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Incoming>) -> Self::Future {
        if request.uri().path().starts_with("/tensorflow.WorkerService/") {
            self.worker.call(request)
        } else if request.uri().path().starts_with("/downpour.TaskService/") {
            self.task.call(request)
        } else {
            self.master.call(request)
        }
    }
}
