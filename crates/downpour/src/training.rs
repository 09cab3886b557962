//! Training: a [`Trainer`] runs a model over data, alone or on the workers of a cluster.
//!
//! A model is a function from a batch's values to a loss ([`Model`], [`Built`]); closures are models. The
//! trainer builds it for training and for evaluation, saves checkpoints that TensorFlow can read, goes on
//! from them after any crash exactly where the data stood, and writes down what happens for TensorBoard and
//! for the report.

mod all_reduce;
mod checkpoints;
mod evaluation;
mod evaluator;
mod exchange;
mod export;
mod handed;
mod hook;
mod journal;
mod layout;
mod layouts;
mod leases;
mod measures;
mod model;
mod model_parallel;
mod optimizers;
mod own_server;
mod positions;
mod program;
mod run;
mod service;
mod source;
mod space;
mod steps;
mod stopping;
mod strategy;
mod subgraph;
mod summaries;
mod synchronous;
mod timeline;
mod trainer;
mod update;

pub use downpour_cluster::ClusterSpec;
pub use downpour_compress::Compression;

pub use checkpoints::CheckpointPolicy;
pub use evaluation::Metric;
pub use evaluator::Evaluation;
pub use hook::{EarlyStopping, Hook, Next, StepReport};
pub use model::{Built, Inputs, Mode, Model};
pub use model_parallel::ModelParallel;
pub use positions::Positions;
pub(crate) use source::first_element;
pub use source::{Share, Source};
pub use strategy::{
    Downpour, Mirrored, MultiWorkerMirrored, ParameterServer, Sandblaster, Strategy,
};
pub use trainer::{Outcome, StopFlag, Trainer};
