//! Stacks: what loops push going forward and pop going backward. They live as long as a step.

use std::sync::Arc;

use downpour_graph::{OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{
    Kernel, KernelBox, KernelBuild, OpContext, Registry, Resource, STEP_CONTAINER, Value,
};
use downpour_tensor::{CountedVec, DataType, Result, Status, Tensor};
use parking_lot::Mutex;

use crate::handle::{Place, find, set_handle, string_pair, unique_number};

const STACKS: &str = "_stacks";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "StackV2(max_size: int32) -> (handle: resource) @stateful
            elem_type: type
            stack_name: string = ''",
        "Stack() -> (handle: Ref(string)) @stateful
            elem_type: type
            stack_name: string = ''",
    ] {
        let spec = OpSpec::new(signature)?.shape(handle_shape).not_differentiable();
        registry.add(spec, make_create)?;
    }
    for signature in [
        "StackPushV2(handle: resource, elem: T) -> (output: T) @stateful
            T: type
            swap_memory: bool = false",
        "StackPush(handle: Ref(string), elem: T) -> (output: T)
            T: type
            swap_memory: bool = false",
    ] {
        let spec = OpSpec::new(signature)?.shape(push_shape).not_differentiable();
        registry.add(spec, |_| Ok(KernelBox::cheap(push)))?;
    }
    for signature in [
        "StackPopV2(handle: resource) -> (elem: elem_type) @stateful
            elem_type: type",
        "StackPop(handle: Ref(string)) -> (elem: elem_type)
            elem_type: type",
    ] {
        let spec = OpSpec::new(signature)?.shape(shapes::unknown).not_differentiable();
        registry.add(spec, |_| Ok(KernelBox::cheap(pop)))?;
    }
    for signature in
        ["StackCloseV2(handle: resource) -> () @stateful", "StackClose(handle: Ref(string)) -> ()"]
    {
        let spec = OpSpec::new(signature)?.not_differentiable();
        registry.add(spec, |_| Ok(KernelBox::cheap(close)))?;
    }
    Ok(())
}

fn handle_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let is_resource = cx.node().output_dtype(0) == DataType::Resource;
    cx.set_output(
        0,
        if is_resource { PartialShape::scalar() } else { PartialShape::vector(Some(2)) },
    );
    Ok(())
}

fn push_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.set_output(0, cx.input(1).clone());
    Ok(())
}

struct Stack {
    name: String,
    dtype: DataType,
    most: usize,
    /// `None` once closed.
    items: Mutex<Option<CountedVec<Tensor>>>,
}

impl Resource for Stack {
    fn describe(&self) -> String {
        format!("Stack[{}]", self.name)
    }
}

impl Stack {
    fn with<R>(&self, change: impl FnOnce(&mut CountedVec<Tensor>) -> Result<R>) -> Result<R> {
        match self.items.lock().as_mut() {
            Some(items) => change(items),
            None => Err(Status::invalid_argument(format!(
                "Stack[{}] has already been closed.",
                self.name
            ))),
        }
    }
}

struct Create {
    dtype: DataType,
    name: String,
}

fn make_create(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let name = build.string("stack_name")?;
    let name = if name.is_empty() { build.name.clone() } else { name };
    Ok(KernelBox::new(Create { dtype: build.dtype("elem_type")?, name }))
}

impl Kernel for Create {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let mut most = i32::MAX as usize;
        if cx.inputs_len() > 0 {
            let size = cx.input(0);
            if size.rank() != 0 {
                return Err(Status::invalid_argument(format!(
                    "Stack size must be a scalar, but had shape: {}",
                    size.shape()
                )));
            }
            // A negative size is no limit.
            most = usize::try_from(size.to_scalar::<i32>()?).unwrap_or(most);
        }
        let name = format!("{}_{}", self.name, unique_number());
        let key = format!("{STACKS}{name}");
        let items = Mutex::new(Some(CountedVec::new()));
        let stack = Stack { name: name.clone(), dtype: self.dtype, most, items };
        cx.step().local().create(STEP_CONTAINER, &key, stack)?;
        let place = match cx.node().output_dtype(0) {
            DataType::Resource => Place { container: STEP_CONTAINER.into(), name: key },
            _ => Place { container: STACKS.into(), name },
        };
        set_handle::<Stack>(cx, &place)?;
        Ok(())
    }

    fn expensive(&self) -> bool {
        false
    }
}

