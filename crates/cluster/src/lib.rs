//! TensorFlow's gRPC services in front of the runtime: what `downpour serve` runs.

mod cluster_session;
mod config;
mod doors;
mod grpc_status;
mod link;
mod master;
mod metadata;
mod named_tensors;
mod peers;
mod server;
mod sessions;
mod spec;
mod tf_config;
mod worker;

pub use server::{Server, ServerConfig};
pub use spec::{ClusterSpec, TaskAddress};
pub use tf_config::TfConfig;
