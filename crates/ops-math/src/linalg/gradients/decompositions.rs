//! Gradients of Cholesky, Qr, Svd and eigenvalues.

use downpour_graph::{Attrs, Endpoint, Gradient};
use downpour_tensor::Result;

use super::{
    Adjoint, Cx, Plain, add, adjoint, cut, half, halve_diagonal, inverse_differences, join,
    known_size, lower_triangle, matmul, mul, neg, safe_inverse, sub,
};

/// L^-H P(L^H grad) L^-1 made Hermitian, where P halves the diagonal and drops what is above it.
pub(crate) fn cholesky(cx: &mut Cx<'_, '_>) -> Result<Vec<Gradient>> {
    let (root, grad) = (cx.output(0), cx.grad(0)?);
    let middle = matmul(cx, Adjoint(root), Plain(grad))?;
    let middle = halve_diagonal(cx, middle)?;
    let middle = lower_triangle(cx, middle)?;
    let solve = |cx: &mut Cx<'_, '_>, rhs: Endpoint| {
        let attrs = Attrs::new().with("lower", true).with("adjoint", true);
        cx.op_with("MatrixTriangularSolve", &[root, rhs], attrs)
    };
    let left = solve(cx, middle)?;
    let left = adjoint(cx, left)?;
    // The other side's inverse, on the transposed product: its transpose is as good for the sum.
    let both = solve(cx, left)?;
    let other = adjoint(cx, both)?;
    let sum = add(cx, both, other)?;
    Ok(vec![Gradient::Dense(half(cx, sum)?)])
}

pub(crate) fn qr(cx: &mut Cx<'_, '_>) -> Result<Vec<Gradient>> {
    let (q, r, dq, dr) = (cx.output(0), cx.output(1), cx.grad(0)?, cx.grad(1)?);
    let matrix = cx.input(0);
    let (rows, columns) = known_size(cx, matrix)?;
    if rows > columns && cx.node().bool("full_matrices")? {
        return Err(cx.node().unsupported(
            "the gradient of the full factors of a matrix with more rows than columns is not \
             defined; set full_matrices to false",
        ));
    }
    if rows >= columns {
        return Ok(vec![Gradient::Dense(square_qr(cx, q, r, dq, dr)?)]);
    }
    // [x y] = q [u v]: the square case for x, and y = q v.
    let left = [(None, None), (None, Some(rows))];
    let right = [(None, None), (Some(rows), None)];
    let y = cut(cx, matrix, &right)?;
    let u = cut(cx, r, &left)?;
    let (du, dv) = (cut(cx, dr, &left)?, cut(cx, dr, &right)?);
    let dy = matmul(cx, Plain(q), Plain(dv))?;
    let through_y = matmul(cx, Plain(y), Adjoint(dv))?;
    let dq = add(cx, dq, through_y)?;
    let dx = square_qr(cx, q, u, dq, du)?;
    Ok(vec![Gradient::Dense(join(cx, &[dx, dy], -1)?)])
}

/// At least as many rows as columns.
fn square_qr(
    cx: &mut Cx<'_, '_>,
    q: Endpoint,
    r: Endpoint,
    dq: Endpoint,
    dr: Endpoint,
) -> Result<Endpoint> {
    // x r^-H
    let divide = |cx: &mut Cx<'_, '_>, x: Endpoint| {
        let x = adjoint(cx, x)?;
        let attrs = Attrs::new().with("lower", false).with("adjoint", false);
        let solved = cx.op_with("MatrixTriangularSolve", &[r, x], attrs)?;
        adjoint(cx, solved)
    };
    let minus_adjoint = |cx: &mut Cx<'_, '_>, x: Endpoint| {
        let other = adjoint(cx, x)?;
        sub(cx, x, other)
    };
    let qdq = matmul(cx, Adjoint(q), Plain(dq))?;
    let rdr = matmul(cx, Plain(r), Adjoint(dr))?;
    let (skew_q, skew_r) = (minus_adjoint(cx, qdq)?, minus_adjoint(cx, rdr)?);
    let skew = add(cx, skew_q, skew_r)?;
    let triangle = lower_triangle(cx, skew)?;
    let triangle = divide(cx, triangle)?;
    let inner = add(cx, dr, triangle)?;
    let first = matmul(cx, Plain(q), Plain(inner))?;
    let along = matmul(cx, Plain(q), Plain(qdq))?;
    let across = sub(cx, dq, along)?;
    let second = divide(cx, across)?;
    let sum = add(cx, first, second)?;
    if !cx.dtype(q).is_complex() {
        return Ok(sum);
    }
    // The diagonal of r is real, which the triangle above does not know.
    let adjoint_qdq = adjoint(cx, qdq)?;
    let difference = sub(cx, rdr, adjoint_qdq)?;
    let diagonal = cx.op("MatrixDiagPart", &[difference])?;
    let conjugate = cx.op("Conj", &[diagonal])?;
    let imaginary = sub(cx, diagonal, conjugate)?;
    let imaginary = half(cx, imaginary)?;
    let correction = cx.op("MatrixDiag", &[imaginary])?;
    let turned = matmul(cx, Plain(q), Adjoint(correction))?;
    let correction = divide(cx, turned)?;
    add(cx, sum, correction)
}

