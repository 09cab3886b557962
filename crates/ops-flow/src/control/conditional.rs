//! If and Case: call one of several functions.

use std::sync::Arc;

use downpour_graph::{OpSpec, ShapeContext};
use downpour_runtime::{
    AsyncContext, AsyncKernel, FunctionHandle, KernelBox, KernelBuild, Registry,
};
use downpour_tensor::{Result, Status};

use super::invoke::{call_and_finish, take_args};
use super::to_bool::is_true;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "If(cond: Tcond, input: Tin) -> (output: Tout) @stateful
            Tcond: type
            Tin: list(type) >= 0
            Tout: list(type) >= 0
            then_branch: func
            else_branch: func
            output_shapes: list(shape) = []",
        "StatelessIf(cond: Tcond, input: Tin) -> (output: Tout)
            Tcond: type
            Tin: list(type) >= 0
            Tout: list(type) >= 0
            then_branch: func
            else_branch: func
            output_shapes: list(shape) = []",
        "_If(cond: Tcond, input: Tin) -> (output: Tout) @stateful
            Tcond: type
            Tin: list(type) >= 1
            Tout: list(type) >= 1
            then_branch: func
            else_branch: func",
    ] {
        registry.add(OpSpec::new(signature)?.shape(declared_shapes), make_if)?;
    }
    for signature in [
        "Case(branch_index: int32, input: Tin) -> (output: Tout) @stateful
            Tin: list(type) >= 0
            Tout: list(type) >= 0
            branches: list(func) >= 1
            output_shapes: list(shape) = []",
        "StatelessCase(branch_index: int32, input: Tin) -> (output: Tout)
            Tin: list(type) >= 0
            Tout: list(type) >= 0
            branches: list(func) >= 1
            output_shapes: list(shape) = []",
    ] {
        registry.add(OpSpec::new(signature)?.shape(declared_shapes), make_case)?;
    }
    Ok(())
}

/// The attribute `output_shapes`, where it is given.
pub(crate) fn declared_shapes(cx: &mut ShapeContext<'_>) -> Result<()> {
    if let Ok(shapes) = cx.node().shapes("output_shapes")
        && shapes.len() == cx.outputs_len()
    {
        shapes.into_iter().enumerate().for_each(|(i, shape)| cx.set_output(i, shape));
    }
    Ok(())
}

struct If {
    then_branch: Arc<FunctionHandle>,
    else_branch: Arc<FunctionHandle>,
}

fn make_if(build: &KernelBuild<'_>) -> Result<KernelBox> {
    Ok(KernelBox::asynchronous(If {
        then_branch: build.callable("then_branch")?,
        else_branch: build.callable("else_branch")?,
    }))
}

impl AsyncKernel for If {
    fn start(&self, mut cx: AsyncContext) {
        let branch = match is_true(cx.input(0)) {
            Ok(true) => &self.then_branch,
            Ok(false) => &self.else_branch,
            Err(error) => return cx.finish(Err(error)),
        };
        match take_args(&mut cx, 1) {
            Ok(args) => call_and_finish(branch, args, cx),
            Err(error) => cx.finish(Err(error)),
        }
    }
}

struct Case(Vec<Arc<FunctionHandle>>);

fn make_case(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let branches = build.callables("branches")?;
    if branches.is_empty() {
        return Err(Status::invalid_argument("Case needs at least one branch"));
    }
    Ok(KernelBox::asynchronous(Case(branches)))
}

impl AsyncKernel for Case {
    fn start(&self, mut cx: AsyncContext) {
        let index = cx.input(0);
        if index.rank() != 0 {
            let shape = index.shape().clone();
            return cx.finish(Err(Status::invalid_argument(format!(
                "branch_index must be scalar, got shape {shape}"
            ))));
        }
        let last = self.0.len() - 1;
        let chosen = index
            .to_scalar::<i32>()
            .map(|index| usize::try_from(index).map_or(last, |i| i.min(last)));
        match chosen.and_then(|chosen| Ok((chosen, take_args(&mut cx, 1)?))) {
            Ok((chosen, args)) => call_and_finish(&self.0[chosen], args, cx),
            Err(error) => cx.finish(Err(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::invoke::tests::{Library, function, run};
    use super::*;
    use downpour_graph::Attrs;
    use downpour_tensor::{DataType, Tensor};

    fn library() -> Library {
        Library(
            vec![
                ("double", |args| Ok(vec![Tensor::scalar(args[0].to_scalar::<i32>()? * 2)])),
                ("negate", |args| Ok(vec![Tensor::scalar(-args[0].to_scalar::<i32>()?)])),
            ],
            true,
        )
    }

    #[test]
    fn the_condition_chooses() {
        for (cond, expected) in [(1i32, 10), (0, -5)] {
            let attrs = Attrs::new()
                .with("then_branch", function("double"))
                .with("else_branch", function("negate"))
                .with("Tout", vec![DataType::Int32]);
            let inputs = vec![Tensor::scalar(cond), Tensor::scalar(5i32)];
            let out = run(register, &library(), "If", attrs, inputs).unwrap();
            assert_eq!(out[0].to_scalar::<i32>().unwrap(), expected);
        }
    }

    #[test]
    fn an_index_out_of_range_takes_the_last_branch() {
        for (index, expected) in [(0i32, 10), (1, -5), (9, -5), (-1, -5)] {
            let attrs = Attrs::new()
                .with("branches", vec![function("double"), function("negate")])
                .with("Tout", vec![DataType::Int32]);
            let inputs = vec![Tensor::scalar(index), Tensor::scalar(5i32)];
            let out = run(register, &library(), "StatelessCase", attrs, inputs).unwrap();
            assert_eq!(out[0].to_scalar::<i32>().unwrap(), expected);
        }
    }
}
