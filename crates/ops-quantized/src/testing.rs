//! Quantized tensors for tests.

use downpour_runtime::testing::OpTest;
use downpour_tensor::{QInt32, QUInt8, Shape, Tensor};

/// Returns a tensor of quint8.
pub(crate) fn bytes(shape: impl Into<Shape>, values: &[u8]) -> Tensor {
    let values: Vec<QUInt8> = values.iter().map(|&v| QUInt8(v)).collect();
    Tensor::from_vec(shape, values).unwrap()
}

/// Returns a tensor of qint32.
pub(crate) fn words(shape: impl Into<Shape>, values: &[i32]) -> Tensor {
    let values: Vec<QInt32> = values.iter().map(|&v| QInt32(v)).collect();
    Tensor::from_vec(shape, values).unwrap()
}

/// Returns the values of a quint8 tensor.
pub(crate) fn of_bytes(tensor: &Tensor) -> Vec<u8> {
    tensor.as_slice::<QUInt8>().unwrap().iter().map(|v| v.0).collect()
}

/// Returns the values of a qint32 tensor.
pub(crate) fn of_words(tensor: &Tensor) -> Vec<i32> {
    tensor.as_slice::<QInt32>().unwrap().iter().map(|v| v.0).collect()
}

/// Adds the ends of a range as inputs.
pub(crate) fn with_range(test: OpTest, min: f32, max: f32) -> OpTest {
    test.input(Tensor::scalar(min)).input(Tensor::scalar(max))
}
