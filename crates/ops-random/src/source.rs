//! Where an operation gets its generator from, and where that puts its other inputs.

use downpour_graph::{Attrs, PartialShape, ShapeContext};
use downpour_runtime::OpContext;
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use crate::generator::Generator;
use crate::philox::Philox;

/// Blocks set aside per value by operations that may draw again and again for one value.
pub(crate) const BLOCKS_PER_VALUE: u64 = 256;

const PHILOX: i64 = 1;
const THREEFRY: i64 = 2;
const AUTO_SELECT: i64 = 3;

pub(crate) enum Source {
    /// The node's own generator: inputs are (shape, parameters...).
    Node(Generator),
    /// A seed: (shape, seed, parameters...).
    Seed,
    /// A key and a counter: (shape, key, counter, algorithm, parameters...).
    KeyCounter,
    /// A variable: (variable, algorithm, shape, parameters...).
    Variable,
    /// A variable whose first number names the algorithm: (variable, shape).
    TaggedVariable,
}

impl Source {
    pub fn node(attrs: &Attrs) -> Result<Source> {
        Ok(Source::Node(Generator::new(attrs)?))
    }

    fn shape_index(&self) -> usize {
        match self {
            Source::Variable => 2,
            Source::TaggedVariable => 1,
            _ => 0,
        }
    }

    /// The index of parameter `i`.
    pub fn parameter(&self, i: usize) -> usize {
        i + match self {
            Source::Node(_) => 1,
            Source::Seed | Source::TaggedVariable => 2,
            Source::Variable => 3,
            Source::KeyCounter => 4,
        }
    }

    /// The shape the operation is asked for.
    pub fn shape(&self, cx: &OpContext<'_>) -> Result<Shape> {
        shape_of(cx.input(self.shape_index()))
    }

    /// The generator for an output of `values` values.
    pub fn philox(&self, cx: &OpContext<'_>, values: usize) -> Result<Philox> {
        let blocks = (values as u64).wrapping_mul(BLOCKS_PER_VALUE);
        match self {
            Source::Node(generator) => Ok(generator.reserve(blocks)),
            Source::Seed => Philox::from_seed(cx.input(1)),
            Source::KeyCounter => key_counter(cx.input(1), cx.input(2), cx.input(3), 3),
            Source::Variable => {
                let algorithm = scalar_input(cx.input(1), 1)?;
                advance_variable(cx, Some(algorithm), blocks)
            }
            Source::TaggedVariable => advance_variable(cx, None, blocks),
        }
    }
}

/// A shape from a vector of sizes.
pub(crate) fn shape_of(tensor: &Tensor) -> Result<Shape> {
    if tensor.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "shape must be a vector of {{int32,int64}}, got shape {}",
            tensor.shape()
        )));
    }
    if !matches!(tensor.dtype(), DataType::Int32 | DataType::Int64) {
        return Err(Status::invalid_argument("shape must be a vector of {int32,int64}."));
    }
    Shape::from_i64(&tensor.to_i64_vec()?)
}

/// The value of an integer input that must have rank 0.
pub(crate) fn scalar_input(tensor: &Tensor, index: usize) -> Result<i64> {
    if tensor.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "input {index} (0-based) must have shape [], not {}",
            tensor.shape()
        )));
    }
    match tensor.dtype() {
        DataType::UInt64 => Ok(tensor.to_scalar::<u64>()? as i64),
        _ => tensor.to_i64_scalar(),
    }
}

/// The generator of key, counter and algorithm tensors; `index` is the algorithm's input.
pub(crate) fn key_counter(
    key: &Tensor,
    counter: &Tensor,
    algorithm: &Tensor,
    index: usize,
) -> Result<Philox> {
    let algorithm = scalar_input(algorithm, index)?;
    if key.dims() != [1] {
        return Err(Status::invalid_argument(format!(
            "key must have shape [1], not {}. (Note that batched keys are not supported yet.)",
            key.shape()
        )));
    }
    if counter.rank() != 1 || counter.len() < 2 {
        return Err(Status::invalid_argument(format!(
            "counter must be a vector with length at least 2; got shape: {}. (Note that batched \
             counters are not supported yet.)",
            counter.shape()
        )));
    }
    if algorithm != PHILOX && algorithm != AUTO_SELECT {
        return Err(Status::invalid_argument(format!("Unsupported algorithm id: {algorithm}")));
    }
    let (key, counter) = (key.as_slice::<u64>()?, counter.as_slice::<u64>()?);
    Ok(Philox::from_words([counter[0], counter[1]], key[0]))
}

