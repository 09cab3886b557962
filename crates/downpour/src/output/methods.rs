//! The operations used most, as methods of values.

use downpour_graph::PartialShape;
use downpour_tensor::{DataType, Result, Tensor};

use super::Output;
use crate::node_builder::NodeBuilder;

fn unary(op: &'static str, x: &Output) -> Result<Output> {
    NodeBuilder::new(op).input(x).output()
}

macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident => $op:literal;)*) => {
        impl Output {$(
            $(#[$doc])*
            pub fn $name(&self) -> Result<Output> {
                unary($op, self)
            }
        )*}
    };
}

methods! {
    /// Absolute value.
    abs => "Abs";
    /// The next whole number up.
    ceil => "Ceil";
    /// Cosine.
    cos => "Cos";
    /// Exponential linear unit.
    elu => "Elu";
    /// Gauss error function.
    erf => "Erf";
    /// e to the power of the value.
    exp => "Exp";
    /// The next whole number down.
    floor => "Floor";
    /// The same value as a node of its own.
    identity => "Identity";
    /// Natural logarithm.
    log => "Log";
    /// log(1 + x), exact near zero.
    log1p => "Log1p";
    /// Logarithm of the softmax along the last axis.
    log_softmax => "LogSoftmax";
    /// Not, of booleans.
    logical_not => "LogicalNot";
    /// Ones of the same type and shape.
    ones_like => "OnesLike";
    /// The larger of the value and zero.
    relu => "Relu";
    /// The value between zero and six.
    relu6 => "Relu6";
    /// 1 / sqrt(x).
    rsqrt => "Rsqrt";
    /// The shape, as an int32 vector computed in the graph; see `shape` for what is known before.
    shape_of => "Shape";
    /// 1 / (1 + exp(-x)).
    sigmoid => "Sigmoid";
    /// -1, 0 or 1.
    sign => "Sign";
    /// Sine.
    sin => "Sin";
    /// Exponentials along the last axis, divided by their sum.
    softmax => "Softmax";
    /// log(1 + exp(x)).
    softplus => "Softplus";
    /// Square root.
    sqrt => "Sqrt";
    /// x * x.
    square => "Square";
    /// The same value, through which no gradient flows.
    stop_gradient => "StopGradient";
    /// Hyperbolic tangent.
    tanh => "Tanh";
    /// Zeros of the same type and shape.
    zeros_like => "ZerosLike";
}

