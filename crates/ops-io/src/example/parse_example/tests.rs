use super::*;
use crate::example::fixtures::{example, floats, ints, strings};
use downpour_graph::PartialShape;
use downpour_runtime::testing::OpTest;
use downpour_tensor::{ByteString, DataType};

fn vector(values: Vec<ByteString>) -> Tensor {
    Tensor::from_strings([values.len()], values).unwrap()
}

fn keys(keys: &[&'static str]) -> Tensor {
    vector(keys.iter().map(|&key| key.into()).collect())
}

/// Parses "d" as two floats, "v" as rows of two integers, "s" sparse and "r" ragged strings.
fn test(serialized: Tensor, names: Tensor) -> OpTest {
    let pairs = PartialShape::of([None, Some(2)]);
    OpTest::new(register, "ParseExampleV2")
        .attr("Tdense", vec![DataType::Float, DataType::Int64])
        .attr("num_sparse", 1i64)
        .attr("sparse_types", vec![DataType::String])
        .attr("ragged_value_types", vec![DataType::String])
        .attr("ragged_split_types", vec![DataType::Int32])
        .attr("dense_shapes", vec![PartialShape::from([2]), pairs])
        .input(serialized)
        .input(names)
        .input(keys(&["s"]))
        .input(keys(&["d", "v"]))
        .input(keys(&["r"]))
        .input(Tensor::vector(&[8f32, 9.0]).unwrap())
        .input(Tensor::scalar(-1i64))
}

fn run(messages: Vec<ByteString>) -> Result<Vec<Tensor>> {
    test(vector(messages), vector(vec![])).run()
}

fn error(message: ByteString) -> String {
    run(vec![message]).unwrap_err().message().to_owned()
}

#[test]
fn a_batch_becomes_dense_padded_sparse_and_ragged_tensors() {
    let out = run(vec![
        example(&[("d", floats(&[1.0, 2.0])), ("v", ints(&[1, 2, 3, 4])), ("s", strings(&["a"]))]),
        example(&[("other", ints(&[1])), ("r", strings(&["b", "c"]))]),
        example(&[("v", ints(&[5, 6])), ("s", strings(&["d", "e"])), ("r", strings(&[]))]),
    ])
    .unwrap();
    assert_eq!(out[0].as_slice::<i64>().unwrap(), [0, 0, 2, 0, 2, 1]);
    assert_eq!(out[1].strings().unwrap(), ["a", "d", "e"]);
    assert_eq!(out[2].as_slice::<i64>().unwrap(), [3, 2]);
    assert_eq!(out[3].as_slice::<f32>().unwrap(), [1.0, 2.0, 8.0, 9.0, 8.0, 9.0]);
    assert_eq!(out[4].dims(), [3, 2, 2]);
    assert_eq!(out[4].as_slice::<i64>().unwrap(), [1, 2, 3, 4, -1, -1, -1, -1, 5, 6, -1, -1]);
    assert_eq!(out[5].strings().unwrap(), ["b", "c"]);
    assert_eq!(out[6].as_slice::<i32>().unwrap(), [0, 0, 2, 2]);
}

#[test]
fn an_empty_batch_gives_empty_tensors() {
    let out = run(vec![]).unwrap();
    let dims: Vec<&[usize]> = out.iter().map(|t| t.dims()).collect();
    assert_eq!(dims, [&[0, 2][..], &[0], &[2], &[0, 2], &[0, 0, 2], &[0], &[1]]);
}

#[test]
fn large_batches_are_parsed_in_parts_that_fit_together() {
    let long = "x".repeat(300);
    let messages: Vec<ByteString> = (0..2000)
        .map(|i| {
            let texts = vec![long.as_str(); i % 3];
            example(&[
                ("d", floats(&[i as f32, 0.5])),
                ("s", strings(&texts)),
                ("r", strings(&texts)),
            ])
        })
        .collect();
    let out = run(messages).unwrap();
    let dense = out[3].as_slice::<f32>().unwrap();
    assert!((0..2000).all(|i| dense[2 * i] == i as f32 && dense[2 * i + 1] == 0.5));
    let counts = |i: usize| i % 3;
    assert_eq!(out[1].len(), (0..2000).map(counts).sum::<usize>());
    let expected = (0..2000).flat_map(|i| (0..counts(i)).map(move |j| [i as i64, j as i64]));
    assert!(out[0].as_slice::<i64>().unwrap().iter().copied().eq(expected.flatten()));
    let splits = out[6].as_slice::<i32>().unwrap();
    assert!((0..2000).all(|i| (splits[i + 1] - splits[i]) as usize == counts(i)));
}

#[test]
fn of_features_with_the_same_key_the_last_counts() {
    let mut twice = example(&[("d", floats(&[1.0, 2.0])), ("s", strings(&["a", "b"]))]).to_vec();
    twice.extend_from_slice(&example(&[("d", floats(&[3.0, 4.0])), ("s", strings(&["c"]))]));
    let out = run(vec![ByteString::from_vec(twice).unwrap()]).unwrap();
    assert_eq!(out[3].as_slice::<f32>().unwrap(), [3.0, 4.0]);
    assert_eq!(out[1].strings().unwrap(), ["c"]);
}

#[test]
fn a_scalar_is_one_example() {
    let message = example(&[("v", ints(&[5, 6])), ("r", strings(&["b", "c"]))]);
    let out = test(Tensor::string(message), vector(vec![])).run().unwrap();
    assert_eq!(out[3].as_slice::<f32>().unwrap(), [8.0, 9.0]);
    assert_eq!(out[4].dims(), [1, 2]);
    assert_eq!(out[5].strings().unwrap(), ["b", "c"]);
    assert_eq!(out[6].dims(), [0]);
}

#[test]
fn what_does_not_fit_is_named_as_tensorflow_does() {
    assert_eq!(
        error(example(&[("d", ints(&[1]))])),
        "Name: <unknown>, Key: d, Index: 0.  Data types don't match. Data type: int64 but expected type: float"
    );
    assert_eq!(
        error(example(&[("s", ints(&[1]))])),
        "Name: <unknown>, Key: s, Index: 0.  Data types don't match. Expected type: string, Actual type: int64"
    );
    assert_eq!(
        error(example(&[("d", floats(&[1.0]))])),
        "Name: <unknown>, Key: d, Index: 0.  Number of float values != expected.  Values size: 1 but output shape: [2]"
    );
    assert_eq!(
        error(example(&[("v", ints(&[1, 2, 3]))])),
        "Name: <unknown>, Key: v, Index: 0.  Number of int64 values is not a multiple of stride length. \
         Saw 3 values but output shape is: [?,2]"
    );
    assert!(error("garbage".into()).starts_with("Could not parse example input, value: 'garbage'"));
}

#[test]
fn keys_and_defaults_are_checked() {
    let run = |dense: &[&'static str], default: Tensor| {
        OpTest::new(register, "ParseExampleV2")
            .attr("Tdense", vec![DataType::Float])
            .attr("num_sparse", 1i64)
            .attr("sparse_types", vec![DataType::Float])
            .attr("ragged_value_types", Vec::<DataType>::new())
            .attr("ragged_split_types", Vec::<DataType>::new())
            .attr("dense_shapes", vec![PartialShape::from([2])])
            .input(vector(vec![example(&[])]))
            .input(keys(&["name"]))
            .input(keys(&["s"]))
            .input(keys(dense))
            .input(keys(&[]))
            .input(default)
            .run()
            .map_err(|status| status.message().to_owned())
    };
    let none = || Tensor::vector::<f32>(&[]).unwrap();
    assert_eq!(
        run(&["d"], none()).unwrap_err(),
        "Name: name, Feature: d (data type: float) is required but could not be found."
    );
    assert!(run(&["d", "e"], none()).unwrap_err().contains("Expected len(dense_keys)"));
    assert!(run(&["s"], none()).unwrap_err().contains("stands for two features"));
    assert!(run(&["d"], Tensor::scalar(1f32)).unwrap_err().contains("is not compatible with"));
    assert!(run(&["d"], Tensor::vector(&[1f32, 2.0]).unwrap()).is_ok());
}
