//! RaggedCross: combinations of the features of each row, joined or hashed.

use bytes::Bytes;
use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::fingerprint::{concatenate, fingerprint64};
use downpour_tensor::{ByteString, CountedVec, DataType, Result, Status, StringWriter, Tensor};

use super::splits;

/// The text between the features of a combination.
const SEPARATOR: &[u8] = b"_X_";
/// Combinations between two looks at the cancellation.
const CROSSES_PER_CHECK: usize = 4096;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "RaggedCross(ragged_values: ragged_values_types, ragged_row_splits: ragged_splits_types, \
                sparse_indices: Nsparse * int64, sparse_values: sparse_values_types, \
                sparse_shape: Nsparse * int64, dense_inputs: dense_types) \
                -> (output_values: out_values_type, output_row_splits: out_row_splits_type)
                Nsparse: int >= 0
                input_order: string
                hashed_output: bool
                num_buckets: int >= 0
                hash_key: int
                ragged_values_types: list({int64, string}) >= 0
                ragged_splits_types: list({int32, int64}) >= 0
                sparse_values_types: list({int64, string}) >= 0
                dense_types: list({int64, string}) >= 0
                out_values_type: {int64, string}
                out_row_splits_type: {int32, int64}",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(Cross::new(build)?)),
    )
}

fn rank_two_only() -> Status {
    Status::invalid_argument("tf.ragged.cross only supports inputs with rank=2.")
}

fn different_batches() -> Status {
    Status::invalid_argument("inputs must all have the same batch dimension size.")
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let node = cx.node();
    let mut splits = PartialShape::of_rank(1);
    let mut agree = |own: &PartialShape| {
        splits = splits.merge(own).ok_or_else(different_batches)?;
        Ok(())
    };
    for i in node.input_range("ragged_row_splits")? {
        agree(cx.input(i))?;
    }
    for i in node.input_range("dense_inputs")? {
        match cx.input(i).dims() {
            Some([Some(rows), _]) => agree(&PartialShape::vector(rows.checked_add(1)))?,
            Some([None, _]) | None => {}
            Some(_) => return Err(rank_two_only()),
        }
    }
    cx.set_output(0, PartialShape::vector(None));
    cx.set_output(1, splits);
    Ok(())
}

struct Cross {
    /// The kind of each column: R, S or D.
    order: Bytes,
    buckets: u64,
    key: u64,
    values: DataType,
    splits: DataType,
}

/// The features of one column.
struct Column<'a> {
    values: &'a Tensor,
    rows: Rows,
}

enum Rows {
    /// Where the features of each row start and end.
    Splits(CountedVec<i64>),
    /// Every row has as many.
    Dense(usize),
}

impl Column<'_> {
    /// Returns the first feature of a row and how many it has.
    fn features(&self, row: usize) -> (usize, usize) {
        match &self.rows {
            Rows::Splits(splits) => {
                (splits[row] as usize, (splits[row + 1] - splits[row]) as usize)
            }
            Rows::Dense(count) => (row * count, *count),
        }
    }

    fn append(&self, text: &mut StringWriter, i: usize) -> Result<()> {
        match self.values.strings() {
            Ok(strings) => text.push(&strings[i]),
            Err(_) => text.push(self.values.as_slice::<i64>()?[i].to_string().as_bytes()),
        }
    }

    fn hash(&self, i: usize) -> Result<u64> {
        match self.values.strings() {
            Ok(strings) => Ok(fingerprint64(&strings[i])),
            Err(_) => Ok(self.values.as_slice::<i64>()?[i] as u64),
        }
    }
}

impl Cross {
    fn new(build: &KernelBuild<'_>) -> Result<Cross> {
        let count = |name: &str| Ok::<_, Status>(build.dtypes(name)?.len());
        let (ragged, sparse) = (count("ragged_values_types")?, count("sparse_values_types")?);
        if ragged != count("ragged_splits_types")? {
            return Err(Status::invalid_argument(
                "ragged values and splits must have the same length",
            ));
        }
        if build.int("Nsparse")? != sparse as i64 {
            return Err(Status::invalid_argument(
                "sparse indices and values must have the same length",
            ));
        }
        let order = build.bytes("input_order")?;
        if order.len() != ragged + sparse + count("dense_types")? {
            return Err(Status::invalid_argument("Invalid length for input_order"));
        }
        Ok(Cross {
            order,
            buckets: build.int("num_buckets")?.try_into().unwrap_or(0),
            key: build.int("hash_key")? as u64,
            values: build.dtype("out_values_type")?,
            splits: build.dtype("out_row_splits_type")?,
        })
    }

