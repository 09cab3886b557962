//! Any bytes from a rank of all-reduce: messages of a mesh, of a group's agreement, and the first words at a door. An
//! error that ends the operation, never a panic or an operation without end.

use std::io::{Cursor, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::LazyLock;
use std::time::Duration;

use downpour_collectives::{
    BoxStream, Door, Group, GroupConfig, ReduceOp, StreamMesh, all_reduce,
};
use downpour_tensor::Tensor;
use tokio::io::{join, sink};
use tokio::runtime::{Builder, Runtime};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let mut builder = Builder::new_current_thread();
    builder.enable_time().start_paused(true).build().expect("a runtime can be made")
});

static DOOR: LazyLock<Door> =
    LazyLock::new(|| Door::open("127.0.0.1:0").expect("there is a free port"));

const PATIENCE: Duration = Duration::from_secs(1);

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    RUNTIME.block_on(async {
        for rank in 0..2 {
            mesh(rank, data).await;
            group(rank, data).await;
        }
    });
    // No hello is so long: the rest would only fill buffers.
    let _ = door(&data[..data.len().min(100)]);
}

async fn mesh(rank: usize, data: &[u8]) {
    let stream = || join(Cursor::new(data.to_vec()), sink());
    let streams = (0..2).map(|peer| ((peer != rank).then(stream), "peer".to_string()));
    let mut mesh = StreamMesh::new(rank, streams.collect(), PATIENCE);
    for length in [1, 4] {
        let _ = all_reduce(&mut mesh, &mut vec![1f32; length], ReduceOp::Sum).await;
    }
}

async fn group(rank: usize, data: &[u8]) {
    let stream = || Box::new(join(Cursor::new(data.to_vec()), sink())) as BoxStream;
    let mut star = vec![(Some(stream()), "peer".to_string())];
    if rank == 0 {
        star.insert(0, (None, "self".to_string()));
    }
    let mut meshes = StreamMesh::in_process(2, PATIENCE);
    let config = GroupConfig { start_limit: PATIENCE };
    let (group, driver) = Group::new(meshes.swap_remove(rank), star, config);
    let tensor = Tensor::vector(&[1f32]).expect("it is small");
    let result = group.all_reduce("key", tensor, ReduceOp::Sum);
    // The stream ends, so that the group does.
    let both = async { tokio::join!(driver.run(), result) };
    let ended = tokio::time::timeout(Duration::from_secs(600), both).await;
    assert!(ended.is_ok(), "a group whose peer is gone goes on");
}

fn door(data: &[u8]) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(DOOR.address())?;
    stream.write_all(data)?;
    stream.shutdown(Shutdown::Write)?;
    stream.read_to_end(&mut Vec::new()).map(drop)
}
