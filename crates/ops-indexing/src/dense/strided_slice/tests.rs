use std::sync::Arc;

use super::*;
use downpour_runtime::Variable;
use downpour_runtime::testing::OpTest;
use downpour_tensor::DataType;

fn numbers(dims: &[usize]) -> Tensor {
    let shape = Shape::new(dims);
    let n = shape.elements() as i32;
    Tensor::from_vec(shape, (0..n).collect()).unwrap()
}

fn slice(x: Tensor, spec: &[[i32; 3]]) -> OpTest {
    with_bounds(OpTest::new(register, "StridedSlice").input(x), spec)
}

fn with_bounds(test: OpTest, spec: &[[i32; 3]]) -> OpTest {
    (0..3).fold(test, |test, k| {
        let values: Vec<i32> = spec.iter().map(|s| s[k]).collect();
        test.input(Tensor::vector(&values).unwrap())
    })
}

#[test]
fn ranges_steps_and_reversal() {
    let y = slice(numbers(&[3, 4]), &[[0, 3, 2], [-1, -4, -2]]).run_one().unwrap();
    assert_eq!(y.dims(), &[2, 2]);
    assert_eq!(y.as_slice::<i32>().unwrap(), &[3, 1, 11, 9]);
    let open = slice(numbers(&[4]), &[[0, 0, -1]]).attr("begin_mask", 1i64).attr("end_mask", 1i64);
    assert_eq!(open.run_one().unwrap().as_slice::<i32>().unwrap(), &[3, 2, 1, 0]);
    let none = slice(numbers(&[4]), &[[3, 1, 1]]).run_one().unwrap();
    assert_eq!(none.dims(), &[0]);
}

#[test]
fn indices_ellipses_and_new_axes() {
    // x[1, ..., newaxis, -1] of shape [2, 3, 4]
    let y = slice(numbers(&[2, 3, 4]), &[[1, 2, 1], [0, 0, 1], [0, 0, 1], [-1, 0, 1]])
        .attr("shrink_axis_mask", 0b1001i64)
        .attr("ellipsis_mask", 0b10i64)
        .attr("new_axis_mask", 0b100i64)
        .run_one()
        .unwrap();
    assert_eq!(y.dims(), &[3, 1]);
    assert_eq!(y.as_slice::<i32>().unwrap(), &[15, 19, 23]);
}

#[test]
fn bad_slices_are_refused() {
    assert!(slice(numbers(&[2]), &[[0, 1, 0]]).run_one().is_err());
    let out = slice(numbers(&[2]), &[[2, 3, 1]]).attr("shrink_axis_mask", 1i64).run_one();
    assert!(out.unwrap_err().message().contains("slice index 2 of dimension 0 out of bounds"));
    assert!(slice(Tensor::scalar(1f32), &[[0, 1, 1]]).run_one().is_err());
    assert!(slice(numbers(&[2]), &[[0, 1, 1]; 33]).run_one().is_err());
    let extreme = [[i32::MIN, i32::MAX, i32::MAX], [i32::MAX, i32::MIN, i32::MIN]];
    assert_eq!(slice(numbers(&[2, 2]), &extreme).run_one().unwrap().dims(), &[1, 1]);
}

#[test]
fn the_gradient_puts_values_back() {
    let test = OpTest::new(register, "StridedSliceGrad").input(Tensor::vector(&[5i32]).unwrap());
    let y = with_bounds(test, &[[1, 5, 2]])
        .input(Tensor::vector(&[7f32, 8.0]).unwrap())
        .run_one()
        .unwrap();
    assert_eq!(y.as_slice::<f32>().unwrap(), &[0.0, 7.0, 0.0, 8.0, 0.0]);
}

#[test]
fn assignment_broadcasts_into_tensors_and_variables() {
    let test = OpTest::new(register, "TensorStridedSliceUpdate").input(numbers(&[2, 3]));
    let y = with_bounds(test, &[[0, 2, 1], [1, 3, 1]])
        .input(Tensor::from_vec([1, 1, 2], vec![-1, -2]).unwrap())
        .run_one()
        .unwrap();
    assert_eq!(y.as_slice::<i32>().unwrap(), &[0, -1, -2, 3, -1, -2]);

    let variable = Variable::new("v", DataType::Int32, PartialShape::unknown());
    variable.assign(numbers(&[3]));
    let variable = Arc::new(variable);
    let test = OpTest::new(register, "StridedSliceAssign").reference(&variable);
    with_bounds(test, &[[0, 3, 2]]).input(Tensor::scalar(9i32)).run_values().unwrap();
    assert_eq!(variable.read().unwrap().as_slice::<i32>().unwrap(), &[9, 1, 9]);
    let test = OpTest::new(register, "StridedSliceAssign").reference(&variable);
    let bad = with_bounds(test, &[[0, 3, 2]]).input(Tensor::vector(&[1i32, 2, 3]).unwrap());
    assert!(bad.run_values().is_err());
    assert_eq!(variable.read().unwrap().len(), 3, "a refused assignment leaves the value");
}
