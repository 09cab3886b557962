//! The paths the generated clients call, against those a TensorFlow server answers.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use downpour_wire::proto::master_service_client::MasterServiceClient;
use downpour_wire::proto::worker_service_client::WorkerServiceClient;
use downpour_wire::task::task_service_client::TaskServiceClient;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::{Service, http};

/// Notes the path of every request and refuses it.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<String>>>);

impl Service<http::Request<Body>> for Recorder {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Self::Error>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        self.0.lock().unwrap().push(request.uri().path().to_owned());
        ready(Ok(Status::unimplemented("recorded").into_http()))
    }
}

/// Nothing here ever waits: the recorder answers at once.
fn finish<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the recorder answers at once"),
    }
}

macro_rules! assert_paths {
    ($client:ident, $service:literal, $($method:ident $name:literal),+ $(,)?) => {
        let recorder = Recorder::default();
        let mut client = $client::new(recorder.clone());
        $(
            let status = finish(client.$method(tonic::Request::new(Default::default())));
            assert_eq!(status.unwrap_err().message(), "recorded");
        )+
        let expected = [$(concat!("/", $service, "/", $name)),+];
        assert_eq!(*recorder.0.lock().unwrap(), expected);
    };
}

#[test]
fn master_service() {
    assert_paths!(
        MasterServiceClient,
        "tensorflow.MasterService",
        create_session "CreateSession",
        extend_session "ExtendSession",
        partial_run_setup "PartialRunSetup",
        run_step "RunStep",
        close_session "CloseSession",
        list_devices "ListDevices",
        reset "Reset",
        make_callable "MakeCallable",
        run_callable "RunCallable",
        release_callable "ReleaseCallable",
    );
}

#[test]
fn worker_service() {
    assert_paths!(
        WorkerServiceClient,
        "tensorflow.WorkerService",
        get_status "GetStatus",
        create_worker_session "CreateWorkerSession",
        delete_worker_session "DeleteWorkerSession",
        register_graph "RegisterGraph",
        deregister_graph "DeregisterGraph",
        run_graph "RunGraph",
        cleanup_graph "CleanupGraph",
        cleanup_all "CleanupAll",
        recv_tensor "RecvTensor",
        mark_recv_finished "MarkRecvFinished",
        logging "Logging",
        tracing "Tracing",
        recv_buf "RecvBuf",
        get_step_sequence "GetStepSequence",
        complete_group "CompleteGroup",
        complete_instance "CompleteInstance",
    );
}

#[test]
fn task_service() {
    assert_paths!(TaskServiceClient, "downpour.TaskService", status "Status");
}
