//! `RemoteCall`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RemoteCall(target, args) -> (output)`.
///
/// * `target`: string
/// * `args`: several, of types `Tin`
/// * `Tout`: attribute, list(type), at least 1 long
/// * `f`: attribute, func
/// * gives `output`: several, of types `Tout`
///
/// Gradients do not flow through it. Has state or effects.
pub fn remote_call(
    target: &Output,
    args: &[Output],
    tout: &[DataType],
    f: &Function,
) -> ForOutputs {
    let mut node = NodeBuilder::new("RemoteCall").input(target).list(args);
    node.set("Tout", tout.to_vec().into());
    node.set("f", f.clone().into());
    ForOutputs(node)
}
