//! `SaveDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SaveDataset(input_dataset, path, shard_func_other_args) -> ()`.
///
/// * `input_dataset`: variant
/// * `path`: string
/// * `shard_func_other_args`: several, of types `Tshard_func_args`
/// * `shard_func`: attribute, func
///
/// Gradients do not flow through it. Has state or effects.
pub fn save_dataset(input_dataset: &Output, path: &Output, shard_func_other_args: &[Output], shard_func: &Function) -> SaveDataset {
    let mut node = NodeBuilder::new("SaveDataset").input(input_dataset).input(path).list(shard_func_other_args);
    node.set("shard_func", shard_func.clone().into());
    SaveDataset(node)
}

/// A `SaveDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SaveDataset(NodeBuilder);

impl SaveDataset {
    /// The attribute `compression`; `""` unless set.
    pub fn compression(mut self, value: &str) -> SaveDataset {
        self.0.set("compression", text(value));
        self
    }

    /// The attribute `use_shard_func`; `true` unless set.
    pub fn use_shard_func(mut self, value: bool) -> SaveDataset {
        self.0.set("use_shard_func", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SaveDataset {
        SaveDataset(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
