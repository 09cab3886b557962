//! Recurrent layers, unrolled over the steps of a sequence.

use downpour_graph::PartialShape;
use downpour_tensor::{DataType, Result, Status};

use super::{Layer, expect_last, size_of};
use crate::graph::Graph;
use crate::initializers::{self, Initializer};
use crate::node_builder::NodeBuilder;
use crate::output::Output;
use crate::variable::Variable;

/// A cell that turns an input and a state into the next state, whose first part is the output.
pub trait Recurrent {
    /// The width of each part of the state.
    fn units(&self) -> usize;
    /// How many parts the state has.
    fn parts(&self) -> usize;
    /// The width of an input.
    fn inputs(&self) -> usize;
    /// The scope of its variables.
    fn name(&self) -> &str;
    /// One step.
    fn step(&self, input: &Output, state: &[Output]) -> Result<Vec<Output>>;

    /// Runs along a sequence `[batch, time, inputs]` of known length from a state of zeros. Gives the output
    /// of each step and the state after the last.
    fn unroll(&self, sequence: &Output) -> Result<(Vec<Output>, Vec<Output>)> {
        expect_last(self.name(), sequence, self.inputs())?;
        let graph = sequence.graph();
        let _scope = graph.absolute_scope(self.name())?;
        let shape = sequence.shape();
        let Some(&[batch, Some(time), _]) = shape.dims() else {
            return Err(Status::invalid_argument(format!(
                "'{}' takes sequences of shape [batch, time, inputs] with a known number of steps, and {} has \
                 the shape {shape}",
                self.name(),
                sequence.name()
            )));
        };
        let node = NodeBuilder::new("Unpack").input(sequence).name("unstack");
        let inputs = node.attr("num", time as i64).attr("axis", 1i64).outputs()?;
        let sizes = [size_of(sequence, 0)?, graph.constant(self.units() as i32)?];
        let zeros = NodeBuilder::new("Fill").input(&Output::stack(&sizes, 0)?);
        let zeros = zeros.input(&sequence.scalar_like(0.0)?).name("zero_state").output()?;
        zeros.set_shape(PartialShape::of([batch, Some(self.units())]))?;
        let mut state = vec![zeros; self.parts()];
        let mut outputs = Vec::with_capacity(inputs.len());
        for input in &inputs {
            state = self.step(input, &state)?;
            outputs.extend(state.first().cloned());
        }
        Ok((outputs, state))
    }
}

/// The value of an affine map of `[input, state]`.
fn affine(input: &Output, state: &Output, kernel: &Variable, bias: &Variable) -> Result<Output> {
    let joined = Output::concat(&[input.clone(), state.clone()], 1)?;
    joined.matmul(&kernel.value())?.bias_add(&bias.value())
}

/// Long short-term memory (Hochreiter and Schmidhuber, 1997), as TensorFlow's `BasicLSTMCell`. As a layer it
/// gives the last output.
pub struct Lstm {
    name: String,
    inputs: usize,
    units: usize,
    kernel: Variable,
    bias: Variable,
    forget_bias: f64,
}

impl Lstm {
    /// Makes the variables `name/kernel` (`[inputs + units, 4 * units]`) and `name/bias`.
    pub fn new(
        graph: &Graph,
        name: &str,
        inputs: usize,
        units: usize,
        initializer: Initializer,
    ) -> Result<Lstm> {
        let _scope = graph.name_scope(name)?;
        let shape = [inputs + units, 4 * units];
        let kernel = graph.variable("kernel", shape, DataType::Float, initializer)?;
        let zeros = initializers::zeros();
        let bias = graph.variable("bias", [4 * units], DataType::Float, zeros)?;
        let name = graph.current_scope();
        Ok(Lstm { name, inputs, units, kernel, bias, forget_bias: 1.0 })
    }

    /// Added to the forget gate, 1 unless set: at the start everything is kept.
    pub fn forget_bias(mut self, bias: f64) -> Lstm {
        self.forget_bias = bias;
        self
    }
}

impl Recurrent for Lstm {
    fn units(&self) -> usize {
        self.units
    }
    fn parts(&self) -> usize {
        2
    }
    fn inputs(&self) -> usize {
        self.inputs
    }
    fn name(&self) -> &str {
        &self.name
    }

    fn step(&self, input: &Output, state: &[Output]) -> Result<Vec<Output>> {
        let [output, cell] = state else {
            return Err(Status::invalid_argument("the state of an LSTM has two parts"));
        };
        let gates = affine(input, output, &self.kernel, &self.bias)?.split(4, 1)?;
        let [enter, new, forget, leave] = gates.as_slice() else {
            return Err(Status::internal("a split in four gives four"));
        };
        let kept = (cell * (forget + self.forget_bias)?.sigmoid()?)?;
        let cell = (kept + (enter.sigmoid()? * new.tanh()?)?)?;
        let output = (cell.tanh()? * leave.sigmoid()?)?;
        Ok(vec![output, cell])
    }
}

/// Gated recurrent unit (Cho et al., 2014), as TensorFlow's `GRUCell`. As a layer it gives the last output.
pub struct Gru {
    name: String,
    inputs: usize,
    units: usize,
    gates: (Variable, Variable),
    candidate: (Variable, Variable),
}

impl Gru {
    /// Makes the variables `name/gates/kernel`, `gates/bias` (ones), `candidate/kernel`, `candidate/bias`.
    pub fn new(
        graph: &Graph,
        name: &str,
        inputs: usize,
        units: usize,
        initializer: Initializer,
    ) -> Result<Gru> {
        let _scope = graph.name_scope(name)?;
        let pair = |name: &str, width: usize, start: Initializer| {
            let kernel = format!("{name}/kernel");
            let shape = [inputs + units, width];
            let kernel = graph.variable(&kernel, shape, DataType::Float, initializer.clone())?;
            let bias = graph.variable(&format!("{name}/bias"), [width], DataType::Float, start)?;
            Ok((kernel, bias))
        };
        let gates = pair("gates", 2 * units, initializers::ones())?;
        let candidate = pair("candidate", units, initializers::zeros())?;
        Ok(Gru { name: graph.current_scope(), inputs, units, gates, candidate })
    }
}

impl Recurrent for Gru {
    fn units(&self) -> usize {
        self.units
    }
    fn parts(&self) -> usize {
        1
    }
    fn inputs(&self) -> usize {
        self.inputs
    }
    fn name(&self) -> &str {
        &self.name
    }

    fn step(&self, input: &Output, state: &[Output]) -> Result<Vec<Output>> {
        let [state] = state else {
            return Err(Status::invalid_argument("the state of a GRU has one part"));
        };
        let gates = affine(input, state, &self.gates.0, &self.gates.1)?.sigmoid()?.split(2, 1)?;
        let [reset, update] = gates.as_slice() else {
            return Err(Status::internal("a split in two gives two"));
        };
        let remembered = (reset * state)?;
        let new = affine(input, &remembered, &self.candidate.0, &self.candidate.1)?.tanh()?;
        let kept = (update * state)?;
        Ok(vec![(kept + ((1.0 - update)? * new)?)?])
    }
}

fn last(outputs: Vec<Output>) -> Result<Output> {
    outputs.into_iter().last().ok_or_else(|| {
        Status::invalid_argument("a recurrent layer needs a sequence of at least one step")
    })
}

impl Layer for Lstm {
    fn apply(&self, input: &Output, _training: bool) -> Result<Output> {
        last(self.unroll(input)?.0)
    }
}

impl Layer for Gru {
    fn apply(&self, input: &Output, _training: bool) -> Result<Output> {
        last(self.unroll(input)?.0)
    }
}
