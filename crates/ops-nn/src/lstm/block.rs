//! BlockLSTM and BlockLSTMV2: all steps of a sequence.

use downpour_graph::{
    Attrs, Endpoint, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext,
};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::cell::{Activations, Cell, Weights};
use super::{expect_shape, floats};
use crate::float::from_f32;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    const ARGUMENTS: &str = "(seq_len_max: int64, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T) -> (i: T, cs: T, f: T, o: T, ci: T, co: T, h: T)";
    registry.add(
        OpSpec::new(&format!(
            "BlockLSTM{ARGUMENTS}
                forget_bias: float = 1.0
                cell_clip: float = 3.0
                use_peephole: bool = false
                T: {{half, float}}"
        ))?
        .shape(shape)
        .gradient(|cx| gradient(cx, "BlockLSTMGrad"))
        .tolerance(1e-5),
        |build| {
            Ok(KernelBox::new(Block {
                forget_bias: build.float("forget_bias")?,
                clip: build.float("cell_clip")?,
                peephole: build.bool("use_peephole")?,
                forget_first: false,
            }))
        },
    )?;
    registry.add(
        OpSpec::new(&format!(
            "BlockLSTMV2{ARGUMENTS}
                cell_clip: float = 0.0
                use_peephole: bool = false
                T: {{half, float}}"
        ))?
        .shape(shape)
        .gradient(|cx| gradient(cx, "BlockLSTMGradV2"))
        .tolerance(1e-5),
        |build| {
            Ok(KernelBox::new(Block {
                forget_bias: 0.0,
                clip: build.float("cell_clip")?,
                peephole: build.bool("use_peephole")?,
                forget_first: true,
            }))
        },
    )
}

/// Checks the inputs a sequence and its gradient share and returns the cell, the length of the
/// sequence and how many of its steps count.
pub(super) fn check(
    cx: &OpContext<'_>,
    forget_first: bool,
    peephole: bool,
) -> Result<(Cell, usize, usize)> {
    let used = cx.input(0);
    if used.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "`seq_len_max_tensor` must be rank 0 but is rank {}",
            used.rank()
        )));
    }
    let &[steps, batch, input] = cx.input(1).dims() else {
        return Err(Status::invalid_argument("x must be 3D"));
    };
    let &[_, cell] = cx.input(2).dims() else {
        return Err(Status::invalid_argument("cs_prev must be 2D"));
    };
    expect_shape(cx, 2, "cs_prev", &[batch, cell])?;
    expect_shape(cx, 3, "h_prev", &[batch, cell])?;
    expect_shape(cx, 4, "w", &[input + cell, 4 * cell])?;
    for (i, name) in [(5, "wci"), (6, "wcf"), (7, "wco")] {
        expect_shape(cx, i, name, &[cell])?;
    }
    expect_shape(cx, 8, "b", &[4 * cell])?;
    let asked = used.to_i64_scalar()?;
    let used = usize::try_from(asked).ok().filter(|&u| u <= steps).ok_or_else(|| {
        Status::invalid_argument(format!(
            "seq_len_max is {asked} but must be between 0 and the {steps} steps of x"
        ))
    })?;
    // Without states there is nothing to compute, however many steps there are said to be.
    let used = if batch == 0 || cell == 0 { 0 } else { used };
    Ok((Cell { batch, input, cell, forget_first, peephole }, steps, used))
}

struct Block {
    forget_bias: f32,
    clip: f32,
    peephole: bool,
    forget_first: bool,
}

