//! SparseCross, SparseCrossV2 and SparseCrossHashed: combinations of the features of each row.

use std::collections::BTreeMap;
use std::ops::Range;

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Charge, DataType, Result, Status, StringWriter, Tensor};

use downpour_tensor::fingerprint::{concatenate, fingerprint64, keyed_hash};

const INPUTS: &str = "indices: N * int64, values: sparse_types, shapes: N * int64, \
    dense_inputs: dense_types";
const TYPES: &str = "N: int >= 0
    sparse_types: list({int64, string}) >= 0
    dense_types: list({int64, string}) >= 0";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let outputs = |values: &str| {
        format!("(output_indices: int64, output_values: {values}, output_shape: int64)")
    };
    let first = format!(
        "SparseCross({INPUTS}) -> {}
            hashed_output: bool
            num_buckets: int >= 0
            hash_key: int
            {TYPES}
            out_type: {{int64, string}}
            internal_type: {{int64, string}}",
        outputs("out_type")
    );
    registry.add(OpSpec::new(&first)?.shape(shape).not_differentiable(), |build| {
        let how = if build.dtype("out_type")? == DataType::String {
            How::Join
        } else {
            How::Hash { key: build.int("hash_key")? as u64, buckets: build.int("num_buckets")? }
        };
        let strings_only = build.dtype("internal_type")? == DataType::String;
        Ok(KernelBox::new(Cross { how, strings_only }))
    })?;
    let second = format!("SparseCrossV2({INPUTS}, sep: string) -> {}\n{TYPES}", outputs("string"));
    registry.add(OpSpec::new(&second)?.shape(shape).not_differentiable(), |_| {
        Ok(KernelBox::new(Cross { how: How::JoinWithInput, strings_only: false }))
    })?;
    let hashed = format!(
        "SparseCrossHashed({INPUTS}, num_buckets: int64, strong_hash: bool, salt: int64) -> {}
            {TYPES}",
        outputs("int64")
    );
    registry.add(OpSpec::new(&hashed)?.shape(shape).not_differentiable(), |_| {
        Ok(KernelBox::new(Cross { how: How::HashWithInputs, strings_only: false }))
    })
}

/// How the features of one combination become one value.
#[derive(Clone, Copy)]
enum How {
    Join,
    JoinWithInput,
    Hash { key: u64, buckets: i64 },
    HashWithInputs,
}

struct Cross {
    how: How,
    strings_only: bool,
}

/// The features of one column: which of `values` belong to each row.
struct Column<'a> {
    values: &'a Tensor,
    rows: Rows,
}

enum Rows {
    /// Ranges by row; a row without features is absent.
    Sparse(BTreeMap<i64, Range<usize>>),
    /// Every row has as many.
    Dense(usize),
}

impl Column<'_> {
    fn features(&self, row: i64) -> Range<usize> {
        match &self.rows {
            Rows::Sparse(rows) => rows.get(&row).cloned().unwrap_or(0..0),
            Rows::Dense(count) => {
                let start = row as usize * count;
                start..start + count
            }
        }
    }
}

impl Kernel for Cross {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (columns, batch) = self.columns(cx)?;
        let rows = rows_to_visit(&columns, batch);
        let mut total = 0usize;
        let mut most = 0usize;
        for &row in &rows {
            let count = columns
                .iter()
                .try_fold(1usize, |n, column| n.checked_mul(column.features(row).len()))
                .ok_or_else(too_many)?;
            most = most.max(count);
            total = total.checked_add(count).ok_or_else(too_many)?;
        }
        let mut indices = Tensor::new(DataType::Int64, [total, 2])?;
        let table = indices.as_mut_slice::<i64>().expect("a new int64 tensor has one owner");
        let mut at = 0;
        let cross = size_of::<Vec<usize>>() + (columns.len() + 2) * size_of::<usize>();
        let _crosses = Charge::new(total.saturating_mul(cross))?;
        let mut crosses = Vec::with_capacity(total);
        for &row in &rows {
            let mut number = 0;
            for_products(&columns, row, |picks| {
                table[at] = row;
                table[at + 1] = number;
                at += 2;
                number += 1;
                crosses.push(picks.to_vec());
            });
        }
        let values = match self.how {
            How::Join => joined(&columns, &crosses, b"_X_")?,
            How::JoinWithInput => {
                let separator = cx.input(cx.inputs_len() - 1);
                if separator.rank() != 0 {
                    return Err(Status::invalid_argument(format!(
                        "Input separator should be a scalar. Received: {separator:?}"
                    )));
                }
                joined(&columns, &crosses, &separator.strings()?[0])?
            }
            How::Hash { key, buckets } => {
                let feature = |column: &Column<'_>, i: usize| match column.values.strings() {
                    Ok(strings) => Ok(fingerprint64(&strings[i])),
                    Err(_) => Ok(column.values.as_slice::<i64>()?[i] as u64),
                };
                hashed(&columns, &crosses, Some(key), buckets, feature)?
            }
            How::HashWithInputs => self.hashed_with_inputs(cx, &columns, &crosses)?,
        };
        cx.set_output(0, indices);
        cx.set_output(1, values);
        cx.set_output(2, Tensor::vector(&[batch, most as i64])?);
        Ok(())
    }
}

