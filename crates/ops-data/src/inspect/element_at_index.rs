//! GetElementAtIndex: one element of a dataset by its number, without those before it.

use downpour_graph::OpSpec;
use downpour_runtime::{AsyncContext, AsyncKernel, KernelBox, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::waiting::Waiting;
use crate::component::Signature;
use crate::dataset;
use crate::iterator::element_shapes;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "GetElementAtIndex(dataset: variant, index: int64) -> (components: output_types)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1",
        )?
        .shape(element_shapes)
        .not_differentiable(),
        |build| Ok(KernelBox::asynchronous(ElementAtIndex(Signature::of(build)?))),
    )
}

struct ElementAtIndex(Signature);

impl AsyncKernel for ElementAtIndex {
    fn start(&self, cx: AsyncContext) {
        let signature = self.0.clone();
        Waiting::start(cx, move |cx| element(cx, &signature));
    }
}

fn element(cx: &AsyncContext, signature: &Signature) -> Result<Vec<Tensor>> {
    let index = cx.input(1);
    if index.rank() != 0 {
        return Err(Status::invalid_argument("index must be a scalar"));
    }
    let mut lookup = dataset::from_tensor(cx.input(0))?.pipeline.lookup()?;
    let cancel = lookup.canceller();
    let _guard = cx.step().cancellation().on_cancel(move || cancel.cancel());
    let element = lookup.element(index.to_i64_scalar()?)?.into_tensors();
    signature.check_element(&element)?;
    Ok(element)
}
