//! Operations of the family `elementwise`. Generated from their definitions by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these a family needs depends on its operations
use super::support::*;

/// `Abs(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int8, int16, int32, int64)
/// * gives `y`: `T` (bfloat16, half, float, double, int8, int16, int32, int64)
///
/// Differentiable.
pub fn abs(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Abs").input(x);
    ForOutput(node)
}

/// `AccumulateNV2(inputs) -> (sum)`.
///
/// * `inputs`: `N` values of `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `shape`: attribute, shape
/// * gives `sum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn accumulate_nv2(inputs: &[Output], shape: &PartialShape) -> ForOutput {
    let mut node = NodeBuilder::new("AccumulateNV2").list(inputs);
    node.set("shape", shape.clone().into());
    ForOutput(node)
}

/// `Acos(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn acos(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Acos").input(x);
    ForOutput(node)
}

/// `Acosh(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn acosh(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Acosh").input(x);
    ForOutput(node)
}

/// `Add(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128, string)
/// * `y`: `T` (bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128, string)
/// * gives `z`: `T` (bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128, string)
///
/// Differentiable.
pub fn add(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("Add").input(x).input(y);
    ForOutput(node)
}

/// `AddN(inputs) -> (sum)`.
///
/// * `inputs`: `N` values of `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, variant)
/// * gives `sum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, variant)
///
/// Differentiable.
pub fn add_n(inputs: &[Output]) -> ForOutput {
    let node = NodeBuilder::new("AddN").list(inputs);
    ForOutput(node)
}

/// `AddV2(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, half, float, double, uint8, uint16, uint32, uint64, int8, int16, int32, int64, complex64, complex128, string, variant)
/// * `y`: `T` (bfloat16, half, float, double, uint8, uint16, uint32, uint64, int8, int16, int32, int64, complex64, complex128, string, variant)
/// * gives `z`: `T` (bfloat16, half, float, double, uint8, uint16, uint32, uint64, int8, int16, int32, int64, complex64, complex128, string, variant)
///
/// Differentiable.
pub fn add_v2(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("AddV2").input(x).input(y);
    ForOutput(node)
}

/// `Angle(input) -> (output)`.
///
/// * `input`: `T` (complex64, complex128)
/// * gives `output`: `Tout` (float, double)
///
/// Differentiable.
pub fn angle(input: &Output) -> Angle {
    let node = NodeBuilder::new("Angle").input(input);
    Angle(node)
}

/// A `Angle` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Angle(NodeBuilder);

impl Angle {
    /// The attribute `Tout`; float unless set.
    pub fn tout(mut self, value: DataType) -> Angle {
        self.0.set("Tout", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Angle {
        Angle(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ApproximateEqual(x, y) -> (z)`.
///
/// * `x`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `y`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `z`: bool
///
/// Gradients do not flow through it.
pub fn approximate_equal(x: &Output, y: &Output) -> ApproximateEqual {
    let node = NodeBuilder::new("ApproximateEqual").input(x).input(y);
    ApproximateEqual(node)
}

/// A `ApproximateEqual` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApproximateEqual(NodeBuilder);

impl ApproximateEqual {
    /// The attribute `tolerance`; `1e-5` unless set.
    pub fn tolerance(mut self, value: f32) -> ApproximateEqual {
        self.0.set("tolerance", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApproximateEqual {
        ApproximateEqual(self.0.name(name))
    }

    /// Adds the node and gives `z`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Asin(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn asin(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Asin").input(x);
    ForOutput(node)
}

/// `Asinh(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn asinh(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Asinh").input(x);
    ForOutput(node)
}

/// `Atan(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn atan(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Atan").input(x);
    ForOutput(node)
}

/// `Atan2(y, x) -> (z)`.
///
/// * `y`: `T` (bfloat16, half, float, double)
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `z`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn atan2(y: &Output, x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Atan2").input(y).input(x);
    ForOutput(node)
}

/// `Atanh(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn atanh(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Atanh").input(x);
    ForOutput(node)
}

/// `BesselI0(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn bessel_i0(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("BesselI0").input(x);
    ForOutput(node)
}

/// `BesselI0e(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn bessel_i0e(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("BesselI0e").input(x);
    ForOutput(node)
}

/// `BesselI1(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn bessel_i1(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("BesselI1").input(x);
    ForOutput(node)
}

/// `BesselI1e(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn bessel_i1e(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("BesselI1e").input(x);
    ForOutput(node)
}

