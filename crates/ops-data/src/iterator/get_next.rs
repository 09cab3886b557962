//! IteratorGetNext: takes the next element of an iterator, IteratorGetNextAsOptional: or says that there is none.

use downpour_data::Element;
use downpour_graph::{OpSpec, ShapeContext, shapes};
use downpour_runtime::{AsyncContext, AsyncKernel, KernelBox, Registry};
use downpour_tensor::{Optional, Result, Status, Tensor, Variant};

use super::request::Answer;
use super::resource::Iterator;
use crate::component::Signature;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["IteratorGetNext", "IteratorGetNextSync"] {
        let signature = format!(
            "{name}(iterator: resource) -> (components: output_types) @stateful
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1"
        );
        registry.add(OpSpec::new(&signature)?.shape(element_shapes), |build| {
            Ok(KernelBox::asynchronous(GetNext(Signature::of(build)?)))
        })?;
    }
    downpour_wire::register_variant_decoder(Optional::TYPE_NAME, Optional::decode);
    registry.add(
        OpSpec::new(
            "IteratorGetNextAsOptional(iterator: resource) -> (optional: variant) @stateful
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1",
        )?
        .shape(shapes::scalar),
        |build| Ok(KernelBox::asynchronous(GetOptional(Signature::of(build)?))),
    )
}

/// Sets the outputs to the shapes of an element's components.
pub(crate) fn element_shapes(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shapes = cx.node().shapes("output_shapes")?;
    if shapes.len() != cx.node().output_types.len() {
        return Err(Status::invalid_argument(format!(
            "`output_shapes` must be the same length as `output_types` ({} vs. {})",
            shapes.len(),
            cx.node().output_types.len()
        )));
    }
    shapes.into_iter().enumerate().for_each(|(i, shape)| cx.set_output(i, shape));
    Ok(())
}

struct GetNext(Signature);

impl AsyncKernel for GetNext {
    fn start(&self, cx: AsyncContext) {
        let signature = self.0.clone();
        let answer = move |element: Result<Option<Element>>| match element? {
            Some(element) => checked(&signature, element),
            None => Err(Status::out_of_range("End of sequence")),
        };
        ask(cx, Box::new(answer));
    }

    fn expensive(&self) -> bool {
        false
    }
}

struct GetOptional(Signature);

impl AsyncKernel for GetOptional {
    fn start(&self, cx: AsyncContext) {
        let signature = self.0.clone();
        let answer = move |element: Result<Option<Element>>| {
            let components = element?.map(|element| checked(&signature, element)).transpose()?;
            Ok(vec![Variant::new(Optional(components))?.into_tensor()])
        };
        ask(cx, Box::new(answer));
    }

    fn expensive(&self) -> bool {
        false
    }
}

fn ask(cx: AsyncContext, answer: Answer) {
    match cx.resource::<Iterator>(0).and_then(|iterator| iterator.running()) {
        Ok(running) => running.ask(cx, answer),
        Err(error) => cx.finish(Err(error)),
    }
}

fn checked(signature: &Signature, element: Element) -> Result<Vec<Tensor>> {
    let components = element.into_tensors();
    signature.check_element(&components)?;
    Ok(components)
}
