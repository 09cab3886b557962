//! ReduceDataset: a value that a function of the graph makes of all elements, one after the other.

use std::sync::Arc;

use downpour_graph::OpSpec;
use downpour_runtime::{AsyncContext, AsyncKernel, FunctionHandle, KernelBox, Registry};
use downpour_tensor::{Result, Tensor};

use super::waiting::Waiting;
use crate::component::Signature;
use crate::dataset;
use crate::function::Captured;
use crate::iterator::element_shapes;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ReduceDataset(input_dataset: variant, initial_state: Tstate, other_arguments: Targuments) -> (components: output_types) @stateful
                f: func
                Tstate: list(type) >= 1
                Targuments: list(type) >= 0
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                use_inter_op_parallelism: bool = true
                metadata: string = ''",
        )?
        .shape(element_shapes)
        .not_differentiable(),
        |build| {
            let (function, signature) = (build.callable("f")?, Signature::of(build)?);
            Ok(KernelBox::asynchronous(Reduce { function, signature }))
        },
    )
}

struct Reduce {
    function: Arc<FunctionHandle>,
    signature: Signature,
}

impl AsyncKernel for Reduce {
    fn start(&self, cx: AsyncContext) {
        let (function, signature) = (self.function.clone(), self.signature.clone());
        Waiting::start(cx, move |cx| reduce(cx, &function, &signature));
    }
}

fn reduce(
    cx: &AsyncContext,
    function: &Arc<FunctionHandle>,
    signature: &Signature,
) -> Result<Vec<Tensor>> {
    let mut iterator = dataset::from_tensor(cx.input(0))?.pipeline.iterate()?;
    let cancel = iterator.canceller();
    let arguments = cx.tensors(cx.node().input_range("other_arguments")?);
    let function = Captured::with(cx.step(), function, arguments).open_with(&cancel);
    let _guard = cx.step().cancellation().on_cancel(move || cancel.cancel());
    let mut state = cx.tensors(cx.node().input_range("initial_state")?);
    while let Some(element) = iterator.next()? {
        state.extend(element.into_tensors());
        state = function.call(state)?;
    }
    signature.check_element(&state)?;
    Ok(state)
}
