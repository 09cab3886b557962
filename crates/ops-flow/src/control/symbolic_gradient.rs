//! SymbolicGradient: calls the gradient of a function.

use downpour_graph::OpSpec;
use downpour_runtime::{KernelBox, Registry};
use downpour_tensor::Result;

use super::call::Call;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let signature = "SymbolicGradient(input: Tin) -> (output: Tout)
        Tin: list(type) >= 1
        Tout: list(type) >= 1
        f: func";
    registry.add(OpSpec::new(signature)?, |build| {
        Ok(KernelBox::asynchronous(Call(build.callable_gradient("f")?)))
    })
}

#[cfg(test)]
mod tests {
    use super::super::invoke::tests::{Library, function, run};
    use super::*;
    use downpour_graph::Attrs;
    use downpour_tensor::{DataType, Tensor};

    #[test]
    fn the_gradient_is_called_and_its_results_checked() {
        let library = Library(vec![("gradient of f", |args| Ok(args[1..].to_vec()))], false);
        let gradient = |types: Vec<DataType>| {
            let attrs = Attrs::new().with("f", function("f")).with("Tout", types);
            let inputs = vec![Tensor::scalar(1f32), Tensor::scalar(2f32)];
            run(register, &library, "SymbolicGradient", attrs, inputs)
        };
        let out = gradient(vec![DataType::Float]).unwrap();
        assert_eq!(out[0].to_scalar::<f32>().unwrap(), 2.0);
        assert!(gradient(vec![DataType::Float; 2]).is_err());
    }
}
