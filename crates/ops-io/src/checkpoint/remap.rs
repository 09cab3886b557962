//! LoadAndRemapMatrix: a matrix of a checkpoint with its rows and columns moved to new places.

use std::collections::HashMap;

use downpour_formats::{BundleReader, SliceSpec};
use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use super::arguments::text;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "LoadAndRemapMatrix(ckpt_path: string, old_tensor_name: string, row_remapping: int64, col_remapping: int64, initializing_values: float) -> (output_matrix: float) @stateful
                num_rows: int >= 0
                num_cols: int >= 1
                max_rows_in_memory: int = -1",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| {
            let shape = Shape::from_i64(&[build.int("num_rows")?, build.int("num_cols")?])?;
            let chunk = usize::try_from(build.int("max_rows_in_memory")?).unwrap_or(0);
            let chunk = if chunk == 0 { usize::MAX } else { chunk };
            Ok(KernelBox::blocking(Remap { shape, chunk }))
        },
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(1, 0)?;
    let dims = [cx.node().int("num_rows")?, cx.node().int("num_cols")?];
    cx.set_output(0, PartialShape::from_i64(&dims)?);
    Ok(())
}

struct Remap {
    shape: Shape,
    /// How many old rows may be in memory at once.
    chunk: usize,
}

/// Old places to new ones, and which new places have an old one.
struct Places {
    new: HashMap<usize, usize>,
    present: Vec<bool>,
}

impl Places {
    fn invert(remapping: &[i64]) -> Result<Places> {
        let mut new = HashMap::new();
        let mut present = vec![false; remapping.len()];
        for (i, &old) in remapping.iter().enumerate() {
            let Ok(old) = usize::try_from(old) else { continue };
            present[i] = true;
            if let Some(first) = new.insert(old, i) {
                return Err(Status::unimplemented(format!(
                    "Old ID {old} is mapped to both new ID {first} and {i}, which is not supported."
                )));
            }
        }
        Ok(Places { new, present })
    }
}

impl Kernel for Remap {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (rows, columns) = (self.shape[0], self.shape[1]);
        let row_remapping = cx.vector_input(2)?.as_slice::<i64>()?;
        if row_remapping.len() != rows {
            return Err(Status::invalid_argument(format!(
                "Size of row_remapping is {} instead of being equal to num_rows={rows}",
                row_remapping.len()
            )));
        }
        let row_places = Places::invert(row_remapping)?;
        let column_remapping = cx.vector_input(3)?.as_slice::<i64>()?;
        let column_places = match column_remapping.len() {
            0 => None,
            n if n == columns => Some(Places::invert(column_remapping)?),
            n => {
                return Err(Status::invalid_argument(format!(
                    "Provided col_remapping, but its size is {n} instead of being equal to num_cols={columns}"
                )));
            }
        };
        let path = one_string(cx, 0, "ckpt_path")?;
        let name = one_string(cx, 1, "old_tensor_name")?;
        let mut reader = BundleReader::open(&path)?;
        let old_shape = old_matrix(&reader, &name)?;
        if column_places.is_none() && old_shape[1] != columns {
            return Err(Status::invalid_argument(format!(
                "Tensor {name} has shape {old_shape}, where the size of its 2nd dimension is {} instead of being equal to num_cols={columns}",
                old_shape[1]
            )));
        }
        let mut out = Tensor::zeros(DataType::Float, &self.shape)?;
        let matrix = out
            .as_mut_slice::<f32>()
            .ok_or_else(|| Status::internal("a new matrix has an owner besides this kernel"))?;
        self.copy_rows(
            &mut reader,
            &name,
            &old_shape,
            &row_places,
            column_places.as_ref(),
            matrix,
        )?;
        let column_present = column_places.map_or(vec![true; columns], |p| p.present);
        initialize(cx.input(4).as_slice()?, &row_places.present, &column_present, matrix)?;
        cx.set_output(0, out);
        Ok(())
    }
}

impl Remap {
    /// Reads the range of old rows that are wanted, some at a time, and puts each in its new place.
    fn copy_rows(
        &self,
        reader: &mut BundleReader,
        name: &str,
        old_shape: &Shape,
        row_places: &Places,
        column_places: Option<&Places>,
        matrix: &mut [f32],
    ) -> Result<()> {
        let Some(&last) = row_places.new.keys().max() else { return Ok(()) };
        let mut start = row_places.new.keys().min().copied().unwrap_or(0);
        if last >= old_shape[0] {
            return Err(Status::internal(format!(
                "row_remapping asks for old row {last}, which is out of bounds: {name} has shape = {old_shape}"
            )));
        }
        let (columns, old_columns) = (self.shape[1], old_shape[1]);
        while start <= last {
            let count = self.chunk.min(last - start + 1);
            let slice = SliceSpec(vec![Some((start, count)), None]);
            let part = reader.read_slice(name, old_shape, &slice)?;
            let part = part.as_slice::<f32>()?;
            for row in 0..count {
                let Some(&new_row) = row_places.new.get(&(start + row)) else { continue };
                let old = &part[row * old_columns..(row + 1) * old_columns];
                let new = &mut matrix[new_row * columns..(new_row + 1) * columns];
                match column_places {
                    None => new.copy_from_slice(old),
                    Some(places) => {
                        for (&old_column, &new_column) in &places.new {
                            // A column the checkpoint does not have stays zero.
                            if let Some(&value) = old.get(old_column) {
                                new[new_column] = value;
                            }
                        }
                    }
                }
            }
            start += count;
        }
        Ok(())
    }
}

