//! TensorFlow's gRPC services in front of the runtime: what `downpour serve` runs.

mod activity;
mod cluster_session;
mod config;
mod counted;
mod doors;
mod grpc_status;
mod housekeeping;
mod master;
mod metadata;
mod metrics;
mod named_tensors;
mod peers;
mod server;
mod sessions;
mod spec;
mod survey;
mod task_service;
mod tf_config;
mod worker;

pub use server::{Server, ServerConfig};
pub use spec::{ClusterSpec, TaskAddress};
pub use survey::{Answer, NoAnswer, Survey, TaskReport, survey};
pub use tf_config::TfConfig;
