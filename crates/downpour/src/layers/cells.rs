//! LSTM and GRU cells, by the formulas and with the variables of `tf.compat.v1.nn.rnn_cell`.

use downpour_tensor::{Result, Status};

use super::recurrent::Cell;
use super::support::weight;
use crate::initializers::{self, Initializer};
use crate::output::Output;
use crate::variable::Variable;

/// Long short-term memory (Hochreiter and Schmidhuber, 1997), as `LSTMCell`: one kernel for the input gate,
/// the new values, the forget gate and the output gate, in this order.
#[derive(Clone, Debug)]
pub struct LstmCell {
    units: usize,
    forget_bias: f64,
    kernel: Initializer,
}

impl LstmCell {
    /// A cell with so many units.
    pub fn new(units: usize) -> LstmCell {
        LstmCell { units, forget_bias: 1.0, kernel: initializers::glorot_uniform() }
    }

    /// What is added to the forget gate, 1 unless set: at first nothing is forgotten.
    pub fn forget_bias(mut self, bias: f64) -> LstmCell {
        self.forget_bias = bias;
        self
    }

    /// First values of the kernel; Glorot's uniform ones unless set.
    pub fn kernel_initializer(mut self, initializer: Initializer) -> LstmCell {
        self.kernel = initializer;
        self
    }
}

impl Cell for LstmCell {
    fn name(&self) -> &str {
        "lstm_cell"
    }

    fn units(&self) -> usize {
        self.units
    }

    /// Its output and its memory.
    fn states(&self) -> usize {
        2
    }

    fn weights(&self, x: &Output, features: usize) -> Result<Vec<Variable>> {
        let gates = 4 * self.units;
        let kernel = weight(x, "kernel", [features + self.units, gates], &self.kernel, None)?;
        Ok(vec![kernel, weight(x, "bias", [gates], &initializers::zeros(), None)?])
    }

    fn step(&self, weights: &[Output], x: &Output, states: &[Output]) -> Result<Vec<Output>> {
        let ([kernel, bias], [output, memory]) = (weights, states) else {
            return Err(Status::internal("an LSTM cell has two weights and two states"));
        };
        let gates = affine(x, output, kernel, bias)?.split(4, 1)?;
        let [input, new, forget, output] = gates.as_slice() else {
            return Err(Status::internal("four gates were split into other than four"));
        };
        let kept = ((forget + self.forget_bias)?.sigmoid()? * memory)?;
        let memory = (kept + (input.sigmoid()? * new.tanh()?)?)?;
        let output = (memory.tanh()? * output.sigmoid()?)?;
        Ok(vec![output, memory])
    }
}

/// Gated recurrent unit (Cho et al., 2014), as `GRUCell`: the state is reset before the new values are
/// computed.
#[derive(Clone, Debug)]
pub struct GruCell {
    units: usize,
    kernel: Initializer,
}

impl GruCell {
    /// A cell with so many units.
    pub fn new(units: usize) -> GruCell {
        GruCell { units, kernel: initializers::glorot_uniform() }
    }

    /// First values of the kernels; Glorot's uniform ones unless set.
    pub fn kernel_initializer(mut self, initializer: Initializer) -> GruCell {
        self.kernel = initializer;
        self
    }
}

impl Cell for GruCell {
    fn name(&self) -> &str {
        "gru_cell"
    }

    fn units(&self) -> usize {
        self.units
    }

    fn states(&self) -> usize {
        1
    }

    fn weights(&self, x: &Output, features: usize) -> Result<Vec<Variable>> {
        let (inputs, units) = (features + self.units, self.units);
        // At first nothing is forgotten: gates begin open.
        Ok(vec![
            weight(x, "gates/kernel", [inputs, 2 * units], &self.kernel, None)?,
            weight(x, "gates/bias", [2 * units], &initializers::ones(), None)?,
            weight(x, "candidate/kernel", [inputs, units], &self.kernel, None)?,
            weight(x, "candidate/bias", [units], &initializers::zeros(), None)?,
        ])
    }

    fn step(&self, weights: &[Output], x: &Output, states: &[Output]) -> Result<Vec<Output>> {
        let ([kernel, bias, new_kernel, new_bias], [state]) = (weights, states) else {
            return Err(Status::internal("a GRU cell has four weights and one state"));
        };
        let gates = affine(x, state, kernel, bias)?.sigmoid()?.split(2, 1)?;
        let [reset, update] = gates.as_slice() else {
            return Err(Status::internal("two gates were split into other than two"));
        };
        let new = affine(x, &(reset * state)?, new_kernel, new_bias)?.tanh()?;
        let kept = (update * state)?;
        Ok(vec![(kept + ((1.0 - update)? * new)?)?])
    }
}

/// Features and state side by side, times the kernel, plus the bias.
fn affine(x: &Output, state: &Output, kernel: &Output, bias: &Output) -> Result<Output> {
    let both = Output::concat(&[x.clone(), state.clone()], 1)?;
    both.matmul(kernel)?.bias_add(bias)
}
