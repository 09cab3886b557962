//! MapDefun: a function of the graph called with every row of some tensors; its results are the rows of the outputs.
//!
//! The calls are made one after the other on a thread that may wait; the kernels of each run on the compute threads.

use std::sync::Arc;

use downpour_data::{Block, Cancel, Element, Names};
use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{AsyncContext, AsyncKernel, FunctionHandle, KernelBox, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use crate::component::Signature;
use crate::function::Captured;
use crate::inspect::Waiting;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "MapDefun(arguments: Targuments, captured_inputs: Tcaptured) -> (output: output_types)
                Targuments: list(type) >= 1
                Tcaptured: list(type) >= 0 = []
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                f: func
                max_intra_op_parallelism: int = 1",
        )?
        .shape(output_shapes)
        .not_differentiable(),
        |build| {
            let (function, signature) = (build.callable("f")?, Signature::of(build)?);
            if signature.types.len() != signature.shapes.len() {
                return Err(Status::invalid_argument(
                    "Length of output_shapes and output_types must match.",
                ));
            }
            Ok(KernelBox::asynchronous(MapDefun { function, signature }))
        },
    )
}

/// Each output has a row for every row of the arguments.
fn output_shapes(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shapes = cx.node().shapes("output_shapes")?;
    if shapes.len() != cx.node().output_types.len() {
        return Err(Status::invalid_argument(format!(
            "`output_shapes` must be the same length as `output_types` ({} vs. {})",
            shapes.len(),
            cx.node().output_types.len()
        )));
    }
    let mut rows = None;
    for i in cx.node().input_range("arguments")? {
        if cx.input(i).rank() == Some(0) {
            return Err(Status::invalid_argument(format!(
                "Arguments must have rank >= 1. Input {i} is a scalar."
            )));
        }
        let own = cx.input(i).dim(0);
        rows = cx.merge_dim(rows, own)?;
    }
    for (i, shape) in shapes.into_iter().enumerate() {
        cx.set_output(i, PartialShape::vector(rows).concat(&shape));
    }
    Ok(())
}

struct MapDefun {
    function: Arc<FunctionHandle>,
    signature: Signature,
}

impl AsyncKernel for MapDefun {
    fn start(&self, cx: AsyncContext) {
        let (function, signature) = (self.function.clone(), self.signature.clone());
        Waiting::start(cx, move |cx| map(cx, &function, &signature));
    }
}

fn map(
    cx: &AsyncContext,
    function: &Arc<FunctionHandle>,
    signature: &Signature,
) -> Result<Vec<Tensor>> {
    let arguments = cx.tensors(cx.node().input_range("arguments")?);
    let rows = rows(&arguments)?;
    let cancel = Cancel::default();
    let captured = cx.tensors(cx.node().input_range("captured_inputs")?);
    let function = Captured::with(cx.step(), function, captured).open_with(&cancel);
    let _guard = cx.step().cancellation().on_cancel(move || cancel.cancel());
    let arguments = Block::from_columns(Names::numbered(arguments.len()), rows, arguments)?;
    let mut results = Vec::with_capacity(rows);
    let mut shapes = signature.shapes.to_vec();
    for row in 0..rows {
        let result = function.call(arguments.element(row)?.into_tensors())?;
        check(&signature.types, &mut shapes, &result)?;
        results.push(Element::new(result));
    }
    if rows == 0 {
        return signature.types.iter().zip(&*signature.shapes).map(none).collect();
    }
    let stacked = Block::from_elements(results)?.stacked()?;
    Ok(stacked.columns().unwrap_or_default().to_vec())
}

/// Returns how many rows all arguments have.
fn rows(arguments: &[Tensor]) -> Result<usize> {
    let mut all = None;
    for (i, argument) in arguments.iter().enumerate() {
        let Some(&own) = argument.dims().first() else {
            return Err(Status::invalid_argument(format!(
                "All inputs must have rank at least 1. Input {i} has a rank of 0."
            )));
        };
        let rows = *all.get_or_insert(own);
        if own != rows {
            return Err(Status::invalid_argument(format!(
                "All inputs must have the same dimension 0. Input {i} has leading dimension {own}, while all previous \
                 inputs have leading dimension {rows}"
            )));
        }
    }
    Ok(all.unwrap_or(0))
}

/// Fails unless these are results of the types and shapes that are expected; the first results say what was not known.
fn check(types: &[DataType], shapes: &mut [PartialShape], results: &[Tensor]) -> Result<()> {
    if results.len() != types.len() {
        return Err(Status::invalid_argument("Mismatch in number of function outputs."));
    }
    for (i, (result, shape)) in results.iter().zip(shapes).enumerate() {
        if result.dtype() != types[i] {
            return Err(Status::invalid_argument(format!(
                "Mismatch in function return type and expected output type for output: {i}"
            )));
        }
        if !shape.allows(result.dims()) {
            return Err(Status::invalid_argument(format!(
                "Mismatch in function retval shape, {}, and expected output shape, {shape}.",
                result.shape()
            )));
        }
        if !shape.is_fully_known() {
            *shape = PartialShape::of(result.dims().iter().copied().map(Some));
        }
    }
    Ok(())
}

/// Returns the output of no calls.
fn none((&dtype, shape): (&DataType, &PartialShape)) -> Result<Tensor> {
    let row = shape.to_shape().ok_or_else(|| {
        Status::invalid_argument(format!(
            "MapDefun has no rows to call its function with, and the shape {shape} of a result is not known without"
        ))
    })?;
    let mut dims = vec![0];
    dims.extend_from_slice(row.dims());
    Tensor::zeros(dtype, Shape::new(&dims))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_must_agree_in_their_rows() {
        let three = Tensor::vector(&[1i32, 2, 3]).unwrap();
        assert_eq!(rows(&[three.clone(), three.clone()]).unwrap(), 3);
        let two = Tensor::vector(&[1i32, 2]).unwrap();
        let message = rows(&[three.clone(), two]).unwrap_err();
        assert!(message.message().contains("same dimension 0"), "{message}");
        assert!(rows(&[three, Tensor::scalar(1i32)]).is_err());
    }

    #[test]
    fn the_first_result_says_what_shape_the_others_have() {
        let types = [DataType::Int32];
        let mut shapes = [PartialShape::unknown()];
        let vector = |values: &[i32]| [Tensor::vector(values).unwrap()];
        check(&types, &mut shapes, &vector(&[1, 2])).unwrap();
        check(&types, &mut shapes, &vector(&[3, 4])).unwrap();
        let message = check(&types, &mut shapes, &vector(&[5])).unwrap_err();
        assert!(message.message().contains("Mismatch in function retval shape"), "{message}");
        assert!(check(&types, &mut shapes, &[Tensor::scalar(1f32)]).is_err());
        assert!(check(&types, &mut shapes, &[]).is_err());
    }

    #[test]
    fn no_rows_give_nothing_of_a_known_shape() {
        let known = PartialShape::of([Some(2)]);
        assert_eq!(none((&DataType::Float, &known)).unwrap().dims(), [0, 2]);
        assert!(none((&DataType::Float, &PartialShape::unknown())).is_err());
    }
}