/// `BesselJ0(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn bessel_j0(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("BesselJ0").input(x);
    ForOutput(node)
}

/// `BesselJ1(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn bessel_j1(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("BesselJ1").input(x);
    ForOutput(node)
}

/// `BesselK0(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn bessel_k0(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("BesselK0").input(x);
    ForOutput(node)
}

/// `BesselK0e(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn bessel_k0e(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("BesselK0e").input(x);
    ForOutput(node)
}

/// `BesselK1(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn bessel_k1(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("BesselK1").input(x);
    ForOutput(node)
}

/// `BesselK1e(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn bessel_k1e(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("BesselK1e").input(x);
    ForOutput(node)
}

/// `BesselY0(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn bessel_y0(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("BesselY0").input(x);
    ForOutput(node)
}

/// `BesselY1(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn bessel_y1(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("BesselY1").input(x);
    ForOutput(node)
}

/// `Betainc(a, b, x) -> (z)`.
///
/// * `a`: `T` (float, double)
/// * `b`: `T` (float, double)
/// * `x`: `T` (float, double)
/// * gives `z`: `T` (float, double)
///
/// Differentiable.
pub fn betainc(a: &Output, b: &Output, x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Betainc").input(a).input(b).input(x);
    ForOutput(node)
}

/// `BitwiseAnd(x, y) -> (z)`.
///
/// * `x`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
/// * `y`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
/// * gives `z`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn bitwise_and(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("BitwiseAnd").input(x).input(y);
    ForOutput(node)
}

/// `BitwiseOr(x, y) -> (z)`.
///
/// * `x`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
/// * `y`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
/// * gives `z`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn bitwise_or(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("BitwiseOr").input(x).input(y);
    ForOutput(node)
}

/// `BitwiseXor(x, y) -> (z)`.
///
/// * `x`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
/// * `y`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
/// * gives `z`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn bitwise_xor(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("BitwiseXor").input(x).input(y);
    ForOutput(node)
}

/// `Cast(x) -> (y)`.
///
/// * `x`: `SrcT` (any type)
/// * `DstT`: attribute, type
/// * gives `y`: `DstT` (any type)
///
/// Differentiable.
pub fn cast(x: &Output, dst_t: DataType) -> Cast {
    let mut node = NodeBuilder::new("Cast").input(x);
    node.set("DstT", dst_t.into());
    Cast(node)
}

/// A `Cast` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Cast(NodeBuilder);

