//! Gradients that leave the graph: where they come out, and the graphs that apply them elsewhere.
//!
//! Variables are divided over places (parameter servers; or one, when every worker applies everybody's
//! gradients itself), large ones by rows. A place has a placeholder for each of its variables' gradients and one
//! operation that applies them all with the run's optimizers; the same graph runs here or is sent to a server, which is
//! told how many rows it has of each variable. Where workers average between them, gradients are exchanged before they
//! leave, in buckets.

mod buckets;

use std::ops::Range;

use downpour_graph::PartialShape;
use downpour_tensor::{DataType, Result};

use super::all_reduce::Load;
use super::layout::{Layout, Part, Size, divide};
use super::optimizers::{Found, Optimizers};
use crate::gradients::{Gradient, IndexedSlices};
use crate::graph::Graph;
use crate::node_builder::NodeBuilder;
use crate::output::{Operation, Output};
use crate::variable::Variable;
use buckets::Buckets;

pub(crate) struct Handed {
    /// As the step gives them: its own, or the averages of all workers; only those the loss depends on.
    pub gradients: Vec<(Variable, Gradient)>,
    /// Which of them travel together, where they are exchanged in the graph.
    buckets: Buckets,
    /// Of each of these variables, which rows are where.
    pub parts: Vec<Vec<Part>>,
    /// For each gradient that is of rows.
    pub scatters: Vec<Option<Scatter>>,
    pub places: Vec<Place>,
    /// Which of the variables may be cut by rows.
    pub may_cut: Vec<bool>,
    rows_apart: bool,
}

/// Where gradients are applied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    pub count: usize,
    /// Variables with more bytes are cut by rows.
    pub split_above: Option<u64>,
    /// Gradients of rows are applied apart from the others, by themselves.
    pub rows_apart: bool,
}

impl Places {
    /// One for everything.
    pub const ONE: Places = Places { count: 1, split_above: None, rows_apart: false };
}

/// What one place has.
pub(crate) struct Place {
    pub group: Group,
    /// Rows that are applied by themselves.
    pub apart: Option<Group>,
    /// Everything that changes there: parameters, their slots, the global step.
    pub variables: Vec<(Variable, Option<Range<usize>>)>,
    /// What all variables of an optimizer share. A group that is applied by itself has its own.
    pub shared: Vec<Variable>,
}

/// Gradients that are applied together.
pub(crate) struct Group {
    /// Which of the gradients, and where they enter.
    pub inputs: Vec<Input>,
    /// Applies them.
    pub apply: Operation,
}

pub(crate) struct Input {
    /// Among all gradients.
    pub index: usize,
    pub variable: Variable,
    /// Which of its rows; `None` for all.
    pub rows: Option<Range<usize>>,
    /// Takes the gradient, or its rows.
    pub values: Output,
    /// Takes the rows' numbers.
    pub indices: Option<Output>,
    /// What its optimizer has for all of its variables.
    pub shared: Vec<Variable>,
}

/// Writes some rows of a variable.
#[derive(Clone)]
pub(crate) struct Scatter {
    pub numbers: Output,
    pub rows: Output,
    pub write: Operation,
}

impl Handed {
    pub fn build(
        graph: &Graph,
        optimizers: &Optimizers,
        found: &Found,
        global_step: &Variable,
        places: Places,
        averaged: bool,
    ) -> Result<Handed> {
        let known = found.gradients.iter();
        let known = known.filter_map(|(gradient, v)| Some((v.clone(), gradient.clone()?)));
        let mut gradients: Vec<(Variable, Gradient)> = known.collect();
        let size = |(variable, _): &(Variable, Gradient)| {
            let bytes = (variable.shape().elements() * variable.dtype().size()) as u64;
            let large = places.split_above.is_some_and(|limit| bytes > limit);
            let rows = variable.shape().dims().first().copied().unwrap_or(1);
            Size { rows, bytes, large: large && optimizers.is_elementwise(variable) }
        };
        let sizes: Vec<Size> = gradients.iter().map(size).collect();
        let parts = divide(&sizes, places.count.max(1));
        let build = Build { graph, optimizers, gradients: &gradients, global_step };
        let rows_apart = places.rows_apart;
        let places = build.places(places.count.max(1), &parts, rows_apart)?;
        let scatters = gradients.iter().map(|(variable, gradient)| match gradient {
            Gradient::Dense(_) => Ok(None),
            Gradient::Sparse(_) => Scatter::build(graph, variable).map(Some),
        });
        let scatters = scatters.collect::<Result<_>>()?;
        let buckets = if averaged { Buckets::plan(&gradients) } else { Buckets::default() };
        buckets.exchange(&mut gradients)?;
        let may_cut = sizes.iter().map(|size| size.large).collect();
        Ok(Handed { gradients, buckets, parts, scatters, places, may_cut, rows_apart })
    }

