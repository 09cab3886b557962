//! First values of variables, with TensorFlow's names and formulas.
//!
//! With the same seed of the graph and of the initializer the values are TensorFlow's, bit for bit.

use std::fmt;
use std::sync::Arc;

use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use crate::graph::Graph;
use crate::into_tensor::{IntoTensor, number};
use crate::node_builder::NodeBuilder;
use crate::output::Output;

type Custom = Arc<dyn Fn(&Graph, &Shape, DataType) -> Result<Output> + Send + Sync>;

/// How a variable gets its first value.
#[derive(Clone)]
pub struct Initializer {
    kind: Kind,
    seed: Option<i64>,
}

#[derive(Clone)]
enum Kind {
    Constant(f64),
    Value(Tensor),
    Uniform { least: f64, most: f64 },
    Normal { mean: f64, deviation: f64 },
    TruncatedNormal { mean: f64, deviation: f64 },
    VarianceScaling { scale: f64, mode: FanMode, distribution: Distribution },
    Orthogonal { gain: f64 },
    Identity { gain: f64 },
    Custom(Custom),
}

/// By what number of connections `variance_scaling` divides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FanMode {
    /// Inputs.
    In,
    /// Outputs.
    Out,
    /// The mean of both.
    Average,
}

/// What `variance_scaling` draws from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// A normal distribution cut off at two deviations.
    TruncatedNormal,
    /// A normal distribution.
    UntruncatedNormal,
    /// A uniform distribution.
    Uniform,
}

fn of(kind: Kind) -> Initializer {
    Initializer { kind, seed: None }
}

/// All zeros.
pub fn zeros() -> Initializer {
    constant(0.0)
}

/// All ones.
pub fn ones() -> Initializer {
    constant(1.0)
}

/// One number everywhere.
pub fn constant(value: f64) -> Initializer {
    of(Kind::Constant(value))
}

/// These values; a scalar is repeated.
pub fn value(value: impl IntoTensor) -> Result<Initializer> {
    Ok(of(Kind::Value(value.into_tensor()?)))
}

/// Numbers between two, each as likely.
pub fn random_uniform(least: f64, most: f64) -> Initializer {
    of(Kind::Uniform { least, most })
}

/// Normally distributed numbers.
pub fn random_normal(mean: f64, deviation: f64) -> Initializer {
    of(Kind::Normal { mean, deviation })
}

/// Normally distributed numbers, none further than two deviations from the mean.
pub fn truncated_normal(mean: f64, deviation: f64) -> Initializer {
    of(Kind::TruncatedNormal { mean, deviation })
}

/// Numbers whose variance is `scale` divided by a number of connections.
pub fn variance_scaling(scale: f64, mode: FanMode, distribution: Distribution) -> Initializer {
    of(Kind::VarianceScaling { scale, mode, distribution })
}

/// Uniform, for layers with sigmoid or tanh (Glorot and Bengio, 2010).
pub fn glorot_uniform() -> Initializer {
    variance_scaling(1.0, FanMode::Average, Distribution::Uniform)
}

/// Normal, for layers with sigmoid or tanh (Glorot and Bengio, 2010).
pub fn glorot_normal() -> Initializer {
    variance_scaling(1.0, FanMode::Average, Distribution::TruncatedNormal)
}

/// Uniform, for layers with relu (He et al., 2015).
pub fn he_uniform() -> Initializer {
    variance_scaling(2.0, FanMode::In, Distribution::Uniform)
}

/// Normal, for layers with relu (He et al., 2015).
pub fn he_normal() -> Initializer {
    variance_scaling(2.0, FanMode::In, Distribution::TruncatedNormal)
}

/// Uniform, for layers with selu (LeCun et al., 1998).
pub fn lecun_uniform() -> Initializer {
    variance_scaling(1.0, FanMode::In, Distribution::Uniform)
}

/// Normal, for layers with selu (LeCun et al., 1998).
pub fn lecun_normal() -> Initializer {
    variance_scaling(1.0, FanMode::In, Distribution::TruncatedNormal)
}

/// A matrix with orthogonal rows or columns.
pub fn orthogonal(gain: f64) -> Initializer {
    of(Kind::Orthogonal { gain })
}

/// The identity matrix times a number.
pub fn identity(gain: f64) -> Initializer {
    of(Kind::Identity { gain })
}

/// A value that `build` adds to the graph.
pub fn custom(
    build: impl Fn(&Graph, &Shape, DataType) -> Result<Output> + Send + Sync + 'static,
) -> Initializer {
    of(Kind::Custom(Arc::new(build)))
}

impl Initializer {
    /// The seed of the random operation; see [`Graph::set_seed`] for the graph's.
    pub fn seed(mut self, seed: i64) -> Initializer {
        self.seed = Some(seed);
        self
    }

