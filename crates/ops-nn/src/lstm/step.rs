//! LSTMBlockCell and LSTMBlockCellGrad: one step.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::cell::{Activations, Cell, PeepholeGrads, Weights};
use super::{expect_shape, floats};
use crate::float::from_f32;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "LSTMBlockCell(x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T) -> (i: T, cs: T, f: T, o: T, ci: T, co: T, h: T)
                forget_bias: float = 1.0
                cell_clip: float = 3.0
                use_peephole: bool = false
                T: {half, float}",
        )?
        .shape(shape)
        .tolerance(1e-5),
        |build| {
            Ok(KernelBox::new(Step {
                forget_bias: build.float("forget_bias")?,
                clip: build.float("cell_clip")?,
                peephole: build.bool("use_peephole")?,
            }))
        },
    )?;
    registry.add(
        OpSpec::new(
            "LSTMBlockCellGrad(x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T, i: T, cs: T, f: T, o: T, ci: T, co: T, cs_grad: T, h_grad: T) -> (cs_prev_grad: T, dicfo: T, wci_grad: T, wcf_grad: T, wco_grad: T)
                use_peephole: bool
                T: {half, float}",
        )?
        .shape(grad_shape)
        .tolerance(1e-5),
        |build| Ok(KernelBox::new(StepGrad { peephole: build.bool("use_peephole")? })),
    )
}

/// Checks the inputs a step and its gradient share: x, cs_prev, h_prev, w, wci, wcf, wco, b.
fn check(cx: &OpContext<'_>, peephole: bool) -> Result<Cell> {
    let (&[batch, input], &[_, cell]) = (cx.input(0).dims(), cx.input(1).dims()) else {
        return Err(Status::invalid_argument(format!(
            "x and cs_prev must be 2D, got shapes {} and {}",
            cx.input(0).shape(),
            cx.input(1).shape()
        )));
    };
    expect_shape(cx, 1, "cs_prev", &[batch, cell])?;
    expect_shape(cx, 2, "h_prev", &[batch, cell])?;
    expect_shape(cx, 3, "w", &[input + cell, 4 * cell])?;
    if peephole {
        expect_shape(cx, 4, "wci", &[cell])?;
        expect_shape(cx, 5, "wcf", &[cell])?;
        expect_shape(cx, 6, "wco", &[cell])?;
    }
    expect_shape(cx, 7, "b", &[4 * cell])?;
    Ok(Cell { batch, input, cell, forget_first: false, peephole })
}

struct Step {
    forget_bias: f32,
    clip: f32,
    peephole: bool,
}

impl Kernel for Step {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let cell = check(cx, self.peephole)?;
        if cell.states() == 0 {
            return Err(Status::invalid_argument(format!(
                "cs_prev_tensor is empty, has shape: ({},{}).",
                cell.batch, cell.cell
            )));
        }
        let dtype = cx.input(0).dtype();
        let inputs = floats(cx, 0..8)?;
        let at = |i: usize| inputs[i].as_slice::<f32>();
        let weights = Weights { w: at(3)?, wci: at(4)?, wcf: at(5)?, wco: at(6)?, b: at(7)? };
        let mut outputs: [Vec<f32>; 7] = std::array::from_fn(|_| vec![0.0; cell.states()]);
        let [i, cs, f, o, ci, co, h] = &mut outputs;
        let out = Activations { i: &mut i[..], cs, f, o, ci, co, h };
        let mut gates = vec![0f32; 4 * cell.states()];
        let (x, cs_prev, h_prev) = (at(0)?, at(1)?, at(2)?);
        let settings = (self.forget_bias, self.clip);
        cell.forward(cx.parallel(), settings, &weights, x, cs_prev, h_prev, &mut gates, out);
        for (i, values) in outputs.into_iter().enumerate() {
            cx.set_output(i, from_f32(Tensor::from_vec([cell.batch, cell.cell], values)?, dtype)?);
        }
        Ok(())
    }
}

struct StepGrad {
    peephole: bool,
}

