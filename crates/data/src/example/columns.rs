//! The values of one feature over many Examples.

use downpour_formats::example::{Field, varint};
use downpour_tensor::{ByteString, DataType, Result, Shape, Status, Tensor};

use super::Feature;
use super::message::{damaged, field};
use crate::rows::with_rows;

/// Values of one feature.
pub(super) struct Column {
    dtype: DataType,
    values: Values,
    rows: usize,
    /// For fixed shapes: the shape, its number of values, and what stands for a missing one.
    fixed: Option<Fixed>,
    /// For variable lengths: where each row ends.
    ends: Vec<usize>,
}

struct Fixed {
    shape: Vec<usize>,
    count: usize,
    default: Option<Values>,
}

#[derive(Clone)]
enum Values {
    Floats(Vec<f32>),
    Ints(Vec<i64>),
    Strings(Vec<ByteString>),
}

impl Values {
    fn new(dtype: DataType, capacity: usize) -> Result<Values> {
        Ok(match dtype {
            DataType::Float => Values::Floats(Vec::with_capacity(capacity)),
            DataType::Int64 => Values::Ints(Vec::with_capacity(capacity)),
            DataType::String => Values::Strings(Vec::with_capacity(capacity)),
            other => {
                return Err(Status::invalid_argument(format!(
                    "Examples hold float, int64 and string values, not {other}; parse as one of these and cast"
                )));
            }
        })
    }

    fn len(&self) -> usize {
        match self {
            Values::Floats(v) => v.len(),
            Values::Ints(v) => v.len(),
            Values::Strings(v) => v.len(),
        }
    }

    fn truncate(&mut self, length: usize) {
        match self {
            Values::Floats(v) => v.truncate(length),
            Values::Ints(v) => v.truncate(length),
            Values::Strings(v) => v.truncate(length),
        }
    }

    fn extend(&mut self, other: &Values) {
        match (self, other) {
            (Values::Floats(a), Values::Floats(b)) => a.extend_from_slice(b),
            (Values::Ints(a), Values::Ints(b)) => a.extend_from_slice(b),
            (Values::Strings(a), Values::Strings(b)) => a.extend_from_slice(b),
            // Kinds were compared when the column was made.
            _ => {}
        }
    }

    fn into_tensor(self, shape: Shape) -> Result<Tensor> {
        match self {
            Values::Floats(v) => Tensor::from_slice(shape, &v),
            Values::Ints(v) => Tensor::from_slice(shape, &v),
            Values::Strings(v) => Tensor::from_strings(shape, v),
        }
    }
}

impl Column {
    /// A column for `rows` Examples; features that cannot be are refused.
    pub fn new(feature: &Feature, rows: usize) -> Result<Column> {
        let dtype = feature.dtype();
        let fixed = match feature {
            Feature::Variable { .. } => None,
            Feature::Fixed { shape, default, .. } => {
                let count = downpour_tensor::checked_elements(shape)?;
                let default = default.as_ref().map(|d| default_values(d, count)).transpose()?;
                Some(Fixed { shape: shape.clone(), count, default })
            }
        };
        // A forged shape reserves nothing: values must come first.
        let capacity = fixed.as_ref().map_or(0, |f| f.count.saturating_mul(rows)).min(1 << 20);
        Ok(Column {
            dtype,
            values: Values::new(dtype, capacity)?,
            rows: 0,
            fixed,
            ends: Vec::new(),
        })
    }

    pub fn is_variable(&self) -> bool {
        self.fixed.is_none()
    }

    /// The feature of one more Example; strings are slices of `whole`.
    pub fn push(&mut self, name: &str, feature: Option<&[u8]>, whole: &ByteString) -> Result<()> {
        let start = self.values.len();
        let mut present = false;
        let mut rest = feature.unwrap_or_default();
        while let Some((kind, value)) = field(&mut rest)? {
            let Field::Bytes(list) = value else { continue };
            let same = match (kind, &self.values) {
                (1, Values::Strings(_)) | (2, Values::Floats(_)) | (3, Values::Ints(_)) => true,
                (1..=3, _) => false,
                _ => continue,
            };
            if !same {
                return Err(Status::invalid_argument(format!(
                    "Key: {name}.  Data types don't match. Expected type: {}",
                    self.dtype
                )));
            }
            present = true;
            self.values.append(list, whole)?;
        }
        self.rows += 1;
        let got = self.values.len() - start;
        let Some(fixed) = &self.fixed else {
            self.ends.push(self.values.len());
            return Ok(());
        };
        if !present {
            let Some(default) = &fixed.default else {
                return Err(Status::invalid_argument(format!(
                    "Feature: {name} (data type: {}) is required but could not be found.",
                    self.dtype
                )));
            };
            self.values.extend(default);
            return Ok(());
        }
        if got != fixed.count {
            self.values.truncate(start);
            return Err(Status::invalid_argument(format!(
                "Key: {name}.  Number of {} values != expected.  values size: {got} but output shape: {}",
                self.dtype,
                Shape::new(&fixed.shape)
            )));
        }
        Ok(())
    }

