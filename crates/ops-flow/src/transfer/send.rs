//! `_Send` and `_HostSend`: hand a value to another device, or the news that it is dead.

use downpour_graph::OpSpec;
use downpour_runtime::{
    AsyncContext, AsyncKernel, Crossing, Kernel, KernelBox, KernelBuild, OpContext, Registry, Slot,
    Value,
};
use downpour_tensor::{Result, Status};

use super::Edge;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["_Send", "_HostSend"] {
        let signature = format!(
            "{name}(tensor: T) -> () @stateful
                T: type
                tensor_name: string
                send_device: string
                send_device_incarnation: int
                recv_device: string
                client_terminated: bool = false"
        );
        registry.add(OpSpec::new(&signature)?.shape(|_| Ok(())).not_differentiable(), make)?;
    }
    Ok(())
}

fn make(build: &KernelBuild<'_>) -> Result<KernelBox> {
    Ok(match super::edge(build)? {
        Edge::Key(key) => KernelBox::new(Send { key }),
        Edge::Slot { slot, peer } => KernelBox::asynchronous(Push { slot, peer }),
    })
}

fn crossing(value: Value) -> Result<Crossing> {
    match value {
        Value::Tensor(tensor) => Ok(Some(tensor)),
        Value::Dead => Ok(None),
        _ => Err(Status::internal("a value to send is neither there nor dead")),
    }
}

/// Leaves the value until it is asked for.
struct Send {
    key: String,
}

impl Kernel for Send {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let value = crossing(cx.take_value(0))?;
        let key = super::key_at(&self.key, cx.frame_iteration());
        super::meeting_place(cx.step(), cx.node())?.send(&key, value)
    }

    fn expensive(&self) -> bool {
        false
    }
}

/// Hands the value to the task that needs it, and ends when there is room for it on the way.
struct Push {
    slot: Slot,
    peer: u64,
}

impl AsyncKernel for Push {
    fn start(&self, mut cx: AsyncContext) {
        let (step, node) = (cx.step().clone(), cx.node().clone());
        let value = crossing(cx.take_value(0));
        let slot = super::slot_at(self.slot, cx.frame_iteration());
        match (super::meeting_place(&step, &node), value) {
            (Ok(place), Ok(value)) => {
                let done = Box::new(move |sent: Result<()>| cx.finish(sent.map(|()| Vec::new())));
                place.push(self.peer, slot, value, done);
            }
            (Err(status), _) | (_, Err(status)) => cx.finish(Err(status)),
        }
    }

    fn expensive(&self) -> bool {
        false
    }
}
