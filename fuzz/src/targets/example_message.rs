//! Any bytes as serialised Examples and SequenceExamples: tensors that fit together, or an error. A batch of one has
//! the same dense features as a single Example.

use std::sync::LazyLock;

use downpour_graph::{Attrs, PartialShape};
use downpour_tensor::{ByteString, DataType, Tensor};

use crate::operation::Operation;

fn batch() -> Operation {
    let attrs = Attrs::new()
        .with("Tdense", vec![DataType::Float, DataType::Int64])
        .with("num_sparse", 2i64)
        .with("sparse_types", vec![DataType::String, DataType::Float])
        .with("ragged_value_types", vec![DataType::Int64])
        .with("ragged_split_types", vec![DataType::Int32])
        .with("dense_shapes", vec![PartialShape::from([2]), PartialShape::of_rank(1)]);
    let string = [DataType::String; 5];
    let inputs = [&string[..], &[DataType::Float, DataType::Int64]].concat();
    Operation::new("ParseExampleV2", attrs, &inputs).expect("the operation exists")
}

fn sequences() -> Operation {
    let attrs = Attrs::new()
        .with("Ncontext_sparse", 1i64)
        .with("Tcontext_dense", vec![DataType::Float])
        .with("context_sparse_types", vec![DataType::String])
        .with("context_ragged_value_types", vec![DataType::Int64])
        .with("context_ragged_split_types", vec![DataType::Int64])
        .with("context_dense_shapes", vec![PartialShape::from([1])])
        .with("Nfeature_list_sparse", 1i64)
        .with("Nfeature_list_dense", 1i64)
        .with("feature_list_dense_types", vec![DataType::Int64])
        .with("feature_list_sparse_types", vec![DataType::Float])
        .with("feature_list_ragged_value_types", vec![DataType::String])
        .with("feature_list_ragged_split_types", vec![DataType::Int32])
        .with("feature_list_dense_shapes", vec![PartialShape::from([2])]);
    let string = [DataType::String; 8];
    let inputs = [&string[..], &[DataType::Bool, DataType::Float]].concat();
    Operation::new("ParseSequenceExampleV2", attrs, &inputs).expect("the operation exists")
}

fn single_sequence() -> Operation {
    let attrs = Attrs::new()
        .with("Ncontext_sparse", 1i64)
        .with("Nfeature_list_dense", 1i64)
        .with("context_sparse_types", vec![DataType::String])
        .with("feature_list_dense_types", vec![DataType::Int64])
        .with("feature_list_dense_shapes", vec![PartialShape::from([2])]);
    let inputs = [DataType::String; 5];
    Operation::new("ParseSingleSequenceExample", attrs, &inputs).expect("the operation exists")
}

fn strings(values: &[&'static str]) -> Tensor {
    vector(values.iter().map(|&value| value.into()).collect())
}

fn vector(values: Vec<ByteString>) -> Tensor {
    Tensor::from_strings([values.len()], values).expect("as many values as places")
}

fn parse(operation: &Operation, serialized: Tensor) -> Option<Vec<Tensor>> {
    let defaults = [Tensor::vector(&[8f32, 9.0]).expect("two floats"), Tensor::scalar(-1i64)];
    let keys = [vector(vec![]), strings(&["s", "f"]), strings(&["d", "v"]), strings(&["r"])];
    operation.run([vec![serialized], keys.into(), defaults.into()].concat()).ok()
}

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    static BATCH: LazyLock<Operation> = LazyLock::new(batch);
    static SEQUENCES: LazyLock<Operation> = LazyLock::new(sequences);
    static SINGLE: LazyLock<Operation> = LazyLock::new(single_sequence);
    let message = ByteString::copy_from(data).expect("an input is small");
    let parts = data.split(|&byte| byte == b'|');
    let parts: Vec<ByteString> =
        parts.map(|part| ByteString::copy_from(part).expect("an input is small")).collect();

    parse(&BATCH, vector(parts.clone()));
    let alone = parse(&BATCH, Tensor::string(message.clone()));
    let one = parse(&BATCH, vector(vec![message.clone()]));
    if let (Some(alone), Some(one)) = (alone, one) {
        let bits = |out: &[Tensor]| out[6].bytes().map(<[u8]>::to_vec);
        assert_eq!(bits(&alone), bits(&one));
    }

    let default = Tensor::vector(&[7f32]).expect("one float");
    let missing = Tensor::vector(&[true]).expect("one value");
    let keys = ["cs", "cd", "cr", "ls", "ld", "lr"].map(|key| strings(&[key]));
    for serialized in [vector(parts), Tensor::string(message.clone())] {
        let inputs = [serialized, vector(vec![])].into_iter().chain(keys.clone());
        let _ = SEQUENCES.run(inputs.chain([missing.clone(), default.clone()]).collect());
    }
    let keys = ["cs", "ld"].map(Tensor::string);
    let inputs = [Tensor::string(message), strings(&["ld"])].into_iter().chain(keys);
    let _ = SINGLE.run(inputs.chain([Tensor::string("")]).collect());
}
