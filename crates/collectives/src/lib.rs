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
