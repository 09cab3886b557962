//! Turns a seed into the key and counter of a generator, and names the algorithm.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Tensor};

use crate::philox::Philox;
use crate::source::expect_seed;

/// TensorFlow's number for Philox.
const PHILOX: i32 = 1;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "StatelessRandomGetKeyCounter(seed: Tseed) -> (key: uint64, counter: uint64)
                Tseed: {int32, int64} = int64",
        )?
        .shape(shape)
        .not_differentiable(),
        |_| Ok(KernelBox::cheap(key_counter)),
    )?;
    registry.add(
        OpSpec::new(
            "StatelessRandomGetKeyCounterAlg(seed: Tseed) -> (key: uint64, counter: uint64, alg: int32)
                Tseed: {int32, int64} = int64",
        )?
        .shape(shape)
        .not_differentiable(),
        |_| Ok(KernelBox::cheap(key_counter)),
    )?;
    registry.add(
        OpSpec::new("StatelessRandomGetAlg() -> (alg: int32) @stateful")?
            .shape(downpour_graph::shapes::scalar)
            .not_differentiable(),
        |_| {
            Ok(KernelBox::cheap(|cx| {
                cx.set_output(0, Tensor::scalar(PHILOX));
                Ok(())
            }))
        },
    )
}

fn key_counter(cx: &mut OpContext<'_>) -> Result<()> {
    let philox = Philox::from_seed(cx.input(0))?;
    cx.set_output(0, Tensor::vector(&[philox.key_word()])?);
    cx.set_output(1, Tensor::vector(&philox.counter_words())?);
    if cx.node().output_types.len() == 3 {
        cx.set_output(2, Tensor::scalar(PHILOX));
    }
    Ok(())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    expect_seed(cx, 0)?;
    cx.set_output(0, PartialShape::vector(Some(1)));
    cx.set_output(1, PartialShape::vector(Some(2)));
    cx.set_output(2, PartialShape::scalar());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn a_seed_is_two_numbers() {
        let run = |seed: &[i64]| {
            OpTest::new(register, "StatelessRandomGetKeyCounterAlg")
                .input(Tensor::vector(seed).unwrap())
                .run()
        };
        assert_eq!(run(&[1, 2]).unwrap()[2].to_scalar::<i32>().unwrap(), PHILOX);
        assert!(run(&[1]).unwrap_err().message().contains("seed must have shape [2]"));
    }
}