fn too_many() -> Status {
    Status::resource_exhausted("the features have more combinations than can be counted")
}

impl Cross {
    /// The checked columns and the number of rows.
    fn columns<'a>(&self, cx: &'a OpContext<'_>) -> Result<(Vec<Column<'a>>, i64)> {
        let node = cx.node();
        let (indices, values) = (node.input_range("indices")?, node.input_range("values")?);
        let (shapes, dense) = (node.input_range("shapes")?, node.input_range("dense_inputs")?);
        if values.len() != indices.len() {
            return Err(Status::invalid_argument(format!(
                "Expected {} input values, got {}",
                indices.len(),
                values.len()
            )));
        }
        let mut batch = None;
        let mut agree = |rows: i64, place: String| match batch {
            None => {
                batch = Some(rows);
                Ok(())
            }
            Some(batch) if batch == rows => Ok(()),
            Some(batch) => Err(Status::invalid_argument(format!(
                "Expected batch size {batch} got {rows} at {place}"
            ))),
        };
        let mut columns = Vec::with_capacity(values.len() + dense.len());
        for (i, (at, (value, shape))) in indices.zip(values.zip(shapes)).enumerate() {
            let (table, values, shape) = (cx.input(at), cx.input(value), cx.input(shape));
            self.check_type("Input values", values)?;
            check_sparse(i, table, values, shape)?;
            let rows = shape.as_slice::<i64>()?[0];
            if rows < 0 {
                return Err(Status::invalid_argument(format!(
                    "the batch size at position {i} is {rows}"
                )));
            }
            agree(rows, format!("position {i}"))?;
            let runs = runs(table.as_slice::<i64>()?, rows);
            columns.push(Column { values, rows: Rows::Sparse(runs) });
        }
        for (i, at) in dense.enumerate() {
            let values = cx.input(at);
            self.check_type("Dense inputs", values)?;
            if values.rank() != 2 {
                return Err(Status::invalid_argument(format!(
                    "Dense inputs should be a matrix but received shape {} at position {i}",
                    values.shape()
                )));
            }
            agree(values.dims()[0] as i64, format!("dense tensor {i}"))?;
            columns.push(Column { values, rows: Rows::Dense(values.dims()[1]) });
        }
        Ok((columns, batch.unwrap_or(0)))
    }

    fn check_type(&self, what: &str, values: &Tensor) -> Result<()> {
        if self.strings_only && values.dtype() != DataType::String {
            return Err(Status::invalid_argument(format!(
                "{what} should be of internal type string but received {}",
                values.dtype()
            )));
        }
        Ok(())
    }

    fn hashed_with_inputs(
        &self,
        cx: &OpContext<'_>,
        columns: &[Column<'_>],
        crosses: &[Vec<usize>],
    ) -> Result<Tensor> {
        let last = cx.inputs_len();
        let buckets = cx.input(last - 3).to_i64_scalar()?;
        let strong = cx.input(last - 2).to_scalar::<bool>()?;
        let salt = cx.input(last - 1).as_slice::<i64>()?;
        let &[first, second] = salt else {
            return Err(Status::invalid_argument(format!(
                "Input \"salt\" must have length 2 but has length {}",
                salt.len()
            )));
        };
        let key = [first as u64, second as u64];
        let feature = |column: &Column<'_>, i: usize| {
            if let Ok(strings) = column.values.strings() {
                return Ok(if strong {
                    keyed_hash(key, &strings[i])
                } else {
                    fingerprint64(&strings[i])
                });
            }
            let value = column.values.as_slice::<i64>()?[i];
            // TensorFlow hashes the low four bytes of a sparse integer.
            let low = &value.to_le_bytes()[..4];
            match (&column.rows, strong) {
                (Rows::Sparse(_), true) => Ok(keyed_hash(key, low)),
                (Rows::Sparse(_), false) => Ok(fingerprint64(low)),
                (Rows::Dense(_), false) => Ok(value as u64),
                (Rows::Dense(_), true) => Err(Status::unimplemented(
                    "SparseCrossHashed with strong_hash for dense int64 inputs; convert them to \
                     strings or to a sparse tensor",
                )),
            }
        };
        hashed(columns, crosses, None, buckets, feature)
    }
}