    /// One tensor with a row per Example; of fixed shape only.
    pub fn into_tensor(self) -> Result<Tensor> {
        let shape = self.fixed.map(|f| f.shape).unwrap_or_default();
        self.values.into_tensor(with_rows(self.rows, &shape))
    }

    /// Adds each Example's tensor to its row.
    pub fn into_rows(self, rows: &mut [Vec<Tensor>]) -> Result<()> {
        if self.is_variable() {
            let ends = self.ends;
            let all = self.values.into_tensor(Shape::new(&[ends.last().copied().unwrap_or(0)]))?;
            let mut start = 0;
            for (row, end) in rows.iter_mut().zip(ends) {
                row.push(all.rows(std::mem::replace(&mut start, end), end)?);
            }
            return Ok(());
        }
        let all = self.into_tensor()?;
        for (i, row) in rows.iter_mut().enumerate() {
            row.push(crate::rows::row(&all, i)?);
        }
        Ok(())
    }

    /// Indices, values and shape of a sparse tensor with a row per Example.
    pub fn into_sparse(self) -> Result<[Tensor; 3]> {
        let (mut indices, mut start, mut longest) = (Vec::new(), 0, 0);
        for (row, &end) in self.ends.iter().enumerate() {
            indices.extend((0..end - start).flat_map(|i| [row as i64, i as i64]));
            longest = longest.max(end - start);
            start = end;
        }
        Ok([
            Tensor::from_vec([start, 2], indices)?,
            self.values.into_tensor(Shape::new(&[start]))?,
            Tensor::vector(&[self.rows as i64, longest as i64])?,
        ])
    }
}

fn default_values(default: &Tensor, count: usize) -> Result<Values> {
    let repeat = if default.len() == 1 { count } else { 1 };
    if default.len() * repeat != count {
        return Err(Status::invalid_argument(format!(
            "a default of shape {} does not fit; give a scalar, or all {count} values",
            default.shape()
        )));
    }
    Ok(match default.dtype() {
        DataType::Float => Values::Floats(default.as_slice()?.repeat(repeat)),
        DataType::Int64 => Values::Ints(default.as_slice()?.repeat(repeat)),
        _ => {
            let strings = default.strings()?;
            let all = std::iter::repeat_n(strings, repeat).flatten().cloned();
            Values::Strings(all.collect())
        }
    })
}

impl Values {
    /// The values of a BytesList, FloatList or Int64List.
    fn append(&mut self, mut list: &[u8], whole: &ByteString) -> Result<()> {
        while let Some((number, value)) = field(&mut list)? {
            if number != 1 {
                continue;
            }
            match (&mut *self, value) {
                (Values::Strings(out), Field::Bytes(bytes)) => out.push(whole.slice_ref(bytes)),
                (Values::Floats(out), Field::Fixed32(bytes)) => out.push(f32::from_le_bytes(bytes)),
                (Values::Floats(out), Field::Bytes(packed)) => {
                    let (chunks, rest) = packed.as_chunks::<4>();
                    if !rest.is_empty() {
                        return Err(damaged("a list of floats has a broken length"));
                    }
                    out.extend(chunks.iter().map(|&b| f32::from_le_bytes(b)));
                }
                (Values::Ints(out), Field::Varint(v)) => out.push(v as i64),
                (Values::Ints(out), Field::Bytes(mut packed)) => {
                    while !packed.is_empty() {
                        let value = varint(&mut packed)
                            .ok_or_else(|| damaged("a list of integers ends within one"))?;
                        out.push(value as i64);
                    }
                }
                _ => return Err(damaged("a list holds values of another kind")),
            }
        }
        Ok(())
    }
}
