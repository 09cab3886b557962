//! `BatchFunction`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchFunction(in_tensors, captured_tensors) -> (out_tensors)`.
///
/// * `in_tensors`: several, of types `Tin`
/// * `captured_tensors`: several, of types `Tcaptured`
/// * `f`: attribute, func
/// * `num_batch_threads`: attribute, int
/// * `max_batch_size`: attribute, int
/// * `batch_timeout_micros`: attribute, int
/// * `Tout`: attribute, list(type), at least 1 long
/// * gives `out_tensors`: several, of types `Tout`
///
/// Gradients do not flow through it.
pub fn batch_function(
    in_tensors: &[Output],
    captured_tensors: &[Output],
    f: &Function,
    num_batch_threads: i64,
    max_batch_size: i64,
    batch_timeout_micros: i64,
    tout: &[DataType],
) -> BatchFunction {
    let mut node = NodeBuilder::new("BatchFunction").list(in_tensors).list(captured_tensors);
    node.set("f", f.clone().into());
    node.set("num_batch_threads", num_batch_threads.into());
    node.set("max_batch_size", max_batch_size.into());
    node.set("batch_timeout_micros", batch_timeout_micros.into());
    node.set("Tout", tout.to_vec().into());
    BatchFunction(node)
}

/// A `BatchFunction` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchFunction(NodeBuilder);

impl BatchFunction {
    /// The attribute `max_enqueued_batches`; `10` unless set.
    pub fn max_enqueued_batches(mut self, value: i64) -> BatchFunction {
        self.0.set("max_enqueued_batches", value.into());
        self
    }

    /// The attribute `allowed_batch_sizes`; an empty list unless set.
    pub fn allowed_batch_sizes(mut self, value: &[i64]) -> BatchFunction {
        self.0.set("allowed_batch_sizes", value.to_vec().into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> BatchFunction {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> BatchFunction {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `batching_queue`; `""` unless set.
    pub fn batching_queue(mut self, value: &str) -> BatchFunction {
        self.0.set("batching_queue", text(value));
        self
    }

    /// The attribute `low_priority_max_batch_size`; `0` unless set.
    pub fn low_priority_max_batch_size(mut self, value: i64) -> BatchFunction {
        self.0.set("low_priority_max_batch_size", value.into());
        self
    }

    /// The attribute `low_priority_batch_timeout_micros`; `0` unless set.
    pub fn low_priority_batch_timeout_micros(mut self, value: i64) -> BatchFunction {
        self.0.set("low_priority_batch_timeout_micros", value.into());
        self
    }

    /// The attribute `low_priority_allowed_batch_sizes`; an empty list unless set.
    pub fn low_priority_allowed_batch_sizes(mut self, value: &[i64]) -> BatchFunction {
        self.0.set("low_priority_allowed_batch_sizes", value.to_vec().into());
        self
    }

    /// The attribute `low_priority_max_enqueued_batches`; `0` unless set.
    pub fn low_priority_max_enqueued_batches(mut self, value: i64) -> BatchFunction {
        self.0.set("low_priority_max_enqueued_batches", value.into());
        self
    }

    /// The attribute `mixed_priority_policy`; `"low_priority_padding_with_max_batch_size"` unless set.
    pub fn mixed_priority_policy(mut self, value: &str) -> BatchFunction {
        self.0.set("mixed_priority_policy", text(value));
        self
    }

    /// The attribute `batch_padding_policy`; `"PAD_UP"` unless set.
    pub fn batch_padding_policy(mut self, value: &str) -> BatchFunction {
        self.0.set("batch_padding_policy", text(value));
        self
    }

    /// The attribute `enable_large_batch_splitting`; `false` unless set.
    pub fn enable_large_batch_splitting(mut self, value: bool) -> BatchFunction {
        self.0.set("enable_large_batch_splitting", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchFunction {
        BatchFunction(self.0.name(name))
    }

    /// Adds the node and gives `out_tensors`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