impl Cast {
    /// The attribute `Truncate`; `false` unless set.
    pub fn truncate(mut self, value: bool) -> Cast {
        self.0.set("Truncate", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Cast {
        Cast(self.0.name(name))
    }

    /// Adds the node and gives `y`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Ceil(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Gradients do not flow through it.
pub fn ceil(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Ceil").input(x);
    ForOutput(node)
}

/// `ClipByValue(t, clip_value_min, clip_value_max) -> (output)`.
///
/// * `t`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `clip_value_min`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `clip_value_max`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn clip_by_value(t: &Output, clip_value_min: &Output, clip_value_max: &Output) -> ForOutput {
    let node = NodeBuilder::new("ClipByValue").input(t).input(clip_value_min).input(clip_value_max);
    ForOutput(node)
}

/// `Complex(real, imag) -> (out)`.
///
/// * `real`: `T` (float, double)
/// * `imag`: `T` (float, double)
/// * gives `out`: `Tout` (complex64, complex128)
///
/// Differentiable.
pub fn complex(real: &Output, imag: &Output) -> Complex {
    let node = NodeBuilder::new("Complex").input(real).input(imag);
    Complex(node)
}

/// A `Complex` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Complex(NodeBuilder);

impl Complex {
    /// The attribute `Tout`; complex64 unless set.
    pub fn tout(mut self, value: DataType) -> Complex {
        self.0.set("Tout", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Complex {
        Complex(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ComplexAbs(x) -> (y)`.
///
/// * `x`: `T` (complex64, complex128)
/// * gives `y`: `Tout` (float, double)
///
/// Differentiable.
pub fn complex_abs(x: &Output) -> ComplexAbs {
    let node = NodeBuilder::new("ComplexAbs").input(x);
    ComplexAbs(node)
}

/// A `ComplexAbs` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ComplexAbs(NodeBuilder);

impl ComplexAbs {
    /// The attribute `Tout`; float unless set.
    pub fn tout(mut self, value: DataType) -> ComplexAbs {
        self.0.set("Tout", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ComplexAbs {
        ComplexAbs(self.0.name(name))
    }

    /// Adds the node and gives `y`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Conj(input) -> (output)`.
///
/// * `input`: `T` (complex64, complex128, variant)
/// * gives `output`: `T` (complex64, complex128, variant)
///
/// Differentiable.
pub fn conj(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("Conj").input(input);
    ForOutput(node)
}

/// `Cos(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn cos(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Cos").input(x);
    ForOutput(node)
}

/// `Cosh(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn cosh(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Cosh").input(x);
    ForOutput(node)
}

/// `Dawsn(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn dawsn(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Dawsn").input(x);
    ForOutput(node)
}

/// `Digamma(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn digamma(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Digamma").input(x);
    ForOutput(node)
}

/// `Div(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128)
/// * `y`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128)
/// * gives `z`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128)
///
/// Differentiable.
pub fn div(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("Div").input(x).input(y);
    ForOutput(node)
}

/// `DivNoNan(x, y) -> (z)`.
///
/// * `x`: `T` (half, float, bfloat16, double, complex64, complex128)
/// * `y`: `T` (half, float, bfloat16, double, complex64, complex128)
/// * gives `z`: `T` (half, float, bfloat16, double, complex64, complex128)
///
/// Differentiable.
pub fn div_no_nan(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("DivNoNan").input(x).input(y);
    ForOutput(node)
}

/// `Elu(features) -> (activations)`.
///
/// * `features`: `T` (half, bfloat16, float, double)
/// * gives `activations`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn elu(features: &Output) -> ForOutput {
    let node = NodeBuilder::new("Elu").input(features);
    ForOutput(node)
}

/// `EluGrad(gradients, outputs) -> (backprops)`.
///
/// * `gradients`: `T` (half, bfloat16, float, double)
/// * `outputs`: `T` (half, bfloat16, float, double)
/// * gives `backprops`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn elu_grad(gradients: &Output, outputs: &Output) -> ForOutput {
    let node = NodeBuilder::new("EluGrad").input(gradients).input(outputs);
    ForOutput(node)
}

/// `Equal(x, y) -> (z)`.
///
/// * `x`: `T` (any type)
/// * `y`: `T` (any type)
/// * gives `z`: bool
///
/// Gradients do not flow through it.
pub fn equal(x: &Output, y: &Output) -> Equal {
    let node = NodeBuilder::new("Equal").input(x).input(y);
    Equal(node)
}

/// A `Equal` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Equal(NodeBuilder);

impl Equal {
    /// The attribute `incompatible_shape_error`; `true` unless set.
    pub fn incompatible_shape_error(mut self, value: bool) -> Equal {
        self.0.set("incompatible_shape_error", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Equal {
        Equal(self.0.name(name))
    }

    /// Adds the node and gives `z`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Erf(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn erf(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Erf").input(x);
    ForOutput(node)
}

/// `Erfc(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn erfc(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Erfc").input(x);
    ForOutput(node)
}

/// `Erfinv(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn erfinv(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Erfinv").input(x);
    ForOutput(node)
}

/// `Exp(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn exp(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Exp").input(x);
    ForOutput(node)
}

/// `Expint(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn expint(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Expint").input(x);
    ForOutput(node)
}

/// `Expm1(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn expm1(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Expm1").input(x);
    ForOutput(node)
}

/// `Floor(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Gradients do not flow through it.
pub fn floor(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Floor").input(x);
    ForOutput(node)
}

