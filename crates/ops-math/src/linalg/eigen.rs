//! SelfAdjointEig, SelfAdjointEigV2 and Eig: eigenvalues and vectors.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Complex64, Complex128, DataType, Result, Shape, Status, Tensor};

use super::batch::{each, square_size};
use super::field::{Field, dispatch_linalg};
use super::gradients;
use super::matrix::Matrix;
use super::schur::Schur;
use super::shapes;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for (name, types) in [
        ("SelfAdjointEigV2", "{double, float, half, complex64, complex128}"),
        ("BatchSelfAdjointEigV2", "{double, float}"),
    ] {
        let text = format!("{name}(input: T) -> (e: T, v: T)\ncompute_v: bool = true\nT: {types}");
        let spec = OpSpec::new(&text)?.shape(shapes::eigen).tolerance(1e-4);
        let spec = spec.gradient(gradients::self_adjoint_eigen);
        registry.add(spec, |_| Ok(KernelBox::function(self_adjoint)))?;
    }
    for (name, types) in
        [("SelfAdjointEig", "{double, float, half}"), ("BatchSelfAdjointEig", "{double, float}")]
    {
        let spec = OpSpec::new(&format!("{name}(input: T) -> (output: T)\nT: {types}"))?;
        let spec = spec.shape(joined_shape).tolerance(1e-4);
        registry.add(spec, |_| Ok(KernelBox::function(joined)))?;
    }
    let spec = OpSpec::new(
        "Eig(input: T) -> (e: Tout, v: Tout)
            compute_v: bool = true
            T: {float, double, complex64, complex128}
            Tout: {complex64, complex128}",
    )?;
    let spec = spec.gradient(gradients::eigen);
    registry.add(spec.shape(shapes::eigen).tolerance(1e-4), |_| Ok(KernelBox::function(general)))
}

/// Rounds after which rotations have long converged; each is a pass over all pairs.
const ROUNDS: usize = 60;

/// Eigenvalues in increasing order and their vectors as columns. Only the lower triangle is read.
fn hermitian<F: Field>(input: &Matrix<F>) -> (Vec<f64>, Matrix<F>) {
    let n = input.rows;
    let mut a = input.clone();
    for i in 0..n {
        a[(i, i)] = F::of(a[(i, i)].real_part());
        for j in i + 1..n {
            a[(i, j)] = a[(j, i)].conjugate();
        }
    }
    let mut v = Matrix::<F>::identity(n);
    for _ in 0..ROUNDS {
        let mut rotated = false;
        for p in 0..n {
            for q in p + 1..n {
                rotated |= rotate(&mut a, &mut v, p, q);
            }
        }
        if !rotated {
            break;
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| a[(i, i)].real_part().total_cmp(&a[(j, j)].real_part()));
    let mut vectors = Matrix::zeros(n, n);
    for (k, &j) in order.iter().enumerate() {
        for i in 0..n {
            vectors[(i, k)] = v[(i, j)];
        }
    }
    (order.iter().map(|&j| a[(j, j)].real_part()).collect(), vectors)
}

/// Makes element (p, q) zero by a unitary rotation; false when it already is.
fn rotate<F: Field>(a: &mut Matrix<F>, v: &mut Matrix<F>, p: usize, q: usize) -> bool {
    let off = a[(p, q)];
    let size = off.magnitude();
    let (app, aqq) = (a[(p, p)].real_part(), a[(q, q)].real_part());
    if size <= f64::EPSILON * (app.abs() * aqq.abs()).sqrt() * 0.1
        || size < f64::MIN_POSITIVE
        || !size.is_finite()
    {
        return false;
    }
    let zeta = (aqq - app) / (2.0 * size);
    let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
    let c = 1.0 / (1.0 + t * t).sqrt();
    let s = c * t;
    let phase = off.phase();
    for m in [&mut *a, v] {
        for i in 0..m.rows {
            let (x, y) = (m[(i, p)], m[(i, q)] * phase.conjugate());
            m[(i, p)] = x.scaled(c) - y.scaled(s);
            m[(i, q)] = x.scaled(s) + y.scaled(c);
        }
    }
    for i in 0..a.columns {
        let (x, y) = (a[(p, i)], a[(q, i)] * phase);
        a[(p, i)] = x.scaled(c) - y.scaled(s);
        a[(q, i)] = x.scaled(s) + y.scaled(c);
    }
    a[(p, q)] = F::ZERO;
    a[(q, p)] = F::ZERO;
    a[(p, p)] = F::of(a[(p, p)].real_part());
    a[(q, q)] = F::of(a[(q, q)].real_part());
    true
}

fn check_finite<F: Field>(matrix: &Matrix<F>) -> Result<()> {
    if matrix.data.iter().all(|v| v.magnitude().is_finite()) {
        return Ok(());
    }
    Err(Status::invalid_argument(
        "Eigen decomposition was not successful. The input might not be valid.",
    ))
}

fn self_adjoint(cx: &mut OpContext<'_>) -> Result<()> {
    let op = cx.node().op_name();
    let vectors = cx.node().bool("compute_v")?;
    let input = cx.input(0);
    let n = square_size(op, input, 0)?;
    let (e, v) = dispatch_linalg!(input.dtype(), op, T => {
        let solved = each::<T>(cx, &[input], 2, |m| {
            check_finite(&m[0])?;
            let (e, v) = hermitian(&m[0]);
            Ok(vec![e.into_iter().map(Field::of).collect(), v.data])
        })?;
        let e = solved.tensor::<T>(0, &[n])?;
        let v = if vectors { solved.tensor::<T>(1, &[n, n])? } else { Tensor::new(input.dtype(), [0])? };
        Ok((e, v))
    })?;
    cx.set_output(0, e);
    cx.set_output(1, v);
    Ok(())
}

/// The older form: the values as a row above the vectors.
fn joined(cx: &mut OpContext<'_>) -> Result<()> {
    let op = cx.node().op_name();
    let input = cx.input(0);
    let n = square_size(op, input, 0)?;
    let output = dispatch_linalg!(input.dtype(), op, T => {
        each::<T>(cx, &[input], 1, |m| {
            check_finite(&m[0])?;
            let (e, v) = hermitian(&m[0]);
            let mut all: Vec<_> = e.into_iter().map(Field::of).collect();
            all.extend(v.data);
            Ok(vec![all])
        })?.tensor::<T>(0, &[n + 1, n])
    })?;
    cx.set_output(0, output);
    Ok(())
}

fn joined_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (batch, n) = shapes::split_square(cx, 0)?;
    cx.set_output(0, batch.concat(&PartialShape::matrix(n.map(|n| n + 1), n)));
    Ok(())
}

