//! Optionals: a tuple of tensors or nothing, in a variant. Gradients of branches carry what the
//! other branch did not compute in them.

use downpour_graph::{
    Attrs, Endpoint, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext, shapes,
};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Optional, Result, Status, Tensor, Variant};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "OptionalFromValue(components: Toutput_types) -> (optional: variant)
                Toutput_types: list(type) >= 1",
        )?
        .shape(shapes::scalar)
        .gradient(from_gradient),
        |_| Ok(KernelBox::cheap(from_value)),
    )?;
    registry
        .add(OpSpec::new("OptionalNone() -> (optional: variant)")?.shape(shapes::scalar), |_| {
            Ok(KernelBox::cheap(none))
        })?;
    registry.add(
        OpSpec::new("OptionalHasValue(optional: variant) -> (has_value: bool)")?
            .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(has_value)),
    )?;
    registry.add(
        OpSpec::new(
            "OptionalGetValue(optional: variant) -> (components: output_types)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1",
        )?
        .shape(get_shape)
        .gradient(get_gradient),
        |_| Ok(KernelBox::cheap(get_value)),
    )
}

fn from_value(cx: &mut OpContext<'_>) -> Result<()> {
    let values = (0..cx.inputs_len()).map(|i| cx.take(i)).collect();
    cx.set_output(0, Variant::new(Optional(Some(values)))?.into_tensor());
    Ok(())
}

fn none(cx: &mut OpContext<'_>) -> Result<()> {
    cx.set_output(0, Variant::new(Optional(None))?.into_tensor());
    Ok(())
}

fn optional<'c>(cx: &'c OpContext<'_>) -> Result<&'c Optional> {
    let wrong = || {
        Status::invalid_argument(
            "Input to OptionalHasValue or OptionalGetValue must be a scalar tensor containing an \
             OptionalVariant object.",
        )
    };
    let [variant] = cx.input(0).variants()? else { return Err(wrong()) };
    variant.get().ok_or_else(wrong)
}

fn has_value(cx: &mut OpContext<'_>) -> Result<()> {
    let has = optional(cx)?.0.is_some();
    cx.set_output(0, Tensor::scalar(has));
    Ok(())
}

fn get_value(cx: &mut OpContext<'_>) -> Result<()> {
    let Some(values) = optional(cx)?.0.clone() else {
        return Err(Status::invalid_argument("The given optional does not have a value."));
    };
    let outputs = &cx.node().output_types;
    let shapes = cx.node().shapes("output_shapes")?;
    if values.len() != outputs.len() {
        return Err(Status::invalid_argument(format!(
            "The given optional has {} components, expected {}.",
            values.len(),
            outputs.len()
        )));
    }
    for (i, value) in values.into_iter().enumerate() {
        if value.dtype() != outputs[i].dtype {
            return Err(Status::invalid_argument(format!(
                "The given optional does not match the expected type for component {i}. \
                 Expected: {}. Actual: {}.",
                outputs[i].dtype,
                value.dtype()
            )));
        }
        if shapes.get(i).is_some_and(|shape| !shape.allows(value.dims())) {
            return Err(Status::invalid_argument(format!(
                "The given optional does not match the expected shape for component {i}. \
                 Expected: {}. Actual: {}.",
                shapes[i],
                value.shape()
            )));
        }
        cx.set_output(i, value);
    }
    Ok(())
}

fn get_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shapes = cx.node().shapes("output_shapes")?;
    shapes.into_iter().enumerate().for_each(|(i, shape)| cx.set_output(i, shape));
    Ok(())
}

fn from_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let count = cx.inputs_len();
    let shapes: Vec<PartialShape> = (0..count).map(|i| cx.static_shape(cx.input(i))).collect();
    let types: Vec<DataType> = (0..count).map(|i| cx.dtype(cx.input(i))).collect();
    let attrs = Attrs::new().with("output_types", types).with("output_shapes", shapes);
    let node = cx.node_with("OptionalGetValue", &[grad], attrs)?;
    Ok((0..count).map(|i| Gradient::Dense(Endpoint { node, port: i as u32 })).collect())
}

fn get_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let count = cx.node().output_types.len();
    let grads = (0..count).map(|i| cx.grad(i)).collect::<Result<Vec<_>>>()?;
    Ok(vec![Gradient::Dense(cx.op("OptionalFromValue", &grads)?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_graph::PartialShape;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::DataType;

    #[test]
    fn values_come_back_and_their_absence_is_told() {
        let some = OpTest::new(register, "OptionalFromValue")
            .input(Tensor::scalar(5i32))
            .run_one()
            .unwrap();
        let none = OpTest::new(register, "OptionalNone").run_one().unwrap();
        let get = |optional: &Tensor| {
            OpTest::new(register, "OptionalGetValue")
                .attr("output_types", vec![DataType::Int32])
                .attr("output_shapes", vec![PartialShape::scalar()])
                .input(optional.clone())
                .run_one()
        };
        assert_eq!(get(&some).unwrap().to_scalar::<i32>().unwrap(), 5);
        assert!(get(&none).unwrap_err().message().contains("does not have a value"));
        let has = OpTest::new(register, "OptionalHasValue").input(none).run_one().unwrap();
        assert!(!has.to_scalar::<bool>().unwrap());
    }
}