/// `FloorDiv(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128)
/// * `y`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128)
/// * gives `z`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128)
///
/// Gradients do not flow through it.
pub fn floor_div(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("FloorDiv").input(x).input(y);
    ForOutput(node)
}

/// `FloorMod(x, y) -> (z)`.
///
/// * `x`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64, bfloat16, half, float, double)
/// * `y`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64, bfloat16, half, float, double)
/// * gives `z`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64, bfloat16, half, float, double)
///
/// Differentiable.
pub fn floor_mod(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("FloorMod").input(x).input(y);
    ForOutput(node)
}

/// `FresnelCos(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn fresnel_cos(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("FresnelCos").input(x);
    ForOutput(node)
}

/// `FresnelSin(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn fresnel_sin(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("FresnelSin").input(x);
    ForOutput(node)
}

/// `Greater(x, y) -> (z)`.
///
/// * `x`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `y`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `z`: bool
///
/// Gradients do not flow through it.
pub fn greater(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("Greater").input(x).input(y);
    ForOutput(node)
}

/// `GreaterEqual(x, y) -> (z)`.
///
/// * `x`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `y`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `z`: bool
///
/// Gradients do not flow through it.
pub fn greater_equal(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("GreaterEqual").input(x).input(y);
    ForOutput(node)
}

/// `Igamma(a, x) -> (z)`.
///
/// * `a`: `T` (bfloat16, half, float, double)
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `z`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn igamma(a: &Output, x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Igamma").input(a).input(x);
    ForOutput(node)
}

/// `IgammaGradA(a, x) -> (z)`.
///
/// * `a`: `T` (float, double)
/// * `x`: `T` (float, double)
/// * gives `z`: `T` (float, double)
///
/// Has no gradient.
pub fn igamma_grad_a(a: &Output, x: &Output) -> ForOutput {
    let node = NodeBuilder::new("IgammaGradA").input(a).input(x);
    ForOutput(node)
}

/// `Igammac(a, x) -> (z)`.
///
/// * `a`: `T` (bfloat16, half, float, double)
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `z`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn igammac(a: &Output, x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Igammac").input(a).input(x);
    ForOutput(node)
}

/// `Imag(input) -> (output)`.
///
/// * `input`: `T` (complex64, complex128)
/// * gives `output`: `Tout` (float, double)
///
/// Differentiable.
pub fn imag(input: &Output) -> Imag {
    let node = NodeBuilder::new("Imag").input(input);
    Imag(node)
}

/// A `Imag` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Imag(NodeBuilder);

