//! Session tensors: values kept on the server between steps, named by handles, until their session is closed.

use std::collections::HashMap;
use std::sync::Arc;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry, Resource};
use downpour_tensor::{Charge, DataType, ResourceHandle, Result, Status, Tensor};
use parking_lot::Mutex;

use crate::handle::unique_number;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "GetSessionHandle(value: T) -> (handle: string) @stateful
            T: type",
        "GetSessionHandleV2(value: T) -> (handle: resource) @stateful
            T: type",
    ] {
        let spec = OpSpec::new(signature)?.shape(shapes::scalar).not_differentiable();
        registry.add(spec, |_| Ok(KernelBox::cheap(keep)))?;
    }
    registry.add(
        OpSpec::new(
            "GetSessionTensor(handle: string) -> (value: dtype) @stateful
                dtype: type",
        )?
        .not_differentiable(),
        |_| Ok(KernelBox::cheap(get)),
    )?;
    registry.add(
        OpSpec::new("DeleteSessionTensor(handle: string) -> () @stateful")?.not_differentiable(),
        |_| Ok(KernelBox::cheap(delete)),
    )
}

#[derive(Default)]
struct SessionTensors(Mutex<HashMap<String, (Tensor, Charge)>>);

impl Resource for SessionTensors {
    fn describe(&self) -> String {
        format!("{} session tensors", self.0.lock().len())
    }
}

fn store(cx: &OpContext<'_>) -> Result<Arc<SessionTensors>> {
    cx.step().session().lookup_or_create("", "tensors", || Ok(SessionTensors::default()))
}

/// Clients read the device from the third part of the handle.
fn keep(cx: &mut OpContext<'_>) -> Result<()> {
    let store = store(cx)?;
    let value = cx.take(0);
    let handle = format!("{};{};{}", cx.node().name, unique_number(), cx.step().device());
    let place = Charge::new(handle.len() + size_of::<(String, Tensor, Charge)>())?;
    store.0.lock().insert(handle.clone(), (value, place));
    let output = match cx.node().output_dtype(0) {
        DataType::Resource => Tensor::handle(ResourceHandle {
            device: cx.step().device().to_string(),
            container: "session".into(),
            name: handle,
            type_name: "TensorHandle".into(),
            ..ResourceHandle::default()
        }),
        _ => Tensor::from_string(handle)?,
    };
    cx.set_output(0, output);
    Ok(())
}

fn handle(cx: &OpContext<'_>) -> Result<String> {
    Ok(String::from_utf8_lossy(&cx.scalar_input(0)?.strings()?[0]).into_owned())
}

fn missing(handle: &str) -> Status {
    Status::invalid_argument(format!(
        "The tensor with handle '{handle}' is not in the session store."
    ))
}

fn get(cx: &mut OpContext<'_>) -> Result<()> {
    let handle = handle(cx)?;
    let value = store(cx)?.0.lock().get(&handle).map(|(value, _)| value.clone());
    let value = value.ok_or_else(|| missing(&handle))?;
    if value.dtype() != cx.node().output_dtype(0) {
        return Err(Status::invalid_argument(format!(
            "The tensor with handle '{handle}' is {}, not {}",
            value.dtype(),
            cx.node().output_dtype(0)
        )));
    }
    cx.set_output(0, value);
    Ok(())
}

fn delete(cx: &mut OpContext<'_>) -> Result<()> {
    let handle = handle(cx)?;
    let removed = store(cx)?.0.lock().remove(&handle);
    removed.map(drop).ok_or_else(|| missing(&handle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Bench;
    use downpour_graph::Attrs;

    #[test]
    fn tensors_outlive_steps_until_deleted() {
        let mut bench = Bench::new(register);
        let handle =
            bench.run("GetSessionHandle", Attrs::new(), [Tensor::scalar(7i32)]).unwrap().remove(0);
        let text = String::from_utf8(handle.strings().unwrap()[0].to_vec()).unwrap();
        assert_eq!(text.split(';').count(), 3);
        bench.next_step();
        let get = |dtype: DataType| {
            bench.run("GetSessionTensor", Attrs::new().with("dtype", dtype), [handle.clone()])
        };
        assert_eq!(get(DataType::Int32).unwrap()[0].to_scalar::<i32>().unwrap(), 7);
        assert!(get(DataType::Float).is_err());
        bench.run("DeleteSessionTensor", Attrs::new(), [handle.clone()]).unwrap();
        assert!(get(DataType::Int32).unwrap_err().message().contains("not in the session store"));
        assert!(bench.run("DeleteSessionTensor", Attrs::new(), [handle.clone()]).is_err());
    }

    #[test]
    fn tensors_end_with_their_session() {
        let bench = Bench::new(register);
        bench.run("GetSessionHandle", Attrs::new(), [Tensor::scalar(7i32)]).unwrap();
        assert_eq!(bench.step.session().describe(), ["localhost/tensors: 1 session tensors"]);
        assert!(bench.step.resources().describe().is_empty(), "the device outlives the session");
    }
}