fn input_stack(cx: &mut OpContext<'_>) -> Result<Arc<Stack>> {
    let step = cx.step();
    match &cx.input_values()[0] {
        Value::Ref(variable) => {
            let (container, name) = string_pair(&variable.read()?)?;
            step.local().lookup(STEP_CONTAINER, &format!("{container}{name}"))
        }
        value => find(value, step),
    }
}

fn push(cx: &mut OpContext<'_>) -> Result<()> {
    let stack = input_stack(cx)?;
    let value = cx.take(1);
    if value.dtype() != stack.dtype {
        return Err(Status::invalid_argument(format!(
            "Must have type {} but got {}",
            stack.dtype,
            value.dtype()
        )));
    }
    stack.with(|items| {
        if items.len() >= stack.most {
            return Err(Status::invalid_argument(format!(
                "Stack[{}] overflowed its max_size ({})",
                stack.name, stack.most
            )));
        }
        items.push(value.clone())
    })?;
    cx.set_output(0, value);
    Ok(())
}

fn pop(cx: &mut OpContext<'_>) -> Result<()> {
    let stack = input_stack(cx)?;
    let value = stack.with(|items| {
        items.pop().ok_or_else(|| {
            Status::invalid_argument(format!("Stack[{}] is empty when calling Pop().", stack.name))
        })
    })?;
    if value.dtype() != cx.node().output_dtype(0) {
        return Err(Status::invalid_argument(format!(
            "Must have type {} but got {}",
            cx.node().output_dtype(0),
            value.dtype()
        )));
    }
    cx.set_output(0, value);
    Ok(())
}

fn close(cx: &mut OpContext<'_>) -> Result<()> {
    *input_stack(cx)?.items.lock() = None;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Bench;
    use downpour_graph::Attrs;

    #[test]
    fn last_in_first_out_within_limits() {
        let bench = Bench::new(register);
        let attrs = || Attrs::new().with("elem_type", DataType::Int32);
        let stack = bench.run("StackV2", attrs(), [Tensor::scalar(2i32)]).unwrap().remove(0);
        let push =
            |v: i32| bench.run("StackPushV2", Attrs::new(), [stack.clone(), Tensor::scalar(v)]);
        let pop = || bench.run("StackPopV2", attrs(), [stack.clone()]);
        push(1).unwrap();
        push(2).unwrap();
        assert!(push(3).unwrap_err().message().contains("overflowed its max_size (2)"));
        assert_eq!(pop().unwrap()[0].to_scalar::<i32>().unwrap(), 2);
        assert_eq!(pop().unwrap()[0].to_scalar::<i32>().unwrap(), 1);
        assert!(pop().unwrap_err().message().contains("is empty when calling Pop()"));
        bench.run("StackCloseV2", Attrs::new(), [stack.clone()]).unwrap();
        assert!(push(1).unwrap_err().message().contains("has already been closed"));
    }

    #[test]
    fn the_older_form() {
        let bench = Bench::new(register);
        let attrs = || Attrs::new().with("elem_type", DataType::Int32);
        let stack = bench.values("Stack", attrs(), vec![]).unwrap().remove(0);
        let pushed = vec![stack.clone(), Value::Tensor(Tensor::scalar(4i32))];
        bench.values("StackPush", Attrs::new(), pushed).unwrap();
        let popped = bench.values("StackPop", attrs(), vec![stack]).unwrap();
        assert_eq!(popped[0].tensor().unwrap().to_scalar::<i32>().unwrap(), 4);
    }
}
