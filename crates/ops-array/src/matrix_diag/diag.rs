//! MatrixDiag: matrices from their diagonals.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use super::{Alignment, Band, Direction, band, band_input};
use crate::movement::{Moves, rearrange, zero_scalar};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["MatrixDiag", "BatchMatrixDiag"] {
        registry.add(
            OpSpec::new(&format!("{name}(diagonal: T) -> (output: T)\n T: type"))?
                .shape(infer)
                .gradient(gradient),
            factory,
        )?;
    }
    let inputs = "(diagonal: T, k: int32, num_rows: int32, num_cols: int32, padding_value: T) -> (output: T)";
    registry.add(
        OpSpec::new(&format!("MatrixDiagV2{inputs}\n T: type"))?.shape(infer).gradient(gradient),
        factory,
    )?;
    registry.add(
        OpSpec::new(&format!(
            "MatrixDiagV3{inputs}
                T: type
                align: {{'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT'}} = 'RIGHT_LEFT'"
        ))?
        .shape(infer)
        .gradient(gradient),
        factory,
    )
}

struct MatrixDiag {
    align: Alignment,
}

fn factory(build: &KernelBuild<'_>) -> Result<KernelBox> {
    Ok(KernelBox::new(MatrixDiag { align: Alignment::of(build)? }))
}

impl Kernel for MatrixDiag {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (lower, upper) = band_input(cx, 1)?;
        let (mut rows, mut columns) = (-1, -1);
        let padding = if cx.inputs_len() > 1 {
            for (i, name) in [(2, "num_rows"), (3, "num_cols"), (4, "padding_value")] {
                if cx.input(i).rank() != 0 {
                    return Err(Status::invalid_argument(format!("{name} must be a scalar")));
                }
            }
            rows = cx.input(2).to_i64_scalar()?;
            columns = cx.input(3).to_i64_scalar()?;
            cx.take(4)
        } else {
            zero_scalar(cx.input(0).dtype())?
        };
        let diagonal = cx.take(0);
        let layout = Layout::new(diagonal.dims(), lower, upper, rows, columns)?;
        let band =
            Band { rows: layout.rows, columns: layout.columns, lower, upper, align: self.align };
        let shape: Shape =
            layout.batch.iter().copied().chain([layout.rows, layout.columns]).collect();
        downpour_tensor::checked_elements(&shape)?;
        let batch = layout.batch.iter().product();
        let mut moves = Moves { fill: true, ..Moves::default() };
        if !diagonal.is_empty() {
            band.copies(batch, Direction::IntoMatrix).for_each(|copy| moves.push(0, copy));
        }
        let inputs: [&Tensor; 2] = [&diagonal, &padding];
        let output = rearrange(cx.parallel(), diagonal.dtype(), shape, &inputs, &moves)?;
        cx.set_output(0, output);
        Ok(())
    }
}

/// The sizes of the result.
struct Layout<'a> {
    batch: &'a [usize],
    rows: usize,
    columns: usize,
}

