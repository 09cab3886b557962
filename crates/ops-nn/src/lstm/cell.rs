//! One step of an LSTM cell forwards and backwards, on row-major float32 matrices.

use downpour_gemm::{MatMut, MatRef, gemm};
use downpour_runtime::Parallel;

/// Sizes, and the order of the four gates in the columns of the weights.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    pub batch: usize,
    pub input: usize,
    pub cell: usize,
    /// True when the gates lie as input, forget, cell, output; else input, cell, forget, output.
    pub forget_first: bool,
    pub peephole: bool,
}

/// Weights of a cell: the matrix, the three peepholes and the bias.
#[derive(Clone, Copy)]
pub(super) struct Weights<'a> {
    pub w: &'a [f32],
    pub wci: &'a [f32],
    pub wcf: &'a [f32],
    pub wco: &'a [f32],
    pub b: &'a [f32],
}

/// What a step computes, each of batch × cell numbers.
pub(super) struct Activations<A> {
    pub i: A,
    pub cs: A,
    pub f: A,
    pub o: A,
    pub ci: A,
    pub co: A,
    pub h: A,
}

/// Gradients of the peepholes, which steps add to.
pub(super) struct PeepholeGrads<'a> {
    pub wci: &'a mut [f32],
    pub wcf: &'a mut [f32],
    pub wco: &'a mut [f32],
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Cell {
    /// Elements of one state.
    pub fn states(&self) -> usize {
        self.batch * self.cell
    }

    /// Where the cell gate and the forget gate start among a row's gates.
    fn offsets(&self) -> (usize, usize) {
        if self.forget_first { (2 * self.cell, self.cell) } else { (self.cell, 2 * self.cell) }
    }

    /// The rows of the weights that multiply the input, and those that multiply the last output.
    fn split<'a>(&self, w: &'a [f32]) -> (MatRef<'a, f32>, MatRef<'a, f32>) {
        let (x, h) = w.split_at(self.input * 4 * self.cell);
        (MatRef::new(x, self.input, 4 * self.cell), MatRef::new(h, self.cell, 4 * self.cell))
    }

    #[expect(clippy::too_many_arguments, reason = "a cell has this many inputs")]
    pub fn forward(
        &self,
        parallel: &Parallel,
        (forget_bias, clip): (f32, f32),
        weights: &Weights<'_>,
        x: &[f32],
        cs_prev: &[f32],
        h_prev: &[f32],
        gates: &mut [f32],
        out: Activations<&mut [f32]>,
    ) {
        let n = self.cell;
        if self.states() == 0 {
            return;
        }
        for row in gates.chunks_exact_mut(4 * n) {
            row.copy_from_slice(weights.b);
        }
        let (wx, wh) = self.split(weights.w);
        let product = |a: &[f32], columns: usize, w, gates: &mut [f32]| {
            let (a, c) =
                (MatRef::new(a, self.batch, columns), MatMut::new(gates, self.batch, 4 * n));
            gemm(parallel, 1.0, a, w, 1.0, c);
        };
        product(x, self.input, wx, gates);
        product(h_prev, n, wh, gates);

        let (cell_at, forget_at) = self.offsets();
        for (row, gates) in gates.chunks_exact(4 * n).enumerate() {
            for c in 0..n {
                let at = row * n + c;
                let peep = |w: &[f32], state: f32| if self.peephole { w[c] * state } else { 0.0 };
                let i = sigmoid(gates[c] + peep(weights.wci, cs_prev[at]));
                let ci = gates[cell_at + c].tanh();
                let f = gates[forget_at + c] + forget_bias + peep(weights.wcf, cs_prev[at]);
                let f = sigmoid(f);
                let mut cs = i * ci + f * cs_prev[at];
                if clip > 0.0 {
                    cs = cs.clamp(-clip, clip);
                }
                let co = cs.tanh();
                let o = sigmoid(gates[3 * n + c] + peep(weights.wco, cs));
                (out.i[at], out.cs[at], out.f[at], out.o[at]) = (i, cs, f, o);
                (out.ci[at], out.co[at], out.h[at]) = (ci, co, o * co);
            }
        }
    }

    /// From the gradients of state and output to those of the gates (`dgates`) and of the last
    /// state (`cs_prev_grad`).
    #[expect(clippy::too_many_arguments, reason = "a cell has this many inputs")]
    pub fn backward(
        &self,
        weights: &Weights<'_>,
        cs_prev: &[f32],
        a: &Activations<&[f32]>,
        cs_grad: &[f32],
        h_grad: &[f32],
        dgates: &mut [f32],
        cs_prev_grad: &mut [f32],
        peepholes: &mut PeepholeGrads<'_>,
    ) {
        let n = self.cell;
        if self.states() == 0 {
            return;
        }
        let (cell_at, forget_at) = self.offsets();
        for (row, dgates) in dgates.chunks_exact_mut(4 * n).enumerate() {
            for c in 0..n {
                let at = row * n + c;
                let (i, f, o, ci, co) = (a.i[at], a.f[at], a.o[at], a.ci[at], a.co[at]);
                let d_o = o * (1.0 - o) * h_grad[at] * co;
                let mut d_cs = (1.0 - co * co) * h_grad[at] * o + cs_grad[at];
                if self.peephole {
                    d_cs += d_o * weights.wco[c];
                }
                let d_ci = (1.0 - ci * ci) * d_cs * i;
                let d_f = f * (1.0 - f) * d_cs * cs_prev[at];
                let d_i = i * (1.0 - i) * d_cs * ci;
                dgates[c] = d_i;
                dgates[cell_at + c] = d_ci;
                dgates[forget_at + c] = d_f;
                dgates[3 * n + c] = d_o;
                cs_prev_grad[at] = d_cs * f;
                if self.peephole {
                    cs_prev_grad[at] += d_i * weights.wci[c] + d_f * weights.wcf[c];
                    peepholes.wci[c] += d_i * cs_prev[at];
                    peepholes.wcf[c] += d_f * cs_prev[at];
                    peepholes.wco[c] += d_o * a.cs[at];
                }
            }
        }
    }

    /// The gradients of a step's input and last output, from those of its gates.
    pub fn input_grads(
        &self,
        parallel: &Parallel,
        w: &[f32],
        dgates: &[f32],
        x_grad: &mut [f32],
        h_prev_grad: &mut [f32],
    ) {
        let (wx, wh) = self.split(w);
        let dgates = MatRef::new(dgates, self.batch, 4 * self.cell);
        let x_grad = MatMut::new(x_grad, self.batch, self.input);
        gemm(parallel, 1.0, dgates, wx.t(), 0.0, x_grad);
        let h_grad = MatMut::new(h_prev_grad, self.batch, self.cell);
        gemm(parallel, 1.0, dgates, wh.t(), 0.0, h_grad);
    }

    /// Adds a step's part of the gradients of the weights and the bias.
    pub fn weight_grads(
        &self,
        parallel: &Parallel,
        x: &[f32],
        h_prev: &[f32],
        dgates: &[f32],
        w_grad: &mut [f32],
        b_grad: &mut [f32],
    ) {
        let columns = 4 * self.cell;
        for row in dgates.chunks_exact(columns.max(1)) {
            b_grad.iter_mut().zip(row).for_each(|(b, d)| *b += d);
        }
        let (wx, wh) = w_grad.split_at_mut(self.input * columns);
        let dgates = MatRef::new(dgates, self.batch, columns);
        let x = MatRef::new(x, self.batch, self.input);
        gemm(parallel, 1.0, x.t(), dgates, 1.0, MatMut::new(wx, self.input, columns));
        let h = MatRef::new(h_prev, self.batch, self.cell);
        gemm(parallel, 1.0, h.t(), dgates, 1.0, MatMut::new(wh, self.cell, columns));
    }
}