impl Kernel for Block {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (cell, steps, used) = check(cx, self.forget_first, self.peephole)?;
        let dtype = cx.input(1).dtype();
        let inputs = floats(cx, 1..9)?;
        let at = |i: usize| inputs[i - 1].as_slice::<f32>();
        let weights = Weights { w: at(4)?, wci: at(5)?, wcf: at(6)?, wco: at(7)?, b: at(8)? };
        let (x, states) = (at(1)?, cell.states());
        let shape = [steps, cell.batch, cell.cell];
        // Steps that do not count stay zero.
        let mut tensors = Vec::with_capacity(7);
        for _ in 0..7 {
            tensors.push(Tensor::zeros(downpour_tensor::DataType::Float, shape)?);
        }
        let mut slices: Vec<&mut [f32]> = Vec::with_capacity(7);
        for tensor in &mut tensors {
            slices.push(tensor.as_mut_slice().expect("a new tensor has one owner"));
        }
        let [i, cs, f, o, ci, co, h] =
            slices.try_into().map_err(|_| Status::internal("a cell has seven outputs"))?;
        let mut gates = vec![0f32; 4 * states];
        let x_len = cell.batch * cell.input;
        let first = (at(2)?, at(3)?);
        for t in 0..used {
            cx.check_cancelled()?;
            let (cs_before, cs_now) = cs.split_at_mut(t * states);
            let (h_before, h_now) = h.split_at_mut(t * states);
            let now = t * states..(t + 1) * states;
            let before = now.start.saturating_sub(states)..now.start;
            let (cs_prev, h_prev) = match t {
                0 => first,
                _ => (&cs_before[before.clone()], &h_before[before]),
            };
            let out = Activations {
                i: &mut i[now.clone()],
                cs: &mut cs_now[..states],
                f: &mut f[now.clone()],
                o: &mut o[now.clone()],
                ci: &mut ci[now.clone()],
                co: &mut co[now],
                h: &mut h_now[..states],
            };
            let x = &x[t * x_len..(t + 1) * x_len];
            let settings = (self.forget_bias, self.clip);
            cell.forward(cx.parallel(), settings, &weights, x, cs_prev, h_prev, &mut gates, out);
        }
        for (i, tensor) in tensors.into_iter().enumerate() {
            cx.set_output(i, from_f32(tensor, dtype)?);
        }
        Ok(())
    }
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let x = cx.with_rank(1, 3)?;
    let b = cx.with_rank(8, 1)?;
    let cell = match b.dim(0) {
        Some(n) if n % 4 != 0 => {
            return Err(Status::invalid_argument(format!(
                "Dimension size must be evenly divisible by 4 but is {n} for {}",
                cx.describe()
            )));
        }
        dim => dim.map(|n| n / 4),
    };
    for i in 0..7 {
        cx.set_output(i, PartialShape::of([x.dim(0), x.dim(1), cell]));
    }
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>, op: &str) -> Result<Vec<Gradient>> {
    let mut inputs: Vec<Endpoint> = (0..9).map(|i| cx.input(i)).collect();
    inputs.extend((0..7).map(|port| cx.output(port)));
    inputs.extend([cx.grad(1)?, cx.grad(6)?]);
    let attrs = Attrs::new().with("use_peephole", cx.node().bool("use_peephole")?);
    let node = cx.node_with(op, &inputs, attrs)?;
    let grads = (0..8).map(|port| Gradient::Dense(Endpoint { node, port }));
    Ok(std::iter::once(Gradient::None).chain(grads).collect())
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

    fn run(length: i64) -> Result<Vec<Tensor>> {
        let dims: [&[usize]; 8] = [&[3, 2, 2], &[2, 3], &[2, 3], &[5, 12], &[3], &[3], &[3], &[12]];
        dims.iter()
            .fold(OpTest::new(register, "BlockLSTM").input(Tensor::scalar(length)), |test, dims| {
                test.input(ramp(dims, 0.1))
            })
            .run()
    }

    #[test]
    fn steps_beyond_the_length_are_zero() {
        let (all, some) = (run(3).unwrap(), run(2).unwrap());
        for (a, s) in all.iter().zip(&some) {
            let (a, s) = (a.as_slice::<f32>().unwrap(), s.as_slice::<f32>().unwrap());
            assert_eq!(a[..12], s[..12]);
            assert!(s[12..].iter().all(|&v| v == 0.0));
            assert!(a[12..].iter().any(|&v| v != 0.0));
        }
        assert!(run(4).is_err());
        assert!(run(-1).is_err());
    }

    #[test]
    fn endless_sequences_of_nothing_end() {
        let steps = 1usize << 40;
        let dims: [&[usize]; 8] =
            [&[steps, 0, 2], &[0, 3], &[0, 3], &[5, 12], &[3], &[3], &[3], &[12]];
        let out = dims
            .iter()
            .fold(OpTest::new(register, "BlockLSTM"), |test, dims| match dims.len() {
                3 => test.input(Tensor::scalar(steps as i64)).input(ramp(dims, 0.1)),
                _ => test.input(ramp(dims, 0.1)),
            })
            .run()
            .unwrap();
        assert_eq!(out[6].dims(), &[steps, 0, 3]);
    }
}
