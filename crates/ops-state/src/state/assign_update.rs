//! AssignAdd, AssignSub and their forms for resources: element-wise change of a variable.

use downpour_graph::{OpSpec, ShapeFn, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::assign::resource_shape;
use super::element_update::{Update, update_all};
use super::handles::{forward_reference, typed_variable};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let by_reference = |op: &str| {
        format!(
            "{op}(ref: Ref(T), value: T) -> (output_ref: Ref(T))
                T: {{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}}
                use_locking: bool = false"
        )
    };
    let by_handle = |op: &str| {
        format!(
            "{op}(resource: resource, value: dtype) -> () @stateful
                dtype: type"
        )
    };
    let spec = |signature: String, shape: ShapeFn| {
        Ok::<_, Status>(OpSpec::new(&signature)?.shape(shape).not_differentiable())
    };
    registry.add(spec(by_reference("AssignAdd"), shapes::all_equal)?, |_| Ok(ADD()))?;
    registry.add(spec(by_reference("AssignSub"), shapes::all_equal)?, |_| Ok(SUBTRACT()))?;
    registry.add(spec(by_handle("AssignAddVariableOp"), resource_shape)?, |_| Ok(ADD()))?;
    registry.add(spec(by_handle("AssignSubVariableOp"), resource_shape)?, |_| Ok(SUBTRACT()))
}

const ADD: fn() -> KernelBox = || KernelBox::function(|cx| compute(cx, Update::Add));
const SUBTRACT: fn() -> KernelBox = || KernelBox::function(|cx| compute(cx, Update::Sub));

fn compute(cx: &mut OpContext<'_>, update: Update) -> Result<()> {
    let variable = typed_variable(cx, 0, cx.node().input_dtype(1))?;
    let value = cx.input(1);
    variable.update(|current| {
        if current.shape() != value.shape() {
            return Err(Status::invalid_argument(format!(
                "{}: Cannot update variable with shape {} using a Tensor with shape {}, shapes must \
                 be equal.",
                cx.node().op_name(),
                current.shape(),
                value.shape()
            )));
        }
        update_all(update, current, value, &cx.parallel().uninterrupted(), cx.node().op_name())
    })?;
    forward_reference(cx, variable);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::handles::testing::{dangling, stored};
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Code, Tensor};

    #[test]
    fn adding_and_subtracting_by_reference() {
        let (_, variable, _) = stored(Tensor::vector(&[1i32, i32::MAX]).unwrap());
        let update = |op| {
            let value = Tensor::vector(&[2i32, 1]).unwrap();
            OpTest::new(register, op).reference(&variable).input(value).run_one().unwrap()
        };
        assert_eq!(update("AssignAdd").as_slice::<i32>().unwrap(), &[3, i32::MIN]);
        assert_eq!(update("AssignSub").as_slice::<i32>().unwrap(), &[1, i32::MAX]);
    }

    #[test]
    fn large_resources_and_snapshots() {
        let (resources, variable, handle) = stored(Tensor::vector(&vec![1f32; 70_000]).unwrap());
        let before = variable.read().unwrap();
        OpTest::new(register, "AssignAddVariableOp")
            .resources(&resources)
            .input(handle)
            .input(Tensor::vector(&vec![2f32; 70_000]).unwrap())
            .run()
            .unwrap();
        assert!(variable.read().unwrap().as_slice::<f32>().unwrap().iter().all(|&v| v == 3.0));
        assert_eq!(before.as_slice::<f32>().unwrap()[69_999], 1.0);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let (resources, _, handle) = stored(Tensor::vector(&[1f32]).unwrap());
        let update = |handle: Tensor, value: Tensor| {
            let test = OpTest::new(register, "AssignSubVariableOp").resources(&resources);
            test.input(handle).input(value).run().unwrap_err()
        };
        let shape = update(handle.clone(), Tensor::scalar(1f32));
        assert!(shape.message().contains("shapes must be equal"));
        let dtype = update(handle, Tensor::vector(&[1i32]).unwrap());
        assert_eq!(dtype.code(), Code::InvalidArgument);
        assert_eq!(update(dangling(), Tensor::scalar(1f32)).code(), Code::FailedPrecondition);
        let (resources, _, handle) = stored(Tensor::string("x"));
        let text = OpTest::new(register, "AssignAddVariableOp").resources(&resources);
        let text = text.input(handle).input(Tensor::string("y")).run().unwrap_err();
        assert_eq!(text.code(), Code::Unimplemented);
    }
}
