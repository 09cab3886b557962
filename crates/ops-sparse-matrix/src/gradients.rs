//! The gradients of products with sparse matrices.
//!
//! With P = opA(A) opB(B) and a gradient G of P, the gradient of opA(A) is G opB(B)^H and that of opB(B) is opA(A)^H G;
//! what the operation did to an operand is then done to its gradient.

use downpour_graph::{Attrs, Endpoint, Gradient, GradientContext};
use downpour_tensor::{DataType, Result, Tensor};

type Cx<'a, 'g> = GradientContext<'a, 'g>;

/// The changes that a product makes to an operand first.
#[derive(Clone, Copy, PartialEq)]
enum Turn {
    Nothing,
    Transpose,
    Adjoint,
}

/// An operand: what it is conjugated before, if so, and how the product turns it.
#[derive(Clone, Copy)]
struct Operand {
    value: Endpoint,
    conjugate: bool,
    turn: Turn,
}

impl Operand {
    fn new(value: Endpoint, turn: Turn) -> Operand {
        Operand { value, conjugate: false, turn }
    }

    /// Returns the conjugate of the turned value.
    fn conjugated(self) -> Operand {
        let (conjugate, turn) = match self.turn {
            Turn::Nothing => (true, Turn::Nothing),
            Turn::Transpose => (false, Turn::Adjoint),
            Turn::Adjoint => (false, Turn::Transpose),
        };
        Operand { conjugate, turn, ..self }
    }

    /// Returns the adjoint of the turned value.
    fn adjoint(self) -> Operand {
        let (conjugate, turn) = match self.turn {
            Turn::Nothing => (false, Turn::Adjoint),
            Turn::Transpose => (true, Turn::Nothing),
            Turn::Adjoint => (false, Turn::Nothing),
        };
        Operand { conjugate, turn, ..self }
    }
}

fn turn(cx: &Cx<'_, '_>, operand: &str) -> Result<Turn> {
    Ok(if cx.node().bool(&format!("transpose_{operand}"))? {
        Turn::Transpose
    } else if cx.node().bool(&format!("adjoint_{operand}"))? {
        Turn::Adjoint
    } else {
        Turn::Nothing
    })
}

fn conjugate(cx: &mut Cx<'_, '_>, value: Endpoint, dtype: DataType) -> Result<Endpoint> {
    if dtype.is_complex() { cx.op("Conj", &[value]) } else { Ok(value) }
}

/// Returns the values of a sparse matrix at the places of another, as far as it has any there: a product has more
/// places than its operands.
pub(crate) fn pruned(
    cx: &mut Cx<'_, '_>,
    input: Endpoint,
    pattern: Endpoint,
    dtype: DataType,
) -> Result<Endpoint> {
    let [indices, values, _] = sparse_tensor(cx, input, dtype)?;
    let [wanted, _, shape] = sparse_tensor(cx, pattern, dtype)?;
    let flat = cx.constant(Tensor::vector(&[-1i64])?)?;
    let (zero, none) = (cx.scalar(0i32)?, cx.constant(Tensor::vector(&[-1i64])?)?);
    let mut places = [indices, wanted];
    for places in &mut places {
        let matrix = cx.op("SparseReshape", &[*places, shape, flat])?;
        *places = cx.op("Reshape", &[matrix, flat])?;
    }
    let [given, wanted] = places;
    let rows = [cx.op("ExpandDims", &[given, zero])?, cx.op("ExpandDims", &[wanted, zero])?];
    let attrs = Attrs::new().with("out_type", DataType::Int64);
    let found = cx.op_with("LowerBound", &rows, attrs)?;
    let found = cx.op("Reshape", &[found, flat])?;
    // Behind the last place there is none, for what would stand behind all of them.
    let attrs = Attrs::new().with("N", 2i64);
    let given = cx.op_with("ConcatV2", &[given, none, zero], attrs)?;
    let given = cx.op("GatherV2", &[given, found, zero])?;
    let matches = cx.op("Equal", &[given, wanted])?;
    let matches = cx.op("Where", &[matches])?;
    let kept = cx.op("GatherNd", &[found, matches])?;
    let indices = cx.op("GatherV2", &[indices, kept, zero])?;
    let values = cx.op("GatherV2", &[values, kept, zero])?;
    cx.op("SparseTensorToCSRSparseMatrix", &[indices, values, shape])
}

/// Returns indices, values and shape of a sparse matrix.
fn sparse_tensor(cx: &mut Cx<'_, '_>, matrix: Endpoint, dtype: DataType) -> Result<[Endpoint; 3]> {
    let attrs = Attrs::new().with("type", dtype);
    let node = cx.node_with("CSRSparseMatrixToSparseTensor", &[matrix], attrs)?;
    Ok([0, 1, 2].map(|port| Endpoint { node, port }))
}

