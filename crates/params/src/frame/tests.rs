use downpour_tensor::memory_use;
use tokio::io::{AsyncWriteExt, duplex};
use tokio::time::Instant;

use super::*;
use crate::message::Request;

const STALL: Duration = Duration::from_secs(60);

fn announced(length: u64) -> Vec<u8> {
    let head = TensorHead {
        name: "w".to_string(),
        dtype: DataType::Float as i32,
        dims: vec![length / 4],
        length,
        ..Default::default()
    };
    let request = Request { tensors: vec![head], ..Default::default() };
    let header = request.encode_to_vec();
    [&(header.len() as u32).to_le_bytes()[..], &header].concat()
}

#[tokio::test(start_paused = true)]
async fn an_announced_tensor_takes_nothing_and_is_not_waited_for_long() {
    let before = memory_use().in_use;
    let start = Instant::now();
    let mut reading = Vec::new();
    for _ in 0..50 {
        let (mut near, far) = duplex(1000);
        near.write_all(&announced(1 << 30)).await.unwrap();
        let mut reader = Reader::with_stall(far, STALL);
        reading.push((near, tokio::spawn(async move { reader.message::<Request>().await })));
    }
    tokio::time::sleep(STALL / 2).await;
    // Fifty times the first reserve of a connection at most; a gigabyte each was announced.
    assert!(memory_use().in_use < before + (100 << 20), "{}", memory_use().in_use - before);
    for (_near, message) in reading {
        assert_eq!(message.await.unwrap().unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
    assert!(start.elapsed() < 2 * STALL);
}

#[tokio::test(start_paused = true)]
async fn slow_tensors_come_through_and_silence_between_messages_is_no_stall() {
    let (mut near, far) = duplex(1 << 20);
    let mut reader = Reader::with_stall(far, STALL);
    let message = tokio::spawn(async move { reader.message::<Request>().await });
    tokio::time::sleep(100 * STALL).await;
    near.write_all(&announced(4 << 20)).await.unwrap();
    for _ in 0..16 {
        tokio::time::sleep(STALL / 8).await;
        near.write_all(&vec![0; 256 << 10]).await.unwrap();
    }
    let (_, items) = message.await.unwrap().unwrap();
    assert_eq!(items.unwrap()[0].tensor.len(), 1 << 20);
}
