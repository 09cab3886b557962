//! Any bytes as a compressed element of a dataset: its components, or an error; what was uncompressed survives being
//! compressed again.

use downpour_formats::compressed_element::{compress_element, uncompress_element};
use downpour_tensor::Tensor;
use downpour_wire::decode_counted;
use downpour_wire::proto::data::CompressedElement;

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    downpour_tensor::set_memory_limit(64 << 20);
    let bytes = data.to_vec().into();
    let Ok((element, _charge)) = decode_counted::<CompressedElement>(bytes, "fuzzed") else {
        return;
    };
    let Ok(components) = uncompress_element(&element) else { return };
    let Ok(again) = compress_element(&components) else { return };
    let back = uncompress_element(&again).expect("what we wrote we can read");
    let shapes = |tensors: &[Tensor]| -> Vec<_> {
        tensors.iter().map(|tensor| (tensor.dtype(), tensor.dims().to_vec())).collect()
    };
    assert_eq!(shapes(&back), shapes(&components));
}
