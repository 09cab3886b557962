//! DummySeedGenerator hands out a handle that names nothing; NonDeterministicInts fills a shape
//! with integers nobody can foresee.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, ResourceHandle, Result, Tensor};

use crate::fill::{Kind, fill_kind};
use crate::generator::entropy;
use crate::philox::Philox;
use crate::source::{node_shape, shape_of};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("DummySeedGenerator() -> (handle: resource) @stateful")?
            .shape(shapes::scalar)
            .not_differentiable(),
        |_| {
            Ok(KernelBox::cheap(|cx| {
                cx.set_output(0, Tensor::handle(ResourceHandle::default()));
                Ok(())
            }))
        },
    )?;
    registry.add(
        OpSpec::new(
            "NonDeterministicInts(shape: shape_dtype) -> (output: dtype) @stateful
                dtype: type = int64
                shape_dtype: type = int64",
        )?
        .shape(node_shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(NonDeterministicInts(build.dtype("dtype")?))),
    )
}

struct NonDeterministicInts(DataType);

impl Kernel for NonDeterministicInts {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let shape = shape_of(cx.input(0))?;
        let philox = Philox::new(entropy(), entropy());
        let name = cx.node().op_name();
        let output = fill_kind(name, Kind::FullInt, self.0, cx.parallel(), philox, &shape)?;
        cx.set_output(0, output);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn no_two_runs_are_alike() {
        let run = || {
            OpTest::new(register, "NonDeterministicInts")
                .input(Tensor::vector(&[3i64]).unwrap())
                .run_one()
                .unwrap()
        };
        assert_ne!(run().as_slice::<i64>().unwrap(), run().as_slice::<i64>().unwrap());
        assert!(OpTest::new(register, "DummySeedGenerator").run_one().is_ok());
    }
}