pub(crate) fn sparse_mat_mul_gradient(cx: &mut Cx<'_, '_>) -> Result<Vec<Gradient>> {
    let dtype = cx.node().dtype("type")?;
    let grad = Operand::new(cx.grad(0)?, Turn::Nothing);
    let grad_turned = |turn| Operand { turn, ..grad };
    let a = Operand::new(cx.input(0), turn(cx, "a")?);
    let b = Operand::new(cx.input(1), turn(cx, "b")?);
    let [left, right] = match a.turn {
        Turn::Nothing => [grad, b.adjoint()],
        Turn::Transpose => [b.conjugated(), grad_turned(Turn::Transpose)],
        Turn::Adjoint => [b, grad_turned(Turn::Adjoint)],
    };
    let grad_a = sparse_product(cx, left, right, dtype)?;
    let [left, right] = match b.turn {
        Turn::Nothing => [a.adjoint(), grad],
        Turn::Transpose => [grad_turned(Turn::Transpose), a.conjugated()],
        Turn::Adjoint => [grad_turned(Turn::Adjoint), a],
    };
    let grad_b = sparse_product(cx, left, right, dtype)?;
    let grad_a = pruned(cx, grad_a, a.value, dtype)?;
    let grad_b = pruned(cx, grad_b, b.value, dtype)?;
    Ok(vec![Gradient::Dense(grad_a), Gradient::Dense(grad_b)])
}

fn sparse_product(
    cx: &mut Cx<'_, '_>,
    a: Operand,
    b: Operand,
    dtype: DataType,
) -> Result<Endpoint> {
    let mut values = [a.value, b.value];
    for (value, operand) in values.iter_mut().zip([a, b]) {
        if operand.conjugate {
            *value = conjugate(cx, *value, dtype)?;
        }
    }
    let attrs = Attrs::new()
        .with("type", dtype)
        .with("transpose_a", a.turn == Turn::Transpose)
        .with("adjoint_a", a.turn == Turn::Adjoint)
        .with("transpose_b", b.turn == Turn::Transpose)
        .with("adjoint_b", b.turn == Turn::Adjoint);
    cx.op_with("SparseMatrixSparseMatMul", &values, attrs)
}

pub(crate) fn mat_mul_gradient(cx: &mut Cx<'_, '_>) -> Result<Vec<Gradient>> {
    let dtype = cx.node().dtype("T")?;
    let grad = cx.grad(0)?;
    let (a, b) = (cx.input(0), cx.input(1));
    let (turn_a, turn_b) = (turn(cx, "a")?, turn(cx, "b")?);
    let shapes = [cx.static_shape(b), cx.static_shape(grad)];
    let Some(rank) = shapes.iter().find_map(|shape| shape.rank()) else {
        return Err(cx.node().unsupported(
            "its gradient needs the rank of b, which is not known when the graph is made",
        ));
    };
    let mut grad = grad;
    if cx.node().bool("conjugate_output")? {
        grad = conjugate(cx, grad, dtype)?;
    }
    if cx.node().bool("transpose_output")? {
        grad = transposed(cx, grad, rank)?;
    }
    // The rows of conj(opB(B)).
    let mut factor = if turn_b == Turn::Nothing { b } else { transposed(cx, b, rank)? };
    if turn_b != Turn::Adjoint {
        factor = conjugate(cx, factor, dtype)?;
    }
    let mut grad_a = match turn_a {
        Turn::Nothing => [grad, factor],
        Turn::Transpose | Turn::Adjoint => [factor, grad],
    };
    if turn_a == Turn::Adjoint {
        for rows in &mut grad_a {
            *rows = conjugate(cx, *rows, dtype)?;
        }
    }
    let grad_a = row_products(cx, grad_a, a, rank, dtype)?;
    let adjoint = Operand::new(a, turn_a).adjoint();
    let a = if adjoint.conjugate { conjugate(cx, a, dtype)? } else { a };
    let attrs = Attrs::new()
        .with("adjoint_a", adjoint.turn == Turn::Adjoint)
        .with("transpose_output", turn_b != Turn::Nothing)
        .with("conjugate_output", turn_b == Turn::Adjoint);
    let grad_b = cx.op_with("SparseMatrixMatMul", &[a, grad], attrs)?;
    Ok(vec![Gradient::Dense(grad_a), Gradient::Dense(grad_b)])
}

fn transposed(cx: &mut Cx<'_, '_>, value: Endpoint, rank: usize) -> Result<Endpoint> {
    let order: &[i32] = if rank == 2 { &[1, 0] } else { &[0, 2, 1] };
    let order = cx.constant(Tensor::vector(order)?)?;
    cx.op("Transpose", &[value, order])
}

/// Returns a sparse matrix with the places of `pattern`: at row i and column j the product of row i of the first with
/// row j of the second.
fn row_products(
    cx: &mut Cx<'_, '_>,
    factors: [Endpoint; 2],
    pattern: Endpoint,
    rank: usize,
    dtype: DataType,
) -> Result<Endpoint> {
    let [indices, _, shape] = sparse_tensor(cx, pattern, dtype)?;
    let axis = cx.scalar(1i32)?;
    let coordinates: [&[i32]; 2] = if rank == 2 { [&[0], &[1]] } else { [&[0, 1], &[0, 2]] };
    let mut rows = factors;
    for (rows, coordinates) in rows.iter_mut().zip(coordinates) {
        let coordinates = cx.constant(Tensor::vector(coordinates)?)?;
        let at = cx.op("GatherV2", &[indices, coordinates, axis])?;
        *rows = cx.op("GatherNd", &[*rows, at])?;
    }
    let products = cx.op("Mul", &rows)?;
    let values = cx.op("Sum", &[products, axis])?;
    cx.op("SparseTensorToCSRSparseMatrix", &[indices, values, shape])
}
