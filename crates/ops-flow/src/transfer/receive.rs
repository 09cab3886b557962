//! `_Recv` and `_HostRecv`: wait, without a thread, for a value from another device.

use downpour_graph::OpSpec;
use downpour_runtime::{
    AsyncContext, AsyncKernel, Crossing, KernelBox, KernelBuild, Outputs, Registry, Value,
};
use downpour_tensor::{DataType, Result, Status};

use super::Edge;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["_Recv", "_HostRecv"] {
        let signature = format!(
            "{name}() -> (tensor: tensor_type) @stateful @distributed
                tensor_type: type
                tensor_name: string
                send_device: string
                send_device_incarnation: int
                recv_device: string
                client_terminated: bool = false"
        );
        registry.add(OpSpec::new(&signature)?.not_differentiable(), make)?;
    }
    Ok(())
}

fn make(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let dtype = build.output_types[0].dtype;
    Ok(KernelBox::asynchronous(Receive { edge: super::edge(build)?, dtype }))
}

struct Receive {
    edge: Edge,
    dtype: DataType,
}

impl AsyncKernel for Receive {
    fn start(&self, cx: AsyncContext) {
        let (step, node, expected) = (cx.step().clone(), cx.node().clone(), self.dtype);
        let place = match super::meeting_place(&step, &node) {
            Ok(place) => place,
            Err(status) => return cx.finish(Err(status)),
        };
        // The step's end aborts the meeting place, which calls back: nothing waits for ever.
        let at = cx.frame_iteration();
        let done = Box::new(move |received: Result<Crossing>| {
            cx.finish_values(received.and_then(|value| match value {
                Some(tensor) if tensor.dtype() != expected => Err(Status::internal(format!(
                    "received a {} tensor where {expected} was expected",
                    tensor.dtype()
                ))),
                Some(tensor) => Ok(Outputs::from_iter([Value::Tensor(tensor)])),
                None => Ok(Outputs::from_iter([Value::None])),
            }));
        });
        match &self.edge {
            Edge::Key(key) => place.receive(&super::key_at(key, at), done),
            Edge::Slot { slot, .. } => place.receive_slot(super::slot_at(*slot, at), done),
        }
    }

    fn expensive(&self) -> bool {
        false
    }
}