fn general(cx: &mut OpContext<'_>) -> Result<()> {
    let op = cx.node().op_name();
    let vectors = cx.node().bool("compute_v")?;
    let input = cx.input(0);
    let n = square_size(op, input, 0)?;
    let out_type = cx.node().output_dtype(0);
    let wide = matches!(input.dtype(), DataType::Double | DataType::Complex128);
    if wide != (out_type == DataType::Complex128) {
        return Err(Status::invalid_argument(format!(
            "Invalid output dtype {out_type} for an input of {}",
            input.dtype()
        )));
    }
    let complex = dispatch_linalg!(input.dtype(), op, T => {
        use super::field::LinalgElement;
        let values = input.as_slice::<T>()?.iter().map(|v| v.widen().to_complex()).collect();
        Tensor::from_vec::<Complex128>(input.shape(), values)
    })?;
    let solved = each::<Complex128>(cx, &[&complex], 2, |m| {
        check_finite(&m[0])?;
        let schur = Schur::new(m[0].clone())?;
        let values = (0..n).map(|i| schur.t[(i, i)]).collect();
        let vectors = if vectors { schur.vectors().data } else { Vec::new() };
        Ok(vec![values, vectors])
    })?;
    let batch = &solved.batch;
    let tensor = |values: &[Complex128], inner: &[usize]| {
        let shape: Shape = batch.iter().chain(inner).copied().collect();
        match out_type {
            DataType::Complex128 => Tensor::from_slice(shape, values),
            _ => {
                let narrow = values.iter().map(|v| Complex64::new(v.re as f32, v.im as f32));
                Tensor::from_vec(shape, narrow.collect())
            }
        }
    };
    let e = tensor(&solved.outputs[0], &[n])?;
    let v =
        if vectors { tensor(&solved.outputs[1], &[n, n])? } else { Tensor::new(out_type, [0])? };
    cx.set_output(0, e);
    cx.set_output(1, v);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn symmetric_and_hermitian() {
        let a = Tensor::from_vec([2, 2], vec![2f64, 99., 1., 2.]).unwrap();
        let out = OpTest::new(register, "SelfAdjointEigV2").input(a).run().unwrap();
        let e = out[0].as_slice::<f64>().unwrap();
        assert!((e[0] - 1.0).abs() < 1e-12 && (e[1] - 3.0).abs() < 1e-12);
        let n = 5;
        let mut a = Matrix::zeros(n, n);
        for i in 0..n {
            for j in 0..=i {
                let im = if i == j { 0.0 } else { (i + j) as f64 };
                a[(i, j)] = Complex128::new((i * 3 % 4) as f64 - j as f64, im);
                a[(j, i)] = a[(i, j)].conj();
            }
        }
        let (e, v) = hermitian(&a);
        let av = a.times(&v);
        for i in 0..n {
            for k in 0..n {
                assert!((av[(i, k)] - v[(i, k)] * e[k]).norm() < 1e-10);
            }
        }
    }

    #[test]
    fn general_matrices() {
        // A rotation by a right angle has the eigenvalues i and -i.
        let a = Tensor::from_vec([2, 2], vec![0f64, -1., 1., 0.]).unwrap();
        let run = |a: Tensor, out: DataType| {
            OpTest::new(register, "Eig").input(a).attr("Tout", out).run()
        };
        let out = run(a.clone(), DataType::Complex128).unwrap();
        let e = out[0].as_slice::<Complex128>().unwrap();
        assert!((e[0] * e[1] - 1.0).norm() < 1e-12 && (e[0] + e[1]).norm() < 1e-12);
        assert!(
            run(a, DataType::Complex64).unwrap_err().to_string().contains("Invalid output dtype")
        );
        let n = 6;
        let values: Vec<f64> = (0..n * n).map(|i| ((i * 7 + i / 5) % 11) as f64 - 4.0).collect();
        let out =
            run(Tensor::from_vec([n, n], values.clone()).unwrap(), DataType::Complex128).unwrap();
        let (e, v) =
            (out[0].as_slice::<Complex128>().unwrap(), out[1].as_slice::<Complex128>().unwrap());
        for i in 0..n {
            for k in 0..n {
                let av: Complex128 = (0..n).map(|j| v[j * n + k] * values[i * n + j]).sum();
                assert!((av - v[i * n + k] * e[k]).norm() < 1e-8);
            }
        }
    }
}
