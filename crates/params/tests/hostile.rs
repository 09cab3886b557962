//! Bytes nobody who means well would send: an error, never a panic, a hang or a change.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll};
use std::time::Duration;

use downpour_coordinator::Extent;
use downpour_params::{
    Client, Connect, Definition, Gradient, Inline, Limits, Mode, Patience, Placed, PlainValues,
    Prepared, Receipt, Remembered, Shard, Snapshot, Store, Stream, Tag, Update, serve,
};
use downpour_tensor::{ByteString, Code, Tensor};
use parking_lot::Mutex;
use proptest::prelude::*;
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, ReadBuf, duplex, join, sink};

type Plain = Arc<Store<PlainValues>>;
type Log = Arc<Mutex<Vec<u8>>>;

fn store() -> Plain {
    let limits = Limits { silence: Duration::from_secs(5), wait: Duration::from_millis(10) };
    Arc::new(Store::new(PlainValues::new(1.0), limits, 1))
}

fn run<T>(future: impl Future<Output = T>) -> T {
    // A forged length must not cost more than this.
    downpour_tensor::set_memory_limit(16 << 20);
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_time().start_paused(true).build().unwrap().block_on(future)
}

/// A stream whose bytes in both directions are written down.
struct Recorded {
    stream: DuplexStream,
    out: Log,
    back: Log,
}

impl AsyncRead for Recorded {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, into);
        self.back.lock().extend_from_slice(&into.filled()[before..]);
        read
    }
}

impl AsyncWrite for Recorded {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write(cx, bytes);
        if let Poll::Ready(Ok(count)) = wrote {
            self.out.lock().extend_from_slice(&bytes[..count]);
        }
        wrote
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

fn client(connect: Connect) -> Client {
    let shards = vec![Shard { name: "ps/0".to_string(), connect }];
    let patience = Patience {
        total: Duration::from_secs(1),
        answer: Duration::from_millis(500),
        ..Patience::default()
    };
    Client::new(0, 1, shards, patience)
}

async fn talk(client: &Client) -> downpour_tensor::Result<()> {
    client.define(&[Definition { program: Default::default(), mode: Mode::AtOnce }]).await?;
    client.join().await?;
    let value = Tensor::vector(&[1f32, 2.0])?;
    let words = Tensor::from_strings([2], vec!["a".into(), "bcd".into()])?;
    let values = [("w".to_string(), value.clone()), ("words".to_string(), words)];
    client.put(0, &values, true, 0).await?;
    client.pull(&[vec!["w".to_string(), "words".to_string()]]).await?;
    client.read_rows(&[vec![("w".to_string(), Tensor::vector(&[1i64, 0])?)]]).await?;
    let gradients = vec![("w".to_string(), Gradient::Dense(value.clone()))];
    client.push(&[Update { gradients, set: vec![("at".to_string(), value)] }], 1).await?;
    client.statistics().await?;
    client.leave().await
}

/// A whole conversation: what the client has said, and what the server.
static CONVERSATION: LazyLock<(Vec<u8>, Vec<u8>)> = LazyLock::new(|| {
    run(async {
        let (out, back, store) = (Log::default(), Log::default(), store());
        let logs = (out.clone(), back.clone());
        let connect: Connect = Arc::new(move || {
            let (out, back) = logs.clone();
            let store = store.clone();
            Box::pin(async move {
                let (stream, far) = duplex(1 << 16);
                tokio::spawn(serve(far, store, Arc::new(Inline)));
                Ok(Box::new(Recorded { stream, out, back }) as Box<dyn Stream>)
            })
        });
        talk(&client(connect)).await.unwrap();
        let back = back.lock().clone();
        (std::mem::take(&mut *out.lock()), back)
    })
});

/// Gives a server these bytes, and says how many updates came of them.
fn said_to_server(bytes: &[u8]) -> u64 {
    run(async {
        let store = store();
        let _ = serve(join(bytes, sink()), store.clone(), Arc::new(Inline)).await;
        store.statistics().updates
    })
}

/// Gives a client these bytes, whatever it says.
fn said_to_client(bytes: Vec<u8>) -> downpour_tensor::Result<()> {
    run(async {
        let connect: Connect = Arc::new(move || {
            let bytes = io::Cursor::new(bytes.clone());
            Box::pin(async move { Ok(Box::new(join(bytes, sink())) as Box<dyn Stream>) })
        });
        talk(&client(connect)).await
    })
}

fn flipped(bytes: &[u8], flips: &[(prop::sample::Index, u8)]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (place, bit) in flips {
        let place = place.index(bytes.len());
        bytes[place] ^= 1 << bit;
    }
    bytes
}

fn flips() -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    prop::collection::vec((any::<prop::sample::Index>(), 0u8..8), 1..6)
}

