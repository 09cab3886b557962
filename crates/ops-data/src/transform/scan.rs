//! ScanDataset: a function of the graph applied to a state and every element; it also makes the next state.

use std::sync::Arc;

use downpour_data::{Element, Names};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{FunctionHandle, Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Code, DataType, Result, Status, Tensor};

use crate::component::Signature;
use crate::dataset;
use crate::function::{Captured, OpenFunction, end_of_sequence};
use crate::function_stage::{self, same_length, unknown_length};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, own) in [
        ("ScanDataset", "use_default_device: bool = true\n metadata: string = ''"),
        ("ExperimentalScanDataset", ""),
    ] {
        let signature = format!(
            "{name}(input_dataset: variant, initial_state: Tstate, other_arguments: Targuments) -> (handle: variant)
                f: func
                Tstate: list(type) >= 1
                Targuments: list(type) >= 0
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                preserve_cardinality: bool = false
                {own}"
        );
        registry.add(OpSpec::new(&signature)?.shape(shapes::scalar), |build| {
            Ok(KernelBox::new(Scan(build.callable("f")?)))
        })?;
    }
    Ok(())
}

struct Scan(Arc<FunctionHandle>);

impl Kernel for Scan {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let function = Captured::new(cx, &self.0, "other_arguments")?;
        let range = cx.node().input_range("initial_state")?;
        let initial: Vec<Tensor> = range.map(|i| cx.input(i).clone()).collect();
        let keeps_length = cx.node().bool("preserve_cardinality")?;
        let made = Signature::of(cx.node())?;
        let step = Step {
            state: cx.node().dtypes("Tstate")?.into(),
            names: made.names(),
            made,
            keeps_length,
        };
        let length = if keeps_length { same_length } else { unknown_length };
        let input = dataset::input(cx, 0)?;
        let scanned =
            function_stage::dataset("scan", input, function, length, move |input, function| {
                let step = step.clone();
                Ok(input.scan(initial.clone(), move |state, element| {
                    step.call(&function, state, element)
                }))
            });
        dataset::finish(cx, scanned)
    }
}

/// The types of a scan's results: the next state, then an element.
#[derive(Clone)]
struct Step {
    state: Arc<[DataType]>,
    made: Signature,
    names: Names,
    /// Whether the function may not end the dataset.
    keeps_length: bool,
}

impl Step {
    fn call(
        &self,
        function: &OpenFunction,
        state: &[Tensor],
        element: Element,
    ) -> Result<Option<(Vec<Tensor>, Element)>> {
        let mut arguments = state.to_vec();
        arguments.extend(element.into_tensors());
        let mut results = match function.call(arguments) {
            Err(error) if error.code() == Code::OutOfRange && !self.keeps_length => {
                return Ok(None);
            }
            results => results.map_err(end_of_sequence)?,
        };
        let expected = self.state.len() + self.made.types.len();
        if results.len() != expected {
            return Err(Status::invalid_argument(format!(
                "scan_func returned {} values, but {expected} were expected",
                results.len()
            )));
        }
        let types = self.state.iter().chain(self.made.types.iter());
        for (i, (dtype, result)) in types.zip(&results).enumerate() {
            if result.dtype() != *dtype {
                return Err(Status::invalid_argument(format!(
                    "Got wrong type for scan_func return value {i} (expected {dtype}, got {}).",
                    result.dtype()
                )));
            }
        }
        let made = results.split_off(self.state.len());
        for (i, (shape, tensor)) in self.made.shapes.iter().zip(&made).enumerate() {
            if !shape.allows(tensor.dims()) {
                return Err(Status::invalid_argument(format!(
                    "Got wrong shape for scan_func return value {} (expected {shape}, got {}).",
                    self.state.len() + i,
                    tensor.shape()
                )));
            }
        }
        Ok(Some((results, Element::from_parts(self.names.clone(), made)?)))
    }
}
