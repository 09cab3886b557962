//! Operations that hand a value on; the executor gives them their meaning for frames and loops.

use downpour_graph::{OpSpec, ShapeContext, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "Enter(data: T) -> (output: T)
            T: type
            frame_name: string
            is_constant: bool = false
            parallel_iterations: int = 10",
        "RefEnter(data: Ref(T)) -> (output: Ref(T))
            T: type
            frame_name: string
            is_constant: bool = false
            parallel_iterations: int = 10",
        "Exit(data: T) -> (output: T)
            T: type",
        "RefExit(data: Ref(T)) -> (output: Ref(T))
            T: type",
        "NextIteration(data: T) -> (output: T)
            T: type",
        "RefNextIteration(data: Ref(T)) -> (output: Ref(T))
            T: type",
    ] {
        registry.add(OpSpec::new(signature)?.shape(shapes::unchanged), |_| {
            Ok(KernelBox::cheap(hand_on))
        })?;
    }
    registry.add(
        OpSpec::new(
            "RefIdentity(input: Ref(T)) -> (output: Ref(T)) @uninitialized_ok
                T: type",
        )?
        .shape(shapes::unchanged)
        .gradient(|cx| Ok(vec![cx.gradient(0)])),
        |_| Ok(KernelBox::cheap(hand_on)),
    )?;
    registry.add(
        OpSpec::new("LoopCond(input: bool) -> (output: bool)")?
            .shape(scalar_unchanged)
            .not_differentiable(),
        |_| Ok(KernelBox::cheap(hand_on)),
    )?;
    for signature in ["NoOp() -> ()", "ControlTrigger() -> ()"] {
        registry.add(OpSpec::new(signature)?.not_differentiable(), |_| {
            Ok(KernelBox::cheap(|_| Ok(())))
        })?;
    }
    Ok(())
}

fn hand_on(cx: &mut OpContext<'_>) -> Result<()> {
    let value = cx.take_value(0);
    cx.set_output_value(0, value);
    Ok(())
}

fn scalar_unchanged(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = cx.with_rank(0, 0)?;
    cx.set_output(0, shape);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn values_pass_unchanged() {
        for op in ["Enter", "Exit", "NextIteration"] {
            let test = OpTest::new(register, op).attr("frame_name", "f");
            let out = test.input(Tensor::scalar(2.5f32)).run_one().unwrap();
            assert_eq!(out.to_scalar::<f32>().unwrap(), 2.5);
        }
        assert!(OpTest::new(register, "NoOp").run().unwrap().is_empty());
    }
}