macro_rules! binary_methods {
    ($($(#[$doc:meta])* $name:ident => $op:literal;)*) => {
        impl Output {$(
            $(#[$doc])*
            pub fn $name(&self, other: &Output) -> Result<Output> {
                NodeBuilder::new($op).input(self).input(other).output()
            }
        )*}
    };
}

binary_methods! {
    /// The larger of two values.
    maximum => "Maximum";
    /// The smaller of two values.
    minimum => "Minimum";
    /// This value to the power of the other.
    pow => "Pow";
    /// (a - b)².
    squared_difference => "SquaredDifference";
    /// Where two values are equal.
    equal => "Equal";
    /// Where two values differ.
    not_equal => "NotEqual";
    /// Where this is smaller.
    less => "Less";
    /// Where this is smaller or equal.
    less_equal => "LessEqual";
    /// Where this is larger.
    greater => "Greater";
    /// Where this is larger or equal.
    greater_equal => "GreaterEqual";
    /// And, of booleans.
    logical_and => "LogicalAnd";
    /// Or, of booleans.
    logical_or => "LogicalOr";
    /// The remainder with the divisor's sign.
    floor_mod => "FloorMod";
    /// The quotient rounded down.
    floor_div => "FloorDiv";
}

macro_rules! reductions {
    ($($(#[$doc:meta])* $name:ident, $all:ident => $op:literal;)*) => {
        impl Output {$(
            $(#[$doc])* /// Over these axes (negative ones count from the end), which stay with size 1 if `keep_dims`.
            pub fn $name(&self, axes: &[i32], keep_dims: bool) -> Result<Output> {
                self.reduce($op, axes, keep_dims)
            }
            $(#[$doc])* /// Over all axes: a scalar.
            pub fn $all(&self) -> Result<Output> {
                self.reduce_all($op)
            }
        )*}
    };
}

reductions! {
    /// Sum.
    reduce_sum, sum_all => "Sum";
    /// Mean.
    reduce_mean, mean_all => "Mean";
    /// Largest value.
    reduce_max, max_all => "Max";
    /// Smallest value.
    reduce_min, min_all => "Min";
    /// Product.
    reduce_prod, prod_all => "Prod";
}

impl Output {
    fn reduce(&self, op: &'static str, axes: &[i32], keep_dims: bool) -> Result<Output> {
        let axes = self.graph.constant(Tensor::vector(axes)?)?;
        NodeBuilder::new(op).input(self).input(&axes).attr("keep_dims", keep_dims).output()
    }

    fn reduce_all(&self, op: &'static str) -> Result<Output> {
        match self.shape().rank() {
            Some(rank) => self.reduce(op, &(0..rank as i32).collect::<Vec<i32>>(), false),
            None => {
                let (start, step) = (self.graph.constant(0i32)?, self.graph.constant(1i32)?);
                let rank = unary("Rank", self)?;
                let axes =
                    NodeBuilder::new("Range").input(&start).input(&rank).input(&step).output()?;
                NodeBuilder::new(op).input(self).input(&axes).output()
            }
        }
    }

    /// Matrix product; of more than two dimensions, of each pair of matrices.
    pub fn matmul(&self, other: &Output) -> Result<Output> {
        self.matmul_transposed(other, false, false)
    }

    /// Matrix product of either factor's transpose.
    pub fn matmul_transposed(
        &self,
        other: &Output,
        transpose_self: bool,
        transpose_other: bool,
    ) -> Result<Output> {
        let many = |x: &Output| x.shape().rank().is_some_and(|rank| rank > 2);
        let (op, a, b) = match many(self) || many(other) {
            true => ("BatchMatMulV2", "adj_x", "adj_y"),
            false => ("MatMul", "transpose_a", "transpose_b"),
        };
        let node = NodeBuilder::new(op).input(self).input(other).name("MatMul");
        node.attr(a, transpose_self).attr(b, transpose_other).output()
    }

    /// The value plus a vector along its last axis.
    pub fn bias_add(&self, bias: &Output) -> Result<Output> {
        NodeBuilder::new("BiasAdd").input(self).input(bias).output()
    }

    /// The same elements in another shape; one size may be -1.
    pub fn reshape(&self, shape: &[i64]) -> Result<Output> {
        let narrow: Option<Vec<i32>> = shape.iter().map(|d| i32::try_from(*d).ok()).collect();
        let shape = match narrow {
            Some(narrow) => Tensor::vector(&narrow)?,
            None => Tensor::vector(shape)?,
        };
        let shape = self.graph.constant(shape)?;
        self.reshape_to(&shape)
    }

    /// The same elements in a shape that the graph computes.
    pub fn reshape_to(&self, shape: &Output) -> Result<Output> {
        NodeBuilder::new("Reshape").input(self).input(shape).output()
    }

    /// The axes in another order: axis `i` of the result is axis `order[i]` of this.
    pub fn transpose(&self, order: &[i32]) -> Result<Output> {
        let order = self.graph.constant(Tensor::vector(order)?)?;
        NodeBuilder::new("Transpose").input(self).input(&order).output()
    }

    /// A further axis of size 1 before `axis`.
    pub fn expand_dims(&self, axis: i32) -> Result<Output> {
        let axis = self.graph.constant(axis)?;
        NodeBuilder::new("ExpandDims").input(self).input(&axis).output()
    }

    /// Without these axes, which have size 1; without all such axes when none is named.
    pub fn squeeze(&self, axes: &[i64]) -> Result<Output> {
        NodeBuilder::new("Squeeze").input(self).attr("squeeze_dims", axes.to_vec()).output()
    }

    /// The values in another type; itself if it has that type.
    pub fn cast(&self, dtype: DataType) -> Result<Output> {
        if self.dtype() == dtype {
            return Ok(self.clone());
        }
        NodeBuilder::new("Cast").input(self).attr("DstT", dtype).output()
    }

    /// Rows (or slices along `axis`) by number.
    pub fn gather(&self, indices: &Output, axis: i32) -> Result<Output> {
        let axis = self.graph.constant(axis)?;
        NodeBuilder::new("GatherV2").input(self).input(indices).input(&axis).output()
    }

    /// Where along `axis` the largest value is, as int64.
    pub fn argmax(&self, axis: i32) -> Result<Output> {
        let axis = self.graph.constant(axis)?;
        NodeBuilder::new("ArgMax").input(self).input(&axis).output()
    }

    /// `then` where this boolean holds, `otherwise` elsewhere.
    pub fn select(&self, then: &Output, otherwise: &Output) -> Result<Output> {
        NodeBuilder::new("SelectV2").input(self).input(then).input(otherwise).output()
    }

    /// Elements `begin..begin + size` of each axis; a size of -1 is "to the end".
    pub fn slice(&self, begin: &[i32], size: &[i32]) -> Result<Output> {
        let begin = self.graph.constant(Tensor::vector(begin)?)?;
        let size = self.graph.constant(Tensor::vector(size)?)?;
        NodeBuilder::new("Slice").input(self).input(&begin).input(&size).output()
    }

    /// The values joined along an axis; one alone is itself.
    pub fn concat(values: &[Output], axis: i32) -> Result<Output> {
        // The operation takes two at least.
        if let [only] = values {
            return Ok(only.clone());
        }
        let node = NodeBuilder::new("ConcatV2").list(values).name("concat");
        match values.first() {
            Some(first) => node.input(&first.graph.constant(axis)?).output(),
            None => node.output(),
        }
    }

    /// The values stacked along a new axis.
    pub fn stack(values: &[Output], axis: i64) -> Result<Output> {
        NodeBuilder::new("Pack").list(values).attr("axis", axis).name("stack").output()
    }

    /// This along an axis in `count` equal parts.
    pub fn split(&self, count: i64, axis: i32) -> Result<Vec<Output>> {
        let axis = self.graph.constant(axis)?;
        let node = NodeBuilder::new("Split").input(&axis).input(self);
        node.attr("num_split", count).name("split").outputs()
    }

    /// Repeated along each axis.
    pub fn tile(&self, times: &[i32]) -> Result<Output> {
        let times = self.graph.constant(Tensor::vector(times)?)?;
        NodeBuilder::new("Tile").input(self).input(&times).output()
    }

    /// Ones at the indices, zeros elsewhere, along a new last axis of this depth.
    pub fn one_hot(&self, depth: i32, dtype: DataType) -> Result<Output> {
        let depth = self.graph.constant(depth)?;
        let on = self.graph.constant(crate::number(1.0, dtype)?)?;
        let off = self.graph.constant(crate::number(0.0, dtype)?)?;
        NodeBuilder::new("OneHot")
            .input(&self.clone())
            .input(&depth)
            .input(&on)
            .input(&off)
            .output()
    }

    /// The value, which is refused at once unless it can have this shape.
    pub fn ensure_shape(&self, shape: impl Into<PartialShape>) -> Result<Output> {
        NodeBuilder::new("EnsureShape").input(self).attr("shape", shape.into()).output()
    }
}
