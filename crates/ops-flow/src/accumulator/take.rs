//! Taking the sum or average once enough gradients have come.

use std::sync::Arc;

use downpour_graph::OpSpec;
use downpour_runtime::{AsyncContext, AsyncKernel, KernelBox, Registry};
use downpour_tensor::{Result, Status};

use super::NUMBERS;
use super::create::Accumulator;
use crate::handle::find_async;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for head in [
        "AccumulatorTakeGradient(handle: Ref(string), num_required: int32) -> (average: dtype)",
        "ResourceAccumulatorTakeGradient(handle: resource, num_required: int32) \
         -> (average: dtype) @stateful",
        "SparseAccumulatorTakeGradient(handle: Ref(string), num_required: int32) \
         -> (indices: int64, values: dtype, shape: int64)",
    ] {
        let signature = format!("{head}\n    {NUMBERS}");
        let spec = OpSpec::new(&signature)?.not_differentiable();
        registry.add(spec, |_| Ok(KernelBox::asynchronous(Take)))?;
    }
    Ok(())
}

struct Take;

impl AsyncKernel for Take {
    fn start(&self, cx: AsyncContext) {
        match prepare(&cx) {
            Ok((accumulator, required)) => {
                let step = cx.step().clone();
                accumulator.monitor.ask(step.cancellation(), required, move |result| {
                    cx.finish(result);
                });
            }
            Err(error) => cx.finish(Err(error)),
        }
    }
}

fn prepare(cx: &AsyncContext) -> Result<(Arc<Accumulator>, usize)> {
    let accumulator = find_async::<Accumulator>(cx, 0)?;
    let outputs = &cx.node().output_types;
    let at = if accumulator.is_sparse { 1 } else { 0 };
    if outputs.len() != 2 * at + 1 || outputs[at].dtype != accumulator.dtype {
        return Err(Status::invalid_argument(format!(
            "Signature mismatch: accumulator '{}' holds {} gradients of {}",
            accumulator.name,
            if accumulator.is_sparse { "sparse" } else { "dense" },
            accumulator.dtype
        )));
    }
    let required = cx.input(1);
    if required.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "Argument num_required must be scalar, but had bad shape {}",
            required.shape()
        )));
    }
    let required = required.to_scalar::<i32>()?;
    match usize::try_from(required) {
        Ok(required) if required > 0 => Ok((accumulator, required)),
        _ => Err(Status::invalid_argument(format!(
            "Argument num_required must be positive, but was {required}"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use crate::bench::{Bench, Pending};
    use downpour_graph::{Attrs, PartialShape};
    use downpour_runtime::Value;
    use downpour_tensor::{Code, DataType, Result, Tensor};

    fn floats(values: &[f32]) -> Tensor {
        Tensor::vector(values).unwrap()
    }

    fn dense(reduction: &'static str) -> (Bench, Value) {
        let bench = Bench::new(crate::accumulator::register);
        let attrs = Attrs::new()
            .with("dtype", DataType::Float)
            .with("shape", PartialShape::vector(Some(1)))
            .with("shared_name", "a")
            .with("reduction_type", reduction);
        let handle = bench.values("ResourceConditionalAccumulator", attrs, vec![]).unwrap();
        (bench, handle[0].clone())
    }

    fn apply(bench: &Bench, handle: &Value, step: i64, values: &[f32]) -> Result<Vec<Value>> {
        let inputs = vec![handle.clone(), Tensor::scalar(step).into(), floats(values).into()];
        bench.values("ResourceAccumulatorApplyGradient", Attrs::new(), inputs)
    }

    fn take(bench: &Bench, handle: &Value, required: i32) -> Pending {
        let attrs = Attrs::new().with("dtype", DataType::Float);
        let inputs = vec![handle.clone(), Tensor::scalar(required).into()];
        bench.start("ResourceAccumulatorTakeGradient", attrs, inputs)
    }

    #[test]
    fn averages_wait_for_enough_and_drop_the_stale() {
        let (bench, handle) = dense("MEAN");
        let waiting = take(&bench, &handle, 2);
        apply(&bench, &handle, 0, &[1.0]).unwrap();
        assert!(waiting.is_waiting());
        apply(&bench, &handle, 0, &[4.0]).unwrap();
        assert_eq!(waiting.tensors().unwrap()[0].as_slice::<f32>().unwrap(), &[2.5]);
        apply(&bench, &handle, 0, &[100.0]).unwrap();
        let count =
            bench.values("ResourceAccumulatorNumAccumulated", Attrs::new(), vec![handle.clone()]);
        let count = count.unwrap()[0].tensor().unwrap().to_scalar::<i32>().unwrap();
        assert_eq!(count, 0, "the step is now 1, so a gradient of step 0 is stale");
        assert!(take(&bench, &handle, 0).tensors().is_err());
        let error = apply(&bench, &handle, 1, &[1.0, 2.0]).err().unwrap();
        assert!(error.message().contains("Shape mismatch: expected [1], got [2]"));
        let waiting = take(&bench, &handle, 1);
        bench.step.cancellation().cancel();
        let error = waiting.tensors().unwrap_err();
        assert_eq!(error.code(), Code::Cancelled);
        assert!(error.message().contains("was cancelled"));
    }

    #[test]
    fn sums_are_not_divided() {
        let (bench, handle) = dense("SUM");
        apply(&bench, &handle, 0, &[1.0]).unwrap();
        apply(&bench, &handle, 0, &[4.0]).unwrap();
        let out = take(&bench, &handle, 1).tensors().unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), &[5.0]);
    }

    #[test]
    fn rows_are_averaged_over_those_who_had_them() {
        let bench = Bench::new(crate::accumulator::register);
        let attrs = Attrs::new()
            .with("dtype", DataType::Float)
            .with("shape", PartialShape::of([Some(3), None]))
            .with("shared_name", "s");
        let handle = bench.values("SparseConditionalAccumulator", attrs, vec![]).unwrap().remove(0);
        let apply = |indices: &[i64], values: Tensor| {
            let inputs = vec![
                handle.clone(),
                Tensor::scalar(0i64).into(),
                Tensor::vector(indices).unwrap().into(),
                values.into(),
                Tensor::vector::<i64>(&[]).unwrap().into(),
            ];
            let attrs = Attrs::new().with("has_known_shape", false);
            bench.values("SparseAccumulatorApplyGradient", attrs, inputs)
        };
        let rows = |n: usize, v: &[f32]| Tensor::from_slice([n, 1], v).unwrap();
        apply(&[0, 2], rows(2, &[1.0, 2.0])).unwrap();
        apply(&[1, 2], rows(2, &[3.0, 6.0])).unwrap();
        let error = apply(&[3], rows(1, &[1.0])).err().unwrap();
        assert!(error.message().contains("index is 3 exceeded 3"));
        assert!(apply(&[0], rows(2, &[1.0, 1.0])).is_err());
        let inputs = vec![handle, Tensor::scalar(1i32).into()];
        let attrs = Attrs::new().with("dtype", DataType::Float);
        let out = bench.start("SparseAccumulatorTakeGradient", attrs, inputs).tensors().unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 1, 2]);
        assert_eq!(out[1].as_slice::<f32>().unwrap(), &[1.0, 3.0, 4.0]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), &[3, 1]);
    }
}
