//! `Batch`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Batch(in_tensors) -> (batched_tensors, batch_index, id)`.
///
/// * `in_tensors`: several, of types `T`
/// * `num_batch_threads`: attribute, int
/// * `max_batch_size`: attribute, int
/// * `batch_timeout_micros`: attribute, int
/// * `grad_timeout_micros`: attribute, int
/// * gives `batched_tensors`: several, of types `T`
/// * gives `batch_index`: int64
/// * gives `id`: int64
///
/// Gradients do not flow through it.
pub fn batch(
    in_tensors: &[Output],
    num_batch_threads: i64,
    max_batch_size: i64,
    batch_timeout_micros: i64,
    grad_timeout_micros: i64,
) -> Batch {
    let mut node = NodeBuilder::new("Batch").list(in_tensors);
    node.set("num_batch_threads", num_batch_threads.into());
    node.set("max_batch_size", max_batch_size.into());
    node.set("batch_timeout_micros", batch_timeout_micros.into());
    node.set("grad_timeout_micros", grad_timeout_micros.into());
    Batch(node)
}

/// A `Batch` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Batch(NodeBuilder);

impl Batch {
    /// The attribute `max_enqueued_batches`; `10` unless set.
    pub fn max_enqueued_batches(mut self, value: i64) -> Batch {
        self.0.set("max_enqueued_batches", value.into());
        self
    }

    /// The attribute `allowed_batch_sizes`; an empty list unless set.
    pub fn allowed_batch_sizes(mut self, value: &[i64]) -> Batch {
        self.0.set("allowed_batch_sizes", value.to_vec().into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> Batch {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> Batch {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `batching_queue`; `""` unless set.
    pub fn batching_queue(mut self, value: &str) -> Batch {
        self.0.set("batching_queue", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Batch {
        Batch(self.0.name(name))
    }

    /// Adds the node and gives (`batched_tensors`, `batch_index`, `id`).
    pub fn build(self) -> Result<(Vec<Output>, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((
            operation.named_outputs("batched_tensors")?,
            only(operation.named_outputs("batch_index")?)?,
            only(operation.named_outputs("id")?)?,
        ))
    }
}
