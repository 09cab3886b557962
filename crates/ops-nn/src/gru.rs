//! GRUBlockCell and GRUBlockCellGrad: one step of a gated recurrent unit.

use downpour_gemm::{MatMut, MatRef, gemm};
use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Parallel, Registry};
use downpour_tensor::{Result, Status, Tensor};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "GRUBlockCell(x: T, h_prev: T, w_ru: T, w_c: T, b_ru: T, b_c: T) -> (r: T, u: T, c: T, h: T)
                T: {float}",
        )?
        .shape(shape)
        .tolerance(1e-5),
        |_| Ok(KernelBox::function(forward)),
    )?;
    registry.add(
        OpSpec::new(
            "GRUBlockCellGrad(x: T, h_prev: T, w_ru: T, w_c: T, b_ru: T, b_c: T, r: T, u: T, c: T, d_h: T) -> (d_x: T, d_h_prev: T, d_c_bar: T, d_r_bar_u_bar: T)
                T: {float}",
        )?
        .shape(grad_shape)
        .tolerance(1e-5),
        |_| Ok(KernelBox::function(backward)),
    )
}

struct Sizes {
    batch: usize,
    input: usize,
    cell: usize,
}

fn expect(cx: &OpContext<'_>, i: usize, name: &str, dims: &[usize]) -> Result<()> {
    let shape = cx.input(i).shape();
    if shape.rank() != dims.len() {
        return Err(Status::invalid_argument(format!(
            "Rank of {name} must be {}, got {}",
            dims.len(),
            shape.rank()
        )));
    }
    if shape.dims() != dims {
        return Err(Status::invalid_argument(format!(
            "{name} must have the shape {dims:?} to fit the other inputs, got {shape}"
        )));
    }
    Ok(())
}

/// Checks the inputs both operations share: x, h_prev, w_ru, w_c, b_ru, b_c.
fn check(cx: &OpContext<'_>) -> Result<Sizes> {
    let &[batch, input] = cx.input(0).dims() else {
        return Err(Status::invalid_argument(format!(
            "Rank of x must be 2, got {}",
            cx.input(0).rank()
        )));
    };
    let cell = cx.input(1).dims().get(1).copied().unwrap_or(0);
    expect(cx, 1, "h_prev", &[batch, cell])?;
    expect(cx, 2, "w_ru", &[input + cell, 2 * cell])?;
    expect(cx, 3, "w_c", &[input + cell, cell])?;
    expect(cx, 4, "b_ru", &[2 * cell])?;
    expect(cx, 5, "b_c", &[cell])?;
    Ok(Sizes { batch, input, cell })
}

impl Sizes {
    /// The bias in every row, plus [x, h] times the weights.
    fn affine(
        &self,
        parallel: &Parallel,
        x: &[f32],
        h: &[f32],
        w: &[f32],
        bias: &[f32],
    ) -> Vec<f32> {
        let columns = bias.len();
        let mut out = bias.repeat(self.batch);
        let (wx, wh) = w.split_at(self.input * columns);
        for (a, inner, w) in [(x, self.input, wx), (h, self.cell, wh)] {
            let a = MatRef::new(a, self.batch, inner);
            let c = MatMut::new(&mut out, self.batch, columns);
            gemm(parallel, 1.0, a, MatRef::new(w, inner, columns), 1.0, c);
        }
        out
    }

