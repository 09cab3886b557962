//! How long a step takes on so many workers: a model of it, and a simulation of the real code to hold it against.
//!
//! [`model`] has a formula a file, plain functions of a [`Cluster`]. [`simulation`] runs the parameter service, the
//! all-reduces and the schedule of units themselves, over a network and processors whose time is simulated.
//! [`cases`] puts both beside each other. The chapter "Scaling" of the book tells the story.
#![warn(missing_docs)]

pub mod cases;
pub mod chart;
mod cluster;
pub mod compute_time;
pub mod constants;
pub mod model;
pub mod simulation;

pub use cluster::{Cluster, Limit, Machines, Step};
pub use compute_time::ComputeTime;
