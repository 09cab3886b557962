//! TensorFlow's gRPC services in front of the runtime: what `downpour serve` runs.

mod config;
mod grpc_status;
mod master;
mod metadata;
mod server;
mod sessions;
mod spec;

pub use server::{Server, ServerConfig};
pub use spec::{ClusterSpec, TaskAddress};
