//! FilterDataset: the elements for which a function of the graph is true.

use std::sync::Arc;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{FunctionHandle, Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::Result;

use crate::dataset;
use crate::function::Captured;
use crate::function_stage::{self, unknown_length};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "FilterDataset(input_dataset: variant, other_arguments: Targuments) -> (handle: variant)
                predicate: func
                Targuments: list(type) >= 0
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |build| Ok(KernelBox::new(Filter(build.callable("predicate")?))),
    )
}

struct Filter(Arc<FunctionHandle>);

impl Kernel for Filter {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let function = Captured::new(cx, &self.0, "other_arguments")?;
        let input = dataset::input(cx, 0)?;
        let kept = function_stage::dataset(
            "filter",
            input,
            function,
            unknown_length,
            |input, function| {
                Ok(input.filter(move |element| function.test(element.tensors().to_vec())))
            },
        );
        dataset::finish(cx, kept)
    }
}
