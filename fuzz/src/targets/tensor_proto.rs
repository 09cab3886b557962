//! Any bytes as a TensorProto: a tensor that survives a round trip, or an error.

use std::sync::LazyLock;

use downpour_wire::{Message, proto::TensorProto, tensor_from_proto, tensor_to_proto};

/// Our variants can be read, and a forged shape costs little time.
static READY: LazyLock<()> = LazyLock::new(|| {
    downpour_ops::registry().expect("our own lists are consistent");
    downpour_tensor::set_memory_limit(16 << 20);
});

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    LazyLock::force(&READY);
    let Ok(proto) = TensorProto::decode(data) else { return };
    if let Ok(tensor) = tensor_from_proto(&proto)
        && let Ok(again) = tensor_to_proto(&tensor)
    {
        let back = tensor_from_proto(&again).expect("what we wrote we can read");
        assert_eq!(back.shape(), tensor.shape());
        assert_eq!(back.bytes(), tensor.bytes());
    }
}
