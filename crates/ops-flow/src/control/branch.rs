//! Switch and Merge: where the executor's branches part and meet.

use downpour_graph::{
    Attrs, Endpoint, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext, shapes,
};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Switch(data: T, pred: bool) -> (output_false: T, output_true: T)
                T: type",
        )?
        .shape(shapes::unchanged)
        .gradient(switch_gradient),
        |_| Ok(KernelBox::cheap(switch)),
    )?;
    registry.add(
        OpSpec::new(
            "RefSwitch(data: Ref(T), pred: bool) -> (output_false: Ref(T), output_true: Ref(T)) \
             @uninitialized_ok
                T: type",
        )?
        .shape(shapes::unchanged)
        .gradient(switch_gradient),
        |_| Ok(KernelBox::cheap(switch)),
    )?;
    registry.add(
        OpSpec::new(
            "_SwitchN(data: T, output_index: int32) -> (outputs: num_outs * T)
                num_outs: int >= 1
                T: type",
        )?
        .shape(shapes::unchanged),
        |_| Ok(KernelBox::cheap(switch_n)),
    )?;
    registry.add(
        OpSpec::new(
            "Merge(inputs: N * T) -> (output: T, value_index: int32)
                T: type
                N: int >= 1",
        )?
        .shape(merge_shape)
        .gradient(merge_gradient),
        |_| Ok(KernelBox::cheap(merge)),
    )?;
    registry.add(
        OpSpec::new(
            "RefMerge(inputs: Ref(N * T)) -> (output: Ref(T), value_index: int32)
                T: type
                N: int >= 1",
        )?
        .shape(merge_shape)
        .gradient(merge_gradient),
        |_| Ok(KernelBox::cheap(merge)),
    )?;
    registry.add(
        OpSpec::new(
            "RefSelect(index: int32, inputs: Ref(N * T)) -> (output: Ref(T))
                T: type
                N: int >= 1",
        )?,
        |_| Ok(KernelBox::cheap(ref_select)),
    )
}

fn second_scalar<'c>(cx: &'c OpContext<'_>) -> Result<&'c Tensor> {
    let tensor = cx.input(1);
    if tensor.rank() == 0 {
        return Ok(tensor);
    }
    Err(Status::invalid_argument(format!(
        "The second input must be a scalar, but it has shape {}",
        tensor.shape()
    )))
}

fn switch(cx: &mut OpContext<'_>) -> Result<()> {
    let taken = second_scalar(cx)?.to_scalar::<bool>()? as usize;
    let value = cx.take_value(0);
    cx.set_output_value(taken, value);
    Ok(())
}

fn switch_n(cx: &mut OpContext<'_>) -> Result<()> {
    let index = second_scalar(cx)?.to_scalar::<i32>()?;
    let last = cx.node().output_types.len() - 1;
    let taken = usize::try_from(index).map_or(last, |i| i.min(last));
    let value = cx.take_value(0);
    cx.set_output_value(taken, value);
    Ok(())
}

fn merge(cx: &mut OpContext<'_>) -> Result<()> {
    let mut present = cx.input_values().iter().enumerate().filter(|(_, v)| v.is_present());
    let (Some((index, _)), None) = (present.next(), present.next()) else {
        return Err(Status::internal("Merge needs exactly one valid input"));
    };
    let value = cx.take_value(index);
    cx.set_output_value(0, value);
    cx.set_output(1, Tensor::scalar(index as i32));
    Ok(())
}

fn merge_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let mut shapes = cx.inputs().iter();
    let first = shapes.next().cloned().unwrap_or_default();
    cx.set_output(0, shapes.fold(first, |all, shape| all.relax(shape)));
    cx.set_output(1, PartialShape::scalar());
    Ok(())
}

/// Whichever side was taken has a gradient; the other side's is dead, like its value.
fn switch_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let pred = cx.input(1);
    let mut sides = Vec::with_capacity(2);
    for side in 0..2 {
        // Guarded again, as a rule may have made its gradient from constants, which are never dead.
        let grad = match cx.has_grad(side) || cx.node().input_dtype(0) != DataType::Resource {
            true => cx.grad(side)?,
            false => variable_zeros(cx, side)?,
        };
        let guard = cx.node_with("Switch", &[grad, pred], Attrs::new())?;
        sides.push(Endpoint { node: guard, port: side as u32 });
    }
    let merged = cx.node_with("Merge", &sides, Attrs::new())?;
    Ok(vec![Gradient::Dense(merged.into()), Gradient::None])
}

/// Zeros for the variable behind a handle, in the type of the other side's gradient.
fn variable_zeros(cx: &mut GradientContext<'_, '_>, side: usize) -> Result<Endpoint> {
    let other = cx.grad(1 - side)?;
    let handle = cx.output(side as u32);
    let shape = cx.op("VariableShape", &[handle])?;
    let zero = cx.number(0.0, other)?;
    cx.op("Fill", &[shape, zero])
}

/// The gradient goes to the input that was taken and is dead for the others.
fn merge_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (grad, taken) = (cx.grad(0)?, cx.output(1));
    let mut grads = Vec::with_capacity(cx.inputs_len());
    for input in 0..cx.inputs_len() {
        let number = cx.scalar(input as i32)?;
        let here = cx.op("Equal", &[taken, number])?;
        let switch = cx.node_with("Switch", &[grad, here], Attrs::new())?;
        grads.push(Gradient::Dense(Endpoint { node: switch, port: 1 }));
    }
    Ok(grads)
}

fn ref_select(cx: &mut OpContext<'_>) -> Result<()> {
    let index = cx.input(0);
    if index.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "Index must be a scalar, but it has shape {}",
            index.shape()
        )));
    }
    let index = index.to_scalar::<i32>()?;
    let count = cx.inputs_len() - 1;
    let Some(chosen) = usize::try_from(index).ok().filter(|i| *i < count) else {
        return Err(Status::invalid_argument(format!(
            "Index must be in the range [0, {count}) but got {index}"
        )));
    };
    let value = cx.take_value(chosen + 1);
    cx.set_output_value(0, value);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn exactly_one_branch_lives() {
        for pred in [false, true] {
            let out = OpTest::new(register, "Switch")
                .input(Tensor::scalar(5i32))
                .input(Tensor::scalar(pred))
                .run_values()
                .unwrap();
            assert_eq!(out[0].is_present(), !pred);
            assert_eq!(out[1].is_present(), pred);
        }
        let vector = Tensor::vector(&[true]).unwrap();
        let wrong = OpTest::new(register, "Switch").input(Tensor::scalar(5i32)).input(vector);
        assert!(wrong.run_values().is_err());
    }

    #[test]
    fn an_index_out_of_range_takes_the_last_output() {
        for (index, taken) in [(0, 0), (1, 1), (7, 2), (-1, 2)] {
            let out = OpTest::new(register, "_SwitchN")
                .attr("num_outs", 3i64)
                .input(Tensor::scalar(5i32))
                .input(Tensor::scalar(index))
                .run_values()
                .unwrap();
            let alive: Vec<usize> = (0..3).filter(|&i| out[i].is_present()).collect();
            assert_eq!(alive, [taken]);
        }
    }

    #[test]
    fn merge_tells_which_input_came() {
        let one = OpTest::new(register, "Merge").input(Tensor::scalar(3i32)).run().unwrap();
        assert_eq!(one[1].to_scalar::<i32>().unwrap(), 0);
        let two = OpTest::new(register, "Merge")
            .input(Tensor::scalar(3i32))
            .input(Tensor::scalar(4i32))
            .run();
        assert!(two.is_err(), "two live inputs are the executor's mistake");
    }
}