/// Only the lower triangle is read: the gradient of both triangles is gathered there.
pub(crate) fn self_adjoint_eigen(cx: &mut Cx<'_, '_>) -> Result<Vec<Gradient>> {
    let grad_values = cx.grad(0)?;
    let mut middle = cx.op("MatrixDiag", &[grad_values])?;
    let vectors = if cx.node().bool("compute_v")? {
        let (values, vectors, grad_vectors) = (cx.output(0), cx.output(1), cx.grad(1)?);
        let inverse = inverse_differences(cx, values)?;
        let turned = matmul(cx, Adjoint(vectors), Plain(grad_vectors))?;
        let scaled = mul(cx, inverse, turned)?;
        middle = add(cx, middle, scaled)?;
        vectors
    } else {
        let attrs = Attrs::new().with("compute_v", true);
        let node = cx.node_with("SelfAdjointEigV2", &[cx.input(0)], attrs)?;
        Endpoint { node, port: 1 }
    };
    let right = matmul(cx, Plain(middle), Adjoint(vectors))?;
    let grad = matmul(cx, Plain(vectors), Plain(right))?;
    let other = adjoint(cx, grad)?;
    let sum = add(cx, grad, other)?;
    let lower = lower_triangle(cx, sum)?;
    Ok(vec![Gradient::Dense(halve_diagonal(cx, lower)?)])
}

/// Eigenvalues of any square matrix, as long as they are distinct.
pub(crate) fn eigen(cx: &mut Cx<'_, '_>) -> Result<Vec<Gradient>> {
    let (input, grad_values) = (cx.input(0), cx.grad(0)?);
    let mut middle = cx.op("MatrixDiag", &[grad_values])?;
    let vectors = if cx.node().bool("compute_v")? {
        let (values, vectors, grad_vectors) = (cx.output(0), cx.output(1), cx.grad(1)?);
        let inverse = inverse_differences(cx, values)?;
        let inverse = cx.op("Conj", &[inverse])?;
        let turned = matmul(cx, Adjoint(vectors), Plain(grad_vectors))?;
        let diagonal = cx.op("MatrixDiagPart", &[turned])?;
        let conjugate = cx.op("Conj", &[diagonal])?;
        let real = add(cx, diagonal, conjugate)?;
        let real = half(cx, real)?;
        let real = cx.op("MatrixDiag", &[real])?;
        let gram = matmul(cx, Adjoint(vectors), Plain(vectors))?;
        let norms = matmul(cx, Plain(gram), Plain(real))?;
        let rest = sub(cx, turned, norms)?;
        let scaled = mul(cx, inverse, rest)?;
        middle = add(cx, middle, scaled)?;
        vectors
    } else {
        let attrs = Attrs::new().with("compute_v", true).with("Tout", cx.dtype(grad_values));
        let node = cx.node_with("Eig", &[input], attrs)?;
        Endpoint { node, port: 1 }
    };
    let vectors = adjoint(cx, vectors)?;
    let right = matmul(cx, Plain(middle), Plain(vectors))?;
    let grad = cx.op("MatrixSolve", &[vectors, right])?;
    let dtype = cx.dtype(input);
    if dtype == cx.dtype(grad) {
        return Ok(vec![Gradient::Dense(grad)]);
    }
    Ok(vec![Gradient::Dense(cx.op_with("Cast", &[grad], Attrs::new().with("DstT", dtype))?)])
}

