//! Recurrent layers: a cell that is applied to one step after the other.

use downpour_tensor::{Result, Status};

use super::support::{expect_rank, expect_real, expect_size};
use crate::ops;
use crate::output::Output;
use crate::variable::Variable;

/// What is done at each step of a sequence. Own cells can be unrolled as the ready-made ones are.
pub trait Cell {
    /// The name of its variable scope.
    fn name(&self) -> &str;

    /// How many outputs a step has.
    fn units(&self) -> usize;

    /// How many values [batch, units] it carries from step to step; the first is its output.
    fn states(&self) -> usize;

    /// Its variables, for steps with so many features. Called once, in its variable scope.
    fn weights(&self, x: &Output, features: usize) -> Result<Vec<Variable>>;

    /// From a step's features [batch, features] and the states before it to the states after it.
    fn step(&self, weights: &[Output], x: &Output, states: &[Output]) -> Result<Vec<Output>>;
}

/// A cell applied to each step of sequences [batch, time, features] of a fixed length, the graph containing
/// every step. Variables stand in `rnn/CELL`, as those of `tf.compat.v1.nn.static_rnn`.
///
/// ```
/// use downpour::{DataType, Graph, layers::{LstmCell, Recurrent}};
/// # fn main() -> downpour::Result<()> {
/// let graph = Graph::new();
/// let x = graph.placeholder("x", DataType::Float, [None, Some(5), Some(8)])?;
/// let sequence = Recurrent::new(LstmCell::new(32)).build(&x)?;
/// assert_eq!(sequence.last().shape().to_string(), "[?,32]");
/// assert_eq!(sequence.outputs()?.shape().to_string(), "[?,5,32]");
/// assert_eq!(graph.variables()[0].name(), "rnn/lstm_cell/kernel");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is added before `build`"]
pub struct Recurrent<C> {
    cell: C,
    name: Option<String>,
    backwards: bool,
}

/// What a recurrent layer gives.
#[derive(Clone, Debug)]
pub struct Sequence {
    steps: Vec<Output>,
    states: Vec<Output>,
}

impl Sequence {
    /// The output after the last step, [batch, units].
    pub fn last(&self) -> &Output {
        &self.states[0]
    }

    /// All states after the last step, each [batch, units].
    pub fn states(&self) -> &[Output] {
        &self.states
    }

    /// The output of every step, each [batch, units].
    pub fn steps(&self) -> &[Output] {
        &self.steps
    }

    /// The outputs of all steps, [batch, time, units].
    pub fn outputs(&self) -> Result<Output> {
        Output::stack(&self.steps, 1)
    }
}

impl<C: Cell> Recurrent<C> {
    /// A layer of this cell.
    pub fn new(cell: C) -> Recurrent<C> {
        Recurrent { cell, name: None, backwards: false }
    }

    /// The name of its variable scope, instead of the numbered default `rnn`.
    pub fn name(mut self, name: &str) -> Recurrent<C> {
        self.name = Some(name.to_string());
        self
    }

    /// Goes from the last step to the first.
    pub fn backwards(mut self) -> Recurrent<C> {
        self.backwards = true;
        self
    }

    /// Adds it on sequences [batch, time, features], from states of zeros.
    pub fn build(&self, x: &Output) -> Result<Sequence> {
        expect_real("Recurrent", x)?;
        expect_rank("Recurrent", x, 3, "sequences [batch, time, features]")?;
        let time = expect_size("Recurrent", x, 1)?;
        let features = expect_size("Recurrent", x, 2)?;
        if time == 0 || self.cell.states() == 0 {
            return Err(Status::invalid_argument(format!(
                "Recurrent: {} has no steps, or its cell no state",
                x.name()
            )));
        }
        let graph = x.graph();
        let _scope = graph.layer_scope(self.name.as_deref(), "rnn")?;
        let weights = {
            let _cell = graph.variable_scope(self.cell.name())?;
            self.cell.weights(x, features)?
        };
        let weights: Vec<Output> = weights.iter().map(Variable::value).collect();
        let inputs = ops::unpack(x, time as i64).axis(1).build()?;
        let mut states = vec![zeros(x, self.cell.units())?; self.cell.states()];
        let mut steps = Vec::with_capacity(time);
        for index in 0..time {
            let index = if self.backwards { time - 1 - index } else { index };
            let _step = graph.name_scope(self.cell.name())?;
            states = self.cell.step(&weights, &inputs[index], &states)?;
            steps.push(states[0].clone());
        }
        if self.backwards {
            steps.reverse();
        }
        Ok(Sequence { steps, states })
    }
}

/// Zeros [batch, units] for as many examples as `x` has.
fn zeros(x: &Output, units: usize) -> Result<Output> {
    let graph = x.graph();
    let batch = x.shape_of()?.slice(&[0], &[1])?;
    let shape = Output::concat(&[batch, graph.constant([units as i32])?], 0)?;
    let zeros = ops::fill(&shape, &x.scalar_like(0.0)?).build()?;
    zeros.set_shape([x.shape().dim(0), Some(units)])?;
    Ok(zeros)
}
