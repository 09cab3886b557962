//! Attention: each position of a sequence takes from others what resembles what it looks for.

use downpour_tensor::{Result, Status};

use super::{Dense, Layer, size_of};
use crate::graph::Graph;
use crate::initializers::Initializer;
use crate::output::Output;

/// Scaled dot-product attention in several heads (Vaswani et al., 2017).
pub struct MultiHeadAttention {
    name: String,
    heads: usize,
    width: usize,
    query: Dense,
    key: Dense,
    value: Dense,
    output: Dense,
}

/// A [`MultiHeadAttention`] about to be made.
#[must_use = "nothing is made before `build`"]
pub struct MultiHeadAttentionBuilder {
    width: usize,
    heads: usize,
    initializer: Option<Initializer>,
}

impl MultiHeadAttention {
    /// For sequences of vectors of this width, which so many heads share.
    #[expect(clippy::new_ret_no_self, reason = "the layer itself needs a graph, which comes last")]
    pub fn new(width: usize, heads: usize) -> MultiHeadAttentionBuilder {
        MultiHeadAttentionBuilder { width, heads, initializer: None }
    }

    /// `[batch, time, width]` as `[batch, heads, time, width / heads]`.
    fn split(&self, x: &Output) -> Result<Output> {
        let each = self.width / self.heads;
        let time = match x.shape().dim(1) {
            Some(time) => x.graph().constant(time as i32)?,
            None => size_of(x, 1)?,
        };
        let sizes = [
            size_of(x, 0)?,
            time,
            x.graph().constant(self.heads as i32)?,
            x.graph().constant(each as i32)?,
        ];
        let parts = x.reshape_to(&Output::stack(&sizes, 0)?)?;
        let shape = x.shape();
        parts.set_shape([shape.dim(0), shape.dim(1), Some(self.heads), Some(each)])?;
        parts.transpose(&[0, 2, 1, 3])
    }

    /// What queries (`[batch, time, width]`) take from values at places with resembling keys. `mask` is true
    /// where a query may look, and is broadcast to `[batch, heads, queries, keys]`.
    pub fn attend(
        &self,
        queries: &Output,
        keys: &Output,
        values: &Output,
        mask: Option<&Output>,
    ) -> Result<Output> {
        let graph = queries.graph();
        let _scope = graph.absolute_scope(&self.name)?;
        let each = self.width / self.heads;
        let query =
            (self.split(&self.query.apply(queries, false)?)? * (1.0 / (each as f64).sqrt()))?;
        let key = self.split(&self.key.apply(keys, false)?)?;
        let value = self.split(&self.value.apply(values, false)?)?;
        let mut scores = query.matmul_transposed(&key, false, true)?;
        if let Some(mask) = mask {
            scores = mask.select(&scores, &scores.scalar_like(-1e9)?)?;
        }
        let taken = scores.softmax()?.matmul(&value)?.transpose(&[0, 2, 1, 3])?;
        let time = match queries.shape().dim(1) {
            Some(time) => graph.constant(time as i32)?,
            None => size_of(queries, 1)?,
        };
        let sizes = [size_of(queries, 0)?, time, graph.constant(self.width as i32)?];
        let joined = taken.reshape_to(&Output::stack(&sizes, 0)?)?;
        let shape = queries.shape();
        joined.set_shape([shape.dim(0), shape.dim(1), Some(self.width)])?;
        self.output.apply(&joined, false)
    }
}

impl MultiHeadAttentionBuilder {
    /// How all weights start.
    pub fn initializer(mut self, initializer: Initializer) -> MultiHeadAttentionBuilder {
        self.initializer = Some(initializer);
        self
    }

    /// Makes the variables under `name/query`, `key`, `value` and `output`.
    pub fn build(self, graph: &Graph, name: &str) -> Result<MultiHeadAttention> {
        let (width, heads) = (self.width, self.heads);
        if heads == 0 || !width.is_multiple_of(heads) {
            return Err(Status::invalid_argument(format!(
                "a width of {width} cannot be shared by {heads} heads; it must be a multiple of them"
            )));
        }
        let _scope = graph.name_scope(name)?;
        let dense = |name: &str| {
            let dense = Dense::new(width, width);
            match &self.initializer {
                Some(initializer) => dense.kernel_initializer(initializer.clone()),
                None => dense,
            }
            .build(graph, name)
        };
        Ok(MultiHeadAttention {
            heads,
            width,
            query: dense("query")?,
            key: dense("key")?,
            value: dense("value")?,
            output: dense("output")?,
            name: graph.current_scope(),
        })
    }
}

/// Self-attention without a mask.
impl Layer for MultiHeadAttention {
    fn apply(&self, input: &Output, _training: bool) -> Result<Output> {
        self.attend(input, input, input, None)
    }
}