pub(crate) fn svd(cx: &mut Cx<'_, '_>) -> Result<Vec<Gradient>> {
    let (matrix, grad_values) = (cx.input(0), cx.grad(0)?);
    let grad_values = cx.op("MatrixDiag", &[grad_values])?;
    if !cx.node().bool("compute_uv")? {
        let attrs = Attrs::new().with("compute_uv", true).with("full_matrices", false);
        let node = cx.node_with("Svd", &[matrix], attrs)?;
        let (u, v) = (Endpoint { node, port: 1 }, Endpoint { node, port: 2 });
        let right = matmul(cx, Plain(grad_values), Adjoint(v))?;
        return Ok(vec![Gradient::Dense(matmul(cx, Plain(u), Plain(right))?)]);
    }
    let (rows, columns) = known_size(cx, matrix)?;
    let full = cx.node().bool("full_matrices")?;
    if full && (rows - columns).abs() > 1 {
        return Err(cx.node().unsupported(format!(
            "the gradient of the full factors of a {rows} x {columns} matrix is not defined; set \
             full_matrices to false"
        )));
    }
    let (mut u, mut v, mut du, mut dv) = (cx.output(1), cx.output(2), cx.grad(1)?, cx.grad(2)?);
    // A tall matrix is the adjoint of a wide one, u and v exchanged.
    let tall = rows > columns;
    if tall {
        std::mem::swap(&mut u, &mut v);
        std::mem::swap(&mut du, &mut dv);
    }
    let grad = wide_svd(cx, [u, v, du, dv], grad_values, rows.min(columns), rows != columns, full)?;
    Ok(vec![Gradient::Dense(if tall { adjoint(cx, grad)? } else { grad })])
}

/// At most as many rows as columns.
fn wide_svd(
    cx: &mut Cx<'_, '_>,
    [u, v, du, dv]: [Endpoint; 4],
    grad_values: Endpoint,
    rows: i32,
    wide: bool,
    full: bool,
) -> Result<Endpoint> {
    let values = cx.output(0);
    let diagonal = cx.op("MatrixDiag", &[values])?;
    let squares = cx.op("Square", &[values])?;
    let inverse = inverse_differences(cx, squares)?;
    let inverse_values = safe_inverse(cx, values)?;
    let inverse_values = cx.op("MatrixDiag", &[inverse_values])?;
    let first = [(None, None), (None, Some(rows))];
    let (v1, dv1) = (cut(cx, v, &first)?, cut(cx, dv, &first)?);
    let turned_u = matmul(cx, Adjoint(u), Plain(du))?;
    let turned_v = matmul(cx, Adjoint(v1), Plain(dv1))?;
    let symmetric = |cx: &mut Cx<'_, '_>, turned: Endpoint| {
        let scaled = mul(cx, inverse, turned)?;
        let other = adjoint(cx, scaled)?;
        add(cx, scaled, other)
    };
    let (from_u, from_v) = (symmetric(cx, turned_u)?, symmetric(cx, turned_v)?);
    let from_u = matmul(cx, Plain(from_u), Plain(diagonal))?;
    let from_v = matmul(cx, Plain(diagonal), Plain(from_v))?;
    let middle = add(cx, grad_values, from_u)?;
    let middle = add(cx, middle, from_v)?;
    let right = matmul(cx, Plain(middle), Adjoint(v1))?;
    let mut grad = matmul(cx, Plain(u), Plain(right))?;
    if wide {
        let rest = adjoint(cx, dv1)?;
        let inside = matmul(cx, Plain(rest), Plain(v1))?;
        let inside = matmul(cx, Plain(inside), Adjoint(v1))?;
        let mut rest = sub(cx, rest, inside)?;
        if full {
            let second = [(None, None), (Some(rows), None)];
            let (v2, dv2) = (cut(cx, v, &second)?, cut(cx, dv, &second)?);
            let mixed = matmul(cx, Adjoint(v1), Plain(dv2))?;
            let mixed = matmul(cx, Plain(mixed), Adjoint(v2))?;
            rest = sub(cx, rest, mixed)?;
        }
        let scaled = matmul(cx, Plain(u), Plain(inverse_values))?;
        let outside = matmul(cx, Plain(scaled), Plain(rest))?;
        grad = add(cx, grad, outside)?;
    }
    if cx.dtype(u).is_complex() {
        // Singular vectors may turn in the complex plane, u and v together.
        let diagonal = cx.op("MatrixDiagPart", &[turned_v])?;
        let conjugate = cx.op("Conj", &[diagonal])?;
        let turn = sub(cx, diagonal, conjugate)?;
        let turn = neg(cx, turn)?;
        let turn = half(cx, turn)?;
        let turn = cx.op("MatrixDiag", &[turn])?;
        let turn = matmul(cx, Plain(inverse_values), Plain(turn))?;
        let right = matmul(cx, Plain(turn), Adjoint(v1))?;
        let turned = matmul(cx, Plain(u), Plain(right))?;
        grad = add(cx, grad, turned)?;
    }
    Ok(grad)
}
