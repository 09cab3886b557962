//! A table of vectors, one per number.

use downpour_tensor::{DataType, Result};

use super::Layer;
use crate::graph::Graph;
use crate::initializers::Initializer;
use crate::output::Output;
use crate::variable::Variable;

/// Turns numbers into rows of a table; only the rows in use are read and trained.
pub struct Embedding {
    table: Variable,
}

impl Embedding {
    /// Makes the variable `name/embeddings` of `rows` rows.
    pub fn new(
        graph: &Graph,
        name: &str,
        rows: usize,
        width: usize,
        initializer: Initializer,
    ) -> Result<Embedding> {
        let _scope = graph.name_scope(name)?;
        let table = graph.variable("embeddings", [rows, width], DataType::Float, initializer)?;
        Ok(Embedding { table })
    }

    /// The table.
    pub fn table(&self) -> &Variable {
        &self.table
    }
}

impl Layer for Embedding {
    fn apply(&self, input: &Output, _training: bool) -> Result<Output> {
        let _scope = input.graph().name_scope("embedding_lookup")?;
        self.table.gather(input)?.identity()
    }
}
