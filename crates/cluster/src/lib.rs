//! TensorFlow's gRPC services in front of the runtime: what `downpour serve` runs.

mod account;
mod activity;
mod address;
mod admission;
mod call_body;
mod client;
mod cluster_session;
mod config;
mod coordination;
mod deadline;
mod doors;
mod grpc_status;
mod heap;
mod housekeeping;
mod limits;
mod link;
mod master;
mod metadata;
mod metrics;
mod named_tensors;
mod network;
mod parameters;
mod peers;
mod port;
mod reply;
mod server;
mod sessions;
mod spec;
mod survey;
mod task_service;
mod tf_config;
mod threads;
mod throttle;
mod unread;
mod waiting;
mod worker;

pub use account::Account;
pub use address::resolve;
pub use client::{ClientSession, ClientStep, Door, Held};
pub use coordination::{CoordinatorClient, Hosted};
pub use downpour_params::Limits;
pub use limits::{PortLimits, raise_file_limit};
pub use metadata::step_stats;
pub use metrics::Metrics;
pub use network::{
    BoxStream, CLUSTER_KEY_VARIABLE, ClusterKey, Connection, Dialer, GrpcDialer, Network,
    SimulatedNetwork, Tcp,
};
pub use parameters::{
    GradientInput, Leader, Parameters, Snapshots, UpdateProgram, parameter_server,
};
pub use server::{Server, ServerConfig};
pub use spec::{ClusterSpec, TaskAddress};
pub use survey::{Answer, NoAnswer, Survey, TaskReport, survey};
pub use tf_config::TfConfig;
pub use threads::{compute_threads, network_threads};
