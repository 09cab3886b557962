use std::convert::Infallible;

use downpour_tensor::memory_use;
use tokio::sync::mpsc;
use tonic::Code;

use super::*;

const STALL: Duration = Duration::from_secs(60);

/// A body that brings what is put into its channel.
struct Pipe(mpsc::UnboundedReceiver<Bytes>);

impl Body for Pipe {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(cx).map(|piece| piece.map(|piece| Ok(Frame::data(piece))))
    }
}

fn pipe() -> (mpsc::UnboundedSender<Bytes>, Pipe) {
    let (send, receive) = mpsc::unbounded_channel();
    (send, Pipe(receive))
}

fn waiting() -> Waiting {
    crate::waiting::WaitingCalls::default().enter().0
}

fn announce(length: u32) -> Bytes {
    Bytes::from([&[0][..], &length.to_be_bytes()].concat())
}

async fn read(mut body: CallBody<Pipe>) -> Result<Vec<u8>, Status> {
    let mut all = Vec::new();
    while let Some(frame) = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        all.extend_from_slice(frame?.data_ref().unwrap());
    }
    Ok(all)
}

#[tokio::test(start_paused = true)]
async fn a_length_alone_reserves_nothing_and_is_not_waited_for_long() {
    let before = memory_use().in_use;
    let mut calls = Vec::new();
    for _ in 0..1000 {
        let (send, body) = pipe();
        send.send(announce(1 << 30)).unwrap();
        calls.push((send, tokio::spawn(CallBody::receive(body, STALL, None, 0, waiting()))));
    }
    tokio::time::sleep(STALL / 2).await;
    assert!(calls.iter().all(|(_, call)| !call.is_finished()), "tonic sees none of them");
    assert!(memory_use().in_use < before + (100 << 20), "only what has come is counted");
    for (_, call) in calls {
        let ended = call.await.unwrap().err().unwrap();
        assert_eq!(ended.code(), Code::DeadlineExceeded, "{ended}");
    }
}

#[tokio::test]
async fn a_message_is_shown_when_half_of_it_has_come() {
    let (send, body) = pipe();
    send.send(announce(1000)).unwrap();
    send.send(Bytes::from(vec![1; 499])).unwrap();
    let mut call = std::pin::pin!(CallBody::receive(body, STALL, None, 0, waiting()));
    let mut cx = Context::from_waker(std::task::Waker::noop());
    assert!(call.as_mut().poll(&mut cx).is_pending());
    send.send(Bytes::from(vec![2; 1])).unwrap();
    let body = call.await.unwrap();
    send.send(Bytes::from(vec![3; 500])).unwrap();
    drop(send);
    let all = read(body).await.unwrap();
    let expected = [&announce(1000)[..], &[1; 499], &[2], &[3; 500]].concat();
    assert_eq!(all, expected);
}

#[tokio::test]
async fn pieces_of_any_size_come_out_in_their_order() {
    let message: Vec<u8> = (0..100_000u32).map(|i| i as u8).collect();
    for piece in [1, 3, 5000, 100_005] {
        let (send, body) = pipe();
        let whole = [&announce(100_000)[..], &message].concat();
        whole.chunks(piece).for_each(|p| send.send(Bytes::copy_from_slice(p)).unwrap());
        drop(send);
        let body = CallBody::receive(body, STALL, None, 0, waiting()).await.unwrap();
        assert!(body.held.len() <= 100, "small pieces are joined: {}", body.held.len());
        assert_eq!(read(body).await.unwrap(), whole);
    }
}

#[tokio::test]
async fn odd_messages_are_refused_or_left_to_tonic() {
    let receive = async |pieces: &[&[u8]]| {
        let (send, body) = pipe();
        pieces.iter().for_each(|p| send.send(Bytes::copy_from_slice(p)).unwrap());
        drop(send);
        match CallBody::receive(body, STALL, None, 0, waiting()).await {
            Ok(body) => read(body).await,
            Err(status) => Err(status),
        }
    };
    // A second message, which tonic would make room for.
    let second = receive(&[&announce(1), &[7], &announce(u32::MAX)]).await.unwrap_err();
    assert_eq!(second.code(), Code::InvalidArgument);
    let joined = receive(&[&[&announce(1)[..], &[7, 0, 255, 255, 255, 255]].concat()]).await;
    assert_eq!(joined.unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(receive(&[]).await.unwrap(), b"");
    assert_eq!(receive(&[&[0, 0]]).await.unwrap(), [0, 0]);
    assert_eq!(receive(&[&announce(0)]).await.unwrap(), announce(0));
}

#[tokio::test]
async fn empty_parts_are_counted_before_they_are_decoded() {
    let shape = downpour_wire::request_shape("/tensorflow.MasterService/RunStep");
    let receive = async |message: Vec<u8>| {
        let (send, body) = pipe();
        send.send(announce(message.len() as u32)).unwrap();
        message.chunks(10_000).for_each(|p| send.send(Bytes::copy_from_slice(p)).unwrap());
        drop(send);
        let body = CallBody::receive(body, STALL, shape, 0, waiting()).await?;
        let decoded = body.decoded();
        read(body).await?;
        Ok::<_, Status>(decoded.lock().bytes())
    };
    // A hundred thousand tensors without a name or contents.
    let bomb = receive([0x12, 0].repeat(100_000)).await.unwrap_err();
    assert_eq!(bomb.code(), Code::ResourceExhausted, "{bomb}");
    let few = receive([0x12, 0].repeat(1_000)).await.unwrap();
    assert!((400_000..2_000_000).contains(&few), "{few}");
    // The second half is looked at, too.
    let late = [&[0x7a, 0xc0, 0x9a, 0x0c][..], &[0; 200_000], &[0x12, 0].repeat(100_000)].concat();
    assert_eq!(receive(late).await.unwrap_err().code(), Code::ResourceExhausted);
    let cut = receive(vec![0x12, 9, 1]).await.unwrap_err();
    assert_eq!(cut.code(), Code::InvalidArgument, "{cut}");
}