fn snapshots() -> impl Strategy<Value = Snapshot> {
    let member = (any::<u32>(), any::<[u64; 9]>(), any::<bool>(), any::<bool>());
    let member = member.prop_map(|(worker, n, used, gone)| Remembered {
        tag: Tag { worker, incarnation: n[0], sequence: n[1] },
        receipt: Receipt { version: n[2], steps: n[3], staleness: n[4], next: n[5], used },
        clock: n[6],
        used: n[7],
        gone,
        apart: n[8],
    });
    let value = prop_oneof![
        prop::collection::vec(any::<f32>(), 0..20).prop_map(|v| Tensor::vector(&v).unwrap()),
        prop::collection::vec(any::<i64>(), 0..20).prop_map(|v| Tensor::vector(&v).unwrap()),
        prop::collection::vec("[a-z]{0,9}", 0..5).prop_map(|v| {
            Tensor::build_strings([v.len()], |i| ByteString::copy_from(&v[i])).unwrap()
        }),
    ];
    let members = prop::collection::vec(member, 0..4);
    let values = prop::collection::vec(("[a-z/]{0,12}", value), 0..5);
    let mode = prop_oneof![
        Just(Mode::AtOnce),
        Just(Mode::Together { workers: 4, backups: 1 }),
        Just(Mode::Bounded { workers: 3, bound: 2 }),
    ];
    let program = prop::collection::vec(any::<u8>(), 0..30);
    (mode, program, any::<[u64; 5]>(), members, values).prop_map(
        |(mode, program, [version, steps, lost, shares, start], members, values)| Snapshot {
            definition: Definition { program: program.into(), mode },
            version,
            steps,
            lost,
            known: lost,
            shares,
            start,
            members,
            applied: vec![Extent { dataset: 1, data_epoch: steps as u32, start: 0, end: version }],
            prepared: (steps % 2 == 0).then(|| Prepared {
                id: lost,
                placed: Placed { epoch: shares, layout: vec![7; 3].into() },
                program: vec![8; 9].into(),
                values: values.clone(),
                cut: steps,
                leaving: vec!["gone".to_string()],
            }),
            values,
            placed: Placed { epoch: start, layout: vec![1, 2].into() },
            moved_by: version,
        },
    )
}

fn written(snapshot: &Snapshot) -> Vec<u8> {
    let mut bytes = Vec::new();
    snapshot.write_to(&mut bytes).unwrap();
    bytes
}

#[test]
fn the_conversation_means_something() {
    let (out, back) = &*CONVERSATION;
    assert_eq!(said_to_server(out), 1);
    said_to_client(back.clone()).unwrap();
}

#[test]
fn nothing_of_half_a_request_is_done() {
    let (out, _) = &*CONVERSATION;
    let updates: Vec<u64> = (0..=out.len()).map(|end| said_to_server(&out[..end])).collect();
    assert!(updates.is_sorted());
    // The request that follows it asks for what has happened: 4 bytes of length, and 2.
    let first = updates.iter().position(|&updates| updates == 1).unwrap();
    let whole = u32::from_le_bytes(out[first..first + 4].try_into().unwrap());
    assert_eq!(whole, 2);
}

proptest! {
    #[test]
    fn a_server_survives_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        said_to_server(&bytes);
        let hello = &CONVERSATION.0[..14];
        said_to_server(&[hello, &bytes].concat());
    }

    #[test]
    fn a_server_survives_a_conversation_with_errors(flips in flips()) {
        prop_assert!(said_to_server(&flipped(&CONVERSATION.0, &flips)) <= 1);
    }

    #[test]
    fn a_client_survives_any_answer(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(said_to_client(bytes.clone()).is_err());
        let hello = &CONVERSATION.1[..6];
        let _ = said_to_client([hello, &bytes].concat());
    }

    #[test]
    fn a_client_survives_answers_with_errors(flips in flips(), end in any::<prop::sample::Index>()) {
        let (_, back) = &*CONVERSATION;
        let _ = said_to_client(flipped(back, &flips));
        let _ = said_to_client(back[..end.index(back.len())].to_vec());
    }

    #[test]
    fn a_snapshot_comes_back_as_it_was(snapshot in snapshots()) {
        let bytes = written(&snapshot);
        let back = Snapshot::read_from(&mut &bytes[..]).unwrap();
        prop_assert_eq!(&back.definition, &snapshot.definition);
        prop_assert_eq!(&back.members, &snapshot.members);
        prop_assert_eq!(written(&back), bytes);
    }

    #[test]
    fn a_damaged_snapshot_is_never_taken(
        snapshot in snapshots(),
        end in any::<prop::sample::Index>(),
        place in any::<prop::sample::Index>(),
        bit in 0u8..8,
    ) {
        run(async {});
        let bytes = written(&snapshot);
        let cut = Snapshot::read_from(&mut &bytes[..end.index(bytes.len())]);
        prop_assert_eq!(cut.unwrap_err().code(), Code::DataLoss);
        prop_assert!(Snapshot::read_from(&mut &flipped(&bytes, &[(place, bit)])[..]).is_err());
    }
}
