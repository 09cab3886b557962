use downpour_tensor::Tensor;
use downpour_wire::proto::{NamedTensorProto, RunStepResponse};
use downpour_wire::tensor_to_proto;

use std::time::Duration;

use super::*;
use crate::admission::{Admission, Origin};
use crate::limits::PortLimits;

fn answer(values: &[Tensor]) -> RunStepResponse {
    let named = |tensor| NamedTensorProto {
        name: "fetched:0".to_string(),
        tensor: Some(tensor_to_proto(tensor).unwrap()),
    };
    RunStepResponse { tensor: values.iter().map(named).collect(), ..Default::default() }
}

fn tensors(elements: usize) -> Vec<Tensor> {
    let long = Tensor::from_string("word".repeat(elements / 4)).unwrap();
    vec![Tensor::scalar(1i32), Tensor::vector(&vec![1.5f32; elements]).unwrap(), long]
}

fn pieces(response: &Response<RunStepResponse>) -> &[Bytes] {
    &response.extensions().get::<Pieces>().unwrap().0
}

#[test]
fn tensors_leave_from_where_they_lie() {
    let values = tensors(1 << 20);
    let message = answer(&values);
    let expected = message.encode_to_vec();
    let response = reply(message);
    let pieces = pieces(&response);
    let own = values[1].to_bytes().unwrap();
    assert!(pieces.iter().any(|piece| piece.as_ptr() == own.as_ptr() && piece.len() == own.len()));
    let sent = pieces.concat();
    assert_eq!(sent[..5], [&[0][..], &(expected.len() as u32).to_be_bytes()].concat());
    assert_eq!(sent[5..], expected);
    assert_eq!(response.get_ref(), &RunStepResponse::default());
}

#[test]
fn small_answers_are_one_piece() {
    let message = answer(&tensors(100));
    let response = reply(message.clone());
    let [piece] = pieces(&response) else { panic!("one piece") };
    assert_eq!(piece[5..], message.encode_to_vec());
}

fn http(response: Response<RunStepResponse>) -> HttpResponse<tonic::body::Body> {
    let mut http = HttpResponse::new(tonic::body::Body::default());
    *http.extensions_mut() = response.extensions().clone();
    http
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_nobody_takes_ends_its_connection() {
    let admission = Admission::new(PortLimits::default());
    let seat = admission.admit(Origin::Process).unwrap();
    seat.greet();
    let unread = Duration::from_secs(300);
    let response = reply(answer(&tensors(1 << 20)));
    let total: usize = pieces(&response).iter().map(Bytes::len).sum();
    let mut body =
        send(http(response), &Answers::new(Arc::downgrade(&seat), unread), Charge::default())
            .into_body();
    let mut next = async || std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await;
    let mut bytes = 0;
    // A slow client that goes on is waited for.
    for _ in 0..3 {
        bytes += next().await.unwrap().unwrap().into_data().unwrap().len();
        let waiting = tokio::time::timeout(unread - Duration::from_secs(1), seat.closed());
        assert!(waiting.await.is_err());
    }
    assert!(bytes < total);
    seat.closed().await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_ends_with_its_status() {
    let admission = Admission::new(PortLimits::default());
    let seat = admission.admit(Origin::Process).unwrap();
    let unread = Duration::from_secs(300);
    let response = reply(answer(&tensors(1 << 20)));
    let expected = pieces(&response).concat();
    let mut body =
        send(http(response), &Answers::new(Arc::downgrade(&seat), unread), Charge::default())
            .into_body();
    let (mut sent, mut status) = (Vec::new(), None);
    while let Some(frame) = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        match frame.unwrap().into_data() {
            Ok(data) => {
                assert!(data.len() <= AT_ONCE);
                sent.extend_from_slice(&data);
            }
            Err(frame) => status = frame.into_trailers().ok(),
        }
    }
    assert_eq!(sent, expected);
    assert_eq!(status.unwrap()["grpc-status"], "0");
    drop(body);
    let waiting = tokio::time::timeout(unread * 3, seat.closed());
    assert!(waiting.await.is_err(), "an answer that was taken closes nothing");
}

/// Neither an answer that HTTP/2 does not ask for nor one that it has taken and cannot send is forgotten.
#[tokio::test(start_paused = true)]
async fn small_answers_count_until_they_have_left() {
    let admission = Admission::new(PortLimits::default());
    let unread = Duration::from_secs(300);
    for is_taken in [false, true] {
        let seat = admission.admit(Origin::Process).unwrap();
        seat.greet();
        let answers = Answers::new(Arc::downgrade(&seat), unread);
        let before = downpour_tensor::memory_use().in_use;
        let (mut bodies, mut taken) = (Vec::new(), Vec::new());
        for _ in 0..10_000 {
            let charge = Charge::new(4 << 10).unwrap();
            let mut body = send(http(reply(answer(&tensors(100)))), &answers, charge).into_body();
            if is_taken {
                let frame = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await;
                taken.push(frame.unwrap().unwrap().into_data().unwrap());
                drop(body);
            } else {
                bodies.push(body);
            }
        }
        let counted = downpour_tensor::memory_use().in_use - before;
        assert!(counted > 30 << 20, "{counted}");
        seat.closed().await;
    }
}
