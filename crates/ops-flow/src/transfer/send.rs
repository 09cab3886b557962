//! `_Send` and `_HostSend`: hand a value to another device, or the news that it is dead.

use downpour_graph::OpSpec;
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry, Value};
use downpour_tensor::{Result, Status};

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
    Ok(KernelBox::new(Send { key: super::key(build)? }))
}

struct Send {
    key: String,
}

impl Kernel for Send {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let value = match cx.take_value(0) {
            Value::Tensor(tensor) => Some(tensor),
            Value::Dead => None,
            _ => return Err(Status::internal("a value to send is neither there nor dead")),
        };
        let key = super::key_at(&self.key, cx.frame_iteration());
        super::meeting_place(cx.step(), cx.node())?.send(&key, value)
    }

    fn expensive(&self) -> bool {
        false
    }
}
