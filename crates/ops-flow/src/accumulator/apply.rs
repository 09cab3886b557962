//! Adding gradients, and the counts and steps that decide about them.

use std::sync::Arc;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::NUMBERS;
use super::create::Accumulator;
use super::sum::Gradient;
use crate::handle::find_input;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for (prefix, handle, flags) in [("", "Ref(string)", ""), ("Resource", "resource", "@stateful")]
    {
        let spec = |rest: &str| {
            OpSpec::new(&format!(
                "{prefix}{}",
                rest.replace("HANDLE", handle).replace("FLAGS", flags)
            ))
            .map(OpSpec::not_differentiable)
        };
        let apply = format!(
            "AccumulatorApplyGradient(handle: HANDLE, local_step: int64, gradient: dtype) -> () FLAGS
                {NUMBERS}"
        );
        registry.add(spec(&apply)?, |_| Ok(KernelBox::function(apply_dense)))?;
        let count = "AccumulatorNumAccumulated(handle: HANDLE) -> (num_accumulated: int32) FLAGS";
        registry
            .add(spec(count)?.shape(shapes::scalar), |_| Ok(KernelBox::cheap(num_accumulated)))?;
        let step = "AccumulatorSetGlobalStep(handle: HANDLE, new_global_step: int64) -> () FLAGS";
        registry.add(spec(step)?, |_| Ok(KernelBox::cheap(set_global_step)))?;
    }
    let sparse = format!(
        "SparseAccumulatorApplyGradient(handle: Ref(string), local_step: int64, \
         gradient_indices: int64, gradient_values: dtype, gradient_shape: int64) -> ()
            {NUMBERS}
            has_known_shape: bool"
    );
    registry.add(OpSpec::new(&sparse)?.not_differentiable(), |build| {
        Ok(KernelBox::new(ApplySparse { has_shape: build.bool("has_known_shape")? }))
    })
}

fn accumulator(cx: &mut OpContext<'_>, sparse: bool, grad: usize) -> Result<Arc<Accumulator>> {
    let accumulator = find_input::<Accumulator>(cx, 0)?;
    let dtype = cx.input(grad).dtype();
    if accumulator.dtype != dtype || accumulator.is_sparse != sparse {
        return Err(Status::invalid_argument(format!(
            "Signature mismatch, have: {dtype} expected: {} ({} gradients)",
            accumulator.dtype,
            if accumulator.is_sparse { "sparse" } else { "dense" }
        )));
    }
    Ok(accumulator)
}

fn scalar_step(cx: &OpContext<'_>, name: &str) -> Result<i64> {
    let step = cx.input(1);
    if step.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "Argument {name} must be scalar, but had bad shape {}",
            step.shape()
        )));
    }
    step.to_scalar()
}

fn apply_dense(cx: &mut OpContext<'_>) -> Result<()> {
    let accumulator = accumulator(cx, false, 2)?;
    let step = scalar_step(cx, "local_step")?;
    let gradient = cx.take(2);
    accumulator.apply(step, Gradient::Dense(gradient))
}

struct ApplySparse {
    has_shape: bool,
}

impl Kernel for ApplySparse {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let accumulator = accumulator(cx, true, 3)?;
        let step = scalar_step(cx, "local_step")?;
        let (indices, values, shape) = (cx.input(2), cx.input(3), cx.input(4));
        if indices.rank() != 1 {
            return Err(Status::invalid_argument(format!(
                "Input indices should be vector but received shape: {}",
                indices.shape()
            )));
        }
        let Some(&rows) = values.dims().first() else {
            return Err(Status::invalid_argument("Values cannot be 0-dimensional."));
        };
        if rows != indices.len() {
            return Err(Status::invalid_argument(format!(
                "Expected {} non-empty input values, got {rows}",
                indices.len()
            )));
        }
        if self.has_shape {
            check_shape(&accumulator, shape)?;
        }
        let indices = indices.as_slice::<i64>()?.to_vec();
        let values = cx.take(3);
        accumulator.apply(step, Gradient::Sparse { indices, values })
    }
}

fn check_shape(accumulator: &Accumulator, shape: &Tensor) -> Result<()> {
    let declared = accumulator.declared_shape();
    let declared = declared.dims().unwrap_or_default();
    let sizes = shape.to_i64_vec()?;
    if declared.len() > sizes.len() {
        return Err(Status::invalid_argument(format!(
            "Shape mismatch: expected shape rank at least {}, got {}",
            declared.len(),
            sizes.len()
        )));
    }
    for (i, dim) in declared.iter().enumerate() {
        if let Some(dim) = dim
            && *dim as i64 != sizes[i]
        {
            return Err(Status::invalid_argument(format!(
                "Shape mismatch: expected shape dim {i} to be {dim}, got {}",
                sizes[i]
            )));
        }
    }
    Ok(())
}

fn num_accumulated(cx: &mut OpContext<'_>) -> Result<()> {
    let count = find_input::<Accumulator>(cx, 0)?.count();
    cx.set_output(0, Tensor::scalar(count));
    Ok(())
}

fn set_global_step(cx: &mut OpContext<'_>) -> Result<()> {
    let accumulator = find_input::<Accumulator>(cx, 0)?;
    accumulator.set_step(scalar_step(cx, "new_global_step")?);
    Ok(())
}
