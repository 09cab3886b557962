//! All-reduce and its relatives between processes: algorithms, and the meshes of connections they run over.
//!
//! An operation is an asynchronous function over a [`Mesh`]; every rank of the mesh calls it with a buffer of
//! the same size. Over a [`StreamMesh`] it runs on tokio, on pipes or a simulated network:
//!
//! ```
//! use std::time::Duration;
//! use downpour_collectives::{ReduceOp, StreamMesh, all_reduce};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let ranks = StreamMesh::in_process(3, Duration::from_secs(10)).into_iter().enumerate();
//! let tasks = ranks.map(|(rank, mut mesh)| {
//!     tokio::spawn(async move {
//!         let mut values = vec![rank as f32; 1000];
//!         all_reduce(&mut mesh, &mut values, ReduceOp::Mean).await.unwrap();
//!         values
//!     })
//! });
//! for task in tasks.collect::<Vec<_>>() {
//!     assert_eq!(task.await.unwrap(), vec![1.0; 1000]);
//! }
//! # });
//! ```
//!
//! Over a [`SocketMesh`] it runs on the calling thread without a runtime, with [`now`]; this is the quickest. A
//! [`Group`] is for many threads that start operations under keys, each rank in an order of its own:
//!
//! ```
//! use downpour_collectives::{Door, Group, GroupConfig, GroupId, MeshConfig, ReduceOp};
//! use downpour_tensor::Tensor;
//!
//! let doors = [Door::open("127.0.0.1:0").unwrap(), Door::open("127.0.0.1:0").unwrap()];
//! let addresses: Vec<String> = doors.iter().map(|door| door.address().to_string()).collect();
//! std::thread::scope(|scope| {
//!     // In earnest each of these is a process.
//!     for (rank, door) in doors.iter().enumerate() {
//!         let config = MeshConfig::new(GroupId::from_name("example"), rank, addresses.clone());
//!         scope.spawn(move || {
//!             let group = Group::connect(door, &config, GroupConfig::default()).unwrap();
//!             let gradient = Tensor::vector(&[1.0f32, rank as f32]).unwrap();
//!             let sum = group.all_reduce("gradient 1", gradient, ReduceOp::Sum).wait().unwrap();
//!             assert_eq!(sum.as_slice::<f32>().unwrap(), [2.0, 1.0]);
//!         });
//!     }
//! });
//! ```
//!
//! A peer that dies or falls silent ends an operation with UNAVAILABLE, its rank and its address; a mesh that
//! failed stays failed, and training goes on with a new one under a new incarnation.
#![warn(missing_docs)]

mod algorithm;
mod bucket;
mod chunks;
mod collective;
mod cost;
mod group;
mod header;
mod mesh;
mod reduction;
mod sink;
mod socket;
mod stream_mesh;
mod sub_mesh;
mod tensors;

pub use algorithm::Algorithm;
pub use bucket::{Bucket, all_reduce_many, plan_buckets};
pub use collective::{
    all_gather, all_reduce, all_reduce_bytes, all_to_all, barrier, broadcast, choose,
    reduce_scatter,
};
pub use cost::CostModel;
pub use group::{BoxStream, Driver, Group, GroupConfig, Key, Pending};
pub use mesh::{EAGER, Incoming, Mesh, Outgoing};
pub use reduction::{Number, Order, ReduceOp, Reduction};
pub use sink::{Combine, Scratch, Sink, Store};
pub use socket::{Canceller, Door, GroupId, MeshConfig, SocketMesh, now};
pub use stream_mesh::StreamMesh;
pub use sub_mesh::SubMesh;
pub use tensors::{
    all_gather_tensor, all_reduce_tensor, all_to_all_tensor, broadcast_tensor,
    reduce_scatter_tensor,
};
