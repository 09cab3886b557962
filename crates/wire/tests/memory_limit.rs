//! Messages against a memory limit; alone in a process because the limit is the process's.

use downpour_tensor::{Code, Result, Tensor, Variant, VariantValue, set_memory_limit};
use downpour_wire::proto::{Summary, TensorProto};
use downpour_wire::{counted_proto, decode_counted, tensor_to_proto};

/// A value that holds the same tensor a thousand times.
#[derive(Debug)]
struct Thousand(Tensor);

impl VariantValue for Thousand {
    fn type_name(&self) -> &str {
        "thousand"
    }
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
    fn inner_depth(&self) -> usize {
        self.0.variant_depth()
    }
    fn encode(&self) -> Result<(Vec<u8>, Vec<Tensor>)> {
        Ok((Vec::new(), vec![self.0.clone(); 1000]))
    }
}

#[test]
fn messages_that_would_pass_the_limit_are_refused_while_they_are_made() {
    set_memory_limit(64 << 20);
    // A thousand times a thousand and so on: a few hundred bytes here, more than any machine has as a message.
    let deep = (0..10).fold(Tensor::scalar(1f32), |inner, _| {
        Variant::new(Thousand(inner)).unwrap().into_tensor()
    });
    assert_eq!(counted_proto(&deep).err().unwrap().code(), Code::ResourceExhausted);
    assert_eq!(tensor_to_proto(&deep).err().unwrap().code(), Code::ResourceExhausted);
    let flat = Variant::new(Thousand(Tensor::scalar(1f32))).unwrap().into_tensor();
    assert_eq!(tensor_to_proto(&flat).unwrap().variant_val[0].tensors.len(), 1000);

    // Two bytes for each structure of hundreds.
    let values = b"\n\0".repeat(1 << 20);
    let refused = decode_counted::<Summary>(values.into(), "broken").err().unwrap();
    assert_eq!(refused.code(), Code::ResourceExhausted);
    let handles = b"\x72\0".repeat(1 << 20);
    let refused = decode_counted::<TensorProto>(handles.into(), "broken").err().unwrap();
    assert_eq!(refused.code(), Code::ResourceExhausted);

    // Strings inside the contents take a byte in the message and a place in memory.
    let strings = 8 << 20;
    let shape = downpour_wire::shape_to_proto(&[strings]);
    let encoded = TensorProto {
        dtype: 7,
        tensor_shape: Some(shape),
        tensor_content: vec![0; strings].into(),
        ..TensorProto::default()
    };
    let refused = downpour_wire::tensor_from_proto(&encoded).err().unwrap();
    assert_eq!(refused.code(), Code::ResourceExhausted);
}
