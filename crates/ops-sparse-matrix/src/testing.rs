//! Sparse matrices for tests.

use downpour_runtime::testing::OpTest;
use downpour_tensor::{Element, Shape, Tensor};

use crate::number::Number;

/// Returns a sparse matrix of the values that are not zero.
pub(crate) fn sparse<T: Number>(shape: impl Into<Shape>, values: &[T]) -> Tensor {
    let dense = Tensor::from_slice(shape, values).unwrap();
    let strides = dense.shape().strides();
    let mut indices = Vec::new();
    for (i, _) in values.iter().enumerate().filter(|(_, v)| **v != T::default()) {
        let place = dense.shape().iter().zip(&strides).map(|(&size, &stride)| i / stride % size);
        indices.extend(place.map(|p| p as i64));
    }
    let indices = Tensor::from_vec([indices.len() / dense.rank(), dense.rank()], indices).unwrap();
    let test = OpTest::new(crate::dense::register, "DenseToCSRSparseMatrix");
    test.input(dense).input(indices).run_one().unwrap()
}

/// Returns all values of a sparse matrix, zeros too.
pub(crate) fn dense<T: Element>(matrix: &Tensor) -> Vec<T> {
    let test = OpTest::new(crate::dense::register, "CSRSparseMatrixToDense");
    let dense = test.attr("type", T::DTYPE).input(matrix.clone()).run_one().unwrap();
    dense.as_slice::<T>().unwrap().to_vec()
}
