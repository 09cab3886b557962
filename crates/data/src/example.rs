//! tf.Example messages parsed straight into tensors.
//!
//! Many messages at once fill one column per feature; nothing is allocated per message or per value.
//! Parsed are float, int64 and string features, as TensorFlow has them: of fixed shape (with a
//! default for those missing, or an error), or of variable length.

mod columns;
mod message;

use std::sync::Arc;

use downpour_tensor::{ByteString, DataType, Result, Status, Tensor};

use crate::stage::{Field, Schema};
use crate::{Block, Element, MapFunction, Names};
use columns::Column;

/// What is expected of a feature.
#[derive(Clone, Debug)]
pub enum Feature {
    /// A tensor of this shape in every Example.
    Fixed {
        /// Float, Int64 or String.
        dtype: DataType,
        /// Its shape.
        shape: Vec<usize>,
        /// What stands for a missing one; without it a missing one is an error.
        default: Option<Tensor>,
    },
    /// Any number of values: a vector per Example. Parsed in batches they are a sparse tensor.
    Variable {
        /// Float, Int64 or String.
        dtype: DataType,
    },
}

impl Feature {
    /// A feature every Example must have.
    pub fn fixed(dtype: DataType, shape: &[usize]) -> Feature {
        Feature::Fixed { dtype, shape: shape.to_vec(), default: None }
    }

    /// A feature with a default: a tensor of its shape, or a scalar for all values.
    pub fn fixed_or(shape: &[usize], default: Tensor) -> Feature {
        Feature::Fixed { dtype: default.dtype(), shape: shape.to_vec(), default: Some(default) }
    }

    /// A feature of any length.
    pub fn variable(dtype: DataType) -> Feature {
        Feature::Variable { dtype }
    }

    fn dtype(&self) -> DataType {
        match self {
            Feature::Fixed { dtype, .. } | Feature::Variable { dtype } => *dtype,
        }
    }
}

/// Parses serialised Examples: strings become named tensors. A [`MapFunction`], so that it can follow
/// any source of strings, batched or not; [`Dataset::examples`](crate::Dataset::examples) reads and
/// parses in one go.
#[derive(Clone)]
pub struct ExampleParser {
    names: Names,
    features: Arc<[Feature]>,
}

impl ExampleParser {
    /// These features, in this order.
    pub fn new<N: AsRef<str>>(
        features: impl IntoIterator<Item = (N, Feature)>,
    ) -> Result<ExampleParser> {
        let (names, features): (Vec<N>, Vec<Feature>) = features.into_iter().unzip();
        let names = Names::new(names);
        for (name, feature) in names.iter().zip(&features) {
            Column::new(feature, 0).map_err(|e| e.context(format_args!("feature {name:?}")))?;
        }
        Ok(ExampleParser { names, features: features.into() })
    }

    /// One element per message.
    pub(crate) fn parse_rows(&self, messages: &[ByteString]) -> Result<Block> {
        let columns = self.parse(messages)?;
        if columns.iter().all(|c| !c.is_variable()) {
            let tensors = columns.into_iter().map(Column::into_tensor).collect::<Result<_>>()?;
            return Block::from_columns(self.names.clone(), messages.len(), tensors);
        }
        let mut rows = vec![Vec::with_capacity(columns.len()); messages.len()];
        for column in columns {
            column.into_rows(&mut rows)?;
        }
        Ok(Block::of_list(self.names.clone(), rows))
    }

    /// One element for all messages.
    fn parse_batch(&self, messages: &[ByteString]) -> Result<Element> {
        let columns = self.parse(messages)?;
        let (mut names, mut tensors) = (Vec::new(), Vec::new());
        for (name, column) in self.names.iter().zip(columns) {
            if !column.is_variable() {
                names.push(name.to_owned());
                tensors.push(column.into_tensor()?);
                continue;
            }
            names.extend(["indices", "values", "shape"].map(|part| format!("{name}/{part}")));
            tensors.extend(column.into_sparse()?);
        }
        let names =
            if names.len() == self.names.len() { self.names.clone() } else { Names::new(names) };
        Element::from_parts(names, tensors)
    }

    fn parse(&self, messages: &[ByteString]) -> Result<Vec<Column>> {
        let columns = self.features.iter().map(|f| Column::new(f, messages.len()));
        let mut columns: Vec<Column> = columns.collect::<Result<_>>()?;
        let names: Vec<&str> = self.names.iter().collect();
        let mut found = vec![None; names.len()];
        for bytes in messages {
            message::find(bytes, &names, &mut found)?;
            for ((column, feature), name) in columns.iter_mut().zip(&found).zip(&names) {
                column.push(name, *feature, bytes)?;
            }
        }
        Ok(columns)
    }
}

impl MapFunction for ExampleParser {
    fn call(&self, element: Element) -> Result<Element> {
        let [messages] = element.tensors() else { return Err(not_strings(&element)) };
        let strings = messages.strings().map_err(|_| not_strings(&element))?;
        match messages.rank() {
            0 => self.parse_rows(strings)?.element(0),
            1 => self.parse_batch(strings),
            _ => Err(not_strings(&element)),
        }
    }

    fn call_block(&self, block: &Block) -> Option<Result<Block>> {
        let [column] = block.columns()? else { return None };
        match (column.rank(), column.strings()) {
            (1, Ok(strings)) => Some(self.parse_rows(strings)),
            _ => None,
        }
    }

    fn name(&self) -> String {
        format!("examples({})", self.names.iter().collect::<Vec<_>>().join(", "))
    }

    fn schema(&self, input: Option<Schema>) -> Option<Schema> {
        if !input?.fields.first()?.shape.is_empty() {
            return None;
        }
        let field = |(name, feature): (&str, &Feature)| match feature {
            Feature::Fixed { dtype, shape, .. } => Field::new(name, *dtype, shape),
            Feature::Variable { dtype } => {
                Field { name: name.to_owned(), dtype: *dtype, shape: vec![None] }
            }
        };
        Some(Schema { fields: self.names.iter().zip(self.features.iter()).map(field).collect() })
    }
}

fn not_strings(element: &Element) -> Status {
    let shown: Vec<String> =
        element.tensors().iter().map(|t| format!("{} {}", t.dtype(), t.shape())).collect();
    Status::invalid_argument(format!(
        "Examples are parsed from elements of one string or vector of strings, not from ({})",
        shown.join(", ")
    ))
}

#[cfg(test)]
mod tests;
