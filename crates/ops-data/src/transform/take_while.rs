//! TakeWhileDataset: the elements before the first for which a function of the graph is false.

use std::sync::Arc;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{FunctionHandle, Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::Result;

use crate::dataset;
use crate::function::Captured;
use crate::function_stage::{self, unknown_length};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["TakeWhileDataset", "ExperimentalTakeWhileDataset"] {
        let own = if name == "TakeWhileDataset" { "metadata: string = ''" } else { "" };
        let signature = format!(
            "{name}(input_dataset: variant, other_arguments: Targuments) -> (handle: variant)
                predicate: func
                Targuments: list(type) >= 0
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                {own}"
        );
        registry.add(OpSpec::new(&signature)?.shape(shapes::scalar), |build| {
            Ok(KernelBox::new(TakeWhile(build.callable("predicate")?)))
        })?;
    }
    Ok(())
}

struct TakeWhile(Arc<FunctionHandle>);

impl Kernel for TakeWhile {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let function = Captured::new(cx, &self.0, "other_arguments")?;
        let input = dataset::input(cx, 0)?;
        let first = function_stage::dataset(
            "take_while",
            input,
            function,
            unknown_length,
            |input, function| {
                Ok(input.take_while(move |element| function.test(element.tensors().to_vec())))
            },
        );
        dataset::finish(cx, first)
    }
}
