//! Gradients that leave the graph: where they come out, and the graphs that apply them elsewhere.
//!
//! Variables are divided over places (parameter servers; or one, when every worker applies everybody's
//! gradients itself). A place has a placeholder for each of its variables' gradients and one operation that
//! applies them all with the run's optimizers; the same graph runs here or is sent to a server.

use downpour_tensor::{DataType, Result};

use super::optimizers::{Found, Optimizers};
use super::strategy::Balance;
use crate::gradients::{Gradient, IndexedSlices};
use crate::graph::Graph;
use crate::output::{Operation, Output};
use crate::variable::Variable;

pub(crate) struct Handed {
    /// As the step computes them; only those the loss depends on.
    pub gradients: Vec<(Variable, Gradient)>,
    pub places: Vec<Place>,
}

/// What one place has.
pub(crate) struct Place {
    /// Which of the gradients are for it, and where they enter.
    pub inputs: Vec<Input>,
    /// Applies them.
    pub apply: Operation,
    /// Everything that changes there: parameters, their slots, the global step.
    pub variables: Vec<Variable>,
}

pub(crate) struct Input {
    /// Among all gradients.
    pub index: usize,
    pub variable: Variable,
    /// Takes the gradient, or its rows.
    pub values: Output,
    /// Takes the rows' numbers.
    pub indices: Option<Output>,
}

impl Handed {
    pub fn build(
        graph: &Graph,
        optimizers: &Optimizers,
        found: &Found,
        global_step: &Variable,
        places: usize,
    ) -> Result<Handed> {
        let known = found.gradients.iter();
        let known = known.filter_map(|(gradient, v)| Some((v.clone(), gradient.clone()?)));
        let gradients: Vec<(Variable, Gradient)> = known.collect();
        let mut balance = Balance::new(places);
        let mut divided: Vec<Vec<usize>> = vec![Vec::new(); places.max(1)];
        for (index, (variable, _)) in gradients.iter().enumerate() {
            let bytes = (variable.shape().elements() * variable.dtype().size()) as u64;
            divided[balance.put(bytes)].push(index);
        }
        let place = |(number, indices): (usize, &Vec<usize>)| {
            let _scope = graph.name_scope(&format!("place_{number}"))?;
            Place::build(graph, optimizers, &gradients, indices, global_step)
        };
        let places = divided.iter().enumerate().map(place).collect::<Result<_>>()?;
        Ok(Handed { gradients, places })
    }

    /// What a step fetches: for each gradient its numbers, before them the rows' if it has some.
    pub fn fetches(&self) -> Vec<Output> {
        let mut all = Vec::new();
        for (_, gradient) in &self.gradients {
            if let Gradient::Sparse(slices) = gradient {
                all.push(slices.indices.clone());
            }
            all.push(gradient.values().clone());
        }
        all
    }
}

impl Place {
    fn build(
        graph: &Graph,
        optimizers: &Optimizers,
        gradients: &[(Variable, Gradient)],
        indices: &[usize],
        global_step: &Variable,
    ) -> Result<Place> {
        let (mut inputs, mut entered) = (Vec::new(), Vec::new());
        for &index in indices {
            let (variable, gradient) = &gradients[index];
            let name = format!("gradient_{}", inputs.len());
            let (gradient, input) = match gradient {
                Gradient::Dense(_) => {
                    let values = graph.placeholder(&name, variable.dtype(), variable.shape())?;
                    (Gradient::Dense(values.clone()), (values, None))
                }
                Gradient::Sparse(slices) => {
                    let values =
                        graph.placeholder(&name, variable.dtype(), slices.values.shape())?;
                    let rows = format!("{name}_rows");
                    let dtype = slices.indices.dtype();
                    let rows = graph.placeholder(&rows, dtype, slices.indices.shape())?;
                    let shape: Vec<i64> = variable.shape().iter().map(|&d| d as i64).collect();
                    let entered = IndexedSlices {
                        values: values.clone(),
                        indices: rows.clone(),
                        dense_shape: graph.constant(shape)?.cast(DataType::Int64)?,
                    };
                    (Gradient::Sparse(entered), (values, Some(rows)))
                }
            };
            entered.push((Some(gradient), variable.clone()));
            let (values, indices) = input;
            inputs.push(Input { index, variable: variable.clone(), values, indices });
        }
        let apply = match entered.is_empty() {
            // More places than variables: this one only counts.
            true => global_step.assign_add(&graph.constant(1i64)?)?,
            false => {
                let found = Found { gradients: entered, computed: Vec::new() };
                optimizers.apply(graph, &found, global_step, None)?
            }
        };
        let mut variables: Vec<Variable> = Vec::new();
        for input in &inputs {
            variables.push(input.variable.clone());
            variables.extend(optimizers.slots(&input.variable));
        }
        variables.extend(optimizers.shared());
        variables.push(global_step.clone());
        Ok(Place { inputs, apply, variables })
    }
}
