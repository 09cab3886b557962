//! Parses a vector of Examples.
//!
//! The batch is cut into parts that threads parse on their own. Dense features of fixed size are written to their place
//! in the output at once; of all others every part keeps the values and where each example's end, and they are put
//! together when all parts are done.

use std::ops::Range;

use downpour_runtime::{CancellationToken, OpContext};
use downpour_tensor::{ByteString, CountedVec, Result, Status, Tensor, excerpt};

use super::features::Dense;
use super::merge::{padded, ragged, sparse};
use super::schema::Schema;
use super::slots::Slots;
use super::values::Values;

/// Bytes of messages that are worth a part of their own.
const PART_BYTES: usize = 50_000;
/// Examples between two looks at the cancellation.
const EXAMPLES_PER_CHECK: usize = 256;

/// The tensors of a batch, in the order of the operation's outputs.
pub(super) type Tensors = Vec<Tensor>;

/// The values of one feature in one part, and where those of each example end.
pub(super) struct ExampleRows {
    pub values: Values,
    pub ends: CountedVec<usize>,
}

enum Column<'a> {
    Fixed(Slots<'a>),
    Variable(ExampleRows),
}

struct Part<'a> {
    examples: Range<usize>,
    columns: Vec<Column<'a>>,
    outcome: Result<()>,
}

/// The inputs that all parts share.
struct Batch<'a> {
    schema: &'a Schema<'a>,
    messages: &'a [ByteString],
    names: &'a [ByteString],
    cancellation: &'a CancellationToken,
}

/// Parses the messages. `names` are for errors and may be empty.
pub(super) fn parse(
    cx: &OpContext<'_>,
    schema: &Schema<'_>,
    messages: &[ByteString],
    names: &[ByteString],
) -> Result<Tensors> {
    let features = schema.features;
    let mut fixed = Vec::with_capacity(features.dense.len());
    for dense in features.dense.iter().filter(|dense| !dense.is_variable) {
        let dims: Vec<usize> =
            std::iter::once(messages.len()).chain(dense.row.iter().copied()).collect();
        fixed.push(Tensor::new(dense.dtype, dims)?);
    }
    let ranges = cut(messages, cx.parallel().limit());
    let mut parts = parts(schema, &mut fixed, ranges)?;
    let batch = Batch { schema, messages, names, cancellation: cx.cancellation() };
    cx.parallel().for_chunks(&mut parts, 1, 1, |_, parts| {
        for part in parts {
            part.outcome = batch.parse_part(part.examples.clone(), &mut part.columns);
        }
    });
    let starts: Vec<usize> = parts.iter().map(|part| part.examples.start).collect();
    let mut variable: Vec<Vec<ExampleRows>> = (0..features.len()).map(|_| Vec::new()).collect();
    for part in parts {
        part.outcome?;
        for (slot, column) in part.columns.into_iter().enumerate() {
            if let Column::Variable(column) = column {
                variable[slot].push(column);
            }
        }
    }
    assemble(schema, messages.len(), fixed, variable, &starts)
}

/// Cuts a batch into ranges of about as many bytes as are worth it, a few for each thread.
fn cut(messages: &[ByteString], threads: usize) -> Vec<Range<usize>> {
    let bytes: usize = messages.iter().map(|message| message.len() + 1).sum();
    let most = if threads <= 1 { 1 } else { threads.saturating_mul(4) };
    let parts = (bytes / PART_BYTES).clamp(1, most).min(messages.len());
    (0..parts).map(|p| messages.len() * p / parts..messages.len() * (p + 1) / parts).collect()
}

/// Makes the parts; each has its rows of the fixed tensors, which come in the order of the dense features.
fn parts<'a>(
    schema: &Schema<'_>,
    fixed: &'a mut [Tensor],
    ranges: Vec<Range<usize>>,
) -> Result<Vec<Part<'a>>> {
    let features = schema.features;
    let mut rest = fixed.iter_mut().map(|t| Slots::of(t).map(Some)).collect::<Result<Vec<_>>>()?;
    let mut parts = Vec::with_capacity(ranges.len());
    for examples in ranges {
        let mut columns = Vec::with_capacity(features.len());
        let mut next = rest.iter_mut();
        for slot in 0..features.len() {
            let column = match schema.dense(slot).filter(|dense| !dense.is_variable) {
                Some(dense) => next.next().and_then(|rest| {
                    let (own, others) = rest.take()?.split(examples.len() * dense.stride);
                    *rest = Some(others);
                    Some(Column::Fixed(own))
                }),
                None => None,
            };
            columns.push(match column {
                Some(column) => column,
                None => Column::Variable(ExampleRows {
                    values: Values::new(features.dtype(slot))?,
                    ends: CountedVec::with_capacity(examples.len())?,
                }),
            });
        }
        parts.push(Part { examples, columns, outcome: Ok(()) });
    }
    Ok(parts)
}