/// Refuses algorithms other than Philox as the operations on variables do.
fn expect_philox(algorithm: i64) -> Result<()> {
    match algorithm {
        PHILOX | AUTO_SELECT => Ok(()),
        THREEFRY => Err(Status::unimplemented(
            "Non-XLA devices don't support the ThreeFry algorithm; use Philox",
        )),
        other => Err(Status::invalid_argument(format!("Unsupported algorithm id: {other}"))),
    }
}

/// Takes the generator out of the state variable in input 0 and moves the variable on. Without
/// a given algorithm the first number of the state names it.
pub(crate) fn advance_variable(
    cx: &OpContext<'_>,
    algorithm: Option<i64>,
    blocks: u64,
) -> Result<Philox> {
    if let Some(algorithm) = algorithm {
        expect_philox(algorithm)?;
    }
    cx.variable(0)?.update(|state| {
        if state.dtype() != DataType::Int64 {
            return Err(Status::invalid_argument(format!(
                "dtype of RNG state variable must be int64, not {}",
                state.dtype()
            )));
        }
        if state.rank() != 1 {
            return Err(Status::invalid_argument(format!(
                "RNG state must have one and only one dimension, not {}",
                state.rank()
            )));
        }
        let words = state.as_mut_slice::<i64>().expect("a variable under update has one owner");
        let (length, tag) = (words.len(), usize::from(algorithm.is_none()));
        if tag == 1 {
            let algorithm = words
                .first()
                .copied()
                .ok_or_else(|| Status::invalid_argument("Size of tensor must be at least 1"))?;
            expect_philox(algorithm)?;
        }
        let [c0, c1, key, ..] = &mut words[tag..] else {
            return Err(Status::invalid_argument(format!(
                "For the Philox algorithm, the size of state must be at least {}; got {length}",
                3 + tag
            )));
        };
        let philox = Philox::from_words([*c0 as u64, *c1 as u64], *key as u64);
        let [n0, n1] = philox.skipped(blocks).counter_words();
        (*c0, *c1) = (n0 as i64, n1 as i64);
        Ok(philox)
    })
}

// ---- shape functions -----------------------------------------------------------------------

fn output_from(cx: &mut ShapeContext<'_>, index: usize) -> Result<()> {
    let shape = cx.shape_from_input(index)?;
    cx.set_output(0, shape);
    Ok(())
}

/// (shape, ...) of an operation with its own generator.
pub(crate) fn node_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    output_from(cx, 0)
}

/// (shape, seed, ...).
pub(crate) fn seed_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    expect_seed(cx, 1)?;
    output_from(cx, 0)
}

/// Input `index` must be two numbers.
pub(crate) fn expect_seed(cx: &ShapeContext<'_>, index: usize) -> Result<()> {
    let seed = cx.with_rank(index, 1)?;
    cx.merge_dim(seed.dim(0), Some(2)).map(drop)
}

/// (shape, key, counter, algorithm, ...).
pub(crate) fn key_counter_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let key = cx.with_rank(1, 1)?;
    cx.with_rank(2, 1)?;
    cx.with_rank(3, 0)?;
    cx.merge_dim(key.dim(0), Some(1))?;
    output_from(cx, 0)
}

/// (variable, algorithm, shape, ...).
pub(crate) fn variable_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(1, 0)?;
    output_from(cx, 2)
}

/// (variable, shape).
pub(crate) fn tagged_variable_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    output_from(cx, 1)
}

/// Bounds at inputs `first` and `first + 1` must be scalars.
pub(crate) fn expect_bounds(cx: &ShapeContext<'_>, first: usize) -> Result<()> {
    for (i, name) in ["minval", "maxval"].iter().enumerate() {
        let shape = cx.input(first + i);
        if shape.merge(&PartialShape::scalar()).is_none() {
            return Err(Status::invalid_argument(format!(
                "{name} must be a scalar; got a tensor of shape {shape}"
            )));
        }
    }
    Ok(())
}
