//! SymbolicGradient: calls the gradient of a function.

use std::sync::Arc;

use downpour_graph::OpSpec;
use downpour_runtime::{AsyncContext, AsyncKernel, FunctionHandle, KernelBox, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::invoke::{check_outputs, take_args};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let signature = "SymbolicGradient(input: Tin) -> (output: Tout)
        Tin: list(type) >= 1
        Tout: list(type) >= 1
        f: func";
    registry.add(OpSpec::new(signature)?, |build| {
        Ok(KernelBox::asynchronous(Gradient(build.callable_gradient("f")?)))
    })
}

struct Gradient(Arc<FunctionHandle>);

impl AsyncKernel for Gradient {
    fn start(&self, mut cx: AsyncContext) {
        let args = match take_args(&mut cx, 0) {
            Ok(args) => args,
            Err(error) => return cx.finish(Err(error)),
        };
        let step = cx.step().clone();
        self.0.run(&step, args, move |result| {
            let checked = result.and_then(|tensors| check(&cx, tensors));
            cx.finish(checked);
        });
    }
}

/// A gradient that the graph's author gave may have any number of results.
fn check(cx: &AsyncContext, tensors: Vec<Tensor>) -> Result<Vec<Tensor>> {
    let expected = cx.node().output_types.len();
    if tensors.len() != expected {
        return Err(Status::invalid_argument(format!(
            "SymGrad expects to return {expected} tensor(s), but get {} tensor(s) instead.",
            tensors.len()
        )));
    }
    check_outputs(cx.node(), tensors)
}

#[cfg(test)]
mod tests {
    use super::super::invoke::tests::{Library, function, run};
    use super::*;
    use downpour_graph::Attrs;
    use downpour_tensor::{DataType, Tensor};

    #[test]
    fn the_gradient_is_called_and_its_results_checked() {
        let library = Library(vec![("gradient of f", |args| Ok(args[1..].to_vec()))], false);
        let gradient = |types: Vec<DataType>| {
            let attrs = Attrs::new().with("f", function("f")).with("Tout", types);
            let inputs = vec![Tensor::scalar(1f32), Tensor::scalar(2f32)];
            run(register, &library, "SymbolicGradient", attrs, inputs)
        };
        let out = gradient(vec![DataType::Float]).unwrap();
        assert_eq!(out[0].to_scalar::<f32>().unwrap(), 2.0);
        let more = gradient(vec![DataType::Float; 2]).unwrap_err();
        assert!(more.message().contains("SymGrad expects to return 2"), "{more}");
        assert!(gradient(vec![DataType::Int32]).is_err());
    }
}