impl Imag {
    /// The attribute `Tout`; float unless set.
    pub fn tout(mut self, value: DataType) -> Imag {
        self.0.set("Tout", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Imag {
        Imag(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Inv(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128)
///
/// Differentiable.
pub fn inv(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Inv").input(x);
    ForOutput(node)
}

/// `InvGrad(y, dy) -> (z)`.
///
/// * `y`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * `dy`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `z`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn inv_grad(y: &Output, dy: &Output) -> ForOutput {
    let node = NodeBuilder::new("InvGrad").input(y).input(dy);
    ForOutput(node)
}

/// `Invert(x) -> (y)`.
///
/// * `x`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
/// * gives `y`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn invert(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Invert").input(x);
    ForOutput(node)
}

/// `IsFinite(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: bool
///
/// Gradients do not flow through it.
pub fn is_finite(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("IsFinite").input(x);
    ForOutput(node)
}

/// `IsInf(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: bool
///
/// Gradients do not flow through it.
pub fn is_inf(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("IsInf").input(x);
    ForOutput(node)
}

/// `IsNan(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: bool
///
/// Gradients do not flow through it.
pub fn is_nan(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("IsNan").input(x);
    ForOutput(node)
}

/// `LeakyRelu(features) -> (activations)`.
///
/// * `features`: `T` (half, bfloat16, float, double)
/// * gives `activations`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn leaky_relu(features: &Output) -> LeakyRelu {
    let node = NodeBuilder::new("LeakyRelu").input(features);
    LeakyRelu(node)
}

/// A `LeakyRelu` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LeakyRelu(NodeBuilder);

impl LeakyRelu {
    /// The attribute `alpha`; `0.2` unless set.
    pub fn alpha(mut self, value: f32) -> LeakyRelu {
        self.0.set("alpha", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> LeakyRelu {
        LeakyRelu(self.0.name(name))
    }

    /// Adds the node and gives `activations`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `LeakyReluGrad(gradients, features) -> (backprops)`.
///
/// * `gradients`: `T` (half, bfloat16, float, double)
/// * `features`: `T` (half, bfloat16, float, double)
/// * gives `backprops`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn leaky_relu_grad(gradients: &Output, features: &Output) -> LeakyReluGrad {
    let node = NodeBuilder::new("LeakyReluGrad").input(gradients).input(features);
    LeakyReluGrad(node)
}

/// A `LeakyReluGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LeakyReluGrad(NodeBuilder);

impl LeakyReluGrad {
    /// The attribute `alpha`; `0.2` unless set.
    pub fn alpha(mut self, value: f32) -> LeakyReluGrad {
        self.0.set("alpha", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> LeakyReluGrad {
        LeakyReluGrad(self.0.name(name))
    }

    /// Adds the node and gives `backprops`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `LeftShift(x, y) -> (z)`.
///
/// * `x`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
/// * `y`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
/// * gives `z`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn left_shift(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("LeftShift").input(x).input(y);
    ForOutput(node)
}

/// `Less(x, y) -> (z)`.
///
/// * `x`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `y`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `z`: bool
///
/// Gradients do not flow through it.
pub fn less(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("Less").input(x).input(y);
    ForOutput(node)
}

/// `LessEqual(x, y) -> (z)`.
///
/// * `x`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `y`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `z`: bool
///
/// Gradients do not flow through it.
pub fn less_equal(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("LessEqual").input(x).input(y);
    ForOutput(node)
}

/// `Lgamma(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn lgamma(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Lgamma").input(x);
    ForOutput(node)
}

/// `Log(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn log(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Log").input(x);
    ForOutput(node)
}

/// `Log1p(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn log1p(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Log1p").input(x);
    ForOutput(node)
}

/// `LogicalAnd(x, y) -> (z)`.
///
/// * `x`: bool
/// * `y`: bool
/// * gives `z`: bool
///
/// Gradients do not flow through it.
pub fn logical_and(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("LogicalAnd").input(x).input(y);
    ForOutput(node)
}

/// `LogicalNot(x) -> (y)`.
///
/// * `x`: bool
/// * gives `y`: bool
///
/// Gradients do not flow through it.
pub fn logical_not(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("LogicalNot").input(x);
    ForOutput(node)
}

/// `LogicalOr(x, y) -> (z)`.
///
/// * `x`: bool
/// * `y`: bool
/// * gives `z`: bool
///
/// Gradients do not flow through it.
pub fn logical_or(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("LogicalOr").input(x).input(y);
    ForOutput(node)
}

/// `Maximum(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64)
/// * `y`: `T` (bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64)
/// * gives `z`: `T` (bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64)
///
/// Differentiable.
pub fn maximum(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("Maximum").input(x).input(y);
    ForOutput(node)
}

/// `Minimum(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64)
/// * `y`: `T` (bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64)
/// * gives `z`: `T` (bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64)
///
/// Differentiable.
pub fn minimum(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("Minimum").input(x).input(y);
    ForOutput(node)
}

/// `Mod(x, y) -> (z)`.
///
/// * `x`: `T` (int32, int64, half, half, bfloat16, float, double)
/// * `y`: `T` (int32, int64, half, half, bfloat16, float, double)
/// * gives `z`: `T` (int32, int64, half, half, bfloat16, float, double)
///
/// Has no gradient.
pub fn mod_(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("Mod").input(x).input(y);
    ForOutput(node)
}

/// `Mul(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128)
/// * `y`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128)
/// * gives `z`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128)
///
/// Differentiable.
pub fn mul(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("Mul").input(x).input(y);
    ForOutput(node)
}

/// `MulNoNan(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * `y`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `z`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn mul_no_nan(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("MulNoNan").input(x).input(y);
    ForOutput(node)
}

/// `Ndtri(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn ndtri(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Ndtri").input(x);
    ForOutput(node)
}

/// `Neg(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128)
///
/// Differentiable.
pub fn neg(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Neg").input(x);
    ForOutput(node)
}

/// `NextAfter(x1, x2) -> (output)`.
///
/// * `x1`: `T` (double, float)
/// * `x2`: `T` (double, float)
/// * gives `output`: `T` (double, float)
///
/// Differentiable.
pub fn next_after(x1: &Output, x2: &Output) -> ForOutput {
    let node = NodeBuilder::new("NextAfter").input(x1).input(x2);
    ForOutput(node)
}

/// `NotEqual(x, y) -> (z)`.
///
/// * `x`: `T` (any type)
/// * `y`: `T` (any type)
/// * gives `z`: bool
///
/// Gradients do not flow through it.
pub fn not_equal(x: &Output, y: &Output) -> NotEqual {
    let node = NodeBuilder::new("NotEqual").input(x).input(y);
    NotEqual(node)
}

/// A `NotEqual` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct NotEqual(NodeBuilder);

impl NotEqual {
    /// The attribute `incompatible_shape_error`; `true` unless set.
    pub fn incompatible_shape_error(mut self, value: bool) -> NotEqual {
        self.0.set("incompatible_shape_error", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> NotEqual {
        NotEqual(self.0.name(name))
    }

    /// Adds the node and gives `z`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Polygamma(a, x) -> (z)`.
///
/// * `a`: `T` (float, double)
/// * `x`: `T` (float, double)
/// * gives `z`: `T` (float, double)
///
/// Differentiable.
pub fn polygamma(a: &Output, x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Polygamma").input(a).input(x);
    ForOutput(node)
}

/// `PopulationCount(x) -> (y)`.
///
/// * `x`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
/// * gives `y`: uint8
///
/// Gradients do not flow through it.
pub fn population_count(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("PopulationCount").input(x);
    ForOutput(node)
}

/// `Pow(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, float, half, double, int8, int16, int32, int64, complex64, complex128)
/// * `y`: `T` (bfloat16, float, half, double, int8, int16, int32, int64, complex64, complex128)
/// * gives `z`: `T` (bfloat16, float, half, double, int8, int16, int32, int64, complex64, complex128)
///
/// Differentiable.
pub fn pow(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("Pow").input(x).input(y);
    ForOutput(node)
}

/// `Real(input) -> (output)`.
///
/// * `input`: `T` (complex64, complex128)
/// * gives `output`: `Tout` (float, double)
///
/// Differentiable.
pub fn real(input: &Output) -> Real {
    let node = NodeBuilder::new("Real").input(input);
    Real(node)
}

/// A `Real` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Real(NodeBuilder);

impl Real {
    /// The attribute `Tout`; float unless set.
    pub fn tout(mut self, value: DataType) -> Real {
        self.0.set("Tout", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Real {
        Real(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `RealDiv(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128)
/// * `y`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128)
/// * gives `z`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128)
///
/// Differentiable.
pub fn real_div(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("RealDiv").input(x).input(y);
    ForOutput(node)
}

/// `Reciprocal(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128)
///
/// Differentiable.
pub fn reciprocal(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Reciprocal").input(x);
    ForOutput(node)
}

/// `ReciprocalGrad(y, dy) -> (z)`.
///
/// * `y`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * `dy`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `z`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn reciprocal_grad(y: &Output, dy: &Output) -> ForOutput {
    let node = NodeBuilder::new("ReciprocalGrad").input(y).input(dy);
    ForOutput(node)
}

/// `Relu(features) -> (activations)`.
///
/// * `features`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8)
/// * gives `activations`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8)
///
/// Differentiable.
pub fn relu(features: &Output) -> ForOutput {
    let node = NodeBuilder::new("Relu").input(features);
    ForOutput(node)
}

/// `Relu6(features) -> (activations)`.
///
/// * `features`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `activations`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn relu6(features: &Output) -> ForOutput {
    let node = NodeBuilder::new("Relu6").input(features);
    ForOutput(node)
}

/// `Relu6Grad(gradients, features) -> (backprops)`.
///
/// * `gradients`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `features`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `backprops`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn relu6_grad(gradients: &Output, features: &Output) -> ForOutput {
    let node = NodeBuilder::new("Relu6Grad").input(gradients).input(features);
    ForOutput(node)
}

/// `ReluGrad(gradients, features) -> (backprops)`.
///
/// * `gradients`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `features`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `backprops`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn relu_grad(gradients: &Output, features: &Output) -> ForOutput {
    let node = NodeBuilder::new("ReluGrad").input(gradients).input(features);
    ForOutput(node)
}

/// `RightShift(x, y) -> (z)`.
///
/// * `x`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
/// * `y`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
/// * gives `z`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn right_shift(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("RightShift").input(x).input(y);
    ForOutput(node)
}

/// `Rint(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Gradients do not flow through it.
pub fn rint(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Rint").input(x);
    ForOutput(node)
}

/// `Round(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128)
///
/// Gradients do not flow through it.
pub fn round(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Round").input(x);
    ForOutput(node)
}

/// `Rsqrt(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn rsqrt(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Rsqrt").input(x);
    ForOutput(node)
}

/// `RsqrtGrad(y, dy) -> (z)`.
///
/// * `y`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * `dy`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `z`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn rsqrt_grad(y: &Output, dy: &Output) -> ForOutput {
    let node = NodeBuilder::new("RsqrtGrad").input(y).input(dy);
    ForOutput(node)
}

/// `Selu(features) -> (activations)`.
///
/// * `features`: `T` (half, bfloat16, float, double)
/// * gives `activations`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn selu(features: &Output) -> ForOutput {
    let node = NodeBuilder::new("Selu").input(features);
    ForOutput(node)
}

/// `SeluGrad(gradients, outputs) -> (backprops)`.
///
/// * `gradients`: `T` (half, bfloat16, float, double)
/// * `outputs`: `T` (half, bfloat16, float, double)
/// * gives `backprops`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn selu_grad(gradients: &Output, outputs: &Output) -> ForOutput {
    let node = NodeBuilder::new("SeluGrad").input(gradients).input(outputs);
    ForOutput(node)
}

