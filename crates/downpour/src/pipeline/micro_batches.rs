//! A batch in parts, and what the parts' results are together.
//!
//! With R rows and M parts, part m has the rows from R m / M to R (m + 1) / M, rounded down: sizes differ
//! by one at most. A part that would be empty gets one row, which another part has too, and the weight
//! zero: a mean over no rows would be no number.

use downpour_tensor::{DataType, Result, Status};

use crate::graph::Graph;
use crate::node_builder::NodeBuilder;
use crate::output::Output;
use crate::training::{Built, Inputs, Metric, Mode};

/// The parts of a batch.
pub(super) struct Division {
    graph: Graph,
    rows: Output,
    parts: i64,
}

/// One part's rows, as values of the graph.
pub(super) struct Share {
    /// The first row, and how many there are, at least one.
    begin: Output,
    taken: Output,
    /// How many rows count.
    size: Output,
    /// The part of all rows that these are, float32.
    pub weight: Output,
}

impl Division {
    /// Of a batch with these columns.
    pub fn of(graph: &Graph, columns: &[Output], parts: usize) -> Result<Division> {
        let whole = columns.iter().find(|column| column.shape().rank().is_some_and(|r| r > 0));
        let whole = whole.ok_or_else(|| {
            Status::invalid_argument("micro-batches: no column of the data has rows to divide")
        })?;
        let shape = NodeBuilder::new("Shape").input(whole).attr("out_type", DataType::Int64);
        let rows = shape.output()?.slice(&[0], &[1])?.reshape(&[])?;
        Ok(Division { graph: graph.clone(), rows, parts: parts as i64 })
    }

    fn start(&self, part: i64) -> Result<Output> {
        let before = (&self.rows * self.graph.constant(part)?)?;
        let parts = self.graph.constant(self.parts)?;
        NodeBuilder::new("FloorDiv").input(&before).input(&parts).output()
    }

    /// The rows of one part.
    pub fn share(&self, part: usize) -> Result<Share> {
        let _scope = self.graph.name_scope("rows")?;
        let (first, next) = (self.start(part as i64)?, self.start(part as i64 + 1)?);
        let one = self.graph.constant(1i64)?;
        let size = (&next - &first)?;
        let taken = size.maximum(&one)?;
        let begin = first.minimum(&(&self.rows - &one)?)?;
        let weight = (size.cast(DataType::Float)? / self.rows.cast(DataType::Float)?)?;
        Ok(Share { begin, taken, size, weight })
    }
}

impl Share {
    /// These rows of a column; a column without rows stays as it is.
    pub fn of(&self, column: &Output) -> Result<Output> {
        let shape = column.shape();
        let Some(rank) = shape.rank() else {
            return Err(Status::invalid_argument(format!(
                "micro-batches: how many dimensions {} has is not known, so it cannot be divided",
                column.name()
            )));
        };
        if rank == 0 {
            return Ok(column.clone());
        }
        let rows = rows_of(column, rank, &self.begin, &self.taken)?;
        // The rest of the shape is known as before.
        let mut dims = shape.dims().map(<[_]>::to_vec).unwrap_or_default();
        dims[0] = None;
        rows.set_shape(crate::PartialShape::of(dims))?;
        Ok(rows)
    }

    /// Of a value of this part what counts.
    fn counted(&self, value: &Output) -> Result<Output> {
        let Some(rank) = value.shape().rank().filter(|rank| *rank > 0) else {
            return value * self.weight.cast(value.dtype())?;
        };
        let zero = value.graph().constant(0i64)?;
        rows_of(value, rank, &zero, &self.size)
    }
}

fn rows_of(value: &Output, rank: usize, first: &Output, count: &Output) -> Result<Output> {
    let graph = value.graph();
    let (mut begin, mut size) = (vec![first.clone()], vec![count.clone()]);
    for _ in 1..rank {
        begin.push(graph.constant(0i64)?);
        size.push(graph.constant(-1i64)?);
    }
    let node = NodeBuilder::new("Slice").input(value);
    node.input(&Output::stack(&begin, 0)?).input(&Output::stack(&size, 0)?).output()
}

/// The columns of one part.
pub(super) fn inputs(
    graph: &Graph,
    share: &Share,
    names: &[String],
    columns: &[Output],
) -> Result<Inputs> {
    let column = |(name, value): (&String, &Output)| Ok((name.clone(), share.of(value)?));
    let values = names.iter().zip(columns).map(column).collect::<Result<Vec<_>>>()?;
    Ok(Inputs::new(graph, Mode::Train, values))
}

/// The model of all parts: the loss is the mean of theirs by rows, as are measures that are one number;
/// what has a row per example is put together again.
pub(super) fn together(parts: &[(Share, Built)]) -> Result<Built> {
    let [(_, first), ..] = parts else {
        return Err(Status::internal("a batch without parts"));
    };
    let mut whole = Built::new(join(parts, |built| built.loss.clone())?);
    for (i, (name, metric)) in first.metrics.iter().enumerate() {
        let value =
            |pick: fn(&Metric) -> Output| join(parts, move |built| pick(&built.metrics[i].1));
        let metric = match metric {
            Metric::Mean(_) => Metric::Mean(value(|metric| metric.values()[0].clone())?),
            Metric::Auc { .. } => Metric::Auc {
                labels: value(|metric| metric.values()[0].clone())?,
                scores: value(|metric| metric.values()[1].clone())?,
            },
            Metric::Precision { threshold, .. } => Metric::Precision {
                labels: value(|metric| metric.values()[0].clone())?,
                scores: value(|metric| metric.values()[1].clone())?,
                threshold: *threshold,
            },
            Metric::Recall { threshold, .. } => Metric::Recall {
                labels: value(|metric| metric.values()[0].clone())?,
                scores: value(|metric| metric.values()[1].clone())?,
                threshold: *threshold,
            },
        };
        whole = whole.metric(name, metric);
    }
    for (i, (name, _)) in first.outputs.iter().enumerate() {
        whole = whole.output(name, &join(parts, |built| built.outputs[i].1.clone())?);
    }
    Ok(whole)
}

fn join(parts: &[(Share, Built)], pick: impl Fn(&Built) -> Output) -> Result<Output> {
    let values = parts.iter().map(|(share, built)| share.counted(&pick(built)));
    let values = values.collect::<Result<Vec<Output>>>()?;
    if values[0].shape().rank().is_some_and(|rank| rank > 0) {
        return Output::concat(&values, 0);
    }
    NodeBuilder::new("AddN").list(&values).output()
}
