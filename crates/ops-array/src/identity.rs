//! Identity and its relatives: hand their inputs on.

use downpour_graph::differentiate::is_trainable;
use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry, Value};
use downpour_tensor::{DataType, Result, Status, Tensor};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let one = |signature: &str| -> Result<OpSpec> {
        Ok(OpSpec::new(signature)?.shape(shapes::unchanged).gradient(pass_gradient))
    };
    let pass = |_: &KernelBuild<'_>| Ok(KernelBox::cheap(pass_all));
    registry.add(one("Identity(input: T) -> (output: T)\n T: type")?, pass)?;
    registry.add(one("Snapshot(input: T) -> (output: T)\n T: type")?, pass)?;
    registry
        .add(one("StopGradient(input: T) -> (output: T)\n T: type")?.not_differentiable(), pass)?;
    registry.add(
        one("PreventGradient(input: T) -> (output: T)\n T: type\n message: string = ''")?
            .gradient(prevented),
        pass,
    )?;
    let copy = "(input: T) -> (output: T) @uninitialized_ok
        T: type
        tensor_name: string = ''
        debug_ops_spec: list(string) = []";
    registry.add(one(&format!("Copy{copy}"))?, pass)?;
    registry.add(one(&format!("CopyHost{copy}"))?, pass)?;
    registry.add(
        one("GuaranteeConst(input: T) -> (output: T) @stateful\n T: type")?.not_differentiable(),
        |build| {
            if build.dtype("T")? == DataType::Resource {
                return Err(Status::invalid_argument(
                    "Input tensor cannot be a resource variable handle.",
                ));
            }
            Ok(KernelBox::cheap(pass_all))
        },
    )?;
    registry.add(
        OpSpec::new("DeepCopy(x: T) -> (y: T) @stateful\n T: type")?.shape(shapes::unchanged),
        |_| Ok(KernelBox::function(deep_copy)),
    )?;
    registry.add(
        OpSpec::new("IdentityN(input: T) -> (output: T)\n T: list(type) >= 1")?
            .shape(each_unchanged)
            .gradient(pass_gradient),
        pass,
    )?;
    registry.add(
        OpSpec::new(
            "_ListToArray(input: Tin) -> (output: N * T)
                Tin: list(type) >= 1
                T: type
                N: int >= 1",
        )?
        .shape(each_unchanged)
        .gradient(pass_gradient),
        array_or_list,
    )?;
    registry.add(
        OpSpec::new(
            "_ArrayToList(input: N * T) -> (output: out_types)
                T: type
                N: int >= 1
                out_types: list(type) >= 1",
        )?
        .shape(each_unchanged)
        .gradient(pass_gradient),
        array_or_list,
    )
}

/// Takes input `i`; a reference to a variable gives the variable's value now.
pub(crate) fn take_tensor(cx: &mut OpContext<'_>, i: usize) -> Result<Tensor> {
    match cx.take_value(i) {
        Value::Tensor(tensor) => Ok(tensor),
        Value::Ref(variable) => variable.read(),
        Value::None | Value::Dead => {
            Err(Status::internal(format!("{}: input {i} has no value", cx.node().op_name())))
        }
    }
}

fn pass_all(cx: &mut OpContext<'_>) -> Result<()> {
    for i in 0..cx.inputs_len() {
        let input = take_tensor(cx, i)?;
        cx.set_output(i, input);
    }
    Ok(())
}

fn array_or_list(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let types = |edges: &[downpour_graph::EdgeType]| -> Vec<DataType> {
        edges.iter().map(|e| e.dtype).collect()
    };
    let (inputs, outputs) = (types(&build.input_types), types(&build.output_types));
    if inputs != outputs {
        return Err(Status::invalid_argument(format!(
            "{}: inputs of types {inputs:?} cannot be outputs of types {outputs:?}",
            build.op_name()
        )));
    }
    struct Pass;
    impl Kernel for Pass {
        fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
            pass_all(cx)
        }
        fn expensive(&self) -> bool {
            false
        }
    }
    Ok(KernelBox::new(Pass))
}

fn deep_copy(cx: &mut OpContext<'_>) -> Result<()> {
    let copy = take_tensor(cx, 0)?.deep_copy()?;
    cx.set_output(0, copy);
    Ok(())
}

fn each_unchanged(cx: &mut ShapeContext<'_>) -> Result<()> {
    for i in 0..cx.outputs_len() {
        let shape = cx.inputs().get(i).cloned().unwrap_or_else(PartialShape::unknown);
        cx.set_output(i, shape);
    }
    Ok(())
}

fn pass_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let mut grads = Vec::with_capacity(cx.inputs_len());
    for i in 0..cx.inputs_len() {
        let trains = is_trainable(cx.node().input_dtype(i));
        // Rows stay rows, so that a table behind an Identity is not made whole for a few of them.
        grads.push(match cx.gradient(i) {
            Gradient::None if trains => Gradient::Dense(cx.grad(i)?),
            gradient => gradient,
        });
    }
    Ok(grads)
}

fn prevented(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    Err(Status::failed_precondition(format!(
        "Gradient explicitly disabled. Reason: {}",
        cx.node().string("message")?
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use downpour_runtime::Variable;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Code, ResourceHandle};

    #[test]
    fn the_value_passes_unchanged() {
        let x = Tensor::vector(&[1.0f32, 2.0]).unwrap();
        let y = OpTest::new(register, "Identity").input(x).run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[1.0, 2.0]);
    }

    #[test]
    fn several_values_of_several_types_pass() {
        let test = OpTest::new(register, "IdentityN")
            .input(Tensor::scalar(1i32))
            .input(Tensor::string("a"))
            .run()
            .unwrap();
        assert_eq!(test[0].to_scalar::<i32>().unwrap(), 1);
        assert_eq!(test[1].strings().unwrap()[0], "a");
    }

    #[test]
    fn a_reference_gives_the_variables_value() {
        let variable = Arc::new(Variable::new("v", DataType::Float, PartialShape::unknown()));
        let run = || OpTest::new(register, "Identity").reference(&variable).run_one();
        assert_eq!(run().unwrap_err().code(), Code::FailedPrecondition);
        variable.assign(Tensor::scalar(3f32));
        assert_eq!(run().unwrap().to_scalar::<f32>().unwrap(), 3.0);
    }

    #[test]
    fn a_deep_copy_shares_nothing() {
        let x = Tensor::vector(&[1u8; 100]).unwrap();
        let y = OpTest::new(register, "DeepCopy").input(x.clone()).run_one().unwrap();
        assert_ne!(x.bytes().unwrap().as_ptr(), y.bytes().unwrap().as_ptr());
    }

    #[test]
    fn guaranteed_constants_are_no_handles() {
        let handle = Tensor::handle(ResourceHandle::default());
        let status = OpTest::new(register, "GuaranteeConst").input(handle).run().unwrap_err();
        assert!(status.message().contains("cannot be a resource variable"));
    }

    #[test]
    fn lists_and_arrays_must_agree() {
        let test = OpTest::new(register, "_ListToArray")
            .attr("T", DataType::Int32)
            .attr("N", 2i64)
            .input(Tensor::scalar(1i32))
            .input(Tensor::scalar(2f32));
        assert_eq!(test.run().unwrap_err().code(), Code::InvalidArgument);
    }
}
