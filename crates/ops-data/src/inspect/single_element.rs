//! DatasetToSingleElement: the one element of a dataset.
//!
//! A step that is cancelled cancels the pipeline, whose error then ends the kernel.

use downpour_data::DatasetIterator;
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
            "DatasetToSingleElement(dataset: variant) -> (components: output_types) @stateful
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''",
        )?
        .shape(element_shapes),
        |build| Ok(KernelBox::asynchronous(SingleElement(Signature::of(build)?))),
    )
}

struct SingleElement(Signature);

impl AsyncKernel for SingleElement {
    fn start(&self, cx: AsyncContext) {
        let signature = self.0.clone();
        Waiting::start(cx, move |cx| single(cx, &signature));
    }
}

fn single(cx: &AsyncContext, signature: &Signature) -> Result<Vec<Tensor>> {
    let mut iterator = dataset::from_tensor(cx.input(0))?.pipeline.iterate()?;
    let cancel = iterator.canceller();
    let _guard = cx.step().cancellation().on_cancel(move || cancel.cancel());
    let first = one(&mut iterator)?;
    let element = first.ok_or_else(|| Status::invalid_argument("Dataset was empty."))?;
    if one(&mut iterator)?.is_some() {
        return Err(Status::invalid_argument("Dataset had more than one element."));
    }
    signature.check_element(&element)?;
    Ok(element)
}

fn one(iterator: &mut DatasetIterator) -> Result<Option<Vec<Tensor>>> {
    Ok(iterator.next()?.map(|element| element.into_tensors()))
}
