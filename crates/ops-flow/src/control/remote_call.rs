//! RemoteCall: runs a function on the device that its first input names.
//!
//! Where that input is a constant, a session of several tasks has put the call on the task it names
//! (`downpour_graph::aim_remote_calls`). So it is always this task that is called here; one that names another only
//! when it runs is refused.

use std::sync::Arc;

use downpour_graph::{DeviceName, OpSpec};
use downpour_runtime::{AsyncContext, AsyncKernel, FunctionHandle, KernelBox, Registry};
use downpour_tensor::{Result, Status};

use super::invoke::{call_and_finish, take_args};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let signature = "RemoteCall(target: string, args: Tin) -> (output: Tout) @stateful
        Tin: list(type) >= 1
        Tout: list(type) >= 1
        f: func";
    registry.add(OpSpec::new(signature)?.not_differentiable(), |build| {
        Ok(KernelBox::asynchronous(RemoteCall(build.callable("f")?)))
    })
}

struct RemoteCall(Arc<FunctionHandle>);

impl AsyncKernel for RemoteCall {
    fn start(&self, mut cx: AsyncContext) {
        match check_target(&cx).and_then(|()| take_args(&mut cx, 1)) {
            Ok(args) => call_and_finish(&self.0, args, cx),
            Err(error) => cx.finish(Err(error)),
        }
    }
}

fn check_target(cx: &AsyncContext) -> Result<()> {
    let target = cx.input(0);
    if target.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "RemoteCall: target must be a scalar, got shape {}",
            target.shape()
        )));
    }
    let target = DeviceName::parse(&String::from_utf8_lossy(&target.strings()?[0]))?;
    let own = DeviceName::parse(cx.step().device())?;
    if target.kind.as_deref().is_some_and(|kind| kind != "CPU") {
        return Err(Status::invalid_argument(format!(
            "RemoteCall: {target} is no device of this server, which computes on CPUs only"
        )));
    }
    // A task computes on all its processors, whatever numbers they are given.
    if !target.task_only().matches(&own) {
        return Err(Status::unimplemented(format!(
            "RemoteCall: the target {target} is another task than {own}, and became known only when the call ran; make \
             the target a constant, so that the call is placed there, or put the operations under tf.device('{target}')"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::invoke::tests::{Library, function, run};
    use super::*;
    use downpour_graph::Attrs;
    use downpour_tensor::{Code, DataType, Tensor};

    fn call(target: &'static str) -> Result<Vec<Tensor>> {
        let library = Library(vec![("same", Ok)], false);
        let attrs = Attrs::new().with("f", function("same")).with("Tout", vec![DataType::Int32]);
        let inputs = vec![Tensor::string(target), Tensor::scalar(7i32)];
        run(register, &library, "RemoteCall", attrs, inputs)
    }

    #[test]
    fn every_name_of_this_task_will_do() {
        for target in ["/cpu:0", "/job:localhost/replica:0/task:0/device:CPU:1", ""] {
            assert_eq!(call(target).unwrap()[0].to_scalar::<i32>().unwrap(), 7);
        }
    }

    #[test]
    fn other_devices_are_refused() {
        let other = call("/job:localhost/task:1").unwrap_err();
        assert_eq!(other.code(), Code::Unimplemented);
        assert!(other.message().contains("/job:localhost/task:1"), "{other}");
        assert_eq!(call("/device:GPU:0").unwrap_err().code(), Code::InvalidArgument);
        assert_eq!(call("worker 1").unwrap_err().code(), Code::InvalidArgument);
    }
}