/// The shape of a tensor that must be a float matrix.
fn old_matrix(reader: &BundleReader, name: &str) -> Result<Shape> {
    let (dtype, shape) = reader.describe(name)?;
    if dtype != DataType::Float {
        return Err(Status::invalid_argument(format!(
            "Tensor {name} has invalid type {dtype} instead of expected type float"
        )));
    }
    if shape.rank() != 2 {
        return Err(Status::invalid_argument(format!(
            "Tensor {name} has shape {shape} of invalid rank {} instead of expected shape of rank 2.",
            shape.rank()
        )));
    }
    Ok(shape)
}

/// Fills the cells that have no old row or no old column, in order, with all the values.
fn initialize(values: &[f32], rows: &[bool], columns: &[bool], matrix: &mut [f32]) -> Result<()> {
    let mut unused = values.iter();
    for (i, &row) in rows.iter().enumerate() {
        for (j, &column) in columns.iter().enumerate() {
            if row && column {
                continue;
            }
            matrix[i * columns.len() + j] = *unused.next().ok_or_else(|| {
                Status::invalid_argument(format!(
                    "initializing_values contained {} elements, but more missing values remain.",
                    values.len()
                ))
            })?;
        }
    }
    match unused.len() {
        0 => Ok(()),
        left => Err(Status::invalid_argument(format!(
            "initializing_values contained {} elements, but only {} elements were used to fill in missing values.",
            values.len(),
            values.len() - left
        ))),
    }
}

fn one_string(cx: &OpContext<'_>, i: usize, argument: &str) -> Result<String> {
    match cx.input(i).strings()? {
        [one] => text(one),
        _ => Err(Status::invalid_argument(format!(
            "The `{argument}` tensor must have exactly one element, got tensor of shape {}",
            cx.input(i).shape()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_formats::BundleWriter;
    use downpour_runtime::testing::OpTest;

    /// Remaps the matrix [[0, 1], [2, 3], [4, 5]].
    fn remap(
        rows: &[i64],
        columns: &[i64],
        cols: i64,
        fill: &[f32],
        chunk: i64,
    ) -> Result<Vec<f32>> {
        let folder = tempfile::tempdir().unwrap();
        let prefix = folder.path().join("model").to_str().unwrap().to_string();
        let mut writer = BundleWriter::create(&prefix).unwrap();
        let old = Tensor::from_slice([3, 2], &[0f32, 1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        writer.add("w", &old).unwrap();
        writer.finish().unwrap();
        let out = OpTest::new(register, "LoadAndRemapMatrix")
            .attr("num_rows", rows.len() as i64)
            .attr("num_cols", cols)
            .attr("max_rows_in_memory", chunk)
            .input(Tensor::from_string(prefix).unwrap().into_shape([1]).unwrap())
            .input(Tensor::string("w"))
            .input(Tensor::vector(rows).unwrap())
            .input(Tensor::vector(columns).unwrap())
            .input(Tensor::vector(fill).unwrap())
            .run_one()?;
        Ok(out.as_slice::<f32>()?.to_vec())
    }

    #[test]
    fn rows_and_columns_move_and_gaps_are_filled() {
        for chunk in [-1, 1, 2] {
            assert_eq!(remap(&[2, 0], &[], 2, &[], chunk).unwrap(), [4.0, 5.0, 0.0, 1.0]);
            let out = remap(&[-1, 1], &[1, -1, 0], 3, &[7.0, 8.0, 9.0, 10.0], chunk).unwrap();
            assert_eq!(out, [7.0, 8.0, 9.0, 3.0, 10.0, 2.0]);
        }
        assert_eq!(remap(&[], &[], 2, &[], -1).unwrap(), [0f32; 0]);
    }

    #[test]
    fn bad_mappings_are_refused() {
        let code = |r: Result<Vec<f32>>| r.unwrap_err().code();
        use downpour_tensor::Code;
        assert_eq!(code(remap(&[0, 0], &[], 2, &[], -1)), Code::Unimplemented);
        assert_eq!(code(remap(&[3], &[], 2, &[], -1)), Code::Internal);
        assert_eq!(code(remap(&[0], &[], 3, &[], -1)), Code::InvalidArgument);
        assert_eq!(code(remap(&[0], &[0], 2, &[], -1)), Code::InvalidArgument);
        assert_eq!(code(remap(&[-1], &[], 2, &[1.0], -1)), Code::InvalidArgument);
        assert_eq!(code(remap(&[-1], &[], 2, &[1.0, 2.0, 3.0], -1)), Code::InvalidArgument);
    }
}
