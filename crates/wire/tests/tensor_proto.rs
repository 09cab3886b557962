//! Tensors of every type survive the wire, and damaged messages are read or refused.

mod damage;

use downpour_tensor::{
    ByteString, DataType, DtypeAndShape, ResourceHandle, Tensor, set_memory_limit,
};
use downpour_wire::proto::TensorProto;
use downpour_wire::{Message, tensor_from_proto, tensor_to_proto};
use proptest::prelude::*;

/// A tensor whose contents are made of `bytes`, repeated as needed.
fn tensor(dtype: DataType, dims: &[usize], bytes: &[u8]) -> Tensor {
    let elements: usize = dims.iter().product();
    let text = |i: usize| ByteString::copy_from(&bytes[..bytes.len().min(i % 5)]).unwrap();
    let handle = |i: usize| ResourceHandle {
        name: String::from_utf8_lossy(&text(i)).into_owned(),
        hash_code: i as u64,
        dtypes_and_shapes: vec![DtypeAndShape { dtype: DataType::Half, shape: Some(vec![2, -1]) }],
        ..ResourceHandle::default()
    };
    match dtype {
        DataType::String => Tensor::from_strings(dims, (0..elements).map(text).collect()),
        DataType::Resource => Tensor::from_handles(dims, (0..elements).map(handle).collect()),
        DataType::Variant => Tensor::new(dtype, dims),
        _ => {
            let bytes = bytes.iter().cycle().take(elements * dtype.size());
            let bit = |b: &u8| if dtype == DataType::Bool { b & 1 } else { *b };
            Tensor::from_bytes(dtype, dims, bytes.map(bit).collect())
        }
    }
    .unwrap()
}

fn assert_same(a: &Tensor, b: &Tensor) {
    assert_eq!((a.dtype(), a.shape()), (b.dtype(), b.shape()));
    assert_eq!(a.bytes(), b.bytes());
    assert_eq!(a.strings().ok(), b.strings().ok());
    assert_eq!(a.handles().ok(), b.handles().ok());
    assert_eq!(a.variants().ok().map(<[_]>::len), b.variants().ok().map(<[_]>::len));
}

fn encoded(tensor: &Tensor) -> Vec<u8> {
    tensor_to_proto(tensor).unwrap().encode_to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn tensors_of_every_type_survive(
        dims in prop::collection::vec(0usize..4, 0..4),
        bytes in prop::collection::vec(any::<u8>(), 1..40),
    ) {
        for &dtype in DataType::ALL {
            let tensor = tensor(dtype, &dims, &bytes);
            let proto = TensorProto::decode(&encoded(&tensor)[..]).unwrap();
            assert_same(&tensor_from_proto(&proto).unwrap(), &tensor);
        }
    }

    #[test]
    fn damaged_messages_are_read_or_refused(damage in damage::damages()) {
        // A dimension that grew is refused for its size, not filled.
        set_memory_limit(1 << 20);
        let ours = DataType::ALL.iter().map(|&dtype| encoded(&tensor(dtype, &[2, 3], b"damage")));
        for message in ours.chain(SEEDS.iter().map(|seed| seed.to_vec())) {
            let damaged = damage::apply(&message, &damage);
            if let Ok(proto) = TensorProto::decode(&damaged[..])
                && let Ok(tensor) = tensor_from_proto(&proto)
            {
                let again = tensor_to_proto(&tensor).unwrap();
                assert_same(&tensor_from_proto(&again).unwrap(), &tensor);
            }
        }
    }
}

/// Messages as TensorFlow writes them, in value lists and in contents.
const SEEDS: [&[u8]; 10] = [
    include_bytes!("../../../fuzz/seeds/tensor_proto/bool_scalar"),
    include_bytes!("../../../fuzz/seeds/tensor_proto/complex64_splat"),
    include_bytes!("../../../fuzz/seeds/tensor_proto/float16_splat"),
    include_bytes!("../../../fuzz/seeds/tensor_proto/float32_content"),
    include_bytes!("../../../fuzz/seeds/tensor_proto/int64_splat"),
    include_bytes!("../../../fuzz/seeds/tensor_proto/resource"),
    include_bytes!("../../../fuzz/seeds/tensor_proto/string"),
    include_bytes!("../../../fuzz/seeds/tensor_proto/string_content"),
    include_bytes!("../../../fuzz/seeds/tensor_proto/variant"),
    include_bytes!("../../../fuzz/seeds/tensor_proto/variant_content"),
];