/// `Sigmoid(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn sigmoid(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Sigmoid").input(x);
    ForOutput(node)
}

/// `SigmoidGrad(y, dy) -> (z)`.
///
/// * `y`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * `dy`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `z`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn sigmoid_grad(y: &Output, dy: &Output) -> ForOutput {
    let node = NodeBuilder::new("SigmoidGrad").input(y).input(dy);
    ForOutput(node)
}

/// `Sign(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128)
///
/// Differentiable.
pub fn sign(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Sign").input(x);
    ForOutput(node)
}

/// `Sin(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn sin(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Sin").input(x);
    ForOutput(node)
}

/// `Sinh(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn sinh(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Sinh").input(x);
    ForOutput(node)
}

/// `Softplus(features) -> (activations)`.
///
/// * `features`: `T` (half, bfloat16, float, double)
/// * gives `activations`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn softplus(features: &Output) -> ForOutput {
    let node = NodeBuilder::new("Softplus").input(features);
    ForOutput(node)
}

/// `SoftplusGrad(gradients, features) -> (backprops)`.
///
/// * `gradients`: `T` (half, bfloat16, float, double)
/// * `features`: `T` (half, bfloat16, float, double)
/// * gives `backprops`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn softplus_grad(gradients: &Output, features: &Output) -> ForOutput {
    let node = NodeBuilder::new("SoftplusGrad").input(gradients).input(features);
    ForOutput(node)
}

