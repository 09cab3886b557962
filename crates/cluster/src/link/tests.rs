use std::sync::mpsc;

use downpour_tensor::Tensor;
use tokio::io::duplex;

use super::*;

enum Heard {
    Value(Arrived),
    Ended(i64),
    Run(Run),
}

struct Ear(mpsc::Sender<Heard>);

impl Inbox for Ear {
    fn arrived(&self, values: Vec<Arrived>, _: u64) -> Result<()> {
        values.into_iter().for_each(|value| self.0.send(Heard::Value(value)).unwrap());
        Ok(())
    }

    fn ended(&self, step: i64) {
        self.0.send(Heard::Ended(step)).unwrap();
    }

    fn run(self: Arc<Self>, run: Run, master: &Arc<Link>) {
        let (step, code) = (run.step, 3);
        self.0.send(Heard::Run(run)).unwrap();
        master.done(Done { step, code, message: "no".into(), ..Done::default() });
    }

    fn lost(&self, _: u64, _: &Status) {}

    fn closed(&self, _: u64, _: &Status) {}
}

fn sent() -> OnSent {
    Box::new(|sent| sent.unwrap())
}

#[tokio::test]
async fn what_is_pushed_arrives() {
    let (near, far) = duplex(1000);
    let pool = ComputePool::new(1).unwrap();
    let (send, heard) = mpsc::channel();
    let (near, near_write) = tokio::io::split(near);
    let (far, far_write) = tokio::io::split(far);
    let link = Link::new(2, "far".into(), Writer::new(near_write), pool.clone());
    let other = Link::new(1, "near".into(), Writer::new(far_write), pool.clone());
    let mut ends = Vec::new();
    for (link, read) in [(link.clone(), near), (other, far)] {
        let ear: Arc<dyn Inbox> = Arc::new(Ear(send.clone()));
        ends.push(tokio::spawn(async move { link.carry(&mut reader(read), &ear).await }));
    }
    let large: Vec<f32> = (0..300_000).map(|i| i as f32).collect();
    let slot = |number| Slot { number, frame: 9, iteration: 4 };
    link.push(7, slot(0), Some(Tensor::vector(&large).unwrap()), sent());
    link.push(7, slot(1), Some(Tensor::string("words")), sent());
    link.push(7, slot(2), Some(Tensor::scalar(2i64)), sent());
    link.push(7, slot(3), None, sent());
    let run = Run { step: 7, graph: "g".into(), traced: true, age: 0 };
    let done = link.run(run).await.unwrap().unwrap();
    assert_eq!(done.status().unwrap().message(), "no");
    link.end(7, true);
    // The small values come before the large one is complete, the large one whole.
    let (mut order, mut ended, mut runs) = (Vec::new(), 0, 0);
    tokio::task::spawn_blocking(move || {
        while order.len() < 4 || ended + runs < 2 {
            match heard.recv_timeout(Duration::from_secs(300)).unwrap() {
                Heard::Ended(step) => ended += (step == 7) as usize,
                Heard::Run(run) => runs += (run.graph == "g" && run.traced) as usize,
                Heard::Value(arrived) => {
                    assert_eq!(
                        (arrived.step, arrived.slot.frame, arrived.slot.iteration),
                        (7, 9, 4)
                    );
                    let value = arrived.value.unwrap();
                    match arrived.slot.number {
                        0 => assert_eq!(value.unwrap().as_slice::<f32>().unwrap(), &large),
                        1 => assert_eq!(&value.unwrap().strings().unwrap()[0][..], b"words"),
                        2 => assert_eq!(value.unwrap().to_scalar::<i64>().unwrap(), 2),
                        _ => assert!(value.is_none()),
                    }
                    order.push(arrived.slot.number);
                }
            }
        }
        assert_eq!(order, [1, 2, 3, 0]);
    })
    .await
    .unwrap();
    link.close(&Status::unavailable("gone"));
    let lost = link.run(Run::default()).await.unwrap();
    assert!(lost.unwrap_err().message().contains("gone"));
    for end in ends {
        let status = end.await.unwrap();
        assert!(status.message().starts_with("lost the connection to"), "{status}");
    }
}