fn check_sparse(i: usize, indices: &Tensor, values: &Tensor, shape: &Tensor) -> Result<()> {
    let bad = |what: String| Err(Status::invalid_argument(format!("{what} at position {i}")));
    if indices.rank() != 2 {
        return bad(format!(
            "Input indices should be a matrix but received shape {}",
            indices.shape()
        ));
    }
    if indices.dims()[1] != 2 {
        return bad(format!("Expected D2 of index to be 2 got {}", indices.dims()[1]));
    }
    if values.rank() != 1 {
        return bad(format!(
            "Input values should be a vector but received shape {}",
            values.shape()
        ));
    }
    if indices.dims()[0] != values.len() {
        return bad(format!(
            "Expected size of values to be {} got {}",
            indices.dims()[0],
            values.len()
        ));
    }
    if shape.rank() != 1 {
        return bad(format!(
            "Input shapes should be a vector but received shape {}",
            shape.shape()
        ));
    }
    if shape.len() != 2 {
        return bad(format!("shape should imply a 2D tensor, but got {}", shape.shape()));
    }
    Ok(())
}

/// Which values belong to which row; what comes after a row out of order is not seen.
fn runs(indices: &[i64], batch: i64) -> BTreeMap<i64, Range<usize>> {
    let rows: Vec<i64> = indices.iter().step_by(2).copied().collect();
    let mut runs = BTreeMap::new();
    let mut start = 0;
    let mut before = -1;
    for own in rows.chunk_by(|a, b| a == b) {
        if own[0] <= before || own[0] >= batch {
            break;
        }
        before = own[0];
        runs.insert(own[0], start..start + own.len());
        start += own.len();
    }
    runs
}

