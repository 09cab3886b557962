use super::*;
use crate::example::fixtures::{floats, ints, sequence_example, strings};
use downpour_runtime::testing::OpTest;
use downpour_tensor::{ByteString, DataType};
use downpour_wire::proto::feature::Kind;

fn keys(keys: &[&'static str]) -> Tensor {
    Tensor::from_strings([keys.len()], keys.iter().map(|&key| key.into()).collect()).unwrap()
}

fn run(serialized: Tensor, may_miss: bool) -> Result<Vec<Tensor>> {
    OpTest::new(register, "ParseSequenceExampleV2")
        .attr("Ncontext_sparse", 1i64)
        .attr("Tcontext_dense", vec![DataType::Float])
        .attr("context_sparse_types", vec![DataType::String])
        .attr("context_ragged_value_types", vec![DataType::Int64])
        .attr("context_ragged_split_types", vec![DataType::Int64])
        .attr("context_dense_shapes", vec![PartialShape::from([1])])
        .attr("Nfeature_list_sparse", 1i64)
        .attr("Nfeature_list_dense", 1i64)
        .attr("feature_list_dense_types", vec![DataType::Int64])
        .attr("feature_list_sparse_types", vec![DataType::Float])
        .attr("feature_list_ragged_value_types", vec![DataType::String])
        .attr("feature_list_ragged_split_types", vec![DataType::Int32])
        .attr("feature_list_dense_shapes", vec![PartialShape::from([2])])
        .input(serialized)
        .input(keys(&[]))
        .input(keys(&["cs"]))
        .input(keys(&["cd"]))
        .input(keys(&["cr"]))
        .input(keys(&["ls"]))
        .input(keys(&["ld"]))
        .input(keys(&["lr"]))
        .input(Tensor::vector(&[may_miss]).unwrap())
        .input(Tensor::vector(&[7f32]).unwrap())
        .run()
}

fn batch(messages: &[ByteString], may_miss: bool) -> Result<Vec<Tensor>> {
    run(Tensor::from_strings([messages.len()], messages.to_vec()).unwrap(), may_miss)
}

fn first() -> ByteString {
    sequence_example(
        &[("cs", strings(&["a"])), ("cd", floats(&[1.0])), ("cr", ints(&[8, 9]))],
        &[
            ("ld", &[ints(&[1, 2]), ints(&[3, 4])]),
            ("ls", &[floats(&[0.5]), floats(&[]), floats(&[1.5, 2.5])]),
            ("lr", &[strings(&["x"]), strings(&["y", "z"])]),
        ],
    )
}

#[test]
fn a_batch_becomes_tensors() {
    let second = sequence_example(&[("cs", strings(&["b", "c"]))], &[("ld", &[ints(&[5, 6])])]);
    let out = batch(&[first(), second], false).unwrap();
    assert_eq!(out[0].as_slice::<i64>().unwrap(), [0, 0, 1, 0, 1, 1]);
    assert_eq!(out[1].strings().unwrap(), ["a", "b", "c"]);
    assert_eq!(out[2].as_slice::<i64>().unwrap(), [2, 2]);
    assert_eq!(out[3].as_slice::<f32>().unwrap(), [1.0, 7.0]);
    assert_eq!(out[4].as_slice::<i64>().unwrap(), [8, 9]);
    assert_eq!(out[5].as_slice::<i64>().unwrap(), [0, 2, 2]);
    assert_eq!(out[6].as_slice::<i64>().unwrap(), [0, 0, 0, 0, 2, 0, 0, 2, 1]);
    assert_eq!(out[7].as_slice::<f32>().unwrap(), [0.5, 1.5, 2.5]);
    assert_eq!(out[8].as_slice::<i64>().unwrap(), [2, 3, 2]);
    assert_eq!(out[9].dims(), [2, 2, 2]);
    assert_eq!(out[9].as_slice::<i64>().unwrap(), [1, 2, 3, 4, 5, 6, 0, 0]);
    assert_eq!(out[10].as_slice::<i64>().unwrap(), [2, 1]);
    assert_eq!(out[11].strings().unwrap(), ["x", "y", "z"]);
    assert_eq!(out[12].as_slice::<i32>().unwrap(), [0, 2, 2]);
    assert_eq!(out[13].as_slice::<i32>().unwrap(), [0, 1, 3]);
}

#[test]
fn a_single_example_has_no_batch_dimension() {
    let out = run(Tensor::string(first()), false).unwrap();
    assert_eq!(out[0].dims(), [1, 1]);
    assert_eq!(out[3].dims(), [1]);
    assert_eq!(out[6].as_slice::<i64>().unwrap(), [0, 0, 2, 0, 2, 1]);
    assert_eq!(out[9].dims(), [2, 2]);
    assert_eq!(out[10].dims(), [0usize; 0]);
    assert_eq!(out[13].as_slice::<i32>().unwrap(), [0, 1, 3]);
}

#[test]
fn what_is_missing_or_does_not_fit_is_named() {
    let error = |context: &[(&str, Kind)], lists: &[(&str, &[Kind])]| {
        batch(&[sequence_example(context, lists)], true).unwrap_err().message().to_owned()
    };
    assert_eq!(
        error(&[("cd", ints(&[1]))], &[]),
        "Name: <unknown>, Context feature: cd.  Data types don't match. Expected type: float"
    );
    assert_eq!(
        error(&[("cd", floats(&[1.0, 2.0]))], &[]),
        "Inconsistent max number of elements for feature cd: expected 1, but found 2"
    );
    assert_eq!(
        error(&[], &[("ld", &[ints(&[1, 2]), floats(&[1.0])])]),
        "Name: <unknown>, Feature list: ld, Index: 1.  Data types don't match. Expected type: int64"
    );
    assert_eq!(
        error(&[], &[("ld", &[ints(&[1, 2, 3])])]),
        "Feature list 'ld' has an unexpected number of values.  Total values size: 3 is not consistent with output \
         shape: [?,2]"
    );
    assert_eq!(
        error(&[], &[("ld", &[ints(&[1]), ints(&[2])])]),
        "Name: <unknown>, Key: ld, Index: 0.  Number of values != expected.  values size: 1 but output shape: [2]"
    );
    let missing = batch(&[sequence_example(&[], &[])], false).unwrap_err();
    assert!(
        missing
            .message()
            .starts_with("Name: <unknown>, Feature list 'ld' is required but could not be found.")
    );
    assert_eq!(batch(&[sequence_example(&[], &[])], true).unwrap()[9].dims(), [1, 0, 2]);
    let damaged = batch(&["garbage".into()], true).unwrap_err();
    assert_eq!(damaged.message(), "Invalid protocol message input, example id: <unknown>");
}
