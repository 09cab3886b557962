use super::*;
use downpour_runtime::testing::OpTest;

fn strings(values: &[&'static str]) -> Tensor {
    Tensor::from_strings([values.len()], values.iter().map(|&v| v.into()).collect()).unwrap()
}

/// Crosses a ragged column of strings with a sparse one of integers and a dense one of strings.
fn run(
    order: &'static str,
    output: DataType,
    splits: &[i64],
    shape: &[i64],
) -> Result<Vec<Tensor>> {
    OpTest::new(register, "RaggedCross")
        .attr("Nsparse", 1i64)
        .attr("input_order", order)
        .attr("hashed_output", output == DataType::Int64)
        .attr("num_buckets", 0i64)
        .attr("hash_key", 956888297470i64)
        .attr("ragged_values_types", vec![DataType::String])
        .attr("ragged_splits_types", vec![DataType::Int64])
        .attr("sparse_values_types", vec![DataType::Int64])
        .attr("dense_types", vec![DataType::String])
        .attr("out_values_type", output)
        .attr("out_row_splits_type", DataType::Int64)
        .input(strings(&["a", "b", "c"]))
        .input(Tensor::vector(splits).unwrap())
        .input(Tensor::from_slice([3, 2], &[0i64, 0, 1, 0, 1, 1]).unwrap())
        .input(Tensor::vector(&[1i64, 2, 3]).unwrap())
        .input(Tensor::vector(shape).unwrap())
        .input(strings(&["x", "y"]).reshaped([2, 1]).unwrap())
        .run()
}

#[test]
fn every_combination_of_a_row_is_joined() {
    let out = run("RSD", DataType::String, &[0, 2, 3], &[2, 2]).unwrap();
    assert_eq!(out[0].strings().unwrap(), ["a_X_1_X_x", "b_X_1_X_x", "c_X_2_X_y", "c_X_3_X_y"]);
    assert_eq!(out[1].as_slice::<i64>().unwrap(), [0, 2, 4]);
    let out = run("DSR", DataType::String, &[0, 0, 3], &[2, 2]).unwrap();
    assert_eq!(out[0].strings().unwrap()[..2], ["y_X_2_X_a", "y_X_2_X_b"]);
    assert_eq!(out[1].as_slice::<i64>().unwrap(), [0, 0, 6]);
}

#[test]
fn combinations_are_hashed() {
    let out = run("RSD", DataType::Int64, &[0, 2, 3], &[2, 2]).unwrap();
    let hashes = out[0].as_slice::<i64>().unwrap();
    assert!(hashes.len() == 4 && hashes.iter().all(|&hash| hash >= 0));
}

#[test]
fn parts_that_do_not_agree_are_refused() {
    let text = DataType::String;
    assert!(run("RSD", text, &[0, 3], &[2, 2]).is_err());
    assert!(run("RSD", text, &[0, 2, 4], &[2, 2]).is_err());
    assert!(run("RSD", text, &[0, 2, 1], &[2, 2]).is_err());
    for shape in [&[3, 2][..], &[2], &[-1, 2], &[1 << 60, 2]] {
        assert!(run("RSD", text, &[0, 2, 3], shape).is_err(), "{shape:?}");
    }
    for order in ["RS", "RRD", "RSX", ""] {
        assert!(run(order, text, &[0, 2, 3], &[2, 2]).is_err(), "{order}");
    }
}
