//! Attention.

use downpour_tensor::{Result, Status};

use super::Dense;
use super::support::{expect_rank, expect_real, expect_size};
use crate::initializers::Initializer;
use crate::output::Output;

/// For each query the mean of the values, weighted by how well their keys fit: softmax(q · kᵀ / √size) · v.
/// All are [..., length, size]; `mask` is true where a query [..., queries, 1] may look at a value
/// [..., 1, values].
pub fn scaled_dot_product_attention(
    queries: &Output,
    keys: &Output,
    values: &Output,
    mask: Option<&Output>,
) -> Result<Output> {
    expect_real("scaled_dot_product_attention", queries)?;
    let size = expect_size("scaled_dot_product_attention", queries, -1)?;
    let _scope = queries.graph().name_scope("attention")?;
    let queries = (queries * (1.0 / (size.max(1) as f64).sqrt()))?;
    let mut scores = queries.matmul_transposed(keys, false, true)?;
    if let Some(mask) = mask {
        // Large enough for every exponential to be zero, small enough for half precision.
        scores = mask.select(&scores, &scores.scalar_like(-1e4)?)?;
    }
    scores.softmax()?.matmul(values)
}

/// Attention in several smaller spaces at once (Vaswani et al., 2017), as `tf.keras.layers.MultiHeadAttention`
/// computes it. Its variables are those of the dense layers `query`, `key`, `value` and `output`.
///
/// ```
/// use downpour::{DataType, Graph, layers::MultiHeadAttention};
/// # fn main() -> downpour::Result<()> {
/// let graph = Graph::new();
/// let x = graph.placeholder("x", DataType::Float, [None, Some(10), Some(32)])?;
/// let y = MultiHeadAttention::new(4, 8).causal().build(&x, &x)?;
/// assert_eq!(y.shape().to_string(), "[?,10,32]");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is added before `build`"]
pub struct MultiHeadAttention {
    heads: usize,
    size: usize,
    causal: bool,
    name: Option<String>,
    initializer: Option<Initializer>,
}

impl MultiHeadAttention {
    /// So many heads, each with queries, keys and values of this size.
    pub fn new(heads: usize, size: usize) -> MultiHeadAttention {
        MultiHeadAttention { heads, size, causal: false, name: None, initializer: None }
    }

    /// No query looks at values that stand after it.
    pub fn causal(mut self) -> MultiHeadAttention {
        self.causal = true;
        self
    }

    /// The name of its variable scope, instead of the numbered default.
    pub fn name(mut self, name: &str) -> MultiHeadAttention {
        self.name = Some(name.to_string());
        self
    }

    /// First values of all kernels; Glorot's uniform ones unless set.
    pub fn kernel_initializer(mut self, initializer: Initializer) -> MultiHeadAttention {
        self.initializer = Some(initializer);
        self
    }

    /// Adds it: each of `queries` [batch, length, features] looks at all of `values` [batch, length,
    /// features]. For self-attention both are the same.
    pub fn build(&self, queries: &Output, values: &Output) -> Result<Output> {
        const SEQUENCES: &str = "sequences [batch, length, features]";
        for x in [queries, values] {
            expect_rank("MultiHeadAttention", x, 3, SEQUENCES)?;
        }
        if self.heads == 0 || self.size == 0 {
            return Err(Status::invalid_argument(
                "MultiHeadAttention needs at least one head of at least size 1",
            ));
        }
        let features = expect_size("MultiHeadAttention", queries, -1)?;
        let query_length = expect_size("MultiHeadAttention", queries, 1)?;
        let length = expect_size("MultiHeadAttention", values, 1)?;
        let graph = queries.graph();
        let _scope = graph.layer_scope(self.name.as_deref(), "multi_head_attention")?;
        let dense = |units: usize, name: &str| {
            let layer = Dense::new(units).name(name);
            match &self.initializer {
                Some(initializer) => layer.kernel_initializer(initializer.clone()),
                None => layer,
            }
        };
        let (heads, size) = (self.heads as i64, self.size as i64);
        let split = |x: &Output, length: usize, name: &str| {
            let all = dense(self.heads * self.size, name).build(x)?;
            all.reshape(&[-1, length as i64, heads, size])?.transpose(&[0, 2, 1, 3])
        };
        let split_queries = split(queries, query_length, "query")?;
        let keys = split(values, length, "key")?;
        let split_values = split(values, length, "value")?;
        let mask = match self.causal {
            false => None,
            true => {
                let before = |i: usize| (0..length).map(move |j| j <= i);
                let mask: Vec<bool> = (0..query_length).flat_map(before).collect();
                Some(graph.constant(crate::Tensor::from_vec([query_length, length], mask)?)?)
            }
        };
        let mixed =
            scaled_dot_product_attention(&split_queries, &keys, &split_values, mask.as_ref())?;
        let mixed = mixed.transpose(&[0, 2, 1, 3])?;
        let joined = mixed.reshape(&[-1, query_length as i64, heads * size])?;
        dense(features, "output").build(&joined)
    }
}