impl<'a> Layout<'a> {
    /// `rows` and `columns` are -1 where they follow from the rest.
    fn new(
        dims: &'a [usize],
        lower: i64,
        upper: i64,
        rows: i64,
        columns: i64,
    ) -> Result<Layout<'a>> {
        let Some((&longest, outer)) = dims.split_last() else {
            return Err(Status::invalid_argument(
                "diagonal must be at least 1-dim, received shape: []",
            ));
        };
        let count = upper - lower + 1;
        let batch = if count == 1 {
            outer
        } else {
            match outer.split_last() {
                Some((&diagonals, batch)) if diagonals as i64 == count => batch,
                _ => {
                    return Err(Status::invalid_argument(
                        "The number of diagonals provided in the input does not match the \
                         lower_diag_index and upper_diag_index range.",
                    ));
                }
            }
        };
        let least_rows = longest as i64 - upper.min(0);
        let least_columns = longest as i64 + lower.max(0);
        if rows != -1 && rows < least_rows {
            return Err(Status::invalid_argument("The number of rows is too small."));
        }
        if columns != -1 && columns < least_columns {
            return Err(Status::invalid_argument("The number of columns is too small."));
        }
        let (rows, columns) = match (rows, columns) {
            (-1, -1) => (least_rows.max(least_columns), least_rows.max(least_columns)),
            (-1, columns) => (least_rows, columns),
            (rows, -1) => (rows, least_columns),
            given => given,
        };
        if rows != least_rows && columns != least_columns {
            return Err(Status::invalid_argument(
                "The number of rows or columns is not consistent with the specified d_lower, \
                 d_upper, and diagonal.",
            ));
        }
        Ok(Layout { batch, rows: rows as usize, columns: columns as usize })
    }
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let dims = cx.with_rank_at_least(0, 1)?.dims();
    let scalar = |i: usize| cx.constant_ints(i).and_then(|v| v.first().copied());
    let (lower, upper, rows, columns) = if cx.inputs().len() > 1 {
        let (Some(k), Some(rows), Some(columns)) = (cx.constant(1), scalar(2), scalar(3)) else {
            return Ok(());
        };
        let (lower, upper) = band(k)?;
        (lower, upper, rows, columns)
    } else {
        (0, 0, -1, -1)
    };
    let Some(dims) = dims else { return Ok(()) };
    let Some(full) = cx.input(0).to_shape() else {
        let rank = if lower == upper { dims.len() + 1 } else { dims.len() };
        cx.set_output(0, PartialShape::of_rank(rank));
        return Ok(());
    };
    let layout =
        Layout::new(&full, lower, upper, rows, columns).map_err(|e| e.context(cx.describe()))?;
    let dims = layout.batch.iter().copied().chain([layout.rows, layout.columns]);
    cx.set_output(0, PartialShape::of(dims.map(Some)));
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let mut grads = vec![Gradient::None; cx.inputs_len()];
    grads[0] = Gradient::Dense(if cx.inputs_len() == 1 {
        cx.op("MatrixDiagPart", &[grad])?
    } else {
        let zero = cx.number(0.0, grad)?;
        let align = match cx.node().get("align") {
            Some(_) => cx.node().string("align")?,
            // Version 2 aligns left, but TensorFlow takes version 3\'s default in its gradient.
            None => "RIGHT_LEFT".to_string(),
        };
        let attrs = Attrs::new().with("align", align);
        cx.op_with("MatrixDiagPartV3", &[grad, cx.input(1), zero], attrs)?
    });
    Ok(grads)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::DataType;

    fn run(x: Tensor, k: &[i32], rows: i32, columns: i32, align: &'static str) -> Result<Tensor> {
        OpTest::new(register, "MatrixDiagV3")
            .attr("align", align)
            .input(x)
            .input(Tensor::vector(k).unwrap())
            .input(Tensor::scalar(rows))
            .input(Tensor::scalar(columns))
            .input(Tensor::scalar(9i32))
            .run_one()
    }

    #[test]
    fn the_main_diagonal() {
        let x = Tensor::from_vec([2, 2], vec![1i32, 2, 3, 4]).unwrap();
        let y = OpTest::new(register, "MatrixDiag").input(x).run_one().unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[1, 0, 0, 2, 3, 0, 0, 4]);
    }

    #[test]
    fn bands_with_alignment() {
        // Superdiagonal [1, 2], main [3, 4, 5], subdiagonal [6, 7].
        let x = Tensor::from_vec([3, 3], vec![0i32, 1, 2, 3, 4, 5, 6, 7, 0]).unwrap();
        let y = run(x, &[-1, 1], -1, -1, "RIGHT_LEFT").unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[3, 1, 9, 6, 4, 2, 9, 7, 5]);
        let x = Tensor::from_vec([2], vec![1i32, 2]).unwrap();
        let y = run(x.clone(), &[1], 2, -1, "RIGHT_LEFT").unwrap();
        assert_eq!(y.dims(), &[2, 3]);
        assert_eq!(y.as_slice::<i32>().unwrap(), &[9, 1, 9, 9, 9, 2]);
        assert!(run(x.clone(), &[1], 1, -1, "RIGHT_LEFT").is_err());
        assert!(run(x.clone(), &[], -1, -1, "RIGHT_LEFT").is_err());
        assert!(run(x.clone(), &[0, 1], -1, -1, "RIGHT_LEFT").is_err());
        assert!(run(x, &[i32::MIN, i32::MAX], -1, -1, "RIGHT_LEFT").is_err());
        let empty = Tensor::zeros(DataType::Int32, [0]).unwrap();
        assert_eq!(run(empty, &[0], -1, -1, "RIGHT_LEFT").unwrap().dims(), &[0, 0]);
    }
}
