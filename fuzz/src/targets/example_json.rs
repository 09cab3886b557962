//! Any text as an Example in JSON: a message that protobuf reads, or an error.

use std::sync::LazyLock;

use downpour_graph::Attrs;
use downpour_tensor::{ByteString, DataType, Tensor};
use downpour_wire::{Message, proto::Example};

use crate::operation::Operation;

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    static DECODE: LazyLock<Operation> = LazyLock::new(|| {
        Operation::new("DecodeJSONExample", Attrs::new(), &[DataType::String])
            .expect("the operation exists")
    });
    let text = ByteString::copy_from(data).expect("an input is small");
    if let Ok(out) = DECODE.run(vec![Tensor::string(text)]) {
        let message = &out[0].strings().expect("its output is a string")[0];
        Example::decode(&message[..]).expect("what was written can be read");
    }
}
