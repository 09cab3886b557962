//! Uniform integers between two bounds, in forms that differ in where the generator's state is.

use downpour_graph::{OpSpec, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Tensor};

use crate::fill::{Bounds, expect_scalars};
use crate::source::{self, Source};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "RandomUniformInt(shape: T, minval: Tout, maxval: Tout) -> (output: Tout) @stateful
                seed: int = 0
                seed2: int = 0
                Tout: {int32, int64}
                T: {int32, int64}",
        )?
        .shape(|cx| bounded(cx, 1, source::node_shape))
        .not_differentiable(),
        |build| Ok(KernelBox::new(UniformIntegers(Source::node(build)?))),
    )?;
    registry.add(
        OpSpec::new(
            "StatelessRandomUniformInt(shape: T, seed: Tseed, minval: dtype, maxval: dtype) -> (output: dtype)
                dtype: {int32, int64}
                T: {int32, int64}
                Tseed: {int32, int64} = int64",
        )?
        .shape(|cx| bounded(cx, 2, source::seed_shape))
        .not_differentiable(),
        |_| Ok(KernelBox::new(UniformIntegers(Source::Seed))),
    )?;
    registry.add(
        OpSpec::new(
            "StatelessRandomUniformIntV2(shape: Tshape, key: uint64, counter: uint64, alg: int32, minval: dtype, maxval: dtype) -> (output: dtype)
                dtype: {int32, int64, uint32, uint64}
                Tshape: {int32, int64} = int32",
        )?
        .shape(|cx| bounded(cx, 4, source::key_counter_shape))
        .not_differentiable(),
        |_| Ok(KernelBox::new(UniformIntegers(Source::KeyCounter))),
    )?;
    registry.add(
        OpSpec::new(
            "StatefulUniformInt(resource: resource, algorithm: int64, shape: shape_dtype, minval: dtype, maxval: dtype) -> (output: dtype) @stateful
                dtype: type = int64
                shape_dtype: type = int64",
        )?
        .shape(|cx| bounded(cx, 3, source::variable_shape))
        .not_differentiable(),
        |_| Ok(KernelBox::new(UniformIntegers(Source::Variable))),
    )
}

fn bounded(
    cx: &mut ShapeContext<'_>,
    first: usize,
    rest: fn(&mut ShapeContext<'_>) -> Result<()>,
) -> Result<()> {
    source::expect_bounds(cx, first)?;
    rest(cx)
}

struct UniformIntegers(Source);

impl Kernel for UniformIntegers {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let shape = self.0.shape(cx)?;
        let (low, high) = (cx.input(self.0.parameter(0)), cx.input(self.0.parameter(1)));
        expect_scalars(low, high)?;
        // No numbers are drawn from impossible bounds, so none is asked of them either.
        if shape.elements() == 0 && !matches!(self.0, Source::Variable) {
            cx.set_output(0, Tensor::new(low.dtype(), &shape)?);
            return Ok(());
        }
        let bounds = Bounds::new(cx.node().op_name(), low, high)?;
        let philox = self.0.philox(cx, shape.elements())?;
        let output = bounds.fill(cx.parallel(), philox, &shape)?;
        cx.set_output(0, output);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(shape: &[i32], low: i64, high: i64) -> Result<Tensor> {
        OpTest::new(register, "StatelessRandomUniformInt")
            .input(Tensor::vector(shape).unwrap())
            .input(Tensor::vector(&[1i32, 2]).unwrap())
            .input(Tensor::scalar(low))
            .input(Tensor::scalar(high))
            .run_one()
    }

    #[test]
    fn bounds_hold_even_at_the_ends_of_the_type() {
        let values = run(&[100], -3, 4).unwrap();
        assert!(values.as_slice::<i64>().unwrap().iter().all(|v| (-3..4).contains(v)));
        assert!(run(&[10], i64::MIN, i64::MAX).is_ok());
        let error = run(&[1], 0, 0).unwrap_err();
        assert!(error.message().contains("Need minval < maxval, got 0 >= 0"));
        assert_eq!(run(&[0], 0, 0).unwrap().len(), 0);
    }
}
