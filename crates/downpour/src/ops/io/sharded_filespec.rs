//! `ShardedFilespec`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ShardedFilespec(basename, num_shards) -> (filename)`.
///
/// * `basename`: string
/// * `num_shards`: int32
/// * gives `filename`: string
///
/// Gradients do not flow through it.
pub fn sharded_filespec(basename: &Output, num_shards: &Output) -> ForOutput {
    let node = NodeBuilder::new("ShardedFilespec").input(basename).input(num_shards);
    ForOutput(node)
}