#[tokio::test]
async fn forged_messages_are_refused() {
    let forged = |header: message::Header| {
        let mut bytes = (header.encoded_len() as u32).to_le_bytes().to_vec();
        bytes.extend(header.encode_to_vec());
        bytes
    };
    let head =
        ValueHead { dtype: 1, dims: vec![1 << 40, 1 << 40], length: 8, ..Default::default() };
    let impossible = message::Header { values: vec![head.clone()], ..Default::default() };
    let mut bytes = forged(impossible);
    bytes.extend([0; 8]);
    let news = Reader::new(&bytes[..]).next().await.unwrap();
    assert!(news.values[0].value.is_err(), "that value is an error, the connection goes on");
    let chunk = message::Chunk { transfer: 1, length: 1 };
    let unknown = message::Header { chunk: Some(chunk.clone()), ..Default::default() };
    assert!(Reader::new(&forged(unknown)[..]).next().await.is_err());
    let head = ValueHead { transfer: 1, dims: vec![2], ..head };
    let twice = message::Header { values: vec![head.clone(), head], ..Default::default() };
    assert!(Reader::new(&forged(twice)[..]).next().await.is_err());
    let dead = ValueHead { dead: true, ..Default::default() };
    let many = message::Header { values: vec![dead; 100_000], ..Default::default() };
    assert!(Reader::new(&forged(many)[..]).next().await.is_err());
    assert!(Reader::new(&[255u8, 255, 255, 255][..]).next().await.is_err());
    assert!(Reader::new(&[2u8, 0, 0, 0, 7, 7][..]).next().await.is_err());
}

#[tokio::test]
async fn announced_values_reserve_nothing() {
    let before = downpour_tensor::memory_use().in_use;
    let head = |transfer| ValueHead {
        dtype: 1,
        dims: vec![1 << 28],
        length: 1 << 30,
        transfer,
        ..Default::default()
    };
    // In chunks that do not come, and at once.
    let values = (1..100).chain([0]).map(head).collect();
    let header = message::Header { values, ..Default::default() };
    let bytes =
        [&(header.encoded_len() as u32).to_le_bytes()[..], &header.encode_to_vec()].concat();
    let mut readers: Vec<_> = (0..20).map(|_| Reader::new(&bytes[..])).collect();
    for reader in &mut readers {
        assert!(reader.next().await.is_err(), "nothing came");
    }
    let after = downpour_tensor::memory_use().in_use;
    assert!(after < before + (100 << 20), "{}", after - before);
    // A hello is short; nobody makes room for a long one.
    let long = (16u32 << 20).to_le_bytes();
    let refused = Reader::new(&long[..]).hello::<message::Hello>().await.unwrap_err();
    assert!(refused.to_string().contains("allowed"), "{refused}");
}

/// Everything a reader makes of some bytes, until it refuses them or they end.
fn read_all(bytes: &[u8]) -> usize {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let (mut reader, mut messages) = (Reader::new(bytes), 0);
        while reader.next().await.is_ok() {
            messages += 1;
        }
        messages
    })
}

/// A message with some values of every kind, as it goes over the wire.
fn message_bytes(values: &[Vec<f32>]) -> Vec<u8> {
    let outgoing = Outgoing::default();
    for (i, value) in values.iter().enumerate() {
        let tensor = match i % 3 {
            0 => Some(Tensor::vector(value).unwrap()),
            1 => Some(Tensor::from_string(format!("{value:?}")).unwrap()),
            _ => None,
        };
        let (head, payload) = encode(i as i64, Slot::new(i as u32), tensor).unwrap();
        outgoing.value(head, payload, sent(), || ());
    }
    let mut bytes = Vec::new();
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    while let Some(mut pieces) = outgoing.begin() {
        assert!(pieces.poll_write(&mut bytes, &mut cx).is_ready());
        outgoing.written();
    }
    bytes
}

proptest::proptest! {
    #[test]
    fn any_bytes_are_read_without_harm(bytes in proptest::collection::vec(0u8.., 0..300)) {
        read_all(&bytes);
    }

    #[test]
    fn damaged_messages_are_read_without_harm(
        lengths in proptest::collection::vec(0usize..200, 1..6),
        at in 0usize..10_000,
        with in 0u8..,
    ) {
        let values: Vec<Vec<f32>> = lengths.iter().map(|n| vec![0.5; *n]).collect();
        let mut bytes = message_bytes(&values);
        proptest::prop_assert_eq!(read_all(&bytes), 1);
        let at = at % bytes.len();
        bytes[at] = with;
        read_all(&bytes);
        read_all(&bytes[..at]);
    }
}
