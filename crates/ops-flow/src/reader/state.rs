//! ReaderSerializeState and ReaderRestoreState: a reader's place as a string.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{AsyncContext, AsyncKernel, KernelBox, Registry};
use downpour_tensor::{ByteString, Result, Status, Tensor, excerpt};
use downpour_wire::Message;
use downpour_wire::proto::ReaderBaseState;

use super::resource::{ReaderGuard, borrow_input};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "ReaderSerializeStateV2(reader_handle: resource) -> (state: string) @stateful",
        "ReaderSerializeState(reader_handle: Ref(string)) -> (state: string)",
    ] {
        let spec = OpSpec::new(signature)?.shape(shapes::scalar).not_differentiable();
        registry.add(spec, |_| Ok(KernelBox::asynchronous(Serialize)))?;
    }
    for signature in [
        "ReaderRestoreStateV2(reader_handle: resource, state: string) -> () @stateful",
        "ReaderRestoreState(reader_handle: Ref(string), state: string) -> ()",
    ] {
        let spec = OpSpec::new(signature)?.not_differentiable();
        registry.add(spec, |_| Ok(KernelBox::asynchronous(Restore)))?;
    }
    Ok(())
}

struct Serialize;

impl AsyncKernel for Serialize {
    fn start(&self, cx: AsyncContext) {
        borrow_input(cx, |cx, mut borrowed| {
            let state = serialize(&mut borrowed);
            drop(borrowed);
            cx.finish(state.map(|state| vec![state]));
        });
    }
}

fn serialize(borrowed: &mut ReaderGuard) -> Result<Tensor> {
    let state = borrowed.state();
    if !state.format.can_be_saved() {
        return Err(Status::unimplemented("Reader SerializeState"));
    }
    let message = ReaderBaseState {
        work_started: state.work_started,
        work_finished: state.work_finished,
        num_records_produced: state.records_produced,
        current_work: state.work.to_bytes(),
    };
    Tensor::from_string(message.encode_to_vec())
}

struct Restore;

impl AsyncKernel for Restore {
    fn start(&self, cx: AsyncContext) {
        let input = cx.input(1);
        if input.rank() != 0 {
            let shape = input.shape().clone();
            return cx.finish(Err(Status::invalid_argument(format!(
                "Reader state must be scalar, but had shape: {shape}"
            ))));
        }
        borrow_input(cx, |cx, mut borrowed| {
            let restored = cx.input(1).strings().and_then(|text| restore(&mut borrowed, &text[0]));
            if restored.is_err() {
                borrowed.state().reset();
            }
            drop(borrowed);
            cx.finish(restored.map(|()| Vec::new()));
        });
    }
}

fn restore(borrowed: &mut ReaderGuard, text: &ByteString) -> Result<()> {
    let name = borrowed.reader().name.clone();
    let state = borrowed.state();
    if !state.format.can_be_saved() {
        return Err(Status::unimplemented("Reader RestoreState"));
    }
    let message = ReaderBaseState::decode(text.to_bytes()).map_err(|_| {
        Status::invalid_argument(format!("Could not parse state for {name}: {}", excerpt(text)))
    })?;
    let counts = [message.work_started, message.work_finished, message.num_records_produced];
    if counts.iter().any(|count| *count < 0) {
        return Err(Status::invalid_argument(format!(
            "Unexpected negative value when restoring in {name}: {counts:?}"
        )));
    }
    if message.work_started > message.work_finished {
        return Err(Status::invalid_argument(format!(
            "Inconsistent work started vs. finished when restoring in {name}: {counts:?}"
        )));
    }
    state.work_started = message.work_started;
    state.work_finished = message.work_finished;
    state.records_produced = message.num_records_produced;
    state.work = ByteString::from_bytes(message.current_work)?;
    Ok(())
}
