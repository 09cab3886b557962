//! Rewriting a graph for one signature of feeds, fetches and targets.

mod prune;

pub use prune::{Subgraph, prune};