    /// Returns the columns in their order and the number of rows.
    fn columns<'a>(&self, cx: &'a OpContext<'_>) -> Result<(Vec<Column<'a>>, usize)> {
        let inputs = |name: &str| {
            let range = cx.node().input_range(name)?;
            Ok::<_, Status>(range.map(|i| cx.input(i)).collect::<Vec<_>>())
        };
        let (ragged, row_splits) = (inputs("ragged_values")?, inputs("ragged_row_splits")?);
        let (indices, sparse) = (inputs("sparse_indices")?, inputs("sparse_values")?);
        let (shapes, dense) = (inputs("sparse_shape")?, inputs("dense_inputs")?);
        let mut batch = None;
        let mut agree = |rows: i64| {
            let rows = usize::try_from(rows).map_err(|_| different_batches())?;
            match *batch.get_or_insert(rows) == rows {
                true => Ok(()),
                false => Err(different_batches()),
            }
        };
        for (values, row_splits) in ragged.iter().zip(&row_splits) {
            if values.rank() != 1 || row_splits.rank() != 1 {
                return Err(rank_two_only());
            }
            agree(row_splits.len() as i64 - 1)?;
        }
        for dense in &dense {
            let [rows, _] = *dense.dims() else { return Err(rank_two_only()) };
            agree(rows as i64)?;
        }
        for (i, ((indices, values), shape)) in indices.iter().zip(&sparse).zip(&shapes).enumerate()
        {
            let places = match *indices.dims() {
                [places, width] if width > 0 => places,
                _ => usize::MAX,
            };
            if values.rank() != 1 || shape.rank() != 1 || places != values.len() {
                return Err(Status::invalid_argument(format!("Invalid SparseTensor {i}")));
            }
            let &[rows, _] = shape.as_slice::<i64>()? else { return Err(rank_two_only()) };
            agree(rows)?;
        }
        let batch = batch.unwrap_or(0);
        let (mut ragged, mut sparse, mut dense) = (
            ragged.into_iter().zip(row_splits),
            indices.into_iter().zip(sparse),
            dense.into_iter(),
        );
        let mut columns = Vec::with_capacity(self.order.len());
        for kind in &self.order {
            let column = match kind {
                b'R' => match ragged.next() {
                    Some((values, row_splits)) => {
                        Some(Column { values, rows: ragged_rows(values, row_splits)? })
                    }
                    None => None,
                },
                b'S' => match sparse.next() {
                    Some((indices, values)) => {
                        Some(Column { values, rows: sparse_rows(indices, batch)? })
                    }
                    None => None,
                },
                b'D' => dense
                    .next()
                    .map(|values| Column { values, rows: Rows::Dense(values.dims()[1]) }),
                _ => return Err(Status::invalid_argument("Unexpected input_order value.")),
            };
            columns.push(column.ok_or_else(|| {
                Status::invalid_argument(format!(
                    "input_order \"{}\" specifies more tensors of a kind than there are",
                    String::from_utf8_lossy(&self.order)
                ))
            })?);
        }
        Ok((columns, batch))
    }

    /// Returns where the combinations of each row end.
    fn row_splits(&self, columns: &[Column<'_>], batch: usize) -> Result<CountedVec<i64>> {
        let most =
            if self.splits == DataType::Int32 { i32::MAX as usize } else { i64::MAX as usize };
        let mut total = 0usize;
        CountedVec::build(batch.saturating_add(1), |i| {
            let Some(row) = i.checked_sub(1) else { return Ok(0) };
            let counts = columns.iter().map(|column| column.features(row).1);
            let count = match counts.clone().any(|count| count == 0) {
                true => Some(0),
                false => counts.into_iter().try_fold(1usize, usize::checked_mul),
            };
            let sum = count.and_then(|count| total.checked_add(count)).filter(|&sum| sum <= most);
            total = sum.ok_or_else(|| {
                Status::resource_exhausted(
                    "the features have more combinations than can be counted",
                )
            })?;
            Ok(total as i64)
        })
    }

    fn joined(&self, columns: &[Column<'_>], features: &[usize]) -> Result<ByteString> {
        let mut text = StringWriter::new();
        for (i, (column, &feature)) in columns.iter().zip(features).enumerate() {
            if i > 0 {
                text.push(SEPARATOR)?;
            }
            column.append(&mut text, feature)?;
        }
        Ok(text.finish())
    }

    fn hashed(&self, columns: &[Column<'_>], features: &[usize]) -> Result<i64> {
        let pairs = columns.iter().zip(features);
        let hash = pairs.into_iter().try_fold(self.key, |hash, (column, &feature)| {
            Ok::<_, Status>(concatenate(hash, column.hash(feature)?))
        })?;
        // Never negative: the buckets, or as many as there are positive numbers.
        let buckets = if self.buckets > 0 { self.buckets } else { i64::MAX as u64 };
        Ok((hash % buckets) as i64)
    }
}

fn ragged_rows(values: &Tensor, row_splits: &Tensor) -> Result<Rows> {
    Ok(Rows::Splits(CountedVec::from_vec(splits::checked(row_splits, Some(values.len()))?)?))
}

/// Returns the rows of the values of a sparse tensor whose indices are in order. As in TensorFlow, one that is out of
/// order belongs to the row before it, and those beyond the last row to none.
fn sparse_rows(indices: &Tensor, batch: usize) -> Result<Rows> {
    let width = indices.dims()[1];
    let indices = indices.as_slice::<i64>()?;
    let mut rows = indices.iter().step_by(width).peekable();
    let mut at = 0;
    Ok(Rows::Splits(CountedVec::build(batch.saturating_add(1), |i| {
        if let Some(row) = i.checked_sub(1) {
            while rows.next_if(|&&index| index <= row as i64).is_some() {
                at += 1;
            }
        }
        Ok(at)
    })?))
}

/// Calls `visit` with the features of each combination of a row, the last column varying fastest.
fn for_each_cross(
    columns: &[Column<'_>],
    row: usize,
    mut visit: impl FnMut(&[usize]) -> Result<()>,
) -> Result<()> {
    let ranges: Vec<(usize, usize)> = columns.iter().map(|column| column.features(row)).collect();
    if ranges.iter().any(|&(_, count)| count == 0) {
        return Ok(());
    }
    let mut features: Vec<usize> = ranges.iter().map(|&(start, _)| start).collect();
    loop {
        visit(&features)?;
        let next = (0..features.len()).rev().find(|&i| features[i] + 1 < ranges[i].0 + ranges[i].1);
        let Some(next) = next else { return Ok(()) };
        features[next] += 1;
        for (feature, (start, _)) in features[next + 1..].iter_mut().zip(&ranges[next + 1..]) {
            *feature = *start;
        }
    }
}

impl Kernel for Cross {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (columns, batch) = self.columns(cx)?;
        let row_splits = self.row_splits(&columns, batch)?;
        let total = row_splits.last().map_or(0, |&total| total as usize);
        let (mut texts, mut hashes) = (CountedVec::new(), CountedVec::new());
        let is_text = self.values == DataType::String;
        if is_text {
            texts.reserve(total)?
        } else {
            hashes.reserve(total)?
        }
        let mut done = 0usize;
        for row in 0..batch {
            for_each_cross(&columns, row, |features| {
                done += 1;
                if done.is_multiple_of(CROSSES_PER_CHECK) {
                    cx.check_cancelled()?;
                }
                match is_text {
                    true => texts.push(self.joined(&columns, features)?),
                    false => hashes.push(self.hashed(&columns, features)?),
                }
            })?;
        }
        let values = match is_text {
            true => Tensor::from_counted([total], texts)?,
            false => Tensor::vector(&hashes)?,
        };
        let row_splits = splits::tensor(self.splits, &row_splits)?;
        cx.set_output(0, values);
        cx.set_output(1, row_splits);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
