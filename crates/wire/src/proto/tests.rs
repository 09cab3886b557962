//! Encodings as TensorFlow's own Python writes them for the same messages.

use std::fmt::Debug;

use bytes::Bytes;
use prost::Message;

use super::attr_value::{ListValue, Value};
use super::*;

fn assert_encoding<M: Message + Default + PartialEq + Debug>(message: M, encoding: &[u8]) {
    assert_eq!(message.encode_to_vec(), encoding);
    assert_eq!(M::decode(encoding), Ok(message));
}

fn attr(value: Value) -> AttrValue {
    AttrValue { value: Some(value) }
}

fn shape(sizes: &[i64]) -> TensorShapeProto {
    let dim = |&size| tensor_shape_proto::Dim { size, ..Default::default() };
    TensorShapeProto { dim: sizes.iter().map(dim).collect(), unknown_rank: false }
}

#[test]
fn attributes() {
    assert_encoding(attr(Value::Type(DataType::DtFloat.into())), b"0\x01");
    assert_encoding(
        attr(Value::Shape(shape(&[-1, 2]))),
        b":\x11\x12\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x12\x02\x08\x02",
    );
    let list = ListValue {
        i: vec![1, -1],
        r#type: vec![DataType::DtFloat.into(), DataType::DtInt32.into()],
        ..Default::default()
    };
    assert_encoding(
        attr(Value::List(list.into())),
        b"\n\x11\x1a\x0b\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x012\x02\x01\x03",
    );
}

#[test]
fn node() {
    let class = ListValue { s: vec![Bytes::from_static(b"loc:@v")], ..Default::default() };
    let node = NodeDef {
        name: "sum".into(),
        op: "AddV2".into(),
        input: ["a", "b:1", "^c"].map(String::from).into(),
        device: "/job:ps/task:0".into(),
        attr: [
            ("_class".into(), attr(Value::List(class.into()))),
            ("T".into(), attr(Value::Type(DataType::DtInt64.into()))),
        ]
        .into(),
        ..Default::default()
    };
    assert_encoding(
        node,
        b"\n\x03sum\x12\x05AddV2\x1a\x01a\x1a\x03b:1\x1a\x02^c\"\x0e/job:ps/task:0\
          *\x07\n\x01T\x12\x020\t*\x14\n\x06_class\x12\n\n\x08\x12\x06loc:@v",
    );
}

#[test]
fn tensors() {
    let floats = TensorProto {
        dtype: DataType::DtFloat.into(),
        tensor_shape: Some(shape(&[2])),
        tensor_content: [1.5_f32, -2.0].map(f32::to_le_bytes).concat().into(),
        ..Default::default()
    };
    assert_encoding(floats, b"\x08\x01\x12\x04\x12\x02\x08\x02\"\x08\x00\x00\xc0?\x00\x00\x00\xc0");
    let string = TensorProto {
        dtype: DataType::DtString.into(),
        tensor_shape: Some(shape(&[])),
        string_val: vec![Bytes::from_static(b"\xff\x00")],
        ..Default::default()
    };
    assert_encoding(string, b"\x08\x07\x12\x00B\x02\xff\x00");
}

#[test]
fn negative_enumeration_values() {
    let optimizer_options =
        OptimizerOptions { opt_level: optimizer_options::Level::L0.into(), ..Default::default() };
    let config = ConfigProto {
        allow_soft_placement: true,
        graph_options: Some(GraphOptions {
            optimizer_options: Some(optimizer_options),
            ..Default::default()
        }),
        ..Default::default()
    };
    assert_encoding(config, b"8\x01R\r\x1a\x0b\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

#[test]
fn fixed_width_and_zigzag_numbers() {
    let device = DeviceAttributes {
        name: "/job:ps/replica:0/task:0/device:CPU:0".into(),
        device_type: "CPU".into(),
        memory_limit: 1 << 28,
        incarnation: 0x0123_4567_89ab_cdef,
        ..Default::default()
    };
    assert_encoding(
        device,
        b"\n%/job:ps/replica:0/task:0/device:CPU:0\x12\x03CPU \x80\x80\x80\x80\x01\
          1\xef\xcd\xab\x89gE#\x01",
    );
    let entry = BundleEntryProto {
        dtype: DataType::DtFloat.into(),
        shape: Some(shape(&[3])),
        size: 12,
        crc32c: 0xdead_beef,
        ..Default::default()
    };
    assert_encoding(entry, b"\x08\x01\x12\x04\x12\x02\x08\x03(\x0c5\xef\xbe\xad\xde");
    let value = StructuredValue { kind: Some(structured_value::Kind::Int64Value(-2)) };
    assert_encoding(value, b"`\x03");
    let event = Event {
        wall_time: 1.0,
        what: Some(event::What::FileVersion("brain.Event:2".into())),
        ..Default::default()
    };
    assert_encoding(event, b"\t\x00\x00\x00\x00\x00\x00\xf0?\x1a\rbrain.Event:2");
}

#[test]
fn payloads_share_the_memory_they_arrived_in() {
    let tensor = TensorProto {
        tensor_content: vec![7; 64].into(),
        string_val: vec![Bytes::from_static(b"a string"), Bytes::from_static(b"another")],
        ..Default::default()
    };
    let response = RecvTensorResponse { tensor: Some(tensor), ..Default::default() };
    let arrived = Bytes::from(response.encode_to_vec());
    let tensor = RecvTensorResponse::decode(arrived.clone()).unwrap().tensor.unwrap();
    for payload in [&tensor.tensor_content, &tensor.string_val[0], &tensor.string_val[1]] {
        assert!(arrived.as_ptr_range().contains(&payload.as_ptr()));
    }
}

#[test]
fn attributes_stay_small() {
    assert!(size_of::<AttrValue>() <= 64, "{} bytes", size_of::<AttrValue>());
}

#[test]
fn bottomless_messages_are_refused() {
    let nested = |depth| {
        (0..depth).fold(VariantTensorDataProto::default(), |inner, _| {
            let tensor = TensorProto { variant_val: vec![inner], ..Default::default() };
            VariantTensorDataProto { tensors: vec![tensor], ..Default::default() }
        })
    };
    let decode = |message: VariantTensorDataProto| {
        VariantTensorDataProto::decode(&message.encode_to_vec()[..])
    };
    assert!(decode(nested(50)).is_ok());
    assert!(decode(nested(60)).is_err());
}