/// `Softsign(features) -> (activations)`.
///
/// * `features`: `T` (half, bfloat16, float, double)
/// * gives `activations`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn softsign(features: &Output) -> ForOutput {
    let node = NodeBuilder::new("Softsign").input(features);
    ForOutput(node)
}

/// `SoftsignGrad(gradients, features) -> (backprops)`.
///
/// * `gradients`: `T` (half, bfloat16, float, double)
/// * `features`: `T` (half, bfloat16, float, double)
/// * gives `backprops`: `T` (half, bfloat16, float, double)
///
/// Has no gradient.
pub fn softsign_grad(gradients: &Output, features: &Output) -> ForOutput {
    let node = NodeBuilder::new("SoftsignGrad").input(gradients).input(features);
    ForOutput(node)
}

/// `Spence(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn spence(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Spence").input(x);
    ForOutput(node)
}

/// `Sqrt(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn sqrt(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Sqrt").input(x);
    ForOutput(node)
}

/// `SqrtGrad(y, dy) -> (z)`.
///
/// * `y`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * `dy`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `z`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn sqrt_grad(y: &Output, dy: &Output) -> ForOutput {
    let node = NodeBuilder::new("SqrtGrad").input(y).input(dy);
    ForOutput(node)
}

/// `Square(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128)
///
/// Differentiable.
pub fn square(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Square").input(x);
    ForOutput(node)
}

