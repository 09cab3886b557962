//! How much a reader has read, and beginning anew.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{AsyncContext, AsyncKernel, KernelBox, Registry};
use downpour_tensor::{Result, Tensor};

use super::resource::{State, borrow_input};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "ReaderNumRecordsProducedV2(reader_handle: resource) -> (records_produced: int64) @stateful",
        "ReaderNumRecordsProduced(reader_handle: Ref(string)) -> (records_produced: int64)",
    ] {
        let spec = OpSpec::new(signature)?.shape(shapes::scalar).not_differentiable();
        registry.add(spec, |_| Ok(asking(|state| vec![Tensor::scalar(state.records_produced)])))?;
    }
    for signature in [
        "ReaderNumWorkUnitsCompletedV2(reader_handle: resource) -> (units_completed: int64) @stateful",
        "ReaderNumWorkUnitsCompleted(reader_handle: Ref(string)) -> (units_completed: int64)",
    ] {
        let spec = OpSpec::new(signature)?.shape(shapes::scalar).not_differentiable();
        registry.add(spec, |_| Ok(asking(|state| vec![Tensor::scalar(state.work_finished)])))?;
    }
    for signature in [
        "ReaderResetV2(reader_handle: resource) -> () @stateful",
        "ReaderReset(reader_handle: Ref(string)) -> ()",
    ] {
        registry.add(OpSpec::new(signature)?.not_differentiable(), |_| {
            Ok(asking(|state| {
                state.reset();
                Vec::new()
            }))
        })?;
    }
    Ok(())
}

/// A kernel that takes no time once it has the reader.
struct ProgressKernel(fn(&mut State) -> Vec<Tensor>);

fn asking(ask: fn(&mut State) -> Vec<Tensor>) -> KernelBox {
    KernelBox::asynchronous(ProgressKernel(ask))
}

impl AsyncKernel for ProgressKernel {
    fn start(&self, cx: AsyncContext) {
        let ask = self.0;
        borrow_input(cx, move |cx, mut borrowed| {
            let answer = ask(borrowed.state());
            drop(borrowed);
            cx.finish(Ok(answer));
        });
    }

    fn expensive(&self) -> bool {
        false
    }
}