    /// The same gradients to the same places by another layout, in the scope this is called in.
    pub fn by(
        &self,
        graph: &Graph,
        optimizers: &Optimizers,
        global_step: &Variable,
        layout: &Layout,
    ) -> Result<Handed> {
        let count = self.places.len();
        let parts = self.gradients.iter().map(|(variable, _)| {
            let rows = variable.shape().dims().first().copied().unwrap_or(1);
            layout.parts_of(variable.name(), rows, count)
        });
        let parts = parts.collect::<Result<Vec<_>>>()?;
        let build = Build { graph, optimizers, gradients: &self.gradients, global_step };
        Ok(Handed {
            places: build.places(count, &parts, self.rows_apart)?,
            gradients: self.gradients.clone(),
            buckets: Buckets::default(),
            scatters: self.scatters.clone(),
            may_cut: self.may_cut.clone(),
            rows_apart: self.rows_apart,
            parts,
        })
    }

    /// What is in the buckets that a step exchanges.
    pub fn loads(&self) -> Vec<Load> {
        self.buckets.loads(&self.gradients)
    }

    /// What a step fetches: for each gradient its numbers, before them the rows' if it has some.
    pub fn fetches(&self) -> Vec<Output> {
        self.gradients.iter().flat_map(|(_, gradient)| numbers(gradient).cloned()).collect()
    }
}

/// A gradient's values, before them the numbers of its rows.
fn numbers(gradient: &Gradient) -> impl Iterator<Item = &Output> {
    let indices = match gradient {
        Gradient::Sparse(slices) => Some(&slices.indices),
        Gradient::Dense(_) => None,
    };
    indices.into_iter().chain([gradient.values()])
}

impl Place {
    /// Of both groups.
    pub fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.group.inputs.iter().chain(self.apart.iter().flat_map(|apart| &apart.inputs))
    }
}

impl Scatter {
    fn build(graph: &Graph, variable: &Variable) -> Result<Scatter> {
        let _scope = graph.name_scope("rows")?;
        let numbers =
            graph.placeholder("numbers", DataType::Int64, PartialShape::from_i64(&[-1])?)?;
        let rows = graph.placeholder("rows", variable.dtype(), rows_shape(variable)?)?;
        let write = NodeBuilder::new("ResourceScatterUpdate").input(&variable.handle());
        let write = write.input(&numbers).input(&rows).operation()?;
        Ok(Scatter { numbers, rows, write })
    }
}

/// The shape of some rows.
fn rows_shape(variable: &Variable) -> Result<PartialShape> {
    let mut dims: Vec<i64> = variable.shape().dims().iter().map(|&d| d as i64).collect();
    if let Some(first) = dims.first_mut() {
        *first = -1;
    }
    PartialShape::from_i64(&dims)
}

struct Build<'a> {
    graph: &'a Graph,
    optimizers: &'a Optimizers,
    gradients: &'a [(Variable, Gradient)],
    global_step: &'a Variable,
}

