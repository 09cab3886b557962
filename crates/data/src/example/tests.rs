use downpour_wire::proto::{self, feature::Kind};
use proptest::prelude::*;

use super::*;

fn example(features: &[(&str, Kind)]) -> ByteString {
    let feature = features
        .iter()
        .map(|(name, kind)| ((*name).to_owned(), proto::Feature { kind: Some(kind.clone()) }))
        .collect();
    let message = proto::Example { features: Some(proto::Features { feature }) };
    downpour_wire::encode_string(&message).unwrap()
}

fn floats(values: &[f32]) -> Kind {
    Kind::FloatList(proto::FloatList { value: values.to_vec() })
}

fn ints(values: &[i64]) -> Kind {
    Kind::Int64List(proto::Int64List { value: values.to_vec() })
}

fn strings(values: &[&str]) -> Kind {
    let value = values.iter().map(|v| v.as_bytes().to_vec().into()).collect();
    Kind::BytesList(proto::BytesList { value })
}

#[test]
fn fixed_variable_and_missing() {
    let parser = ExampleParser::new([
        ("x", Feature::fixed(DataType::Float, &[2])),
        ("y", Feature::fixed_or(&[], Tensor::scalar(-1i64))),
        ("words", Feature::variable(DataType::String)),
    ])
    .unwrap();
    let messages = [
        example(&[("x", floats(&[1., 2.])), ("y", ints(&[7])), ("words", strings(&["a", "b"]))]),
        example(&[("words", strings(&["c"])), ("other", ints(&[1])), ("x", floats(&[3., 4.]))]),
        example(&[("x", floats(&[5., 6.]))]),
    ];
    let block = parser.parse_rows(&messages).unwrap();
    let second = block.element(1).unwrap();
    assert_eq!(second.get("x").unwrap().as_slice::<f32>().unwrap(), [3., 4.]);
    assert_eq!(second.get("y").unwrap().to_scalar::<i64>().unwrap(), -1);
    assert_eq!(second.get("words").unwrap().strings().unwrap(), ["c"]);
    assert_eq!(block.element(2).unwrap().get("words").unwrap().dims(), [0]);
    // What tf.io.parse_example gives for the same three.
    let batch = Tensor::from_strings([3], messages.to_vec()).unwrap();
    let batch = parser.call(Element::new(vec![batch])).unwrap();
    assert_eq!(batch.get("x").unwrap().dims(), [3, 2]);
    let indices = batch.get("words/indices").unwrap();
    assert_eq!(indices.as_slice::<i64>().unwrap(), [0, 0, 0, 1, 1, 0]);
    assert_eq!(batch.get("words/values").unwrap().strings().unwrap(), ["a", "b", "c"]);
    assert_eq!(batch.get("words/shape").unwrap().as_slice::<i64>().unwrap(), [3, 2]);
}

#[test]
fn what_does_not_fit_is_named_in_tensorflows_words() {
    let parser = ExampleParser::new([("x", Feature::fixed(DataType::Float, &[2]))]).unwrap();
    let error =
        |message: ByteString| parser.parse_rows(&[message]).unwrap_err().message().to_owned();
    assert_eq!(
        error(example(&[])),
        "Feature: x (data type: float) is required but could not be found."
    );
    assert_eq!(
        error(example(&[("x", ints(&[1, 2]))])),
        "Key: x.  Data types don't match. Expected type: float"
    );
    assert_eq!(
        error(example(&[("x", floats(&[1.]))])),
        "Key: x.  Number of float values != expected.  values size: 1 but output shape: [2]"
    );
    assert_eq!(
        error(ByteString::from_static(&[10, 200])),
        "Could not parse example input: it ends within a field; is it a serialised tf.Example?"
    );
    assert!(ExampleParser::new([("x", Feature::fixed(DataType::Int32, &[]))]).is_err());
}

#[test]
fn lists_that_are_not_packed() {
    // Feature { float_list { value: 1 value: 2 } } with a field per value.
    let list = [0x0d, 0, 0, 0x80, 0x3f, 0x0d, 0, 0, 0, 0x40];
    let mut feature = vec![0x12, list.len() as u8];
    feature.extend(list);
    let mut entry = vec![0x0a, 1, b'x', 0x12, feature.len() as u8];
    entry.extend(feature);
    let mut features = vec![0x0a, entry.len() as u8];
    features.extend(entry);
    let mut example = vec![0x0a, features.len() as u8];
    example.extend(features);
    let parser = ExampleParser::new([("x", Feature::fixed(DataType::Float, &[2]))]).unwrap();
    let block = parser.parse_rows(&[ByteString::from_vec(example).unwrap()]).unwrap();
    assert_eq!(block.columns().unwrap()[0].as_slice::<f32>().unwrap(), [1., 2.]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_prost(
        rows in prop::collection::vec((any::<[f32; 3]>(), prop::collection::vec(any::<i64>(), 0..5)), 1..6)
    ) {
        let parser = ExampleParser::new([
            ("ids", Feature::variable(DataType::Int64)),
            ("x", Feature::fixed(DataType::Float, &[3])),
        ]).unwrap();
        let messages: Vec<ByteString> =
            rows.iter().map(|(x, ids)| example(&[("x", floats(x)), ("ids", ints(ids))])).collect();
        let block = parser.parse_rows(&messages).unwrap();
        for (i, (x, ids)) in rows.iter().enumerate() {
            let element = block.element(i).unwrap();
            prop_assert_eq!(element.get("ids").unwrap().as_slice::<i64>().unwrap(), &ids[..]);
            let bits = |v: &[f32]| v.iter().map(|f| f.to_bits()).collect::<Vec<_>>();
            let got = element.get("x").unwrap();
            prop_assert_eq!(bits(got.as_slice::<f32>().unwrap()), bits(x));
        }
    }

    #[test]
    fn any_bytes_are_an_example_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let parser = ExampleParser::new([
            ("x", Feature::fixed_or(&[2], Tensor::scalar(0f32))),
            ("y", Feature::variable(DataType::Int64)),
            ("z", Feature::variable(DataType::String)),
        ]).unwrap();
        let _ = parser.parse_rows(&[ByteString::from_vec(bytes).unwrap()]);
    }
}
