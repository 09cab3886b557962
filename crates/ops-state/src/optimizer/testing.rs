//! Runs an optimizer on variables given by their values, in the reference and the resource form.

use std::sync::Arc;

use downpour_graph::PartialShape;
use downpour_runtime::testing::OpTest;
use downpour_runtime::{Registry, ResourceManager, Variable};
use downpour_tensor::{Result, Tensor};

/// Applies `op` (its name without `Resource`) to variables of these values and gives the new values.
/// The forms the registry has must agree.
pub(super) fn run(
    op: &str,
    variables: &[Tensor],
    inputs: &[Tensor],
    option: Option<(&str, bool)>,
) -> Result<Vec<Tensor>> {
    let mut registry = Registry::new();
    super::register(&mut registry)?;
    let mut results = Vec::new();
    for prefix in ["", "Resource"] {
        let name = format!("{prefix}{op}");
        if registry.has_kernel(&name) {
            results.push(run_form(&name, prefix.is_empty(), variables, inputs, option));
        }
    }
    let first = results.remove(0);
    for other in results {
        let (a, b) = (format!("{first:?}"), format!("{other:?}").replace("Resource", ""));
        assert_eq!(a, b, "{op}: the two forms differ");
    }
    first
}

fn run_form(
    op: &str,
    by_reference: bool,
    values: &[Tensor],
    inputs: &[Tensor],
    option: Option<(&str, bool)>,
) -> Result<Vec<Tensor>> {
    let resources = Arc::new(ResourceManager::new());
    let mut test = OpTest::new(super::register, op).resources(&resources);
    let mut variables = Vec::new();
    for (i, value) in values.iter().enumerate() {
        let name = format!("v{i}");
        let variable = Variable::new(&name, value.dtype(), PartialShape::unknown());
        variable.assign(value.deep_copy()?);
        let variable = resources.create("", &name, variable)?;
        test = if by_reference {
            test.reference(&variable)
        } else {
            test.input(Tensor::handle(ResourceManager::make_handle::<Variable>("", "", &name)))
        };
        variables.push(variable);
    }
    for input in inputs {
        test = test.input(input.clone());
    }
    if let Some((name, value)) = option {
        test = test.attr(name, value);
    }
    test.attr("T", values[0].dtype()).run()?;
    variables.iter().map(|variable| variable.read()).collect()
}

/// Float32 tensors and scalars.
pub(super) fn vector(values: &[f32]) -> Tensor {
    Tensor::vector(values).expect("a small vector fits into memory")
}

pub(super) fn scalar(value: f32) -> Tensor {
    Tensor::scalar(value)
}

/// Checks float32 results to 1e-6.
pub(super) fn assert_close(results: &[Tensor], expected: &[&[f32]]) {
    assert_eq!(results.len(), expected.len());
    for (result, expected) in results.iter().zip(expected) {
        let result = result.as_slice::<f32>().expect("the tests use float32");
        let close = |(a, b): (&f32, &f32)| (a - b).abs() <= 2e-6 * b.abs().max(1.0);
        assert!(
            result.len() == expected.len() && result.iter().zip(*expected).all(close),
            "{result:?} is not {expected:?}"
        );
    }
}
