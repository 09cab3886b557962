//! `ConsumeMutexLock`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ConsumeMutexLock(mutex_lock) -> ()`.
///
/// * `mutex_lock`: variant
///
/// Has no gradient. Has state or effects.
pub fn consume_mutex_lock(mutex_lock: &Output) -> ForOperation {
    let node = NodeBuilder::new("ConsumeMutexLock").input(mutex_lock);
    ForOperation(node)
}
