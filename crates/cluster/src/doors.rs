//! The gRPC services behind one port.

use std::convert::Infallible;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use downpour_tensor::Charge;
use downpour_wire::proto::master_service_server::MasterServiceServer;
use downpour_wire::proto::worker_service_server::WorkerServiceServer;
use downpour_wire::task::task_service_server::TaskServiceServer;
use hyper::body::Incoming;
use tonic::body::Body;
use tonic::codegen::{BoxFuture, Service, http};

use crate::admission::Seat;
use crate::call_body::CallBody;
use crate::grpc_status::to_grpc;
use crate::limits::PortLimits;
use crate::master::Master;
use crate::reply;
use crate::task_service::TaskDoor;
use crate::worker::WorkerDoor;

/// The approximate memory of a call besides its messages; it counts against the memory limit.
const CALL_BYTES: usize = 16 << 10;

/// The bytes of a message that no memory limit refuses if its call gives memory back. Such messages are a few names.
const FREEING_BYTES: usize = 16 << 10;

/// The calls that give memory back. At the memory limit they must not be refused: they are the way out of it.
const FREEING_CALLS: [&str; 6] = [
    "/tensorflow.MasterService/CloseSession",
    "/tensorflow.MasterService/Reset",
    "/tensorflow.WorkerService/DeleteWorkerSession",
    "/tensorflow.WorkerService/DeregisterGraph",
    "/tensorflow.WorkerService/CleanupGraph",
    "/tensorflow.WorkerService/CleanupAll",
];

/// The services of a task.
#[derive(Clone)]
pub struct Services {
    pub master: MasterServiceServer<Master>,
    pub worker: WorkerServiceServer<WorkerDoor>,
    pub task: TaskServiceServer<TaskDoor>,
}

/// The connection a call came over.
#[derive(Clone)]
pub struct CallConnection(pub Weak<Seat>);

/// Passes the calls of one connection to the services their paths name. The master rejects unknown paths.
#[derive(Clone)]
pub struct Doors {
    services: Services,
    seat: Weak<Seat>,
    stall: Duration,
    unread: Duration,
}

impl Doors {
    /// For the connection of `seat`.
    pub fn new(services: Services, seat: &Arc<Seat>, limits: &PortLimits) -> Doors {
        let PortLimits { stall, unread, .. } = *limits;
        Doors { services, seat: Arc::downgrade(seat), stall, unread }
    }
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
        if let Some(seat) = self.seat.upgrade() {
            seat.greet();
        }
        let Doors { mut services, seat, stall, unread } = self.clone();
        Box::pin(async move {
            let (mut parts, body) = request.into_parts();
            parts.extensions.insert(CallConnection(seat.clone()));
            let unrefused = unrefused_bytes(parts.uri.path());
            let mut charge = Charge::default();
            let charged = match unrefused {
                0 => charge.grow(CALL_BYTES).map_err(to_grpc),
                _ => {
                    charge.restore(CALL_BYTES);
                    Ok(())
                }
            };
            let received = match charged {
                Ok(()) => {
                    let body = CallBody::receive(body, stall, unrefused).await;
                    body.map(|body| (charge, body))
                }
                Err(status) => Err(status),
            };
            match received {
                Ok((_charge, body)) => {
                    let answer = services.answer(http::Request::from_parts(parts, body)).await;
                    answer.map(|response| reply::send(response, &seat, unread))
                }
                Err(status) => Ok(status.into_http()),
            }
        })
    }
}

/// The bytes of this call's message that count against the memory limit but are not refused there.
fn unrefused_bytes(path: &str) -> usize {
    if FREEING_CALLS.contains(&path) { FREEING_BYTES } else { 0 }
}

impl Services {
    fn answer(
        &mut self,
        request: http::Request<CallBody<Incoming>>,
    ) -> BoxFuture<http::Response<Body>, Infallible> {
        let path = request.uri().path();
        if path.starts_with("/tensorflow.WorkerService/") {
            self.worker.call(request)
        } else if path.starts_with("/downpour.TaskService/") {
            self.task.call(request)
        } else {
            self.master.call(request)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_calls_that_give_memory_back_pass_the_memory_limit() {
        for path in FREEING_CALLS {
            assert!(unrefused_bytes(path) > 0, "{path}");
        }
        assert_eq!(unrefused_bytes("/tensorflow.MasterService/RunStep"), 0);
        assert_eq!(unrefused_bytes("/tensorflow.MasterService/CreateSession"), 0);
    }
}
