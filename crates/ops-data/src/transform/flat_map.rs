//! FlatMapDataset: the elements of the datasets that a function of the graph makes, one dataset after the other.

use std::sync::Arc;

use downpour_data::Length;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{FunctionHandle, Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use crate::component::Signature;
use crate::dataset;
use crate::function::{Captured, OpenFunction, end_of_sequence};
use crate::function_stage;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "FlatMapDataset(input_dataset: variant, other_arguments: Targuments) -> (handle: variant)
                f: func
                Targuments: list(type) >= 0
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |build| Ok(KernelBox::new(FlatMap(build.callable("f")?))),
    )
}

struct FlatMap(Arc<FunctionHandle>);

impl Kernel for FlatMap {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let function = Captured::new(cx, &self.0, "other_arguments")?;
        let signature = Signature::of(cx.node())?;
        let input = dataset::input(cx, 0)?;
        let flat = function_stage::dataset(
            "flat_map",
            input,
            function,
            nothing_of_nothing,
            move |input, function| {
                let signature = signature.clone();
                Ok(input
                    .flat_map(move |element| made(&function, element.into_tensors(), &signature)))
            },
        );
        dataset::finish(cx, flat)
    }
}

/// The length of datasets that only their function knows; of no elements none are made.
fn nothing_of_nothing(length: Option<Length>) -> Option<Length> {
    length.filter(|length| *length == Length::Finite(0))
}

/// Returns the dataset that a function makes of an element.
pub(super) fn made(
    function: &OpenFunction,
    element: Vec<Tensor>,
    signature: &Signature,
) -> Result<downpour_data::Dataset> {
    let results = function.call(element).map_err(end_of_sequence)?;
    from_results("Function", results, signature)
}

/// Returns the dataset among the results of a function, which errors call `what`.
pub(super) fn from_results(
    what: &str,
    results: Vec<Tensor>,
    signature: &Signature,
) -> Result<downpour_data::Dataset> {
    let [result] = &results[..] else {
        return Err(Status::invalid_argument(format!(
            "{what} must return a single scalar of dtype DT_VARIANT."
        )));
    };
    let dataset = dataset::from_tensor(result)?;
    signature.check_compatible(&dataset.signature)?;
    Ok(dataset.pipeline.clone())
}
