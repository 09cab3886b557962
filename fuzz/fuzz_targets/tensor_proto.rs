//! Any bytes as a TensorProto: a tensor that survives a round trip, or an error.
#![no_main]

use downpour_wire::{Message, proto::TensorProto, tensor_from_proto, tensor_to_proto};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(proto) = TensorProto::decode(data) else { return };
    if let Ok(tensor) = tensor_from_proto(&proto)
        && let Ok(again) = tensor_to_proto(&tensor)
    {
        let back = tensor_from_proto(&again).expect("what we wrote we can read");
        assert_eq!(back.shape(), tensor.shape());
    }
});