impl Batch<'_> {
    fn parse_part(&self, examples: Range<usize>, columns: &mut [Column<'_>]) -> Result<()> {
        let mut found = vec![None; columns.len()];
        for (row, example) in examples.enumerate() {
            if row % EXAMPLES_PER_CHECK == EXAMPLES_PER_CHECK - 1 {
                self.cancellation.check()?;
            }
            let message = &self.messages[example];
            self.schema.find(message, false, &mut found)?;
            for (slot, column) in columns.iter_mut().enumerate() {
                match (column, self.schema.dense(slot)) {
                    (Column::Fixed(slots), Some(dense)) => {
                        let place = slots.range(row * dense.stride, dense.stride);
                        self.read_fixed(example, slot, dense, found[slot], place)?;
                    }
                    (Column::Fixed(_), None) => {}
                    (Column::Variable(column), dense) => {
                        self.read_variable(example, slot, dense, found[slot], column)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn read_fixed(
        &self,
        example: usize,
        slot: usize,
        dense: &Dense,
        feature: Option<&[u8]>,
        place: Slots<'_>,
    ) -> Result<()> {
        let located = |what: String| self.located(example, slot, &what);
        let list = match feature {
            Some(feature) => self.schema.list(slot, feature, located)?,
            None => None,
        };
        let Some(list) = list else {
            let default = self.schema.defaults[slot];
            if default.is_empty() {
                return Err(Status::invalid_argument(format!(
                    "Name: {}, Feature: {} (data type: {}) is required but could not be found.",
                    self.name(example),
                    excerpt(self.schema.key(slot)),
                    dense.dtype
                )));
            }
            return place.copy_from(default);
        };
        let count = place
            .read(&list, &self.messages[example])
            .ok_or_else(|| self.damaged(example, slot))?;
        if count == dense.stride {
            return Ok(());
        }
        Err(located(format!(
            "Number of {} values != expected.  Values size: {count} but output shape: {}",
            shown(dense.dtype),
            dense.shape
        )))
    }

    fn read_variable(
        &self,
        example: usize,
        slot: usize,
        dense: Option<&Dense>,
        feature: Option<&[u8]>,
        column: &mut ExampleRows,
    ) -> Result<()> {
        if let Some(feature) = feature {
            let located = |what: String| self.located(example, slot, &what);
            let before = column.values.len();
            if let Some(list) = self.schema.list(slot, feature, located)?
                && !column.values.append(&list, &self.messages[example])?
            {
                return Err(self.damaged(example, slot));
            }
            let count = column.values.len() - before;
            if let Some(dense) = dense.filter(|dense| !count.is_multiple_of(dense.stride)) {
                return Err(located(format!(
                    "Number of {} values is not a multiple of stride length. Saw {count} values but output shape is: {}",
                    shown(dense.dtype),
                    dense.shape
                )));
            }
        }
        column.ends.push(column.values.len())
    }

    fn name(&self, example: usize) -> String {
        self.names.get(example).map_or_else(|| "<unknown>".to_owned(), |name| excerpt(name))
    }

    fn located(&self, example: usize, slot: usize, what: &str) -> Status {
        Status::invalid_argument(format!(
            "Name: {}, Key: {}, Index: {example}.  {what}",
            self.name(example),
            excerpt(self.schema.key(slot))
        ))
    }

    fn damaged(&self, example: usize, slot: usize) -> Status {
        self.located(example, slot, "Can't parse serialized Example.")
    }
}

/// Returns the name of a type in messages about numbers of values.
fn shown(dtype: downpour_tensor::DataType) -> String {
    match dtype {
        downpour_tensor::DataType::String => "bytes".to_owned(),
        other => other.to_string(),
    }
}

/// Puts the parts together in the order of the outputs: sparse indices, values, shapes; dense; ragged values, splits.
fn assemble(
    schema: &Schema<'_>,
    rows: usize,
    fixed: Vec<Tensor>,
    variable: Vec<Vec<ExampleRows>>,
    starts: &[usize],
) -> Result<Tensors> {
    let features = schema.features;
    let mut variable = variable.into_iter();
    let mut fixed = fixed.into_iter();
    let mut dense_values = Vec::with_capacity(features.dense.len());
    for (dense, default) in features.dense.iter().zip(schema.defaults) {
        let parts = variable.next().unwrap_or_default();
        dense_values.push(match dense.is_variable {
            true => padded(dense, default, rows, &parts)?,
            false => fixed.next().ok_or_else(|| Status::internal("a dense output is missing"))?,
        });
    }
    let (mut indices, mut values, mut shapes) = (Vec::new(), Vec::new(), Vec::new());
    for &dtype in &features.sparse {
        let [i, v, s] = sparse(dtype, rows, variable.next().unwrap_or_default(), starts)?;
        indices.push(i);
        values.push(v);
        shapes.push(s);
    }
    let (mut ragged_values, mut splits) = (Vec::new(), Vec::new());
    for &(dtype, splits_dtype) in &features.ragged {
        let [v, s] = ragged(dtype, splits_dtype, rows, variable.next().unwrap_or_default())?;
        ragged_values.push(v);
        splits.push(s);
    }
    let lists = [indices, values, shapes, dense_values, ragged_values, splits];
    Ok(lists.into_iter().flatten().collect())
}
