//! WrapDatasetVariant and UnwrapDatasetVariant: a dataset inside a variant of another kind.
//!
//! Clients wrap datasets that functions take or give, so that nothing looks at them on the way.

use std::any::Any;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor, Variant, VariantValue};

use crate::dataset;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("WrapDatasetVariant(input_handle: variant) -> (output_handle: variant)")?
            .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(wrap)),
    )?;
    registry.add(
        OpSpec::new("UnwrapDatasetVariant(input_handle: variant) -> (output_handle: variant)")?
            .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(unwrap)),
    )
}

#[derive(Clone, Debug)]
struct Wrapped(Tensor);

impl VariantValue for Wrapped {
    fn type_name(&self) -> &str {
        "tensorflow::WrappedDatasetVariantWrapper"
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn inner_depth(&self) -> usize {
        self.0.variant_depth()
    }
}

fn wrap(cx: &mut OpContext<'_>) -> Result<()> {
    dataset::input(cx, 0)?;
    let wrapped = Wrapped(cx.input(0).clone());
    cx.set_output(0, Variant::new(wrapped)?.into_tensor());
    Ok(())
}

fn unwrap(cx: &mut OpContext<'_>) -> Result<()> {
    let wrapped = cx.input(0);
    if wrapped.rank() != 0 {
        return Err(Status::invalid_argument(
            "Dataset tensor must be a scalar of dtype DT_VARIANT.",
        ));
    }
    let Some(Wrapped(dataset)) = wrapped.variants()?.first().and_then(Variant::get).cloned() else {
        return Err(Status::invalid_argument("Tensor must be a WrappedDataset variant object."));
    };
    cx.set_output(0, dataset);
    Ok(())
}

#[cfg(test)]
mod tests {
    use downpour_data::Dataset;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::DataType;

    use super::*;
    use crate::component::Signature;
    use crate::dataset::GraphDataset;

    fn run(op: &str, input: Tensor) -> Result<Tensor> {
        OpTest::new(register, op).input(input).run_one()
    }

    #[test]
    fn a_wrapped_dataset_comes_out_again() {
        let signature = Signature::scalar(DataType::Int64);
        let made = GraphDataset::with_signature(signature, Dataset::range(3), &[]).unwrap();
        let dataset = made.into_tensor().unwrap();
        let wrapped = run("WrapDatasetVariant", dataset.clone()).unwrap();
        assert!(dataset::from_tensor(&wrapped).is_err());
        let unwrapped = run("UnwrapDatasetVariant", wrapped).unwrap();
        assert!(dataset::from_tensor(&unwrapped).is_ok());
        assert!(run("UnwrapDatasetVariant", dataset).is_err());
        assert!(run("WrapDatasetVariant", Variant::empty().into_tensor()).is_err());
    }
}
