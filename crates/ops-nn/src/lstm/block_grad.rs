//! BlockLSTMGrad and BlockLSTMGradV2: the gradients of a sequence, from its last step to its first.

use downpour_graph::{OpSpec, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{DataType, Result, Tensor};

use super::block::check;
use super::cell::{Activations, PeepholeGrads, Weights};
use super::{expect_shape, floats};
use crate::float::from_f32;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    const ARGUMENTS: &str = "(seq_len_max: int64, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T, i: T, cs: T, f: T, o: T, ci: T, co: T, h: T, cs_grad: T, h_grad: T) -> (x_grad: T, cs_prev_grad: T, h_prev_grad: T, w_grad: T, wci_grad: T, wcf_grad: T, wco_grad: T, b_grad: T)
        use_peephole: bool
        T: {half, float}";
    let spec = |name: &str| -> Result<OpSpec> {
        Ok(OpSpec::new(&format!("{name}{ARGUMENTS}"))?.shape(shape).tolerance(1e-5))
    };
    registry.add(spec("BlockLSTMGrad")?, |build| kernel(build, false))?;
    registry.add(spec("BlockLSTMGradV2")?, |build| kernel(build, true))
}

fn kernel(build: &KernelBuild<'_>, forget_first: bool) -> Result<KernelBox> {
    let peephole = build.bool("use_peephole")?;
    Ok(KernelBox::new(BlockGrad { peephole, forget_first }))
}

struct BlockGrad {
    peephole: bool,
    forget_first: bool,
}

impl Kernel for BlockGrad {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (cell, steps, used) = check(cx, self.forget_first, self.peephole)?;
        let names = ["i", "cs", "f", "o", "ci", "co", "h", "cs_grad", "h_grad"];
        for (i, name) in names.iter().enumerate() {
            expect_shape(cx, 9 + i, name, &[steps, cell.batch, cell.cell])?;
        }
        let dtype = cx.input(1).dtype();
        let inputs = floats(cx, 1..18)?;
        let at = |i: usize| inputs[i - 1].as_slice::<f32>();
        let weights = Weights { w: at(4)?, wci: at(5)?, wcf: at(6)?, wco: at(7)?, b: at(8)? };
        let (x, cs, h) = (at(1)?, at(10)?, at(15)?);
        let (states, x_len) = (cell.states(), cell.batch * cell.input);

