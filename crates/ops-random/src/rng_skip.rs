//! RngSkip and RngReadAndSkip move the generator in a variable on, as if it had filled an output.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Tensor};

use crate::source::{BLOCKS_PER_VALUE, advance_variable, scalar_input};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("RngSkip(resource: resource, algorithm: int64, delta: int64) -> () @stateful")?
            .shape(shape)
            .not_differentiable(),
        |_| Ok(KernelBox::function(skip)),
    )?;
    registry.add(
        OpSpec::new(
            "RngReadAndSkip(resource: resource, alg: int32, delta: uint64) -> (value: int64) @stateful",
        )?
        .shape(shape)
        .not_differentiable(),
        |_| Ok(KernelBox::function(read_and_skip)),
    )
}

fn skip(cx: &mut OpContext<'_>) -> Result<()> {
    advance(cx).map(drop)
}

fn read_and_skip(cx: &mut OpContext<'_>) -> Result<()> {
    let philox = advance(cx)?;
    let [c0, c1] = philox.counter_words();
    let state = [c0 as i64, c1 as i64, philox.key_word() as i64];
    cx.set_output(0, Tensor::vector(&state)?);
    Ok(())
}

fn advance(cx: &OpContext<'_>) -> Result<crate::philox::Philox> {
    let algorithm = scalar_input(cx.input(1), 1)?;
    let delta = scalar_input(cx.input(2), 2)? as u64;
    advance_variable(cx, Some(algorithm), delta.wrapping_mul(BLOCKS_PER_VALUE))
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(1, 0)?;
    cx.with_rank(2, 0)?;
    cx.set_output(0, PartialShape::vector(Some(3)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use downpour_runtime::testing::OpTest;
    use downpour_runtime::{ResourceManager, Variable};
    use downpour_tensor::DataType;

    #[test]
    fn states_that_are_none_are_refused() {
        let run = |state: Tensor, algorithm: i64| {
            let resources = Arc::new(ResourceManager::new());
            let variable = Variable::new("v", state.dtype(), PartialShape::unknown());
            variable.assign(state);
            let variable = resources.create("", "v", variable).unwrap();
            OpTest::new(register, "RngSkip")
                .resources(&resources)
                .input(Tensor::handle(ResourceManager::make_handle::<Variable>("", "", "v")))
                .input(Tensor::scalar(algorithm))
                .input(Tensor::scalar(1i64))
                .run_values()
                .map(|_| variable.read().unwrap().as_slice::<i64>().unwrap().to_vec())
        };
        let state = || Tensor::vector(&[0i64, 0, 7]).unwrap();
        assert_eq!(run(state(), 1).unwrap(), [256, 0, 7]);
        assert!(run(state(), 2).unwrap_err().message().contains("ThreeFry"));
        assert!(run(state(), 5).is_err());
        assert!(run(Tensor::vector(&[0i64, 0]).unwrap(), 1).is_err());
        assert!(run(Tensor::scalar(0i64), 1).is_err());
        assert!(run(Tensor::zeros(DataType::Float, [3]).unwrap(), 1).is_err());
    }
}
