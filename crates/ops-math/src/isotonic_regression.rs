//! IsotonicRegression: the non-increasing sequence nearest to each row, and which of its values are pooled.

use downpour_graph::{Attrs, Endpoint, Gradient, GradientContext, OpSpec, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{
    CountedVec, DataType, RealNumber, Result, Status, Tensor, bf16, f16, unsupported_dtype,
};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "IsotonicRegression(input: T) -> (output: output_dtype, segments: int32)
                T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}
                output_dtype: {half, bfloat16, float, double} = float",
        )?
        .shape(infer)
        .gradient(gradient)
        .tolerance(1e-5),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    use DataType::{BFloat16, Double, Float, Half, Int8, Int16, Int32, Int64};
    let input = cx.input(0);
    let Some(&width) = input.dims().last() else {
        return Err(Status::invalid_argument(
            "IsotonicRegression: input must be at least a vector, got a scalar",
        ));
    };
    if i32::try_from(width).is_err() {
        return Err(Status::invalid_argument("Tensor too large"));
    }
    let (output, segments) = match (input.dtype(), cx.node().dtype("output_dtype")?) {
        (Float, Float) => regress::<f32, f32>(cx, width),
        (Double, Double) => regress::<f64, f64>(cx, width),
        (Half, Half) => regress::<f16, f16>(cx, width),
        (BFloat16, BFloat16) => regress::<bf16, bf16>(cx, width),
        (Int16, Float) => regress::<i16, f32>(cx, width),
        (Int8, Float) => regress::<i8, f32>(cx, width),
        (Int64, Double) => regress::<i64, f64>(cx, width),
        (Int32, Double) => regress::<i32, f64>(cx, width),
        (dtype, _) => Err(unsupported_dtype("IsotonicRegression", dtype)),
    }?;
    cx.set_output(0, output);
    cx.set_output(1, segments);
    Ok(())
}

/// Neighbours that have one value.
struct Pool<T> {
    sum: T,
    mean: T,
    end: usize,
    start: usize,
}

fn regress<A: RealNumber, B>(cx: &OpContext<'_>, width: usize) -> Result<(Tensor, Tensor)>
where
    B: RealNumber + std::ops::Div<Output = B>,
{
    let input = cx.input(0);
    let values = input.as_slice::<A>()?;
    let mut output = CountedVec::filled(values.len(), B::from_f64_lossy(0.0))?;
    let mut segments = CountedVec::filled(values.len(), 0i32)?;
    let mut pools: CountedVec<Pool<B>> = CountedVec::with_capacity(width)?;
    let rows = output.chunks_exact_mut(width.max(1)).zip(segments.chunks_exact_mut(width.max(1)));
    for ((output, segments), values) in rows.zip(values.chunks_exact(width.max(1))) {
        cx.check_cancelled()?;
        pools.truncate(0);
        for (i, value) in values.iter().enumerate() {
            let value = B::from_f64_lossy(value.to_f64_lossy());
            pools.push(Pool { sum: value, mean: value, start: i, end: i + 1 })?;
            while let [.., before, last] = &mut pools[..]
                && last.mean > before.mean
            {
                before.sum = before.sum.add_w(last.sum);
                before.end = last.end;
                let count = B::from_f64_lossy((before.end - before.start) as f64);
                before.mean = before.sum / count;
                pools.pop();
            }
        }
        for (i, pool) in pools.iter().enumerate() {
            output[pool.start..pool.end].fill(pool.mean);
            segments[pool.start..pool.end].fill(i as i32);
        }
    }
    let shape = input.shape().clone();
    Ok((Tensor::from_slice(shape.clone(), &output)?, Tensor::from_slice(shape, &segments)?))
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.set_output(0, cx.input(0).clone());
    cx.set_output(1, cx.input(0).clone());
    Ok(())
}

/// The mean of the gradient over each pool, at all its places.
fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (grad, segments) = (cx.grad(0)?, cx.output(1));
    let dtype = cx.dtype(cx.input(0));
    let shape = cx.shape(segments)?;
    let zero = cx.scalar(0i32)?;
    let size = cx.op_with("Size", &[segments], Attrs::new().with("out_type", DataType::Int32))?;
    let flat = cx.constant(Tensor::vector(&[-1i32])?)?;
    // Every place starts a pool in its row or belongs to one that starts before it: the number of the pool after that of
    // the row's first place is a number no other pool has.
    let width = last_size(cx, shape)?;
    let one = cx.scalar(1i32)?;
    let places = cx.op("Range", &[zero, size, one])?;
    let rows = cx.op("FloorDiv", &[places, width])?;
    let firsts = cx.op("Mul", &[rows, width])?;
    let segments = cx.op("Reshape", &[segments, flat])?;
    let ids = cx.op("AddV2", &[firsts, segments])?;
    let grad = cx.op("Reshape", &[grad, flat])?;
    let ones = cx.op("OnesLike", &[grad])?;
    let sums = cx.op("UnsortedSegmentSum", &[grad, ids, size])?;
    let counts = cx.op("UnsortedSegmentSum", &[ones, ids, size])?;
    let [sums, counts] = [sums, counts].map(|values| cx.op("GatherV2", &[values, ids, zero]));
    let means = cx.op("RealDiv", &[sums?, counts?])?;
    let means = cx.op("Reshape", &[means, shape])?;
    let attrs = Attrs::new().with("DstT", dtype);
    Ok(vec![Gradient::Dense(cx.op_with("Cast", &[means], attrs)?)])
}

/// The last entry of a shape, as a scalar.
fn last_size(cx: &mut GradientContext<'_, '_>, shape: Endpoint) -> Result<Endpoint> {
    let begin = cx.constant(Tensor::vector(&[-1i32])?)?;
    let end = cx.constant(Tensor::vector(&[0i32])?)?;
    let stride = cx.constant(Tensor::vector(&[1i32])?)?;
    let attrs = Attrs::new().with("end_mask", 1i64).with("shrink_axis_mask", 1i64);
    cx.op_with("StridedSlice", &[shape, begin, end, stride], attrs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(input: Tensor, dtype: DataType) -> Result<Vec<Tensor>> {
        OpTest::new(register, "IsotonicRegression").attr("output_dtype", dtype).input(input).run()
    }

    #[test]
    fn what_rises_is_pooled() {
        let x = Tensor::from_vec([2, 3], vec![3f32, 1.0, 2.0, 1.0, 2.0, 6.0]).unwrap();
        let out = run(x, DataType::Float).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), &[3.0, 1.5, 1.5, 3.0, 3.0, 3.0]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), &[0, 1, 1, 0, 0, 0]);
        let out = run(Tensor::vector(&[1i32, 2, 2]).unwrap(), DataType::Double).unwrap();
        assert!((out[0].as_slice::<f64>().unwrap()[0] - 5.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_scalars_and_other_types() {
        assert_eq!(
            run(Tensor::from_vec([2, 0], Vec::<f32>::new()).unwrap(), DataType::Float).unwrap()[0]
                .dims(),
            &[2, 0]
        );
        assert!(run(Tensor::scalar(1f32), DataType::Float).is_err());
        assert!(run(Tensor::vector(&[1u8]).unwrap(), DataType::Float).is_err());
    }
}
