//! TensorFlow's gRPC services in front of the runtime: what `downpour serve` runs.

mod activity;
mod address;
mod client;
mod cluster_session;
mod config;
mod deadline;
mod doors;
mod grpc_status;
mod housekeeping;
mod link;
mod master;
mod metadata;
mod metrics;
mod named_tensors;
mod network;
mod parameters;
mod peers;
mod server;
mod sessions;
mod spec;
mod survey;
mod task_service;
mod tf_config;
mod threads;
mod worker;

pub use address::resolve;
pub use client::{ClientSession, ClientStep, Door};
pub use metadata::step_stats;
pub use metrics::Metrics;
pub use network::{Connection, Dialer, GrpcDialer, Network, SimulatedNetwork, Tcp};
pub use parameters::{GradientInput, Snapshots, UpdateProgram, parameter_server};
pub use server::{Server, ServerConfig};
pub use spec::{ClusterSpec, TaskAddress};
pub use survey::{Answer, NoAnswer, Survey, TaskReport, survey};
pub use tf_config::TfConfig;
pub use threads::{compute_threads, network_threads};