    /// The seed that was given.
    pub(crate) fn own_seed(&self) -> Option<i64> {
        self.seed
    }

    /// As the attributes `initial`, `first` and `second` of operations that make rows one at a time; not all
    /// first values can be made so.
    pub(crate) fn by_rows(&self) -> Result<(&'static str, f64, f64)> {
        Ok(match &self.kind {
            Kind::Constant(value) => ("constant", *value, 0.0),
            Kind::Uniform { least, most } => ("uniform", *least, *most),
            Kind::Normal { mean, deviation } => ("normal", *mean, *deviation),
            Kind::TruncatedNormal { mean, deviation } => ("truncated_normal", *mean, *deviation),
            _ => {
                return Err(Status::invalid_argument(format!(
                    "rows that are made one at a time cannot start as {self:?}; take constant, random_uniform, \
                     random_normal or truncated_normal"
                )));
            }
        })
    }

    /// Adds the nodes that compute a first value.
    pub fn build(&self, graph: &Graph, shape: &Shape, dtype: DataType) -> Result<Output> {
        match &self.kind {
            Kind::Constant(value) => fill(graph, shape, *value, dtype),
            Kind::Value(value) => given(graph, shape, dtype, value),
            Kind::Uniform { least, most } => self.uniform(graph, shape, dtype, *least, *most),
            Kind::Normal { mean, deviation } => {
                self.normal(graph, "RandomStandardNormal", shape, dtype, (*mean, *deviation))
            }
            Kind::TruncatedNormal { mean, deviation } => {
                self.normal(graph, "TruncatedNormal", shape, dtype, (*mean, *deviation))
            }
            Kind::VarianceScaling { scale, mode, distribution } => {
                let scale = scale / fan(shape, *mode).max(1.0);
                match distribution {
                    Distribution::TruncatedNormal => {
                        // The deviation of a normal distribution cut off at two deviations.
                        let deviation = scale.sqrt() / 0.879_625_661_034_239_8;
                        self.normal(graph, "TruncatedNormal", shape, dtype, (0.0, deviation))
                    }
                    Distribution::UntruncatedNormal => {
                        let numbers = (0.0, scale.sqrt());
                        self.normal(graph, "RandomStandardNormal", shape, dtype, numbers)
                    }
                    Distribution::Uniform => {
                        let limit = (3.0 * scale).sqrt();
                        self.uniform(graph, shape, dtype, -limit, limit)
                    }
                }
            }
            Kind::Orthogonal { gain } => self.orthogonal(graph, shape, dtype, *gain),
            Kind::Identity { gain } => identity_matrix(graph, shape, dtype, *gain),
            Kind::Custom(build) => build(graph, shape, dtype),
        }
    }

    fn random(
        &self,
        graph: &Graph,
        op: &'static str,
        shape: &Shape,
        dtype: DataType,
    ) -> Result<Output> {
        let shape = graph.named_constant("shape", shape_tensor(shape)?)?;
        let (seed, seed2) = graph.seeds(self.seed);
        let node = NodeBuilder::new(op).input(&shape).attr("dtype", dtype);
        node.attr("seed", seed).attr("seed2", seed2).output()
    }

    fn uniform(
        &self,
        graph: &Graph,
        shape: &Shape,
        dtype: DataType,
        least: f64,
        most: f64,
    ) -> Result<Output> {
        let _scope = graph.name_scope("random_uniform")?;
        let least = graph.named_constant("min", number(least, dtype)?)?;
        let most = graph.named_constant("max", number(most, dtype)?)?;
        let drawn = self.random(graph, "RandomUniform", shape, dtype)?;
        (drawn * (most - &least)?)? + least
    }

    fn normal(
        &self,
        graph: &Graph,
        op: &'static str,
        shape: &Shape,
        dtype: DataType,
        (mean, deviation): (f64, f64),
    ) -> Result<Output> {
        let truncated = op == "TruncatedNormal";
        let _scope =
            graph.name_scope(if truncated { "truncated_normal" } else { "random_normal" })?;
        let mean = graph.named_constant("mean", number(mean, dtype)?)?;
        let deviation = graph.named_constant("stddev", number(deviation, dtype)?)?;
        let drawn = self.random(graph, op, shape, dtype)?;
        (drawn * deviation)? + mean
    }

