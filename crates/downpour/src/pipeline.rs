//! Pipelines: a model cut into stages on several tasks, and a batch that goes through them in parts.
//!
//! [`schedule`] says in which order a stage works on the parts of a batch, [`balance`] where to cut a model
//! so that its stages take equally long; both are plain functions. A training run uses them by
//! [`ModelParallel`](crate::training::ModelParallel): the model is built once for every part of the batch
//! with the same variables (`micro_batches`), its nodes are given to stages by their scopes and variables
//! (`stages`), every part is differentiated by itself (`backward`), and edges without values keep each
//! stage's order (`order`). What results is an ordinary graph.

mod backward;
mod cut;
mod measured;
mod micro_batches;
mod order;
mod program;
mod schedule;
mod simulation;
mod stages;
mod work;

pub use cut::{Segment, balance};
pub use measured::node_times;
pub(crate) use program::{Parts, Pipeline};
pub use schedule::{Action, PipelineSchedule, peak_activations, schedule};
pub use simulation::{Played, play};
pub(crate) use stages::{BuiltNodes, Cut};
