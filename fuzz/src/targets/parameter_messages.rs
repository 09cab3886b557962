//! Any bytes as a conversation with a parameter server, as answers of one, and as a snapshot: an error, or
//! something that can be written again.

use std::io::Cursor;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use downpour_params::{
    Client, Connect, Definition, Inline, Limits, MAGIC, Mode, Patience, PlainValues, Shard, Snapshot, Store,
    Stream, serve,
};
use tokio::io::{join, sink};
use tokio::runtime::{Builder, Runtime};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    downpour_tensor::set_memory_limit(16 << 20);
    Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime can be made")
});

/// A header with a version, as both sides begin.
const HELLO: [u8; 6] = [2, 0, 0, 0, 8, 1];

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    RUNTIME.block_on(async {
        let limits = Limits { silence: Duration::from_secs(5), wait: Duration::from_millis(1) };
        let store = Arc::new(Store::new(PlainValues::new(1.0), limits, 1));
        let said = [&MAGIC[..], &HELLO, data].concat();
        let _ = serve(join(&said[..], sink()), store.clone(), Arc::new(Inline)).await;
        if let Ok(Some(snapshot)) = store.snapshot() {
            let mut file = Vec::new();
            snapshot.write_to(&mut file).expect("what a server has can be written");
            Snapshot::read_from(&mut &file[..]).expect("what was written can be read");
        }
        let answers = [&HELLO[..], data].concat();
        let connect: Connect = Arc::new(move || {
            let answers = Cursor::new(answers.clone());
            Box::pin(async move { Ok(Box::new(join(answers, sink())) as Box<dyn Stream>) })
        });
        let shards = vec![Shard { name: "ps/0".to_string(), connect }];
        let patience = Patience { total: Duration::from_millis(1), ..Patience::default() };
        let client = Client::new(0, 1, shards, patience);
        let definition = Definition { program: Default::default(), mode: Mode::AtOnce };
        let _ = client.define(&[definition]).await;
        let _ = client.pull(&[vec!["w".to_string()]]).await;
    });
    // Past the checksum: it is made right.
    let mut file = b"dpstore2".to_vec();
    file.extend(data);
    let sum = crc32c::crc32c(&file);
    file.extend(sum.to_le_bytes());
    if let Ok(snapshot) = Snapshot::read_from(&mut &file[..]) {
        let mut again = Vec::new();
        snapshot.write_to(&mut again).expect("what was read can be written");
        Snapshot::read_from(&mut &again[..]).expect("what was written can be read");
    }
}