impl Kernel for StepGrad {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let cell = check(cx, self.peephole)?;
        let names = ["i", "cs", "f", "o", "ci", "co", "cs_grad", "h_grad"];
        for (i, name) in names.iter().enumerate() {
            expect_shape(cx, 8 + i, name, &[cell.batch, cell.cell])?;
        }
        let dtype = cx.input(0).dtype();
        let inputs = floats(cx, 0..16)?;
        let at = |i: usize| inputs[i].as_slice::<f32>();
        let weights = Weights { w: at(3)?, wci: at(4)?, wcf: at(5)?, wco: at(6)?, b: at(7)? };
        let activations = Activations {
            i: at(8)?,
            cs: at(9)?,
            f: at(10)?,
            o: at(11)?,
            ci: at(12)?,
            co: at(13)?,
            h: &[][..],
        };
        let mut dgates = vec![0f32; 4 * cell.states()];
        let mut cs_prev_grad = vec![0f32; cell.states()];
        let [mut wci, mut wcf, mut wco] = [0; 3].map(|_| vec![0f32; cell.cell]);
        let mut peepholes = PeepholeGrads { wci: &mut wci, wcf: &mut wcf, wco: &mut wco };
        cell.backward(
            &weights,
            at(1)?,
            &activations,
            at(14)?,
            at(15)?,
            &mut dgates,
            &mut cs_prev_grad,
            &mut peepholes,
        );
        let outputs = [
            Tensor::from_vec([cell.batch, cell.cell], cs_prev_grad)?,
            Tensor::from_vec([cell.batch, 4 * cell.cell], dgates)?,
            Tensor::vector(&wci)?,
            Tensor::vector(&wcf)?,
            Tensor::vector(&wco)?,
        ];
        for (i, tensor) in outputs.into_iter().enumerate() {
            cx.set_output(i, from_f32(tensor, dtype)?);
        }
        Ok(())
    }
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (x, cs_prev) = (cx.with_rank(0, 2)?, cx.with_rank(1, 2)?);
    for i in 0..7 {
        cx.set_output(i, PartialShape::matrix(x.dim(0), cs_prev.dim(1)));
    }
    Ok(())
}

fn grad_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (x, cs_prev) = (cx.with_rank(0, 2)?, cx.with_rank(1, 2)?);
    let cell = cs_prev.dim(1);
    cx.set_output(0, PartialShape::matrix(x.dim(0), cell));
    cx.set_output(1, PartialShape::matrix(x.dim(0), cell.and_then(|c| c.checked_mul(4))));
    for i in 2..5 {
        cx.set_output(i, PartialShape::vector(cell));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn filled(dims: [usize; 2], value: f32) -> Tensor {
        Tensor::build(dims, |out: &mut [f32]| out.fill(value)).unwrap()
    }

    fn vector(length: usize, value: f32) -> Tensor {
        filled([1, length], value).into_shape([length]).unwrap()
    }

    /// Numbers from TensorFlow.
    #[test]
    fn one_step_with_peepholes() {
        let out = OpTest::new(register, "LSTMBlockCell")
            .attr("use_peephole", true)
            .input(filled([1, 2], 1.0))
            .input(filled([1, 2], 0.5))
            .input(filled([1, 2], 0.25))
            .input(filled([4, 8], 0.1))
            .input(vector(2, 0.2))
            .input(vector(2, 0.3))
            .input(vector(2, 0.4))
            .input(vector(8, 0.05))
            .run()
            .unwrap();
        let got: Vec<f32> = out.iter().map(|t| t.as_slice::<f32>().unwrap()[1]).collect();
        let expected = [
            0.598_687_7,
            0.579_404_5,
            0.809_998_4,
            0.629_894,
            0.291_312_6,
            0.522_232_5,
            0.328_951_1,
        ];
        for (g, e) in got.iter().zip(expected) {
            assert!((g - e).abs() < 1e-5, "{got:?}");
        }
    }

    #[test]
    fn sizes_that_disagree_are_refused() {
        let run = |w: [usize; 2]| {
            OpTest::new(register, "LSTMBlockCell")
                .input(filled([1, 2], 1.0))
                .input(filled([1, 2], 0.5))
                .input(filled([1, 2], 0.25))
                .input(filled(w, 0.1))
                .input(vector(2, 0.0))
                .input(vector(2, 0.0))
                .input(vector(2, 0.0))
                .input(vector(8, 0.0))
                .run_values()
        };
        assert!(run([4, 8]).is_ok());
        assert!(run([4, 7]).is_err());
        assert!(run([3, 8]).is_err());
    }

    #[test]
    fn a_cell_without_states_is_refused() {
        let test = OpTest::new(register, "LSTMBlockCell").input(filled([2, 1], 1.0));
        let empty = || filled([2, 0], 0.0);
        let test = test.input(empty()).input(empty()).input(filled([1, 0], 0.0));
        let test = (0..4).fold(test, |t, _| t.input(vector(0, 0.0)));
        assert!(test.run().unwrap_err().message().contains("is empty"));
    }
}
