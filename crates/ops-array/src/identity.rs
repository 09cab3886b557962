//! Identity: hands its input on.

use downpour_graph::{Gradient, GradientContext, OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Identity(input: T) -> (output: T)
                T: type",
        )?
        .shape(shapes::unchanged)
        .gradient(gradient),
        |_| Ok(KernelBox::cheap(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let input = cx.take(0);
    cx.set_output(0, input);
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    Ok(vec![Gradient::Dense(cx.grad(0)?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn the_value_passes_unchanged() {
        let x = Tensor::vector(&[1.0f32, 2.0]).unwrap();
        let y = OpTest::new(register, "Identity").input(x).run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[1.0, 2.0]);
    }
}