/// `SquaredDifference(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
/// * `y`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
/// * gives `z`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
///
/// Differentiable.
pub fn squared_difference(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("SquaredDifference").input(x).input(y);
    ForOutput(node)
}

/// `Sub(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, complex64, complex128, uint32, uint64)
/// * `y`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, complex64, complex128, uint32, uint64)
/// * gives `z`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, complex64, complex128, uint32, uint64)
///
/// Differentiable.
pub fn sub(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("Sub").input(x).input(y);
    ForOutput(node)
}

/// `Tan(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn tan(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Tan").input(x);
    ForOutput(node)
}

/// `Tanh(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn tanh(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Tanh").input(x);
    ForOutput(node)
}

/// `TanhGrad(y, dy) -> (z)`.
///
/// * `y`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * `dy`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `z`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn tanh_grad(y: &Output, dy: &Output) -> ForOutput {
    let node = NodeBuilder::new("TanhGrad").input(y).input(dy);
    ForOutput(node)
}

/// `TruncateDiv(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128)
/// * `y`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128)
/// * gives `z`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128)
///
/// Gradients do not flow through it.
pub fn truncate_div(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("TruncateDiv").input(x).input(y);
    ForOutput(node)
}

/// `TruncateMod(x, y) -> (z)`.
///
/// * `x`: `T` (int32, int64, bfloat16, half, float, double)
/// * `y`: `T` (int32, int64, bfloat16, half, float, double)
/// * gives `z`: `T` (int32, int64, bfloat16, half, float, double)
///
/// Differentiable.
pub fn truncate_mod(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("TruncateMod").input(x).input(y);
    ForOutput(node)
}

/// `Xdivy(x, y) -> (z)`.
///
/// * `x`: `T` (half, bfloat16, float, double, complex64, complex128)
/// * `y`: `T` (half, bfloat16, float, double, complex64, complex128)
/// * gives `z`: `T` (half, bfloat16, float, double, complex64, complex128)
///
/// Differentiable.
pub fn xdivy(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("Xdivy").input(x).input(y);
    ForOutput(node)
}

/// `Xlog1py(x, y) -> (z)`.
///
/// * `x`: `T` (half, bfloat16, float, double, complex64, complex128)
/// * `y`: `T` (half, bfloat16, float, double, complex64, complex128)
/// * gives `z`: `T` (half, bfloat16, float, double, complex64, complex128)
///
/// Differentiable.
pub fn xlog1py(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("Xlog1py").input(x).input(y);
    ForOutput(node)
}

/// `Xlogy(x, y) -> (z)`.
///
/// * `x`: `T` (half, bfloat16, float, double, complex64, complex128)
/// * `y`: `T` (half, bfloat16, float, double, complex64, complex128)
/// * gives `z`: `T` (half, bfloat16, float, double, complex64, complex128)
///
/// Differentiable.
pub fn xlogy(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("Xlogy").input(x).input(y);
    ForOutput(node)
}

/// `Zeta(x, q) -> (z)`.
///
/// * `x`: `T` (float, double)
/// * `q`: `T` (float, double)
/// * gives `z`: `T` (float, double)
///
/// Differentiable.
pub fn zeta(x: &Output, q: &Output) -> ForOutput {
    let node = NodeBuilder::new("Zeta").input(x).input(q);
    ForOutput(node)
}