impl Build<'_> {
    fn places(&self, count: usize, parts: &[Vec<Part>], rows_apart: bool) -> Result<Vec<Place>> {
        let place = |number: usize| {
            let _scope = self.graph.name_scope(&format!("place_{number}"))?;
            self.place(number, parts, rows_apart)
        };
        (0..count).map(place).collect()
    }

    fn place(&self, number: usize, parts: &[Vec<Part>], rows_apart: bool) -> Result<Place> {
        let (mut inputs, mut apart) = (Vec::new(), Vec::new());
        for (index, parts) in parts.iter().enumerate() {
            let Some(part) = parts.iter().find(|part| part.place == number) else { continue };
            let name = format!("gradient_{}", inputs.len() + apart.len());
            let entered = self.input(index, part, &name)?;
            match rows_apart && entered.0.indices.is_some() {
                true => apart.push(entered),
                false => inputs.push(entered),
            }
        }
        let group = self.group(inputs, Some(self.global_step))?;
        let apart = match apart.is_empty() {
            true => None,
            false => {
                let _scope = self.graph.name_scope("apart")?;
                Some(self.group(apart, None)?)
            }
        };
        let mut place =
            Place { group, apart, variables: Vec::new(), shared: self.optimizers.shared() };
        let mut variables = Vec::new();
        for input in place.inputs() {
            variables.push((input.variable.clone(), input.rows.clone()));
            let slots = self.optimizers.slots(&input.variable);
            variables.extend(slots.into_iter().map(|slot| (slot, input.rows.clone())));
        }
        variables.extend(place.shared.iter().map(|shared| (shared.clone(), None)));
        variables.push((self.global_step.clone(), None));
        place.variables = variables;
        Ok(place)
    }

    /// Where a variable's gradient enters, and the gradient as it is then.
    fn input(&self, index: usize, part: &Part, name: &str) -> Result<(Input, Gradient)> {
        let (variable, gradient) = &self.gradients[index];
        let graph = self.graph;
        let (gradient, values, indices) = match gradient {
            Gradient::Dense(_) => {
                let values = graph.placeholder(name, variable.dtype(), variable.shape())?;
                (Gradient::Dense(values.clone()), values, None)
            }
            Gradient::Sparse(slices) => {
                // Those of several workers are joined, and parts are of any length.
                let values = graph.placeholder(name, variable.dtype(), rows_shape(variable)?)?;
                let (rows, dtype) = (format!("{name}_rows"), slices.indices.dtype());
                let rows = graph.placeholder(&rows, dtype, PartialShape::from_i64(&[-1])?)?;
                let shape: Vec<i64> = variable.shape().iter().map(|&d| d as i64).collect();
                let entered = IndexedSlices {
                    values: values.clone(),
                    indices: rows.clone(),
                    dense_shape: graph.constant(shape)?.cast(DataType::Int64)?,
                };
                (Gradient::Sparse(entered), values, Some(rows))
            }
        };
        let (rows, shared) = (part.rows.clone(), Vec::new());
        Ok((Input { index, variable: variable.clone(), rows, values, indices, shared }, gradient))
    }

    fn group(&self, entered: Vec<(Input, Gradient)>, counter: Option<&Variable>) -> Result<Group> {
        let (inputs, gradients): (Vec<Input>, Vec<Gradient>) = entered.into_iter().unzip();
        let gradients = gradients.into_iter().zip(&inputs);
        let gradients = gradients.map(|(gradient, input)| (Some(gradient), input.variable.clone()));
        let found = Found { gradients: gradients.collect(), computed: Vec::new() };
        let apply = match counter {
            // More places than variables: this one only counts.
            Some(counter) if inputs.is_empty() => {
                counter.assign_add(&self.graph.constant(1i64)?)?
            }
            Some(counter) => self.optimizers.apply(self.graph, &found, counter, None)?,
            None => {
                let changed = self.optimizers.change(&found.gradients)?;
                self.graph.group("apply", &changed)?
            }
        };
        // Made when the first gradient is applied.
        let known =
            |input: Input| Input { shared: self.optimizers.shared_of(&input.variable), ..input };
        Ok(Group { inputs: inputs.into_iter().map(known).collect(), apply })
    }
}