    /// `grad` times the transposed weights: the gradients of x (added to `d_x`) and of h.
    fn back(&self, parallel: &Parallel, grad: &[f32], w: &[f32], d_x: &mut [f32]) -> Vec<f32> {
        let columns = grad.len() / self.batch.max(1);
        let (wx, wh) = w.split_at(self.input * columns);
        let grad = MatRef::new(grad, self.batch, columns);
        let wx = MatRef::new(wx, self.input, columns);
        gemm(parallel, 1.0, grad, wx.t(), 1.0, MatMut::new(d_x, self.batch, self.input));
        let mut d_h = vec![0f32; self.batch * self.cell];
        let wh = MatRef::new(wh, self.cell, columns);
        gemm(parallel, 1.0, grad, wh.t(), 0.0, MatMut::new(&mut d_h, self.batch, self.cell));
        d_h
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

fn forward(cx: &mut OpContext<'_>) -> Result<()> {
    let sizes = check(cx)?;
    let n = sizes.cell;
    let at = |i: usize| cx.input(i).as_slice::<f32>();
    let (x, h_prev) = (at(0)?, at(1)?);
    let gates = sizes.affine(cx.parallel(), x, h_prev, at(2)?, at(4)?);
    let (mut r, mut u) = (Vec::with_capacity(h_prev.len()), Vec::with_capacity(h_prev.len()));
    for row in gates.chunks_exact((2 * n).max(1)) {
        r.extend(row[..n].iter().map(|&v| sigmoid(v)));
        u.extend(row[n..].iter().map(|&v| sigmoid(v)));
    }
    let reset: Vec<f32> = h_prev.iter().zip(&r).map(|(h, r)| h * r).collect();
    let mut c = sizes.affine(cx.parallel(), x, &reset, at(3)?, at(5)?);
    c.iter_mut().for_each(|v| *v = v.tanh());
    let h: Vec<f32> = h_prev.iter().zip(&u).zip(&c).map(|((h, u), c)| u * (h - c) + c).collect();
    for (i, values) in [r, u, c, h].into_iter().enumerate() {
        cx.set_output(i, Tensor::from_vec([sizes.batch, n], values)?);
    }
    Ok(())
}

fn backward(cx: &mut OpContext<'_>) -> Result<()> {
    let sizes = check(cx)?;
    let n = sizes.cell;
    for (i, name) in [(6, "r"), (7, "u"), (8, "c"), (9, "d_h")] {
        expect(cx, i, name, &[sizes.batch, n])?;
    }
    let at = |i: usize| cx.input(i).as_slice::<f32>();
    let (h_prev, r, u, c, d_h) = (at(1)?, at(6)?, at(7)?, at(8)?, at(9)?);
    let count = sizes.batch * n;
    let d_c_bar: Vec<f32> =
        (0..count).map(|i| d_h[i] * (1.0 - u[i]) * (1.0 - c[i] * c[i])).collect();
    let mut d_x = vec![0f32; sizes.batch * sizes.input];
    let d_reset = sizes.back(cx.parallel(), &d_c_bar, at(3)?, &mut d_x);
    let mut d_gates = vec![0f32; 2 * count];
    for (row, gates) in d_gates.chunks_exact_mut((2 * n).max(1)).enumerate() {
        for k in 0..n {
            let i = row * n + k;
            gates[k] = d_reset[i] * h_prev[i] * r[i] * (1.0 - r[i]);
            gates[n + k] = d_h[i] * (h_prev[i] - c[i]) * u[i] * (1.0 - u[i]);
        }
    }
    let through_gates = sizes.back(cx.parallel(), &d_gates, at(2)?, &mut d_x);
    let d_h_prev: Vec<f32> =
        (0..count).map(|i| through_gates[i] + d_reset[i] * r[i] + d_h[i] * u[i]).collect();
    let outputs = [
        Tensor::from_vec([sizes.batch, sizes.input], d_x)?,
        Tensor::from_vec([sizes.batch, n], d_h_prev)?,
        Tensor::from_vec([sizes.batch, n], d_c_bar)?,
        Tensor::from_vec([sizes.batch, 2 * n], d_gates)?,
    ];
    for (i, tensor) in outputs.into_iter().enumerate() {
        cx.set_output(i, tensor);
    }
    Ok(())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (x, h) = (cx.with_rank(0, 2)?, cx.with_rank(1, 2)?);
    for i in 0..4 {
        cx.set_output(i, PartialShape::matrix(x.dim(0), h.dim(1)));
    }
    Ok(())
}

fn grad_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (x, h, w) = (cx.with_rank(0, 2)?, cx.with_rank(1, 2)?, cx.with_rank(2, 2)?);
    cx.set_output(1, PartialShape::matrix(x.dim(0), h.dim(1)));
    cx.set_output(2, PartialShape::matrix(x.dim(0), h.dim(1)));
    cx.set_output(3, PartialShape::matrix(x.dim(0), w.dim(1)));
    cx.set_output(0, x);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn ramp(dims: &[usize]) -> Tensor {
        let count = dims.iter().product::<usize>();
        let values = (0..count).map(|i| ((i * 7 % 11) as f32 - 5.0) * 0.1).collect();
        Tensor::from_vec(dims.to_vec(), values).unwrap()
    }

    fn run(op: &str, inputs: &[Tensor]) -> Vec<Tensor> {
        let test = OpTest::new(register, op);
        inputs.iter().fold(test, |t, input| t.input(input.clone())).run().unwrap()
    }

    #[test]
    fn gradients_of_input_and_state_agree_with_differences() {
        let dims: [&[usize]; 6] = [&[2, 3], &[2, 2], &[5, 4], &[5, 2], &[4], &[2]];
        let inputs: Vec<Tensor> = dims.iter().map(|d| ramp(d)).collect();
        let out = run("GRUBlockCell", &inputs);
        let ones = Tensor::build([2, 2], |out: &mut [f32]| out.fill(1.0)).unwrap();
        let all: Vec<Tensor> =
            inputs.iter().cloned().chain(out[..3].iter().cloned()).chain([ones]).collect();
        let grads = run("GRUBlockCellGrad", &all);
        for i in 0..2 {
            for (j, g) in grads[i].as_slice::<f32>().unwrap().iter().enumerate() {
                let loss = |by: f32| -> f32 {
                    let mut moved = inputs.clone();
                    let mut values = moved[i].as_slice::<f32>().unwrap().to_vec();
                    values[j] += by;
                    moved[i] = Tensor::from_slice(dims[i], &values).unwrap();
                    run("GRUBlockCell", &moved)[3].as_slice::<f32>().unwrap().iter().sum()
                };
                let expected = (loss(1e-2) - loss(-1e-2)) / 2e-2;
                assert!((g - expected).abs() < 1e-3, "{i} {j}: {g} {expected}");
            }
        }
    }

    #[test]
    fn shapes_that_disagree_are_refused() {
        let dims: [&[usize]; 6] = [&[2, 3], &[2, 2], &[5, 3], &[5, 2], &[4], &[2]];
        let test = dims.iter().fold(OpTest::new(register, "GRUBlockCell"), |t, d| t.input(ramp(d)));
        assert!(test.run_values().is_err());
    }
}
