//! PartitionedCall: runs a function of the library.

use std::sync::Arc;

use downpour_graph::OpSpec;
use downpour_runtime::{AsyncContext, AsyncKernel, FunctionHandle, KernelBox, Registry};
use downpour_tensor::Result;

use super::invoke::{call_and_finish, take_args};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "PartitionedCall(args: Tin) -> (output: Tout)
            Tin: list(type) >= 0
            Tout: list(type) >= 0
            f: func
            config: string = ''
            config_proto: string = ''
            executor_type: string = ''",
        "StatefulPartitionedCall(args: Tin) -> (output: Tout) @stateful @distributed
            Tin: list(type) >= 0
            Tout: list(type) >= 0
            f: func
            config: string = ''
            config_proto: string = ''
            executor_type: string = ''",
    ] {
        registry.add(OpSpec::new(signature)?, |build| {
            Ok(KernelBox::asynchronous(Call(build.callable("f")?)))
        })?;
    }
    Ok(())
}

struct Call(Arc<FunctionHandle>);

impl AsyncKernel for Call {
    fn start(&self, mut cx: AsyncContext) {
        match take_args(&mut cx, 0) {
            Ok(args) => call_and_finish(&self.0, args, cx),
            Err(error) => cx.finish(Err(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::invoke::tests::{Library, function, run};
    use super::*;
    use downpour_graph::Attrs;
    use downpour_tensor::{Code, DataType, Tensor};

    #[test]
    fn results_come_back_and_are_checked() {
        let library = Library(
            vec![("swap", |mut args| {
                args.reverse();
                Ok(args)
            })],
            false,
        );
        let call = |types: Vec<DataType>| {
            let attrs = Attrs::new().with("f", function("swap")).with("Tout", types);
            let inputs = vec![Tensor::scalar(1i32), Tensor::scalar(2f32)];
            run(register, &library, "PartitionedCall", attrs, inputs)
        };
        let out = call(vec![DataType::Float, DataType::Int32]).unwrap();
        assert_eq!(out[1].to_scalar::<i32>().unwrap(), 1);
        for wrong in [vec![DataType::Float], vec![DataType::Int32, DataType::Float]] {
            assert_eq!(call(wrong).unwrap_err().code(), Code::InvalidArgument);
        }
    }
}
