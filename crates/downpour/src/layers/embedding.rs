//! Embeddings: a vector for each number.

use downpour_tensor::{DataType, Result, Status};

use super::support::expect_rank;
use crate::initializers::{self, Initializer};
use crate::output::Output;
use crate::variable::Variable;

/// A table with a vector for each id. Only the rows that are used are read, and only they get gradients, so
/// the table may be large.
///
/// ```
/// use downpour::{DataType, Graph, layers::Embedding};
/// # fn main() -> downpour::Result<()> {
/// let graph = Graph::new();
/// let words = graph.placeholder("words", DataType::Int32, [None, Some(12)])?;
/// let table = Embedding::new(5000, 16);
/// assert_eq!(table.build(&words)?.shape().to_string(), "[?,12,16]");
/// // All words of a text as one vector; ids below zero are no words.
/// assert_eq!(table.build_mean(&words)?.shape().to_string(), "[?,16]");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is added before `build`"]
pub struct Embedding {
    ids: usize,
    size: usize,
    name: Option<String>,
    dtype: DataType,
    initializer: Initializer,
}

impl Embedding {
    /// So many ids (0, 1, ...), each with a vector of this size.
    pub fn new(ids: usize, size: usize) -> Embedding {
        let initializer = initializers::random_uniform(-0.05, 0.05);
        Embedding { ids, size, name: None, dtype: DataType::Float, initializer }
    }

    /// The name of its variable scope, instead of the numbered default.
    pub fn name(mut self, name: &str) -> Embedding {
        self.name = Some(name.to_string());
        self
    }

    /// First values; uniform between -0.05 and 0.05 unless set.
    pub fn initializer(mut self, initializer: Initializer) -> Embedding {
        self.initializer = initializer;
        self
    }

    /// The type of the vectors; float32 unless set.
    pub fn dtype(mut self, dtype: DataType) -> Embedding {
        self.dtype = dtype;
        self
    }

    fn table(&self, ids: &Output) -> Result<Variable> {
        let known = matches!(ids.dtype(), DataType::Int32 | DataType::Int64);
        if !known {
            return Err(Status::invalid_argument(format!(
                "Embedding takes ids of type int32 or int64, but {} is {}; cast it first",
                ids.name(),
                ids.dtype()
            )));
        }
        let shape = [self.ids, self.size];
        ids.graph().variable("embeddings", shape, self.dtype, self.initializer.clone())
    }

    /// Adds it on ids of any shape: each becomes its vector, along a new last axis.
    pub fn build(&self, ids: &Output) -> Result<Output> {
        let _scope = ids.graph().layer_scope(self.name.as_deref(), "embedding")?;
        self.table(ids)?.gather(ids)
    }

    /// Adds it on ids [batch, some]: the sum of each example's vectors. Ids below zero do not count.
    pub fn build_sum(&self, ids: &Output) -> Result<Output> {
        Ok(self.bag(ids)?.0)
    }

    /// Adds it on ids [batch, some]: the mean of each example's vectors, zeros where there are none. Ids
    /// below zero do not count.
    pub fn build_mean(&self, ids: &Output) -> Result<Output> {
        let (sum, counts) = self.bag(ids)?;
        sum / counts.maximum(&counts.scalar_like(1.0)?)?
    }

    /// The sums, and of how many vectors.
    fn bag(&self, ids: &Output) -> Result<(Output, Output)> {
        expect_rank("an Embedding of several ids", ids, 2, "ids [batch, some]")?;
        let _scope = ids.graph().layer_scope(self.name.as_deref(), "embedding")?;
        let table = self.table(ids)?;
        let zero = ids.scalar_like(0.0)?;
        let counted = ids.greater_equal(&zero)?.cast(self.dtype)?.expand_dims(-1)?;
        let vectors = table.gather(&ids.maximum(&zero)?)?;
        let sum = (vectors * &counted)?.reduce_sum(&[1], false)?;
        Ok((sum, counted.reduce_sum(&[1], false)?))
    }
}
