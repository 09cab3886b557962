//! MatrixSetDiag: matrices with other diagonals.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status};

use super::{Alignment, Band, Direction, band_input, matrices};
use crate::movement::{Moves, rearrange_into};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["MatrixSetDiag", "BatchMatrixSetDiag"] {
        registry.add(
            OpSpec::new(&format!("{name}(input: T, diagonal: T) -> (output: T)\n T: type"))?
                .shape(infer)
                .gradient(gradient),
            factory,
        )?;
    }
    let inputs = "(input: T, diagonal: T, k: int32) -> (output: T)";
    registry.add(
        OpSpec::new(&format!("MatrixSetDiagV2{inputs}\n T: type"))?.shape(infer).gradient(gradient),
        factory,
    )?;
    registry.add(
        OpSpec::new(&format!(
            "MatrixSetDiagV3{inputs}
                T: type
                align: {{'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT'}} = 'RIGHT_LEFT'"
        ))?
        .shape(infer)
        .gradient(gradient),
        factory,
    )
}

struct MatrixSetDiag {
    align: Alignment,
}

fn factory(build: &KernelBuild<'_>) -> Result<KernelBox> {
    Ok(KernelBox::new(MatrixSetDiag { align: Alignment::of(build)? }))
}

impl Kernel for MatrixSetDiag {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (lower, upper) = band_input(cx, 2)?;
        let input = cx.take(0);
        let diagonal = cx.input(1);
        let (batch_dims, rows, columns) = matrices(&input)?;
        if diagonal.rank() == 0 {
            return Err(Status::invalid_argument(
                "diagonal must be at least 1-dim, received shape: []",
            ));
        }
        let band = Band { rows, columns, lower, upper, align: self.align };
        band.check()?;
        let diagonals = (band.count() > 1).then_some(band.count());
        let expected: Shape =
            batch_dims.iter().copied().chain(diagonals).chain([band.width()]).collect();
        if *diagonal.shape() != expected {
            return Err(Status::invalid_argument(format!(
                "Either first dimensions of diagonal don't match input.shape[:-2], or \
                 diagonal.shape[:-1] is not equal to the longests diagonal in range \
                 [lower_diag_index:upper_diag_index].\nInput shape: {}\nDiagonal shape: {}\n\
                 Expected diagonal shape: {expected}",
                input.shape(),
                diagonal.shape()
            )));
        }
        let mut moves = Moves::default();
        if !input.is_empty() {
            let batch = batch_dims.iter().product();
            band.copies(batch, Direction::IntoMatrix).for_each(|copy| moves.push(0, copy));
        }
        let output = rearrange_into(cx.parallel(), input, &[diagonal], &moves)?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = cx.with_rank_at_least(0, 2)?.clone();
    cx.with_rank_at_least(1, 1)?;
    cx.set_output(0, shape);
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let zeros = cx.op("ZerosLike", &[cx.input(1)])?;
    if cx.inputs_len() == 2 {
        let input = cx.op("MatrixSetDiag", &[grad, zeros])?;
        let diagonal = cx.op("MatrixDiagPart", &[grad])?;
        return Ok(vec![Gradient::Dense(input), Gradient::Dense(diagonal)]);
    }
    let align = match cx.node().get("align") {
        Some(_) => cx.node().string("align")?,
        // Version 2 aligns left, but TensorFlow takes version 3\'s default in its gradient.
        None => "RIGHT_LEFT".to_string(),
    };
    let attrs = Attrs::new().with("align", align);
    let k = cx.input(2);
    let input = cx.op_with("MatrixSetDiagV3", &[grad, zeros, k], attrs.clone())?;
    let zero = cx.number(0.0, grad)?;
    let diagonal = cx.op_with("MatrixDiagPartV3", &[grad, k, zero], attrs)?;
    Ok(vec![Gradient::Dense(input), Gradient::Dense(diagonal), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{DataType, Tensor};

    #[test]
    fn diagonals_are_replaced() {
        let x = Tensor::from_vec([2, 3], vec![1i32; 6]).unwrap();
        let y = OpTest::new(register, "MatrixSetDiag")
            .input(x.clone())
            .input(Tensor::vector(&[7i32, 8]).unwrap())
            .run_one()
            .unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[7, 1, 1, 1, 8, 1]);
        let y = OpTest::new(register, "MatrixSetDiagV3")
            .input(x.clone())
            .input(Tensor::from_vec([2, 2], vec![5i32, 6, 7, 8]).unwrap())
            .input(Tensor::vector(&[0i32, 1]).unwrap())
            .run_one()
            .unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[7, 5, 1, 1, 8, 6]);
        assert_eq!(x.as_slice::<i32>().unwrap(), &[1; 6]);
    }

    #[test]
    fn sizes_must_agree() {
        let test = |diag: &[usize], k: &[i32]| {
            OpTest::new(register, "MatrixSetDiagV3")
                .input(Tensor::zeros(DataType::Float, [2, 3]).unwrap())
                .input(Tensor::zeros(DataType::Float, diag).unwrap())
                .input(Tensor::vector(k).unwrap())
                .run()
        };
        assert!(test(&[3], &[0]).is_err());
        assert!(test(&[2], &[0, 1]).is_err());
        assert!(test(&[2], &[]).is_err());
        assert!(test(&[2], &[7]).is_err());
    }
}