/// The rows that can have combinations, in order.
fn rows_to_visit(columns: &[Column<'_>], batch: i64) -> Vec<i64> {
    let sparse = columns.iter().find_map(|column| match &column.rows {
        Rows::Sparse(rows) => Some(rows),
        Rows::Dense(_) => None,
    });
    match sparse {
        Some(rows) => rows.keys().copied().collect(),
        // The number of rows of a dense matrix that has features is bounded by its memory.
        None if columns.iter().any(|c| c.values.is_empty()) => Vec::new(),
        None => (0..batch).collect(),
    }
}

/// Calls `f` with one feature per column for every combination, the last column varying fastest.
fn for_products(columns: &[Column<'_>], row: i64, mut f: impl FnMut(&[usize])) {
    let ranges: Vec<Range<usize>> = columns.iter().map(|c| c.features(row)).collect();
    if ranges.is_empty() || ranges.iter().any(|r| r.is_empty()) {
        return;
    }
    let mut picks: Vec<usize> = ranges.iter().map(|r| r.start).collect();
    loop {
        f(&picks);
        let Some(at) = (0..picks.len()).rev().find(|&i| picks[i] + 1 < ranges[i].end) else {
            return;
        };
        picks[at] += 1;
        for i in at + 1..picks.len() {
            picks[i] = ranges[i].start;
        }
    }
}

fn joined(columns: &[Column<'_>], crosses: &[Vec<usize>], separator: &[u8]) -> Result<Tensor> {
    Tensor::build_strings([crosses.len()], |cross| {
        let mut text = StringWriter::new();
        for (i, (column, &pick)) in columns.iter().zip(&crosses[cross]).enumerate() {
            if i > 0 {
                text.push(separator)?;
            }
            match column.values.strings() {
                Ok(strings) => text.push(&strings[pick])?,
                Err(_) => {
                    let value = column.values.as_slice::<i64>()?[pick];
                    text.push(value.to_string().as_bytes())?;
                }
            }
        }
        Ok(text.finish())
    })
}

/// Combines the features' hashes, beginning with `key` or with the first feature.
fn hashed(
    columns: &[Column<'_>],
    crosses: &[Vec<usize>],
    key: Option<u64>,
    buckets: i64,
    feature: impl Fn(&Column<'_>, usize) -> Result<u64>,
) -> Result<Tensor> {
    // Without buckets the largest int64 keeps results from being negative.
    let modulus = if buckets > 0 { buckets as u64 } else { i64::MAX as u64 };
    let mut out = Vec::with_capacity(crosses.len());
    for picks in crosses {
        let mut hash = key;
        for (column, &pick) in columns.iter().zip(picks) {
            let own = feature(column, pick)?;
            hash = Some(hash.map_or(own, |hash| concatenate(hash, own)));
        }
        out.push((hash.unwrap_or(0) % modulus) as i64);
    }
    Tensor::vector(&out)
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.set_output(0, PartialShape::matrix(None, Some(2)));
    cx.set_output(1, PartialShape::vector(None));
    cx.set_output(2, PartialShape::vector(Some(2)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::ByteString;

    fn cross(out_type: DataType, batch: i64) -> OpTest {
        let s = |v: &[&'static str]| {
            let strings = v.iter().map(|s| ByteString::from_static(s.as_bytes())).collect();
            Tensor::from_strings([v.len()], strings).unwrap()
        };
        OpTest::new(register, "SparseCross")
            .attr("N", 2i64)
            .attr("sparse_types", vec![DataType::String, DataType::String])
            .attr("dense_types", vec![DataType::Int64])
            .attr("hashed_output", out_type == DataType::Int64)
            .attr("num_buckets", 1000i64)
            .attr("hash_key", 956888297470i64)
            .attr("out_type", out_type)
            .attr("internal_type", DataType::Int64)
            .input(Tensor::from_vec([2, 2], vec![0i64, 0, 1, 0]).unwrap())
            .input(Tensor::from_vec([3, 2], vec![0i64, 0, 1, 0, 1, 1]).unwrap())
            .input(s(&["a", "b"]))
            .input(s(&["x", "y", "z"]))
            .input(Tensor::vector(&[2i64, 1]).unwrap())
            .input(Tensor::vector(&[batch, 2]).unwrap())
            .input(Tensor::from_vec([2, 1], vec![7i64, 8]).unwrap())
    }

    #[test]
    fn combinations_are_joined() {
        let out = cross(DataType::String, 2).run().unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 0, 1, 0, 1, 1]);
        assert_eq!(out[1].strings().unwrap()[2], ByteString::from("b_X_z_X_8"));
        assert_eq!(out[2].as_slice::<i64>().unwrap(), &[2, 2]);
    }

    #[test]
    fn combinations_are_hashed_as_tensorflow_does() {
        let out = cross(DataType::Int64, 2).run().unwrap();
        assert_eq!(out[1].as_slice::<i64>().unwrap(), &[698, 967, 136]);
    }

    #[test]
    fn integers_and_strong_hashes_agree_with_tensorflow() {
        let run = |strong: bool| {
            let words = vec![ByteString::from_static(b"a"), ByteString::from_static(b"b")];
            let table = || Tensor::from_vec([2, 2], vec![0i64, 0, 1, 0]).unwrap();
            let out = OpTest::new(register, "SparseCrossHashed")
                .attr("N", 2i64)
                .attr("sparse_types", vec![DataType::String, DataType::Int64])
                .attr("dense_types", Vec::<DataType>::new())
                .input(table())
                .input(table())
                .input(Tensor::from_strings([2], words).unwrap())
                .input(Tensor::vector(&[5i64, -6]).unwrap())
                .input(Tensor::vector(&[2i64, 1]).unwrap())
                .input(Tensor::vector(&[2i64, 1]).unwrap())
                .input(Tensor::scalar(1_000_000i64))
                .input(Tensor::scalar(strong))
                .input(Tensor::vector(&[137i64, 42]).unwrap())
                .run()
                .unwrap();
            out[1].as_slice::<i64>().unwrap().to_vec()
        };
        assert_eq!(run(false), [566003, 683011]);
        assert_eq!(run(true), [725603, 788845]);
    }

    #[test]
    fn batch_sizes_must_agree() {
        assert!(cross(DataType::String, 3).run().is_err());
        assert!(cross(DataType::String, -1).run().is_err());
    }
}