    fn orthogonal(
        &self,
        graph: &Graph,
        shape: &Shape,
        dtype: DataType,
        gain: f64,
    ) -> Result<Output> {
        let Some((&columns, outer)) = shape.split_last().filter(|(_, outer)| !outer.is_empty())
        else {
            return Err(Status::invalid_argument(format!(
                "orthogonal: a variable of shape {shape} is no matrix; it needs at least two dimensions"
            )));
        };
        let rows: usize = outer.iter().product();
        let wide = rows < columns;
        let flat = if wide { [columns, rows] } else { [rows, columns] };
        let numbers = (0.0, 1.0);
        let drawn = self.normal(graph, "RandomStandardNormal", &flat.into(), dtype, numbers)?;
        let parts = NodeBuilder::new("Qr").input(&drawn).attr("full_matrices", false).outputs()?;
        let [q, r] = parts.as_slice() else {
            return Err(Status::internal("Qr gives two matrices"));
        };
        // The signs of R's diagonal make Q uniformly distributed.
        let smallest = rows.min(columns);
        let square = r.slice(&[0, 0], &[smallest as i32, smallest as i32])?;
        let signs = NodeBuilder::new("DiagPart").input(&square).output()?.sign()?;
        let q = (q * signs)?;
        let q = if wide { q.transpose(&[1, 0])? } else { q };
        q.reshape(&shape.to_i64())? * gain
    }
}

fn shape_tensor(shape: &Shape) -> Result<Tensor> {
    let narrow: Option<Vec<i32>> = shape.iter().map(|d| i32::try_from(*d).ok()).collect();
    match narrow {
        Some(narrow) => Tensor::vector(&narrow),
        None => Tensor::vector(&shape.to_i64()),
    }
}

fn fill(graph: &Graph, shape: &Shape, value: f64, dtype: DataType) -> Result<Output> {
    let scalar = match dtype {
        DataType::Bool => Tensor::scalar(value != 0.0),
        DataType::String if value == 0.0 => Tensor::string(""),
        dtype => number(value, dtype)?,
    };
    if shape.is_scalar() {
        return graph.constant(scalar);
    }
    let name = if value == 0.0 { "zeros" } else { "Fill" };
    let dims = graph.named_constant("shape_as_tensor", shape_tensor(shape)?)?;
    let scalar = graph.constant(scalar)?;
    NodeBuilder::new("Fill").input(&dims).input(&scalar).name(name).output()
}

fn given(graph: &Graph, shape: &Shape, dtype: DataType, value: &Tensor) -> Result<Output> {
    if value.dtype() != dtype || (value.len() != 1 && value.shape() != shape) {
        return Err(Status::invalid_argument(format!(
            "a {} tensor of shape {} cannot be the first value of a {dtype} variable of shape {shape}",
            value.dtype(),
            value.shape()
        )));
    }
    let constant = graph.constant(value)?;
    if value.shape() == shape {
        return Ok(constant);
    }
    let scalar = constant.reshape(&[])?;
    let dims = graph.constant(shape_tensor(shape)?)?;
    NodeBuilder::new("Fill").input(&dims).input(&scalar).output()
}

fn identity_matrix(graph: &Graph, shape: &Shape, dtype: DataType, gain: f64) -> Result<Output> {
    let &[rows, columns] = shape.dims() else {
        return Err(Status::invalid_argument(format!(
            "identity: a variable of shape {shape} is no matrix; it needs two dimensions"
        )));
    };
    let size = rows.min(columns);
    let ones = fill(graph, &[size].into(), gain, dtype)?;
    let matrix = NodeBuilder::new("MatrixDiagV2").input(&ones);
    let matrix = matrix
        .input(&graph.constant(0i32)?)
        .input(&graph.constant(rows as i32)?)
        .input(&graph.constant(columns as i32)?)
        .input(&graph.constant(number(0.0, dtype)?)?);
    matrix.output()
}

/// How many connections a weight of this shape has on either side; a kernel's window counts.
fn fan(shape: &Shape, mode: FanMode) -> f64 {
    let (inputs, outputs) = match shape.dims() {
        [] => (1, 1),
        [one] => (*one, *one),
        [window @ .., inputs, outputs] => {
            let window: usize = window.iter().product();
            (inputs * window, outputs * window)
        }
    };
    match mode {
        FanMode::In => inputs as f64,
        FanMode::Out => outputs as f64,
        FanMode::Average => (inputs + outputs) as f64 / 2.0,
    }
}

impl fmt::Debug for Initializer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match &self.kind {
            Kind::Constant(value) => return write!(f, "constant({value})"),
            Kind::Value(value) => return write!(f, "value({value:?})"),
            Kind::Uniform { least, most } => return write!(f, "random_uniform({least}, {most})"),
            Kind::Normal { .. } => "random_normal",
            Kind::TruncatedNormal { .. } => "truncated_normal",
            Kind::VarianceScaling { scale, mode, distribution } => {
                return write!(f, "variance_scaling({scale}, {mode:?}, {distribution:?})");
            }
            Kind::Orthogonal { .. } => "orthogonal",
            Kind::Identity { .. } => "identity",
            Kind::Custom(_) => "custom",
        };
        f.write_str(name)
    }
}
