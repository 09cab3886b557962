//! Operations of the family `math`. Generated from their definitions by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these a family needs depends on its operations
use super::support::*;

/// `All(input, reduction_indices) -> (output)`.
///
/// * `input`: bool
/// * `reduction_indices`: `Tidx` (int32, int64)
/// * gives `output`: bool
///
/// Gradients do not flow through it.
pub fn all(input: &Output, reduction_indices: &Output) -> All {
    let node = NodeBuilder::new("All").input(input).input(reduction_indices);
    All(node)
}

/// A `All` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct All(NodeBuilder);

impl All {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> All {
        self.0.set("keep_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> All {
        All(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Any(input, reduction_indices) -> (output)`.
///
/// * `input`: bool
/// * `reduction_indices`: `Tidx` (int32, int64)
/// * gives `output`: bool
///
/// Gradients do not flow through it.
pub fn any(input: &Output, reduction_indices: &Output) -> Any {
    let node = NodeBuilder::new("Any").input(input).input(reduction_indices);
    Any(node)
}

/// A `Any` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Any(NodeBuilder);

impl Any {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> Any {
        self.0.set("keep_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Any {
        Any(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ArgMax(input, dimension) -> (output)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8, qint32, qint16, quint16, bool)
/// * `dimension`: `Tidx` (int16, int32, int64)
/// * gives `output`: `output_type` (int16, uint16, int32, int64)
///
/// Gradients do not flow through it.
pub fn arg_max(input: &Output, dimension: &Output) -> ArgMax {
    let node = NodeBuilder::new("ArgMax").input(input).input(dimension);
    ArgMax(node)
}

/// A `ArgMax` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ArgMax(NodeBuilder);

impl ArgMax {
    /// The attribute `output_type`; int64 unless set.
    pub fn output_type(mut self, value: DataType) -> ArgMax {
        self.0.set("output_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ArgMax {
        ArgMax(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ArgMin(input, dimension) -> (output)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8, qint32, qint16, quint16, bool)
/// * `dimension`: `Tidx` (int32, int64)
/// * gives `output`: `output_type` (int32, int64)
///
/// Gradients do not flow through it.
pub fn arg_min(input: &Output, dimension: &Output) -> ArgMin {
    let node = NodeBuilder::new("ArgMin").input(input).input(dimension);
    ArgMin(node)
}

/// A `ArgMin` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ArgMin(NodeBuilder);

impl ArgMin {
    /// The attribute `output_type`; int64 unless set.
    pub fn output_type(mut self, value: DataType) -> ArgMin {
        self.0.set("output_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ArgMin {
        ArgMin(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `BandedTriangularSolve(matrix, rhs) -> (output)`.
///
/// * `matrix`: `T` (double, float, half, complex64, complex128)
/// * `rhs`: `T` (double, float, half, complex64, complex128)
/// * gives `output`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn banded_triangular_solve(matrix: &Output, rhs: &Output) -> BandedTriangularSolve {
    let node = NodeBuilder::new("BandedTriangularSolve").input(matrix).input(rhs);
    BandedTriangularSolve(node)
}

/// A `BandedTriangularSolve` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BandedTriangularSolve(NodeBuilder);

impl BandedTriangularSolve {
    /// The attribute `lower`; `true` unless set.
    pub fn lower(mut self, value: bool) -> BandedTriangularSolve {
        self.0.set("lower", value.into());
        self
    }

    /// The attribute `adjoint`; `false` unless set.
    pub fn adjoint(mut self, value: bool) -> BandedTriangularSolve {
        self.0.set("adjoint", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BandedTriangularSolve {
        BandedTriangularSolve(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `BatchCholesky(input) -> (output)`.
///
/// * `input`: `T` (double, float)
/// * gives `output`: `T` (double, float)
///
/// Differentiable.
pub fn batch_cholesky(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchCholesky").input(input);
    ForOutput(node)
}

/// `BatchCholeskyGrad(l, grad) -> (output)`.
///
/// * `l`: `T` (float, double)
/// * `grad`: `T` (float, double)
/// * gives `output`: `T` (float, double)
///
/// Has no gradient.
pub fn batch_cholesky_grad(l: &Output, grad: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchCholeskyGrad").input(l).input(grad);
    ForOutput(node)
}

/// `BatchFFT(input) -> (output)`.
///
/// * `input`: complex64
/// * gives `output`: complex64
///
/// Has no gradient.
pub fn batch_fft(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchFFT").input(input);
    ForOutput(node)
}

/// `BatchFFT2D(input) -> (output)`.
///
/// * `input`: complex64
/// * gives `output`: complex64
///
/// Has no gradient.
pub fn batch_fft2d(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchFFT2D").input(input);
    ForOutput(node)
}

/// `BatchFFT3D(input) -> (output)`.
///
/// * `input`: complex64
/// * gives `output`: complex64
///
/// Has no gradient.
pub fn batch_fft3d(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchFFT3D").input(input);
    ForOutput(node)
}

/// `BatchIFFT(input) -> (output)`.
///
/// * `input`: complex64
/// * gives `output`: complex64
///
/// Has no gradient.
pub fn batch_ifft(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchIFFT").input(input);
    ForOutput(node)
}

/// `BatchIFFT2D(input) -> (output)`.
///
/// * `input`: complex64
/// * gives `output`: complex64
///
/// Has no gradient.
pub fn batch_ifft2d(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchIFFT2D").input(input);
    ForOutput(node)
}

/// `BatchIFFT3D(input) -> (output)`.
///
/// * `input`: complex64
/// * gives `output`: complex64
///
/// Has no gradient.
pub fn batch_ifft3d(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchIFFT3D").input(input);
    ForOutput(node)
}

/// `BatchMatMul(x, y) -> (output)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
/// * `y`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
/// * gives `output`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
///
/// Differentiable.
pub fn batch_mat_mul(x: &Output, y: &Output) -> BatchMatMul {
    let node = NodeBuilder::new("BatchMatMul").input(x).input(y);
    BatchMatMul(node)
}

/// A `BatchMatMul` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchMatMul(NodeBuilder);

impl BatchMatMul {
    /// The attribute `adj_x`; `false` unless set.
    pub fn adj_x(mut self, value: bool) -> BatchMatMul {
        self.0.set("adj_x", value.into());
        self
    }

    /// The attribute `adj_y`; `false` unless set.
    pub fn adj_y(mut self, value: bool) -> BatchMatMul {
        self.0.set("adj_y", value.into());
        self
    }

    /// The attribute `grad_x`; `false` unless set.
    pub fn grad_x(mut self, value: bool) -> BatchMatMul {
        self.0.set("grad_x", value.into());
        self
    }

    /// The attribute `grad_y`; `false` unless set.
    pub fn grad_y(mut self, value: bool) -> BatchMatMul {
        self.0.set("grad_y", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchMatMul {
        BatchMatMul(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `BatchMatMulV2(x, y) -> (output)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128)
/// * `y`: `T` (bfloat16, half, float, double, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128)
/// * gives `output`: `T` (bfloat16, half, float, double, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128)
///
/// Differentiable.
pub fn batch_mat_mul_v2(x: &Output, y: &Output) -> BatchMatMulV2 {
    let node = NodeBuilder::new("BatchMatMulV2").input(x).input(y);
    BatchMatMulV2(node)
}

/// A `BatchMatMulV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchMatMulV2(NodeBuilder);

impl BatchMatMulV2 {
    /// The attribute `adj_x`; `false` unless set.
    pub fn adj_x(mut self, value: bool) -> BatchMatMulV2 {
        self.0.set("adj_x", value.into());
        self
    }

    /// The attribute `adj_y`; `false` unless set.
    pub fn adj_y(mut self, value: bool) -> BatchMatMulV2 {
        self.0.set("adj_y", value.into());
        self
    }

    /// The attribute `grad_x`; `false` unless set.
    pub fn grad_x(mut self, value: bool) -> BatchMatMulV2 {
        self.0.set("grad_x", value.into());
        self
    }

    /// The attribute `grad_y`; `false` unless set.
    pub fn grad_y(mut self, value: bool) -> BatchMatMulV2 {
        self.0.set("grad_y", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchMatMulV2 {
        BatchMatMulV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `BatchMatMulV3(x, y) -> (output)`.
///
/// * `x`: `Ta` (bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128)
/// * `y`: `Tb` (bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128)
/// * `Tout`: attribute, type, one of bfloat16, half, float, double, int16, int32, int64, complex64, complex128
/// * gives `output`: `Tout` (bfloat16, half, float, double, int16, int32, int64, complex64, complex128)
///
/// Differentiable.
pub fn batch_mat_mul_v3(x: &Output, y: &Output, tout: DataType) -> BatchMatMulV3 {
    let mut node = NodeBuilder::new("BatchMatMulV3").input(x).input(y);
    node.set("Tout", tout.into());
    BatchMatMulV3(node)
}

/// A `BatchMatMulV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchMatMulV3(NodeBuilder);

impl BatchMatMulV3 {
    /// The attribute `adj_x`; `false` unless set.
    pub fn adj_x(mut self, value: bool) -> BatchMatMulV3 {
        self.0.set("adj_x", value.into());
        self
    }

    /// The attribute `adj_y`; `false` unless set.
    pub fn adj_y(mut self, value: bool) -> BatchMatMulV3 {
        self.0.set("adj_y", value.into());
        self
    }

    /// The attribute `grad_x`; `false` unless set.
    pub fn grad_x(mut self, value: bool) -> BatchMatMulV3 {
        self.0.set("grad_x", value.into());
        self
    }

    /// The attribute `grad_y`; `false` unless set.
    pub fn grad_y(mut self, value: bool) -> BatchMatMulV3 {
        self.0.set("grad_y", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchMatMulV3 {
        BatchMatMulV3(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `BatchMatrixDeterminant(input) -> (output)`.
///
/// * `input`: `T` (float, double, complex64, complex128)
/// * gives `output`: `T` (float, double, complex64, complex128)
///
/// Differentiable.
pub fn batch_matrix_determinant(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchMatrixDeterminant").input(input);
    ForOutput(node)
}

/// `BatchMatrixInverse(input) -> (output)`.
///
/// * `input`: `T` (double, float)
/// * gives `output`: `T` (double, float)
///
/// Differentiable.
pub fn batch_matrix_inverse(input: &Output) -> BatchMatrixInverse {
    let node = NodeBuilder::new("BatchMatrixInverse").input(input);
    BatchMatrixInverse(node)
}

/// A `BatchMatrixInverse` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchMatrixInverse(NodeBuilder);

impl BatchMatrixInverse {
    /// The attribute `adjoint`; `false` unless set.
    pub fn adjoint(mut self, value: bool) -> BatchMatrixInverse {
        self.0.set("adjoint", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchMatrixInverse {
        BatchMatrixInverse(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `BatchMatrixSolve(matrix, rhs) -> (output)`.
///
/// * `matrix`: `T` (double, float)
/// * `rhs`: `T` (double, float)
/// * gives `output`: `T` (double, float)
///
/// Differentiable.
pub fn batch_matrix_solve(matrix: &Output, rhs: &Output) -> BatchMatrixSolve {
    let node = NodeBuilder::new("BatchMatrixSolve").input(matrix).input(rhs);
    BatchMatrixSolve(node)
}

/// A `BatchMatrixSolve` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchMatrixSolve(NodeBuilder);

impl BatchMatrixSolve {
    /// The attribute `adjoint`; `false` unless set.
    pub fn adjoint(mut self, value: bool) -> BatchMatrixSolve {
        self.0.set("adjoint", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchMatrixSolve {
        BatchMatrixSolve(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `BatchMatrixSolveLs(matrix, rhs, l2_regularizer) -> (output)`.
///
/// * `matrix`: `T` (double, float)
/// * `rhs`: `T` (double, float)
/// * `l2_regularizer`: double
/// * gives `output`: `T` (double, float)
///
/// Differentiable.
pub fn batch_matrix_solve_ls(
    matrix: &Output,
    rhs: &Output,
    l2_regularizer: &Output,
) -> BatchMatrixSolveLs {
    let node =
        NodeBuilder::new("BatchMatrixSolveLs").input(matrix).input(rhs).input(l2_regularizer);
    BatchMatrixSolveLs(node)
}

/// A `BatchMatrixSolveLs` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchMatrixSolveLs(NodeBuilder);

impl BatchMatrixSolveLs {
    /// The attribute `fast`; `true` unless set.
    pub fn fast(mut self, value: bool) -> BatchMatrixSolveLs {
        self.0.set("fast", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchMatrixSolveLs {
        BatchMatrixSolveLs(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `BatchMatrixTriangularSolve(matrix, rhs) -> (output)`.
///
/// * `matrix`: `T` (double, float)
/// * `rhs`: `T` (double, float)
/// * gives `output`: `T` (double, float)
///
/// Differentiable.
pub fn batch_matrix_triangular_solve(matrix: &Output, rhs: &Output) -> BatchMatrixTriangularSolve {
    let node = NodeBuilder::new("BatchMatrixTriangularSolve").input(matrix).input(rhs);
    BatchMatrixTriangularSolve(node)
}

/// A `BatchMatrixTriangularSolve` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchMatrixTriangularSolve(NodeBuilder);

impl BatchMatrixTriangularSolve {
    /// The attribute `lower`; `true` unless set.
    pub fn lower(mut self, value: bool) -> BatchMatrixTriangularSolve {
        self.0.set("lower", value.into());
        self
    }

    /// The attribute `adjoint`; `false` unless set.
    pub fn adjoint(mut self, value: bool) -> BatchMatrixTriangularSolve {
        self.0.set("adjoint", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchMatrixTriangularSolve {
        BatchMatrixTriangularSolve(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `BatchSelfAdjointEig(input) -> (output)`.
///
/// * `input`: `T` (double, float)
/// * gives `output`: `T` (double, float)
///
/// Has no gradient.
pub fn batch_self_adjoint_eig(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchSelfAdjointEig").input(input);
    ForOutput(node)
}

/// `BatchSelfAdjointEigV2(input) -> (e, v)`.
///
/// * `input`: `T` (double, float)
/// * gives `e`: `T` (double, float)
/// * gives `v`: `T` (double, float)
///
/// Differentiable.
pub fn batch_self_adjoint_eig_v2(input: &Output) -> BatchSelfAdjointEigV2 {
    let node = NodeBuilder::new("BatchSelfAdjointEigV2").input(input);
    BatchSelfAdjointEigV2(node)
}

/// A `BatchSelfAdjointEigV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchSelfAdjointEigV2(NodeBuilder);

impl BatchSelfAdjointEigV2 {
    /// The attribute `compute_v`; `true` unless set.
    pub fn compute_v(mut self, value: bool) -> BatchSelfAdjointEigV2 {
        self.0.set("compute_v", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchSelfAdjointEigV2 {
        BatchSelfAdjointEigV2(self.0.name(name))
    }

    /// Adds the node and gives (`e`, `v`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `BatchSvd(input) -> (s, u, v)`.
///
/// * `input`: `T` (double, float, complex64, complex128)
/// * gives `s`: `T` (double, float, complex64, complex128)
/// * gives `u`: `T` (double, float, complex64, complex128)
/// * gives `v`: `T` (double, float, complex64, complex128)
///
/// Differentiable.
pub fn batch_svd(input: &Output) -> BatchSvd {
    let node = NodeBuilder::new("BatchSvd").input(input);
    BatchSvd(node)
}

/// A `BatchSvd` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchSvd(NodeBuilder);

impl BatchSvd {
    /// The attribute `compute_uv`; `true` unless set.
    pub fn compute_uv(mut self, value: bool) -> BatchSvd {
        self.0.set("compute_uv", value.into());
        self
    }

    /// The attribute `full_matrices`; `false` unless set.
    pub fn full_matrices(mut self, value: bool) -> BatchSvd {
        self.0.set("full_matrices", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchSvd {
        BatchSvd(self.0.name(name))
    }

    /// Adds the node and gives (`s`, `u`, `v`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `Bincount(arr, size, weights) -> (bins)`.
///
/// * `arr`: int32
/// * `size`: int32
/// * `weights`: `T` (int32, int64, float, double)
/// * gives `bins`: `T` (int32, int64, float, double)
///
/// Gradients do not flow through it.
pub fn bincount(arr: &Output, size: &Output, weights: &Output) -> ForOutput {
    let node = NodeBuilder::new("Bincount").input(arr).input(size).input(weights);
    ForOutput(node)
}

/// `Cholesky(input) -> (output)`.
///
/// * `input`: `T` (double, float, half, complex64, complex128)
/// * gives `output`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn cholesky(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("Cholesky").input(input);
    ForOutput(node)
}

/// `CholeskyGrad(l, grad) -> (output)`.
///
/// * `l`: `T` (half, float, double)
/// * `grad`: `T` (half, float, double)
/// * gives `output`: `T` (half, float, double)
///
/// Has no gradient.
pub fn cholesky_grad(l: &Output, grad: &Output) -> ForOutput {
    let node = NodeBuilder::new("CholeskyGrad").input(l).input(grad);
    ForOutput(node)
}

/// `Cross(a, b) -> (product)`.
///
/// * `a`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `b`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `product`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn cross(a: &Output, b: &Output) -> ForOutput {
    let node = NodeBuilder::new("Cross").input(a).input(b);
    ForOutput(node)
}

/// `Cumprod(x, axis) -> (out)`.
///
/// * `x`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `axis`: `Tidx` (int32, int64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn cumprod(x: &Output, axis: &Output) -> Cumprod {
    let node = NodeBuilder::new("Cumprod").input(x).input(axis);
    Cumprod(node)
}

/// A `Cumprod` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Cumprod(NodeBuilder);

impl Cumprod {
    /// The attribute `exclusive`; `false` unless set.
    pub fn exclusive(mut self, value: bool) -> Cumprod {
        self.0.set("exclusive", value.into());
        self
    }

    /// The attribute `reverse`; `false` unless set.
    pub fn reverse(mut self, value: bool) -> Cumprod {
        self.0.set("reverse", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Cumprod {
        Cumprod(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Cumsum(x, axis) -> (out)`.
///
/// * `x`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `axis`: `Tidx` (int32, int64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn cumsum(x: &Output, axis: &Output) -> Cumsum {
    let node = NodeBuilder::new("Cumsum").input(x).input(axis);
    Cumsum(node)
}

/// A `Cumsum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Cumsum(NodeBuilder);

impl Cumsum {
    /// The attribute `exclusive`; `false` unless set.
    pub fn exclusive(mut self, value: bool) -> Cumsum {
        self.0.set("exclusive", value.into());
        self
    }

    /// The attribute `reverse`; `false` unless set.
    pub fn reverse(mut self, value: bool) -> Cumsum {
        self.0.set("reverse", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Cumsum {
        Cumsum(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `CumulativeLogsumexp(x, axis) -> (out)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * `axis`: `Tidx` (int32, int64)
/// * gives `out`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn cumulative_logsumexp(x: &Output, axis: &Output) -> CumulativeLogsumexp {
    let node = NodeBuilder::new("CumulativeLogsumexp").input(x).input(axis);
    CumulativeLogsumexp(node)
}

/// A `CumulativeLogsumexp` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CumulativeLogsumexp(NodeBuilder);

impl CumulativeLogsumexp {
    /// The attribute `exclusive`; `false` unless set.
    pub fn exclusive(mut self, value: bool) -> CumulativeLogsumexp {
        self.0.set("exclusive", value.into());
        self
    }

    /// The attribute `reverse`; `false` unless set.
    pub fn reverse(mut self, value: bool) -> CumulativeLogsumexp {
        self.0.set("reverse", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CumulativeLogsumexp {
        CumulativeLogsumexp(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `DenseBincount(input, size, weights) -> (output)`.
///
/// * `input`: `Tidx` (int32, int64)
/// * `size`: `Tidx` (int32, int64)
/// * `weights`: `T` (int32, int64, float, double)
/// * gives `output`: `T` (int32, int64, float, double)
///
/// Gradients do not flow through it.
pub fn dense_bincount(input: &Output, size: &Output, weights: &Output) -> DenseBincount {
    let node = NodeBuilder::new("DenseBincount").input(input).input(size).input(weights);
    DenseBincount(node)
}

/// A `DenseBincount` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DenseBincount(NodeBuilder);

impl DenseBincount {
    /// The attribute `binary_output`; `false` unless set.
    pub fn binary_output(mut self, value: bool) -> DenseBincount {
        self.0.set("binary_output", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DenseBincount {
        DenseBincount(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Eig(input) -> (e, v)`.
///
/// * `input`: `T` (float, double, complex64, complex128)
/// * `Tout`: attribute, type, one of complex64, complex128
/// * gives `e`: `Tout` (complex64, complex128)
/// * gives `v`: `Tout` (complex64, complex128)
///
/// Differentiable.
pub fn eig(input: &Output, tout: DataType) -> Eig {
    let mut node = NodeBuilder::new("Eig").input(input);
    node.set("Tout", tout.into());
    Eig(node)
}

/// A `Eig` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Eig(NodeBuilder);

impl Eig {
    /// The attribute `compute_v`; `true` unless set.
    pub fn compute_v(mut self, value: bool) -> Eig {
        self.0.set("compute_v", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Eig {
        Eig(self.0.name(name))
    }

    /// Adds the node and gives (`e`, `v`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `Einsum(inputs) -> (output)`.
///
/// * `inputs`: `N` values of `T` (any type)
/// * `equation`: attribute, string
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn einsum(inputs: &[Output], equation: &str) -> ForOutput {
    let mut node = NodeBuilder::new("Einsum").list(inputs);
    node.set("equation", text(equation));
    ForOutput(node)
}

/// `EuclideanNorm(input, reduction_indices) -> (output)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `reduction_indices`: `Tidx` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn euclidean_norm(input: &Output, reduction_indices: &Output) -> EuclideanNorm {
    let node = NodeBuilder::new("EuclideanNorm").input(input).input(reduction_indices);
    EuclideanNorm(node)
}

/// A `EuclideanNorm` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct EuclideanNorm(NodeBuilder);

impl EuclideanNorm {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> EuclideanNorm {
        self.0.set("keep_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> EuclideanNorm {
        EuclideanNorm(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `FFT(input) -> (output)`.
///
/// * `input`: `Tcomplex` (complex64, complex128)
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Differentiable.
pub fn fft(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("FFT").input(input);
    ForOutput(node)
}

/// `FFT2D(input) -> (output)`.
///
/// * `input`: `Tcomplex` (complex64, complex128)
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Differentiable.
pub fn fft2d(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("FFT2D").input(input);
    ForOutput(node)
}

/// `FFT3D(input) -> (output)`.
///
/// * `input`: `Tcomplex` (complex64, complex128)
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Differentiable.
pub fn fft3d(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("FFT3D").input(input);
    ForOutput(node)
}

/// `FFTND(input, fft_length, axes) -> (output)`.
///
/// * `input`: `Tcomplex` (complex64, complex128)
/// * `fft_length`: int32
/// * `axes`: int32
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Has no gradient.
pub fn fftnd(input: &Output, fft_length: &Output, axes: &Output) -> ForOutput {
    let node = NodeBuilder::new("FFTND").input(input).input(fft_length).input(axes);
    ForOutput(node)
}

/// `HistogramFixedWidth(values, value_range, nbins) -> (out)`.
///
/// * `values`: `T` (int32, int64, float, double)
/// * `value_range`: `T` (int32, int64, float, double)
/// * `nbins`: int32
/// * gives `out`: `dtype` (int32, int64)
///
/// Gradients do not flow through it.
pub fn histogram_fixed_width(
    values: &Output,
    value_range: &Output,
    nbins: &Output,
) -> HistogramFixedWidth {
    let node =
        NodeBuilder::new("HistogramFixedWidth").input(values).input(value_range).input(nbins);
    HistogramFixedWidth(node)
}

/// A `HistogramFixedWidth` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct HistogramFixedWidth(NodeBuilder);

impl HistogramFixedWidth {
    /// The attribute `dtype`; int32 unless set.
    pub fn dtype(mut self, value: DataType) -> HistogramFixedWidth {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> HistogramFixedWidth {
        HistogramFixedWidth(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `IFFT(input) -> (output)`.
///
/// * `input`: `Tcomplex` (complex64, complex128)
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Differentiable.
pub fn ifft(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("IFFT").input(input);
    ForOutput(node)
}

/// `IFFT2D(input) -> (output)`.
///
/// * `input`: `Tcomplex` (complex64, complex128)
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Differentiable.
pub fn ifft2d(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("IFFT2D").input(input);
    ForOutput(node)
}

/// `IFFT3D(input) -> (output)`.
///
/// * `input`: `Tcomplex` (complex64, complex128)
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Differentiable.
pub fn ifft3d(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("IFFT3D").input(input);
    ForOutput(node)
}

/// `IFFTND(input, fft_length, axes) -> (output)`.
///
/// * `input`: `Tcomplex` (complex64, complex128)
/// * `fft_length`: int32
/// * `axes`: int32
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Has no gradient.
pub fn ifftnd(input: &Output, fft_length: &Output, axes: &Output) -> ForOutput {
    let node = NodeBuilder::new("IFFTND").input(input).input(fft_length).input(axes);
    ForOutput(node)
}

/// `IRFFT(input, fft_length) -> (output)`.
///
/// * `input`: `Tcomplex` (complex64, complex128)
/// * `fft_length`: int32
/// * gives `output`: `Treal` (float, double)
///
/// Differentiable.
pub fn irfft(input: &Output, fft_length: &Output) -> IRFFT {
    let node = NodeBuilder::new("IRFFT").input(input).input(fft_length);
    IRFFT(node)
}

/// A `IRFFT` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct IRFFT(NodeBuilder);

impl IRFFT {
    /// The attribute `Treal`; float unless set.
    pub fn treal(mut self, value: DataType) -> IRFFT {
        self.0.set("Treal", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> IRFFT {
        IRFFT(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `IRFFT2D(input, fft_length) -> (output)`.
///
/// * `input`: `Tcomplex` (complex64, complex128)
/// * `fft_length`: int32
/// * gives `output`: `Treal` (float, double)
///
/// Differentiable.
pub fn irfft2d(input: &Output, fft_length: &Output) -> IRFFT2D {
    let node = NodeBuilder::new("IRFFT2D").input(input).input(fft_length);
    IRFFT2D(node)
}

/// A `IRFFT2D` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct IRFFT2D(NodeBuilder);

impl IRFFT2D {
    /// The attribute `Treal`; float unless set.
    pub fn treal(mut self, value: DataType) -> IRFFT2D {
        self.0.set("Treal", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> IRFFT2D {
        IRFFT2D(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `IRFFT3D(input, fft_length) -> (output)`.
///
/// * `input`: `Tcomplex` (complex64, complex128)
/// * `fft_length`: int32
/// * gives `output`: `Treal` (float, double)
///
/// Has no gradient.
pub fn irfft3d(input: &Output, fft_length: &Output) -> IRFFT3D {
    let node = NodeBuilder::new("IRFFT3D").input(input).input(fft_length);
    IRFFT3D(node)
}

/// A `IRFFT3D` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct IRFFT3D(NodeBuilder);

impl IRFFT3D {
    /// The attribute `Treal`; float unless set.
    pub fn treal(mut self, value: DataType) -> IRFFT3D {
        self.0.set("Treal", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> IRFFT3D {
        IRFFT3D(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `IRFFTND(input, fft_length, axes) -> (output)`.
///
/// * `input`: `Tcomplex` (complex64, complex128)
/// * `fft_length`: int32
/// * `axes`: int32
/// * gives `output`: `Treal` (float, double)
///
/// Has no gradient.
pub fn irfftnd(input: &Output, fft_length: &Output, axes: &Output) -> IRFFTND {
    let node = NodeBuilder::new("IRFFTND").input(input).input(fft_length).input(axes);
    IRFFTND(node)
}

/// A `IRFFTND` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct IRFFTND(NodeBuilder);

impl IRFFTND {
    /// The attribute `Treal`; float unless set.
    pub fn treal(mut self, value: DataType) -> IRFFTND {
        self.0.set("Treal", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> IRFFTND {
        IRFFTND(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `L2Loss(t) -> (output)`.
///
/// * `t`: `T` (half, bfloat16, float, double)
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn l2_loss(t: &Output) -> ForOutput {
    let node = NodeBuilder::new("L2Loss").input(t);
    ForOutput(node)
}

/// `LogMatrixDeterminant(input) -> (sign, log_abs_determinant)`.
///
/// * `input`: `T` (double, float, half, complex64, complex128)
/// * gives `sign`: `T` (double, float, half, complex64, complex128)
/// * gives `log_abs_determinant`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn log_matrix_determinant(input: &Output) -> LogMatrixDeterminant {
    let node = NodeBuilder::new("LogMatrixDeterminant").input(input);
    LogMatrixDeterminant(node)
}

/// A `LogMatrixDeterminant` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LogMatrixDeterminant(NodeBuilder);

impl LogMatrixDeterminant {
    /// Names the node.
    pub fn name(self, name: &str) -> LogMatrixDeterminant {
        LogMatrixDeterminant(self.0.name(name))
    }

    /// Adds the node and gives (`sign`, `log_abs_determinant`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `Lu(input) -> (lu, p)`.
///
/// * `input`: `T` (double, float, half, complex64, complex128)
/// * gives `lu`: `T` (double, float, half, complex64, complex128)
/// * gives `p`: `output_idx_type` (int32, int64)
///
/// Has no gradient.
pub fn lu(input: &Output) -> Lu {
    let node = NodeBuilder::new("Lu").input(input);
    Lu(node)
}

/// A `Lu` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Lu(NodeBuilder);

impl Lu {
    /// The attribute `output_idx_type`; int32 unless set.
    pub fn output_idx_type(mut self, value: DataType) -> Lu {
        self.0.set("output_idx_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Lu {
        Lu(self.0.name(name))
    }

    /// Adds the node and gives (`lu`, `p`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `MatMul(a, b) -> (product)`.
///
/// * `a`: `T` (bfloat16, half, float, double, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128)
/// * `b`: `T` (bfloat16, half, float, double, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128)
/// * gives `product`: `T` (bfloat16, half, float, double, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128)
///
/// Differentiable.
pub fn mat_mul(a: &Output, b: &Output) -> MatMul {
    let node = NodeBuilder::new("MatMul").input(a).input(b);
    MatMul(node)
}

/// A `MatMul` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MatMul(NodeBuilder);

impl MatMul {
    /// The attribute `transpose_a`; `false` unless set.
    pub fn transpose_a(mut self, value: bool) -> MatMul {
        self.0.set("transpose_a", value.into());
        self
    }

    /// The attribute `transpose_b`; `false` unless set.
    pub fn transpose_b(mut self, value: bool) -> MatMul {
        self.0.set("transpose_b", value.into());
        self
    }

    /// The attribute `grad_a`; `false` unless set.
    pub fn grad_a(mut self, value: bool) -> MatMul {
        self.0.set("grad_a", value.into());
        self
    }

    /// The attribute `grad_b`; `false` unless set.
    pub fn grad_b(mut self, value: bool) -> MatMul {
        self.0.set("grad_b", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MatMul {
        MatMul(self.0.name(name))
    }

    /// Adds the node and gives `product`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MatrixDeterminant(input) -> (output)`.
///
/// * `input`: `T` (double, float, half, complex64, complex128)
/// * gives `output`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn matrix_determinant(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("MatrixDeterminant").input(input);
    ForOutput(node)
}

/// `MatrixInverse(input) -> (output)`.
///
/// * `input`: `T` (double, float, half, complex64, complex128)
/// * gives `output`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn matrix_inverse(input: &Output) -> MatrixInverse {
    let node = NodeBuilder::new("MatrixInverse").input(input);
    MatrixInverse(node)
}

/// A `MatrixInverse` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MatrixInverse(NodeBuilder);

impl MatrixInverse {
    /// The attribute `adjoint`; `false` unless set.
    pub fn adjoint(mut self, value: bool) -> MatrixInverse {
        self.0.set("adjoint", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MatrixInverse {
        MatrixInverse(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MatrixLogarithm(input) -> (output)`.
///
/// * `input`: `T` (complex64, complex128)
/// * gives `output`: `T` (complex64, complex128)
///
/// Has no gradient.
pub fn matrix_logarithm(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("MatrixLogarithm").input(input);
    ForOutput(node)
}

/// `MatrixSolve(matrix, rhs) -> (output)`.
///
/// * `matrix`: `T` (double, float, half, complex64, complex128)
/// * `rhs`: `T` (double, float, half, complex64, complex128)
/// * gives `output`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn matrix_solve(matrix: &Output, rhs: &Output) -> MatrixSolve {
    let node = NodeBuilder::new("MatrixSolve").input(matrix).input(rhs);
    MatrixSolve(node)
}

/// A `MatrixSolve` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MatrixSolve(NodeBuilder);

impl MatrixSolve {
    /// The attribute `adjoint`; `false` unless set.
    pub fn adjoint(mut self, value: bool) -> MatrixSolve {
        self.0.set("adjoint", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MatrixSolve {
        MatrixSolve(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MatrixSolveLs(matrix, rhs, l2_regularizer) -> (output)`.
///
/// * `matrix`: `T` (double, float, half, complex64, complex128)
/// * `rhs`: `T` (double, float, half, complex64, complex128)
/// * `l2_regularizer`: double
/// * gives `output`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn matrix_solve_ls(matrix: &Output, rhs: &Output, l2_regularizer: &Output) -> MatrixSolveLs {
    let node = NodeBuilder::new("MatrixSolveLs").input(matrix).input(rhs).input(l2_regularizer);
    MatrixSolveLs(node)
}

/// A `MatrixSolveLs` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MatrixSolveLs(NodeBuilder);

impl MatrixSolveLs {
    /// The attribute `fast`; `true` unless set.
    pub fn fast(mut self, value: bool) -> MatrixSolveLs {
        self.0.set("fast", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MatrixSolveLs {
        MatrixSolveLs(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MatrixSquareRoot(input) -> (output)`.
///
/// * `input`: `T` (double, float, half, complex64, complex128)
/// * gives `output`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn matrix_square_root(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("MatrixSquareRoot").input(input);
    ForOutput(node)
}

/// `MatrixTriangularSolve(matrix, rhs) -> (output)`.
///
/// * `matrix`: `T` (bfloat16, double, float, half, complex64, complex128)
/// * `rhs`: `T` (bfloat16, double, float, half, complex64, complex128)
/// * gives `output`: `T` (bfloat16, double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn matrix_triangular_solve(matrix: &Output, rhs: &Output) -> MatrixTriangularSolve {
    let node = NodeBuilder::new("MatrixTriangularSolve").input(matrix).input(rhs);
    MatrixTriangularSolve(node)
}

/// A `MatrixTriangularSolve` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MatrixTriangularSolve(NodeBuilder);

impl MatrixTriangularSolve {
    /// The attribute `lower`; `true` unless set.
    pub fn lower(mut self, value: bool) -> MatrixTriangularSolve {
        self.0.set("lower", value.into());
        self
    }

    /// The attribute `adjoint`; `false` unless set.
    pub fn adjoint(mut self, value: bool) -> MatrixTriangularSolve {
        self.0.set("adjoint", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MatrixTriangularSolve {
        MatrixTriangularSolve(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Max(input, reduction_indices) -> (output)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8, qint32, qint16, quint16)
/// * `reduction_indices`: `Tidx` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8, qint32, qint16, quint16)
///
/// Differentiable.
pub fn max(input: &Output, reduction_indices: &Output) -> Max {
    let node = NodeBuilder::new("Max").input(input).input(reduction_indices);
    Max(node)
}

/// A `Max` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Max(NodeBuilder);

impl Max {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> Max {
        self.0.set("keep_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Max {
        Max(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Mean(input, reduction_indices) -> (output)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `reduction_indices`: `Tidx` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn mean(input: &Output, reduction_indices: &Output) -> Mean {
    let node = NodeBuilder::new("Mean").input(input).input(reduction_indices);
    Mean(node)
}

/// A `Mean` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Mean(NodeBuilder);

impl Mean {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> Mean {
        self.0.set("keep_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Mean {
        Mean(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Min(input, reduction_indices) -> (output)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8, qint32, qint16, quint16)
/// * `reduction_indices`: `Tidx` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8, qint32, qint16, quint16)
///
/// Differentiable.
pub fn min(input: &Output, reduction_indices: &Output) -> Min {
    let node = NodeBuilder::new("Min").input(input).input(reduction_indices);
    Min(node)
}

/// A `Min` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Min(NodeBuilder);

impl Min {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> Min {
        self.0.set("keep_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Min {
        Min(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Prod(input, reduction_indices) -> (output)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `reduction_indices`: `Tidx` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn prod(input: &Output, reduction_indices: &Output) -> Prod {
    let node = NodeBuilder::new("Prod").input(input).input(reduction_indices);
    Prod(node)
}

/// A `Prod` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Prod(NodeBuilder);

impl Prod {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> Prod {
        self.0.set("keep_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Prod {
        Prod(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Qr(input) -> (q, r)`.
///
/// * `input`: `T` (double, float, half, complex64, complex128)
/// * gives `q`: `T` (double, float, half, complex64, complex128)
/// * gives `r`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn qr(input: &Output) -> Qr {
    let node = NodeBuilder::new("Qr").input(input);
    Qr(node)
}

/// A `Qr` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Qr(NodeBuilder);

impl Qr {
    /// The attribute `full_matrices`; `false` unless set.
    pub fn full_matrices(mut self, value: bool) -> Qr {
        self.0.set("full_matrices", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Qr {
        Qr(self.0.name(name))
    }

    /// Adds the node and gives (`q`, `r`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `RFFT(input, fft_length) -> (output)`.
///
/// * `input`: `Treal` (float, double)
/// * `fft_length`: int32
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Differentiable.
pub fn rfft(input: &Output, fft_length: &Output) -> RFFT {
    let node = NodeBuilder::new("RFFT").input(input).input(fft_length);
    RFFT(node)
}

/// A `RFFT` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RFFT(NodeBuilder);

impl RFFT {
    /// The attribute `Tcomplex`; complex64 unless set.
    pub fn tcomplex(mut self, value: DataType) -> RFFT {
        self.0.set("Tcomplex", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RFFT {
        RFFT(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `RFFT2D(input, fft_length) -> (output)`.
///
/// * `input`: `Treal` (float, double)
/// * `fft_length`: int32
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Differentiable.
pub fn rfft2d(input: &Output, fft_length: &Output) -> RFFT2D {
    let node = NodeBuilder::new("RFFT2D").input(input).input(fft_length);
    RFFT2D(node)
}

/// A `RFFT2D` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RFFT2D(NodeBuilder);

impl RFFT2D {
    /// The attribute `Tcomplex`; complex64 unless set.
    pub fn tcomplex(mut self, value: DataType) -> RFFT2D {
        self.0.set("Tcomplex", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RFFT2D {
        RFFT2D(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `RFFT3D(input, fft_length) -> (output)`.
///
/// * `input`: `Treal` (float, double)
/// * `fft_length`: int32
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Has no gradient.
pub fn rfft3d(input: &Output, fft_length: &Output) -> RFFT3D {
    let node = NodeBuilder::new("RFFT3D").input(input).input(fft_length);
    RFFT3D(node)
}

/// A `RFFT3D` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RFFT3D(NodeBuilder);

impl RFFT3D {
    /// The attribute `Tcomplex`; complex64 unless set.
    pub fn tcomplex(mut self, value: DataType) -> RFFT3D {
        self.0.set("Tcomplex", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RFFT3D {
        RFFT3D(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `RFFTND(input, fft_length, axes) -> (output)`.
///
/// * `input`: `Treal` (float, double)
/// * `fft_length`: int32
/// * `axes`: int32
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Has no gradient.
pub fn rfftnd(input: &Output, fft_length: &Output, axes: &Output) -> RFFTND {
    let node = NodeBuilder::new("RFFTND").input(input).input(fft_length).input(axes);
    RFFTND(node)
}

/// A `RFFTND` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RFFTND(NodeBuilder);

impl RFFTND {
    /// The attribute `Tcomplex`; complex64 unless set.
    pub fn tcomplex(mut self, value: DataType) -> RFFTND {
        self.0.set("Tcomplex", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RFFTND {
        RFFTND(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `RaggedBincount(splits, values, size, weights) -> (output)`.
///
/// * `splits`: int64
/// * `values`: `Tidx` (int32, int64)
/// * `size`: `Tidx` (int32, int64)
/// * `weights`: `T` (int32, int64, float, double)
/// * gives `output`: `T` (int32, int64, float, double)
///
/// Gradients do not flow through it.
pub fn ragged_bincount(
    splits: &Output,
    values: &Output,
    size: &Output,
    weights: &Output,
) -> RaggedBincount {
    let node =
        NodeBuilder::new("RaggedBincount").input(splits).input(values).input(size).input(weights);
    RaggedBincount(node)
}

/// A `RaggedBincount` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RaggedBincount(NodeBuilder);

impl RaggedBincount {
    /// The attribute `binary_output`; `false` unless set.
    pub fn binary_output(mut self, value: bool) -> RaggedBincount {
        self.0.set("binary_output", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RaggedBincount {
        RaggedBincount(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SegmentMax(data, segment_ids) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `segment_ids`: `Tindices` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn segment_max(data: &Output, segment_ids: &Output) -> ForOutput {
    let node = NodeBuilder::new("SegmentMax").input(data).input(segment_ids);
    ForOutput(node)
}

/// `SegmentMaxV2(data, segment_ids, num_segments) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `segment_ids`: `Tindices` (int32, int64)
/// * `num_segments`: `Tnumsegments` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Has no gradient.
pub fn segment_max_v2(data: &Output, segment_ids: &Output, num_segments: &Output) -> ForOutput {
    let node = NodeBuilder::new("SegmentMaxV2").input(data).input(segment_ids).input(num_segments);
    ForOutput(node)
}

/// `SegmentMean(data, segment_ids) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `segment_ids`: `Tindices` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn segment_mean(data: &Output, segment_ids: &Output) -> ForOutput {
    let node = NodeBuilder::new("SegmentMean").input(data).input(segment_ids);
    ForOutput(node)
}

/// `SegmentMin(data, segment_ids) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `segment_ids`: `Tindices` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn segment_min(data: &Output, segment_ids: &Output) -> ForOutput {
    let node = NodeBuilder::new("SegmentMin").input(data).input(segment_ids);
    ForOutput(node)
}

/// `SegmentMinV2(data, segment_ids, num_segments) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `segment_ids`: `Tindices` (int32, int64)
/// * `num_segments`: `Tnumsegments` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Has no gradient.
pub fn segment_min_v2(data: &Output, segment_ids: &Output, num_segments: &Output) -> ForOutput {
    let node = NodeBuilder::new("SegmentMinV2").input(data).input(segment_ids).input(num_segments);
    ForOutput(node)
}

/// `SegmentProd(data, segment_ids) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `segment_ids`: `Tindices` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn segment_prod(data: &Output, segment_ids: &Output) -> ForOutput {
    let node = NodeBuilder::new("SegmentProd").input(data).input(segment_ids);
    ForOutput(node)
}

/// `SegmentProdV2(data, segment_ids, num_segments) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `segment_ids`: `Tindices` (int32, int64)
/// * `num_segments`: `Tnumsegments` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient.
pub fn segment_prod_v2(data: &Output, segment_ids: &Output, num_segments: &Output) -> ForOutput {
    let node = NodeBuilder::new("SegmentProdV2").input(data).input(segment_ids).input(num_segments);
    ForOutput(node)
}

/// `SegmentSum(data, segment_ids) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `segment_ids`: `Tindices` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn segment_sum(data: &Output, segment_ids: &Output) -> ForOutput {
    let node = NodeBuilder::new("SegmentSum").input(data).input(segment_ids);
    ForOutput(node)
}

/// `SegmentSumV2(data, segment_ids, num_segments) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `segment_ids`: `Tindices` (int32, int64)
/// * `num_segments`: `Tnumsegments` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient.
pub fn segment_sum_v2(data: &Output, segment_ids: &Output, num_segments: &Output) -> ForOutput {
    let node = NodeBuilder::new("SegmentSumV2").input(data).input(segment_ids).input(num_segments);
    ForOutput(node)
}

/// `SelfAdjointEig(input) -> (output)`.
///
/// * `input`: `T` (double, float, half)
/// * gives `output`: `T` (double, float, half)
///
/// Has no gradient.
pub fn self_adjoint_eig(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("SelfAdjointEig").input(input);
    ForOutput(node)
}

/// `SelfAdjointEigV2(input) -> (e, v)`.
///
/// * `input`: `T` (double, float, half, complex64, complex128)
/// * gives `e`: `T` (double, float, half, complex64, complex128)
/// * gives `v`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn self_adjoint_eig_v2(input: &Output) -> SelfAdjointEigV2 {
    let node = NodeBuilder::new("SelfAdjointEigV2").input(input);
    SelfAdjointEigV2(node)
}

/// A `SelfAdjointEigV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SelfAdjointEigV2(NodeBuilder);

impl SelfAdjointEigV2 {
    /// The attribute `compute_v`; `true` unless set.
    pub fn compute_v(mut self, value: bool) -> SelfAdjointEigV2 {
        self.0.set("compute_v", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SelfAdjointEigV2 {
        SelfAdjointEigV2(self.0.name(name))
    }

    /// Adds the node and gives (`e`, `v`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `SparseBincount(indices, values, dense_shape, size, weights) -> (output)`.
///
/// * `indices`: int64
/// * `values`: `Tidx` (int32, int64)
/// * `dense_shape`: int64
/// * `size`: `Tidx` (int32, int64)
/// * `weights`: `T` (int32, int64, float, double)
/// * gives `output`: `T` (int32, int64, float, double)
///
/// Gradients do not flow through it.
pub fn sparse_bincount(
    indices: &Output,
    values: &Output,
    dense_shape: &Output,
    size: &Output,
    weights: &Output,
) -> SparseBincount {
    let node = NodeBuilder::new("SparseBincount")
        .input(indices)
        .input(values)
        .input(dense_shape)
        .input(size)
        .input(weights);
    SparseBincount(node)
}

/// A `SparseBincount` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseBincount(NodeBuilder);

impl SparseBincount {
    /// The attribute `binary_output`; `false` unless set.
    pub fn binary_output(mut self, value: bool) -> SparseBincount {
        self.0.set("binary_output", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseBincount {
        SparseBincount(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseSegmentMean(data, indices, segment_ids) -> (output)`.
///
/// * `data`: `T` (bfloat16, half, float, double)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn sparse_segment_mean(
    data: &Output,
    indices: &Output,
    segment_ids: &Output,
) -> SparseSegmentMean {
    let node = NodeBuilder::new("SparseSegmentMean").input(data).input(indices).input(segment_ids);
    SparseSegmentMean(node)
}

/// A `SparseSegmentMean` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSegmentMean(NodeBuilder);

impl SparseSegmentMean {
    /// The attribute `sparse_gradient`; `false` unless set.
    pub fn sparse_gradient(mut self, value: bool) -> SparseSegmentMean {
        self.0.set("sparse_gradient", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseSegmentMean {
        SparseSegmentMean(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseSegmentMeanGrad(grad, indices, segment_ids, output_dim0) -> (output)`.
///
/// * `grad`: `T` (bfloat16, half, float, double)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * `output_dim0`: int32
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Has no gradient.
pub fn sparse_segment_mean_grad(
    grad: &Output,
    indices: &Output,
    segment_ids: &Output,
    output_dim0: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("SparseSegmentMeanGrad")
        .input(grad)
        .input(indices)
        .input(segment_ids)
        .input(output_dim0);
    ForOutput(node)
}

/// `SparseSegmentMeanGradV2(grad, indices, segment_ids, dense_output_dim0) -> (output, sorted_unique_indices)`.
///
/// * `grad`: `T` (bfloat16, half, float, double)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * `dense_output_dim0`: int32
/// * gives `output`: `T` (bfloat16, half, float, double)
/// * gives `sorted_unique_indices`: `Tidx` (int32, int64)
///
/// Has no gradient.
pub fn sparse_segment_mean_grad_v2(
    grad: &Output,
    indices: &Output,
    segment_ids: &Output,
    dense_output_dim0: &Output,
) -> SparseSegmentMeanGradV2 {
    let node = NodeBuilder::new("SparseSegmentMeanGradV2")
        .input(grad)
        .input(indices)
        .input(segment_ids)
        .input(dense_output_dim0);
    SparseSegmentMeanGradV2(node)
}

/// A `SparseSegmentMeanGradV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSegmentMeanGradV2(NodeBuilder);

impl SparseSegmentMeanGradV2 {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseSegmentMeanGradV2 {
        SparseSegmentMeanGradV2(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `sorted_unique_indices`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `SparseSegmentMeanWithNumSegments(data, indices, segment_ids, num_segments) -> (output)`.
///
/// * `data`: `T` (bfloat16, half, float, double)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * `num_segments`: `Tnumsegments` (int32, int64)
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn sparse_segment_mean_with_num_segments(
    data: &Output,
    indices: &Output,
    segment_ids: &Output,
    num_segments: &Output,
) -> SparseSegmentMeanWithNumSegments {
    let node = NodeBuilder::new("SparseSegmentMeanWithNumSegments")
        .input(data)
        .input(indices)
        .input(segment_ids)
        .input(num_segments);
    SparseSegmentMeanWithNumSegments(node)
}

/// A `SparseSegmentMeanWithNumSegments` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSegmentMeanWithNumSegments(NodeBuilder);

impl SparseSegmentMeanWithNumSegments {
    /// The attribute `sparse_gradient`; `false` unless set.
    pub fn sparse_gradient(mut self, value: bool) -> SparseSegmentMeanWithNumSegments {
        self.0.set("sparse_gradient", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseSegmentMeanWithNumSegments {
        SparseSegmentMeanWithNumSegments(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseSegmentSqrtN(data, indices, segment_ids) -> (output)`.
///
/// * `data`: `T` (bfloat16, half, float, double)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn sparse_segment_sqrt_n(
    data: &Output,
    indices: &Output,
    segment_ids: &Output,
) -> SparseSegmentSqrtN {
    let node = NodeBuilder::new("SparseSegmentSqrtN").input(data).input(indices).input(segment_ids);
    SparseSegmentSqrtN(node)
}

/// A `SparseSegmentSqrtN` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSegmentSqrtN(NodeBuilder);

impl SparseSegmentSqrtN {
    /// The attribute `sparse_gradient`; `false` unless set.
    pub fn sparse_gradient(mut self, value: bool) -> SparseSegmentSqrtN {
        self.0.set("sparse_gradient", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseSegmentSqrtN {
        SparseSegmentSqrtN(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseSegmentSqrtNGrad(grad, indices, segment_ids, output_dim0) -> (output)`.
///
/// * `grad`: `T` (bfloat16, half, float, double)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * `output_dim0`: int32
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Has no gradient.
pub fn sparse_segment_sqrt_n_grad(
    grad: &Output,
    indices: &Output,
    segment_ids: &Output,
    output_dim0: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("SparseSegmentSqrtNGrad")
        .input(grad)
        .input(indices)
        .input(segment_ids)
        .input(output_dim0);
    ForOutput(node)
}

/// `SparseSegmentSqrtNGradV2(grad, indices, segment_ids, dense_output_dim0) -> (output, sorted_unique_indices)`.
///
/// * `grad`: `T` (bfloat16, half, float, double)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * `dense_output_dim0`: int32
/// * gives `output`: `T` (bfloat16, half, float, double)
/// * gives `sorted_unique_indices`: `Tidx` (int32, int64)
///
/// Has no gradient.
pub fn sparse_segment_sqrt_n_grad_v2(
    grad: &Output,
    indices: &Output,
    segment_ids: &Output,
    dense_output_dim0: &Output,
) -> SparseSegmentSqrtNGradV2 {
    let node = NodeBuilder::new("SparseSegmentSqrtNGradV2")
        .input(grad)
        .input(indices)
        .input(segment_ids)
        .input(dense_output_dim0);
    SparseSegmentSqrtNGradV2(node)
}

/// A `SparseSegmentSqrtNGradV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSegmentSqrtNGradV2(NodeBuilder);

impl SparseSegmentSqrtNGradV2 {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseSegmentSqrtNGradV2 {
        SparseSegmentSqrtNGradV2(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `sorted_unique_indices`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `SparseSegmentSqrtNWithNumSegments(data, indices, segment_ids, num_segments) -> (output)`.
///
/// * `data`: `T` (bfloat16, half, float, double)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * `num_segments`: `Tnumsegments` (int32, int64)
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn sparse_segment_sqrt_n_with_num_segments(
    data: &Output,
    indices: &Output,
    segment_ids: &Output,
    num_segments: &Output,
) -> SparseSegmentSqrtNWithNumSegments {
    let node = NodeBuilder::new("SparseSegmentSqrtNWithNumSegments")
        .input(data)
        .input(indices)
        .input(segment_ids)
        .input(num_segments);
    SparseSegmentSqrtNWithNumSegments(node)
}

/// A `SparseSegmentSqrtNWithNumSegments` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSegmentSqrtNWithNumSegments(NodeBuilder);

impl SparseSegmentSqrtNWithNumSegments {
    /// The attribute `sparse_gradient`; `false` unless set.
    pub fn sparse_gradient(mut self, value: bool) -> SparseSegmentSqrtNWithNumSegments {
        self.0.set("sparse_gradient", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseSegmentSqrtNWithNumSegments {
        SparseSegmentSqrtNWithNumSegments(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseSegmentSum(data, indices, segment_ids) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn sparse_segment_sum(
    data: &Output,
    indices: &Output,
    segment_ids: &Output,
) -> SparseSegmentSum {
    let node = NodeBuilder::new("SparseSegmentSum").input(data).input(indices).input(segment_ids);
    SparseSegmentSum(node)
}

/// A `SparseSegmentSum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSegmentSum(NodeBuilder);

impl SparseSegmentSum {
    /// The attribute `sparse_gradient`; `false` unless set.
    pub fn sparse_gradient(mut self, value: bool) -> SparseSegmentSum {
        self.0.set("sparse_gradient", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseSegmentSum {
        SparseSegmentSum(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseSegmentSumGrad(grad, indices, segment_ids, output_dim0) -> (output)`.
///
/// * `grad`: `T` (bfloat16, half, float, double)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * `output_dim0`: int32
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Has no gradient.
pub fn sparse_segment_sum_grad(
    grad: &Output,
    indices: &Output,
    segment_ids: &Output,
    output_dim0: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("SparseSegmentSumGrad")
        .input(grad)
        .input(indices)
        .input(segment_ids)
        .input(output_dim0);
    ForOutput(node)
}

/// `SparseSegmentSumGradV2(grad, indices, segment_ids, dense_output_dim0) -> (output, sorted_unique_indices)`.
///
/// * `grad`: `T` (bfloat16, half, float, double)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * `dense_output_dim0`: int32
/// * gives `output`: `T` (bfloat16, half, float, double)
/// * gives `sorted_unique_indices`: `Tidx` (int32, int64)
///
/// Has no gradient.
pub fn sparse_segment_sum_grad_v2(
    grad: &Output,
    indices: &Output,
    segment_ids: &Output,
    dense_output_dim0: &Output,
) -> SparseSegmentSumGradV2 {
    let node = NodeBuilder::new("SparseSegmentSumGradV2")
        .input(grad)
        .input(indices)
        .input(segment_ids)
        .input(dense_output_dim0);
    SparseSegmentSumGradV2(node)
}

/// A `SparseSegmentSumGradV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSegmentSumGradV2(NodeBuilder);

impl SparseSegmentSumGradV2 {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseSegmentSumGradV2 {
        SparseSegmentSumGradV2(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `sorted_unique_indices`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `SparseSegmentSumWithNumSegments(data, indices, segment_ids, num_segments) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * `num_segments`: `Tnumsegments` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn sparse_segment_sum_with_num_segments(
    data: &Output,
    indices: &Output,
    segment_ids: &Output,
    num_segments: &Output,
) -> SparseSegmentSumWithNumSegments {
    let node = NodeBuilder::new("SparseSegmentSumWithNumSegments")
        .input(data)
        .input(indices)
        .input(segment_ids)
        .input(num_segments);
    SparseSegmentSumWithNumSegments(node)
}

/// A `SparseSegmentSumWithNumSegments` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSegmentSumWithNumSegments(NodeBuilder);

impl SparseSegmentSumWithNumSegments {
    /// The attribute `sparse_gradient`; `false` unless set.
    pub fn sparse_gradient(mut self, value: bool) -> SparseSegmentSumWithNumSegments {
        self.0.set("sparse_gradient", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseSegmentSumWithNumSegments {
        SparseSegmentSumWithNumSegments(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Sum(input, reduction_indices) -> (output)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `reduction_indices`: `Tidx` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn sum(input: &Output, reduction_indices: &Output) -> Sum {
    let node = NodeBuilder::new("Sum").input(input).input(reduction_indices);
    Sum(node)
}

/// A `Sum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Sum(NodeBuilder);

impl Sum {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> Sum {
        self.0.set("keep_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Sum {
        Sum(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Svd(input) -> (s, u, v)`.
///
/// * `input`: `T` (double, float, half, complex64, complex128)
/// * gives `s`: `T` (double, float, half, complex64, complex128)
/// * gives `u`: `T` (double, float, half, complex64, complex128)
/// * gives `v`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn svd(input: &Output) -> Svd {
    let node = NodeBuilder::new("Svd").input(input);
    Svd(node)
}

/// A `Svd` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Svd(NodeBuilder);

impl Svd {
    /// The attribute `compute_uv`; `true` unless set.
    pub fn compute_uv(mut self, value: bool) -> Svd {
        self.0.set("compute_uv", value.into());
        self
    }

    /// The attribute `full_matrices`; `false` unless set.
    pub fn full_matrices(mut self, value: bool) -> Svd {
        self.0.set("full_matrices", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Svd {
        Svd(self.0.name(name))
    }

    /// Adds the node and gives (`s`, `u`, `v`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `TridiagonalMatMul(superdiag, maindiag, subdiag, rhs) -> (output)`.
///
/// * `superdiag`: `T` (double, float, complex64, complex128)
/// * `maindiag`: `T` (double, float, complex64, complex128)
/// * `subdiag`: `T` (double, float, complex64, complex128)
/// * `rhs`: `T` (double, float, complex64, complex128)
/// * gives `output`: `T` (double, float, complex64, complex128)
///
/// Differentiable.
pub fn tridiagonal_mat_mul(
    superdiag: &Output,
    maindiag: &Output,
    subdiag: &Output,
    rhs: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TridiagonalMatMul")
        .input(superdiag)
        .input(maindiag)
        .input(subdiag)
        .input(rhs);
    ForOutput(node)
}

/// `TridiagonalSolve(diagonals, rhs) -> (output)`.
///
/// * `diagonals`: `T` (double, float, complex64, complex128)
/// * `rhs`: `T` (double, float, complex64, complex128)
/// * gives `output`: `T` (double, float, complex64, complex128)
///
/// Differentiable.
pub fn tridiagonal_solve(diagonals: &Output, rhs: &Output) -> TridiagonalSolve {
    let node = NodeBuilder::new("TridiagonalSolve").input(diagonals).input(rhs);
    TridiagonalSolve(node)
}

/// A `TridiagonalSolve` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TridiagonalSolve(NodeBuilder);

impl TridiagonalSolve {
    /// The attribute `partial_pivoting`; `true` unless set.
    pub fn partial_pivoting(mut self, value: bool) -> TridiagonalSolve {
        self.0.set("partial_pivoting", value.into());
        self
    }

    /// The attribute `perturb_singular`; `false` unless set.
    pub fn perturb_singular(mut self, value: bool) -> TridiagonalSolve {
        self.0.set("perturb_singular", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TridiagonalSolve {
        TridiagonalSolve(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `UnsortedSegmentMax(data, segment_ids, num_segments) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `segment_ids`: `Tindices` (int32, int64)
/// * `num_segments`: `Tnumsegments` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn unsorted_segment_max(
    data: &Output,
    segment_ids: &Output,
    num_segments: &Output,
) -> ForOutput {
    let node =
        NodeBuilder::new("UnsortedSegmentMax").input(data).input(segment_ids).input(num_segments);
    ForOutput(node)
}

/// `UnsortedSegmentMin(data, segment_ids, num_segments) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `segment_ids`: `Tindices` (int32, int64)
/// * `num_segments`: `Tnumsegments` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn unsorted_segment_min(
    data: &Output,
    segment_ids: &Output,
    num_segments: &Output,
) -> ForOutput {
    let node =
        NodeBuilder::new("UnsortedSegmentMin").input(data).input(segment_ids).input(num_segments);
    ForOutput(node)
}

/// `UnsortedSegmentProd(data, segment_ids, num_segments) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `segment_ids`: `Tindices` (int32, int64)
/// * `num_segments`: `Tnumsegments` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn unsorted_segment_prod(
    data: &Output,
    segment_ids: &Output,
    num_segments: &Output,
) -> ForOutput {
    let node =
        NodeBuilder::new("UnsortedSegmentProd").input(data).input(segment_ids).input(num_segments);
    ForOutput(node)
}

/// `UnsortedSegmentSum(data, segment_ids, num_segments) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `segment_ids`: `Tindices` (int16, int32, int64)
/// * `num_segments`: `Tnumsegments` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn unsorted_segment_sum(
    data: &Output,
    segment_ids: &Output,
    num_segments: &Output,
) -> ForOutput {
    let node =
        NodeBuilder::new("UnsortedSegmentSum").input(data).input(segment_ids).input(num_segments);
    ForOutput(node)
}