        let mut x_grad = Tensor::zeros(DataType::Float, [steps, cell.batch, cell.input])?;
        let x_grads = x_grad.as_mut_slice::<f32>().expect("a new tensor has one owner");
        let mut w_grad = vec![0f32; weights.w.len()];
        let mut b_grad = vec![0f32; 4 * cell.cell];
        let [mut wci, mut wcf, mut wco] = [0; 3].map(|_| vec![0f32; cell.cell]);
        let mut peepholes = PeepholeGrads { wci: &mut wci, wcf: &mut wcf, wco: &mut wco };
        let [mut cs_prev_grad, mut h_prev_grad, mut cs_grad, mut h_grad] =
            [0; 4].map(|_| vec![0f32; states]);
        let mut dgates = vec![0f32; 4 * states];
        let first = (at(2)?, at(3)?);
        let activations = [at(9)?, cs, at(11)?, at(12)?, at(13)?, at(14)?];
        let (cs_grads, h_grads) = (at(16)?, at(17)?);
        for t in (0..used).rev() {
            cx.check_cancelled()?;
            let now = t * states..(t + 1) * states;
            let (cs_prev, h_prev) = match t {
                0 => first,
                _ => {
                    let before = (t - 1) * states..t * states;
                    (&cs[before.clone()], &h[before])
                }
            };
            for s in 0..states {
                cs_grad[s] = cs_prev_grad[s] + cs_grads[now.start + s];
                h_grad[s] = h_prev_grad[s] + h_grads[now.start + s];
            }
            let [i, cs, f, o, ci, co] = activations.map(|a| &a[now.clone()]);
            cell.backward(
                &weights,
                cs_prev,
                &Activations { i, cs, f, o, ci, co, h: &[][..] },
                &cs_grad,
                &h_grad,
                &mut dgates,
                &mut cs_prev_grad,
                &mut peepholes,
            );
            let step = t * x_len..(t + 1) * x_len;
            let x_grad = &mut x_grads[step.clone()];
            cell.input_grads(cx.parallel(), weights.w, &dgates, x_grad, &mut h_prev_grad);
            cell.weight_grads(cx.parallel(), &x[step], h_prev, &dgates, &mut w_grad, &mut b_grad);
        }
        let outputs = [
            x_grad,
            Tensor::from_vec([cell.batch, cell.cell], cs_prev_grad)?,
            Tensor::from_vec([cell.batch, cell.cell], h_prev_grad)?,
            Tensor::from_vec([cell.input + cell.cell, 4 * cell.cell], w_grad)?,
            Tensor::vector(&wci)?,
            Tensor::vector(&wcf)?,
            Tensor::vector(&wco)?,
            Tensor::vector(&b_grad)?,
        ];
        for (i, tensor) in outputs.into_iter().enumerate() {
            cx.set_output(i, from_f32(tensor, dtype)?);
        }
        Ok(())
    }
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    for (i, rank) in [3, 2, 2, 2, 1, 1, 1, 1].into_iter().enumerate() {
        let shape = cx.with_rank(i + 1, rank)?;
        cx.set_output(i, shape);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn ramp(dims: &[usize], scale: f32) -> Tensor {
        let count = dims.iter().product::<usize>();
        let values = (0..count).map(|i| ((i * 7 % 11) as f32 - 5.0) * scale).collect();
        Tensor::from_vec(dims.to_vec(), values).unwrap()
    }

    const DIMS: [&[usize]; 8] = [&[3, 2, 2], &[2, 3], &[2, 3], &[5, 12], &[3], &[3], &[3], &[12]];

    fn forward(inputs: &[Tensor], version: &str) -> Vec<Tensor> {
        let op = format!("BlockLSTM{version}");
        let test = OpTest::new(super::super::register, &op)
            .attr("use_peephole", true)
            .attr("cell_clip", 0.0f32)
            .input(Tensor::scalar(3i64));
        inputs.iter().fold(test, |test, input| test.input(input.clone())).run().unwrap()
    }

    /// The sum of all outputs h, whose gradient is one everywhere.
    fn loss(inputs: &[Tensor], version: &str) -> f64 {
        let h = &forward(inputs, version)[6];
        h.as_slice::<f32>().unwrap().iter().map(|&v| f64::from(v)).sum()
    }

    #[test]
    fn agrees_with_differences() {
        for version in ["", "V2"] {
            let inputs: Vec<Tensor> = DIMS.iter().map(|d| ramp(d, 0.1)).collect();
            let mut test = OpTest::new(super::super::register, &format!("BlockLSTMGrad{version}"))
                .attr("use_peephole", true)
                .input(Tensor::scalar(3i64));
            let ones = Tensor::build([3, 2, 3], |out: &mut [f32]| out.fill(1.0)).unwrap();
            let zeros = Tensor::zeros(DataType::Float, [3, 2, 3]).unwrap();
            for tensor in inputs.iter().cloned().chain(forward(&inputs, version)) {
                test = test.input(tensor);
            }
            let grads = test.input(zeros).input(ones).run().unwrap();
            for (i, grad) in grads.iter().enumerate() {
                for (j, g) in grad.as_slice::<f32>().unwrap().iter().enumerate() {
                    let shifted = |by: f32| {
                        let mut moved = inputs.clone();
                        let mut values = moved[i].as_slice::<f32>().unwrap().to_vec();
                        values[j] += by;
                        moved[i] = Tensor::from_slice(DIMS[i], &values).unwrap();
                        loss(&moved, version)
                    };
                    let expected = (shifted(1e-2) - shifted(-1e-2)) / 2e-2;
                    assert!(
                        (f64::from(*g) - expected).abs() < 2e-3,
                        "{version} {i} {j}: {g} {expected}"
                    );
                }
            }
        }
    }
}
