use downpour_tensor::ByteString;
use downpour_wire::proto::{TensorShapeProto, VariantTensorDataProto, tensor_shape_proto::Dim};
use downpour_wire::{register_variant_decoder, tensor_to_proto};

use super::*;

fn floats(count: usize) -> Payload {
    Payload::new(DataType::Float as i32, &[count as u64], 4 * count, false)
}

fn reserved(payload: &Payload) -> usize {
    payload.place.as_ref().map_or(0, |(_, room)| room.filled() + room.room())
}

#[tokio::test]
async fn memory_grows_with_bytes_that_come() {
    // As much as any machine has, and only some bytes of it.
    let mut payload = floats(memory_limit() / 8);
    assert_eq!(reserved(&payload), 0, "an announcement reserves nothing");
    let mut credit = Credit::default();
    let sent = vec![1u8; 3 << 20];
    let ended = payload.read(&mut &sent[..], payload.missing(), &mut credit).await;
    assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    // What has come, as much again, the slack, and the rounding of the allocator.
    assert!(reserved(&payload) <= (sent.len() * 2 + SLACK) * 5 / 4, "{}", reserved(&payload));
}

#[tokio::test]
async fn many_announcements_share_one_credit() {
    let mut credit = Credit::default();
    let mut payloads: Vec<Payload> = (0..1000).map(|_| floats(1 << 28)).collect();
    for payload in &mut payloads {
        payload.read(&mut &[1u8][..], 1, &mut credit).await.unwrap();
    }
    let all: usize = payloads.iter().map(reserved).sum();
    assert!(all <= 2 * SLACK + 1000 * LEAST, "{all}");
}

#[tokio::test]
async fn a_connection_that_has_delivered_is_trusted() {
    let mut credit = Credit::default();
    let bytes = vec![0u8; 8 << 20];
    for round in 0..2 {
        let mut payload = floats(2 << 20);
        payload.read(&mut &bytes[..1], 1, &mut credit).await.unwrap();
        assert_eq!(reserved(&payload) == bytes.len(), round == 1);
        payload.read(&mut &bytes[1..], bytes.len() - 1, &mut credit).await.unwrap();
        assert_eq!(payload.finish().unwrap().len(), 2 << 20);
    }
    assert_eq!(credit.ahead, 0);
}

#[tokio::test]
async fn values_that_cannot_be_are_errors_of_their_own() {
    let mut credit = Credit::default();
    for (mut payload, length) in [
        (Payload::new(DataType::Float as i32, &[3], 8, false), 8),
        (Payload::new(DataType::Float as i32, &[1 << 60], 1 << 62, false), 8),
        (Payload::new(9999, &[], 8, false), 8),
    ] {
        // The bytes are read all the same: the next message follows them.
        payload.read(&mut &[0u8; 8][..], length, &mut credit).await.unwrap();
        assert!(payload.finish().is_err());
    }
    let mut early = floats(2);
    early.read(&mut &[0u8; 4][..], 4, &mut credit).await.unwrap();
    assert!(early.finish().unwrap_err().message().contains("before all"));
}

/// What becomes of a message that comes as an encoded tensor.
async fn sent(proto: &TensorProto) -> Result<Tensor> {
    let bytes = proto.encode_to_vec();
    let mut payload = Payload::new(proto.dtype, &[], bytes.len(), true);
    payload.read(&mut &bytes[..], bytes.len(), &mut Credit::default()).await.unwrap();
    payload.finish()
}

fn announced(dtype: DataType, elements: i64) -> TensorProto {
    let dim = vec![Dim { size: elements, ..Dim::default() }];
    let tensor_shape = Some(TensorShapeProto { dim, unknown_rank: false });
    TensorProto { dtype: dtype as i32, tensor_shape, ..TensorProto::default() }
}

#[tokio::test]
async fn a_message_has_every_element_of_its_tensor() {
    let words = Tensor::from_strings([2], vec![ByteString::from("a"), "bc".into()]).unwrap();
    let whole = tensor_to_proto(&words).unwrap();
    assert_eq!(sent(&whole).await.unwrap().strings().unwrap(), words.strings().unwrap());

    // One value that would be repeated, and none: the tensors would take gigabytes.
    let many = 1 << 32;
    let floats = TensorProto { float_val: vec![1.0], ..announced(DataType::Float, many) };
    let strings = TensorProto { string_val: whole.string_val, ..announced(DataType::String, many) };
    let variants = announced(DataType::Variant, many);
    register_variant_decoder("holder", |_, mut tensors| {
        tensors.clear();
        Ok(downpour_tensor::Variant::empty())
    });
    let holder = |tensor: TensorProto| TensorProto {
        variant_val: vec![VariantTensorDataProto {
            type_name: "holder".to_string(),
            tensors: vec![tensor],
            ..VariantTensorDataProto::default()
        }],
        ..announced(DataType::Variant, 1)
    };
    for forged in [floats.clone(), strings, variants, holder(floats)] {
        let refused = sent(&forged).await.unwrap_err();
        assert_eq!(refused.code(), downpour_tensor::Code::InvalidArgument, "{refused}");
    }
    let plain = tensor_to_proto(&Tensor::vector(&[1f32, 2.0]).unwrap()).unwrap();
    assert!(sent(&holder(plain.clone())).await.is_ok());
    assert!(sent(&plain).await.unwrap_err().message().contains("plain bytes"));
    // A variant's list of messages in bytes hides what is in it.
    let hidden =
        TensorProto { tensor_content: Bytes::from_static(&[0]), ..announced(DataType::Variant, 1) };
    assert!(sent(&hidden).await.is_err());
}
