//! `MutexLock`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MutexLock(mutex) -> (mutex_lock)`.
///
/// * `mutex`: resource
/// * gives `mutex_lock`: variant
///
/// Has no gradient. Has state or effects.
pub fn mutex_lock(mutex: &Output) -> ForOutput {
    let node = NodeBuilder::new("MutexLock").input(mutex);
    ForOutput(node)
}
