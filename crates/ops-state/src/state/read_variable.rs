//! ReadVariableOp, _ReadVariablesOp: the value of a variable now. DisableCopyOnRead changes nothing
//! here, since reading never copies.

use downpour_graph::{Gradient, GradientContext, OpSpec, ShapeContext, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::handles::variable_shape;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ReadVariableOp(resource: resource) -> (value: dtype) @stateful
                dtype: type",
        )?
        .shape(shape)
        .gradient(gradient),
        |_| Ok(KernelBox::cheap(compute)),
    )?;
    registry.add(
        OpSpec::new(
            "_ReadVariablesOp(resources: N * resource) -> (values: dtypes) @stateful
                N: int >= 0
                dtypes: list(type) >= 1",
        )?
        .shape(shape),
        |build| {
            if build.input_types.len() != build.output_types.len() {
                return Err(Status::invalid_argument(format!(
                    "Mismatched number of arguments to ReadVariablesOp ({} vs. {})",
                    build.input_types.len(),
                    build.output_types.len()
                )));
            }
            Ok(KernelBox::cheap(compute))
        },
    )?;
    registry.add(
        OpSpec::new("DisableCopyOnRead(resource: resource) -> () @stateful")?
            .shape(shapes::unknown),
        |_| Ok(KernelBox::cheap(|cx| cx.variable(0).map(drop))),
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    if let Ok(annotated) = cx.node().shape("_shape") {
        cx.set_output(0, annotated);
        return Ok(());
    }
    for i in 0..cx.inputs().len() {
        cx.set_output(i, variable_shape(cx, i));
    }
    Ok(())
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    for i in 0..cx.inputs_len() {
        let variable = cx.variable(i)?;
        let value = variable.read()?;
        let wanted = cx.node().output_dtype(i);
        if value.dtype() != wanted {
            return Err(Status::invalid_argument(format!(
                "Trying to read variable with wrong dtype. Expected {wanted} got {} in variable {}",
                value.dtype(),
                variable.name()
            )));
        }
        cx.set_output(i, value);
    }
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    Ok(vec![cx.gradient(0)])
}

#[cfg(test)]
mod tests {
    use super::super::handles::testing::{dangling, stored};
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Code, DataType, Tensor};

    #[test]
    fn reading_shares_the_value() {
        let value = Tensor::from_vec([100], vec![1.0f32; 100]).unwrap();
        let place = value.as_slice::<f32>().unwrap().as_ptr();
        let (resources, variable, handle) = stored(value);
        let read = OpTest::new(register, "ReadVariableOp")
            .resources(&resources)
            .input(handle)
            .attr("dtype", DataType::Float)
            .run_one()
            .unwrap();
        assert_eq!(read.as_slice::<f32>().unwrap().as_ptr(), place);
        variable.assign(Tensor::zeros(DataType::Float, [100]).unwrap());
        assert_eq!(read.as_slice::<f32>().unwrap()[0], 1.0, "a read value stays");
    }

    #[test]
    fn missing_and_mistyped_variables_are_told_apart() {
        let read = |handle, resources: Option<_>, dtype| {
            let mut test =
                OpTest::new(register, "ReadVariableOp").input(handle).attr("dtype", dtype);
            if let Some(resources) = &resources {
                test = test.resources(resources);
            }
            test.run_one().unwrap_err()
        };
        let missing = read(dangling(), None, DataType::Float);
        assert_eq!(missing.code(), Code::FailedPrecondition);
        assert!(missing.message().contains("uninitialized"));
        let (resources, _, handle) = stored(Tensor::scalar(1i32));
        let wrong = read(handle, Some(resources), DataType::Float);
        assert_eq!(wrong.code(), Code::InvalidArgument);
        assert!(wrong.message().contains("wrong dtype. Expected float got int32"));
    }

    #[test]
    fn several_at_once() {
        let (resources, _, handle) = stored(Tensor::scalar(7i32));
        let values = OpTest::new(register, "_ReadVariablesOp")
            .resources(&resources)
            .input(handle.clone())
            .input(handle)
            .attr("dtypes", vec![DataType::Int32, DataType::Int32])
            .run()
            .unwrap();
        assert_eq!(values[1].to_scalar::<i32>().unwrap(), 7);
    }
}
