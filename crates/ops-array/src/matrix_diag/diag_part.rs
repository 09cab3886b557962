//! MatrixDiagPart: the diagonals of matrices.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status};

use super::{Alignment, Band, Direction, band, band_input, matrices};
use crate::movement::{Moves, rearrange, zero_scalar};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["MatrixDiagPart", "BatchMatrixDiagPart"] {
        registry.add(
            OpSpec::new(&format!("{name}(input: T) -> (diagonal: T)\n T: type"))?
                .shape(infer)
                .gradient(gradient),
            factory,
        )?;
    }
    let inputs = "(input: T, k: int32, padding_value: T) -> (diagonal: T)";
    registry.add(
        OpSpec::new(&format!("MatrixDiagPartV2{inputs}\n T: type"))?
            .shape(infer)
            .gradient(gradient),
        factory,
    )?;
    registry.add(
        OpSpec::new(&format!(
            "MatrixDiagPartV3{inputs}
                T: type
                align: {{'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT'}} = 'RIGHT_LEFT'"
        ))?
        .shape(infer)
        .gradient(gradient),
        factory,
    )
}

struct MatrixDiagPart {
    align: Alignment,
}

fn factory(build: &KernelBuild<'_>) -> Result<KernelBox> {
    Ok(KernelBox::new(MatrixDiagPart { align: Alignment::of(build)? }))
}

impl Kernel for MatrixDiagPart {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (lower, upper) = band_input(cx, 1)?;
        let padding = if cx.inputs_len() > 1 {
            if cx.input(2).len() != 1 {
                return Err(Status::invalid_argument("Padding must be scalar."));
            }
            cx.take(2)
        } else {
            zero_scalar(cx.input(0).dtype())?
        };
        let input = cx.take(0);
        let (batch_dims, rows, columns) = matrices(&input)?;
        let band = Band { rows, columns, lower, upper, align: self.align };
        band.check()?;
        let diagonals = (band.count() > 1).then_some(band.count());
        let shape: Shape =
            batch_dims.iter().copied().chain(diagonals).chain([band.width()]).collect();
        let batch = batch_dims.iter().product();
        let mut moves = Moves { fill: band.count() > 1, ..Moves::default() };
        if !input.is_empty() {
            band.copies(batch, Direction::IntoDiagonals).for_each(|copy| moves.push(0, copy));
        }
        let output = rearrange(cx.parallel(), input.dtype(), shape, &[&input, &padding], &moves)?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let Some(dims) = cx.with_rank_at_least(0, 2)?.dims() else { return Ok(()) };
    let (lower, upper) = match (cx.inputs().len() > 1, cx.constant(1)) {
        (false, _) => (0, 0),
        (true, Some(k)) => band(k)?,
        (true, None) => return Ok(()),
    };
    let [batch @ .., rows, columns] = dims else { return Ok(()) };
    let align = Alignment { left_super: true, left_sub: true };
    let width = match (rows, columns) {
        (&Some(rows), &Some(columns)) => {
            let band = Band { rows, columns, lower, upper, align };
            band.check().map_err(|e| e.context(cx.describe()))?;
            Some(band.width())
        }
        _ => None,
    };
    let diagonals = (lower != upper).then_some(Some((upper - lower + 1) as usize));
    cx.set_output(0, PartialShape::of(batch.iter().copied().chain(diagonals).chain([width])));
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let zeros = cx.op("ZerosLike", &[cx.input(0)])?;
    let mut grads = vec![Gradient::None; cx.inputs_len()];
    grads[0] = Gradient::Dense(if cx.inputs_len() == 1 {
        cx.op("MatrixSetDiag", &[zeros, grad])?
    } else {
        let align = match cx.node().get("align") {
            Some(_) => cx.node().string("align")?,
            // Version 2 aligns left, but TensorFlow takes version 3\'s default in its gradient.
            None => "RIGHT_LEFT".to_string(),
        };
        let attrs = Attrs::new().with("align", align);
        cx.op_with("MatrixSetDiagV3", &[zeros, grad, cx.input(1)], attrs)?
    });
    Ok(grads)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    fn matrix() -> Tensor {
        Tensor::from_vec([3, 4], (1..=12).collect::<Vec<i32>>()).unwrap()
    }

    fn run(k: &[i32], align: &'static str) -> Result<Tensor> {
        OpTest::new(register, "MatrixDiagPartV3")
            .attr("align", align)
            .input(matrix())
            .input(Tensor::vector(k).unwrap())
            .input(Tensor::scalar(0i32))
            .run_one()
    }

    #[test]
    fn diagonals_are_read() {
        let y = OpTest::new(register, "MatrixDiagPart").input(matrix()).run_one().unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[1, 6, 11]);
        let y = run(&[-1, 2], "RIGHT_LEFT").unwrap();
        assert_eq!(y.dims(), &[4, 3]);
        assert_eq!(y.as_slice::<i32>().unwrap(), &[0, 3, 8, 2, 7, 12, 1, 6, 11, 5, 10, 0]);
        let y = run(&[-1, 2], "LEFT_RIGHT").unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap()[..3], [3, 8, 0]);
        assert_eq!(y.as_slice::<i32>().unwrap()[9..], [0, 5, 10]);
    }

    #[test]
    fn diagonals_outside_are_refused() {
        assert!(run(&[4], "RIGHT_LEFT").is_err());
        assert!(run(&[-3], "RIGHT_LEFT").is_err());
        assert!(run(&[1, 0], "RIGHT_LEFT").is_err());
        assert!(run(&[], "RIGHT_LEFT").is_err());
        assert!(run(&[0, 1, 2], "RIGHT_LEFT").is_err());
        let vector = Tensor::vector(&[1f32]).unwrap();
        assert!(OpTest::new(register, "MatrixDiagPart").input(vector).run().is_err());
    }
}
