//! Operations of the family `array`. Generated from their definitions by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these a family needs depends on its operations
use super::support::*;

/// `BatchMatrixBandPart(input, num_lower, num_upper) -> (band)`.
///
/// * `input`: `T` (any type)
/// * `num_lower`: int64
/// * `num_upper`: int64
/// * gives `band`: `T` (any type)
///
/// Differentiable.
pub fn batch_matrix_band_part(input: &Output, num_lower: &Output, num_upper: &Output) -> ForOutput {
    let node =
        NodeBuilder::new("BatchMatrixBandPart").input(input).input(num_lower).input(num_upper);
    ForOutput(node)
}

/// `BatchMatrixDiag(diagonal) -> (output)`.
///
/// * `diagonal`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn batch_matrix_diag(diagonal: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchMatrixDiag").input(diagonal);
    ForOutput(node)
}

/// `BatchMatrixDiagPart(input) -> (diagonal)`.
///
/// * `input`: `T` (any type)
/// * gives `diagonal`: `T` (any type)
///
/// Differentiable.
pub fn batch_matrix_diag_part(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchMatrixDiagPart").input(input);
    ForOutput(node)
}

/// `BatchMatrixSetDiag(input, diagonal) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `diagonal`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn batch_matrix_set_diag(input: &Output, diagonal: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchMatrixSetDiag").input(input).input(diagonal);
    ForOutput(node)
}

/// `BatchToSpace(input, crops) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `crops`: `Tidx` (int32, int64)
/// * `block_size`: attribute, int, at least 2
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn batch_to_space(input: &Output, crops: &Output, block_size: i64) -> ForOutput {
    let mut node = NodeBuilder::new("BatchToSpace").input(input).input(crops);
    node.set("block_size", block_size.into());
    ForOutput(node)
}

/// `BatchToSpaceND(input, block_shape, crops) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `block_shape`: `Tblock_shape` (int32, int64)
/// * `crops`: `Tcrops` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn batch_to_space_nd(input: &Output, block_shape: &Output, crops: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchToSpaceND").input(input).input(block_shape).input(crops);
    ForOutput(node)
}

/// `Bitcast(input) -> (output)`.
///
/// * `input`: `T` (bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, complex64, complex128, qint8, quint8, qint16, quint16, qint32)
/// * `type`: attribute, type, one of bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, complex64, complex128, qint8, quint8, qint16, quint16, qint32
/// * gives `output`: `type` (bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, complex64, complex128, qint8, quint8, qint16, quint16, qint32)
///
/// Gradients do not flow through it.
pub fn bitcast(input: &Output, type_: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("Bitcast").input(input);
    node.set("type", type_.into());
    ForOutput(node)
}

/// `BroadcastArgs(s0, s1) -> (r0)`.
///
/// * `s0`: `T` (int32, int64)
/// * `s1`: `T` (int32, int64)
/// * gives `r0`: `T` (int32, int64)
///
/// Gradients do not flow through it.
pub fn broadcast_args(s0: &Output, s1: &Output) -> ForOutput {
    let node = NodeBuilder::new("BroadcastArgs").input(s0).input(s1);
    ForOutput(node)
}

/// `BroadcastGradientArgs(s0, s1) -> (r0, r1)`.
///
/// * `s0`: `T` (int32, int64)
/// * `s1`: `T` (int32, int64)
/// * gives `r0`: `T` (int32, int64)
/// * gives `r1`: `T` (int32, int64)
///
/// Gradients do not flow through it.
pub fn broadcast_gradient_args(s0: &Output, s1: &Output) -> BroadcastGradientArgs {
    let node = NodeBuilder::new("BroadcastGradientArgs").input(s0).input(s1);
    BroadcastGradientArgs(node)
}

/// A `BroadcastGradientArgs` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BroadcastGradientArgs(NodeBuilder);

impl BroadcastGradientArgs {
    /// Names the node.
    pub fn name(self, name: &str) -> BroadcastGradientArgs {
        BroadcastGradientArgs(self.0.name(name))
    }

    /// Adds the node and gives (`r0`, `r1`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `BroadcastTo(input, shape) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `shape`: `Tidx` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn broadcast_to(input: &Output, shape: &Output) -> ForOutput {
    let node = NodeBuilder::new("BroadcastTo").input(input).input(shape);
    ForOutput(node)
}

/// `Bucketize(input) -> (output)`.
///
/// * `input`: `T` (int32, int64, float, double)
/// * `boundaries`: attribute, list(float)
/// * gives `output`: int32
///
/// Gradients do not flow through it.
pub fn bucketize(input: &Output, boundaries: &[f32]) -> ForOutput {
    let mut node = NodeBuilder::new("Bucketize").input(input);
    node.set("boundaries", boundaries.to_vec().into());
    ForOutput(node)
}

/// `CheckNumerics(tensor) -> (output)`.
///
/// * `tensor`: `T` (bfloat16, half, float, double)
/// * `message`: attribute, string
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Differentiable. Has state or effects.
pub fn check_numerics(tensor: &Output, message: &str) -> ForOutput {
    let mut node = NodeBuilder::new("CheckNumerics").input(tensor);
    node.set("message", text(message));
    ForOutput(node)
}

/// `CheckNumericsV2(tensor) -> (output)`.
///
/// * `tensor`: `T` (bfloat16, half, float, double)
/// * `message`: attribute, string
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Differentiable. Has state or effects.
pub fn check_numerics_v2(tensor: &Output, message: &str) -> ForOutput {
    let mut node = NodeBuilder::new("CheckNumericsV2").input(tensor);
    node.set("message", text(message));
    ForOutput(node)
}

/// `Concat(concat_dim, values) -> (output)`.
///
/// * `concat_dim`: int32
/// * `values`: `N` values of `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn concat(concat_dim: &Output, values: &[Output]) -> ForOutput {
    let node = NodeBuilder::new("Concat").input(concat_dim).list(values);
    ForOutput(node)
}

/// `ConcatOffset(concat_dim, shape) -> (offset)`.
///
/// * `concat_dim`: int32
/// * `shape`: `N` values of `shape_type` (int32, int64)
/// * gives `offset`: `N` values of `shape_type` (int32, int64)
///
/// Gradients do not flow through it.
pub fn concat_offset(concat_dim: &Output, shape: &[Output]) -> ForOutputs {
    let node = NodeBuilder::new("ConcatOffset").input(concat_dim).list(shape);
    ForOutputs(node)
}

/// `ConcatV2(values, axis) -> (output)`.
///
/// * `values`: `N` values of `T` (any type)
/// * `axis`: `Tidx` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn concat_v2(values: &[Output], axis: &Output) -> ForOutput {
    let node = NodeBuilder::new("ConcatV2").list(values).input(axis);
    ForOutput(node)
}

/// `ConjugateTranspose(x, perm) -> (y)`.
///
/// * `x`: `T` (any type)
/// * `perm`: `Tperm` (int32, int64)
/// * gives `y`: `T` (any type)
///
/// Differentiable.
pub fn conjugate_transpose(x: &Output, perm: &Output) -> ForOutput {
    let node = NodeBuilder::new("ConjugateTranspose").input(x).input(perm);
    ForOutput(node)
}

/// `Const() -> (output)`.
///
/// * `value`: attribute, tensor
/// * `dtype`: attribute, type
/// * gives `output`: `dtype` (any type)
///
/// Gradients do not flow through it.
pub fn const_(graph: &Graph, value: &Tensor, dtype: DataType) -> ForOutput {
    let mut node = NodeBuilder::in_graph(graph, "Const");
    node.set("value", value.clone().into());
    node.set("dtype", dtype.into());
    ForOutput(node)
}

/// `Copy(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn copy(input: &Output) -> Copy {
    let node = NodeBuilder::new("Copy").input(input);
    Copy(node)
}

/// A `Copy` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Copy(NodeBuilder);

impl Copy {
    /// The attribute `tensor_name`; `""` unless set.
    pub fn tensor_name(mut self, value: &str) -> Copy {
        self.0.set("tensor_name", text(value));
        self
    }

    /// The attribute `debug_ops_spec`; an empty list unless set.
    pub fn debug_ops_spec(mut self, value: &[&str]) -> Copy {
        self.0.set("debug_ops_spec", texts(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Copy {
        Copy(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `CopyHost(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn copy_host(input: &Output) -> CopyHost {
    let node = NodeBuilder::new("CopyHost").input(input);
    CopyHost(node)
}

/// A `CopyHost` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CopyHost(NodeBuilder);

impl CopyHost {
    /// The attribute `tensor_name`; `""` unless set.
    pub fn tensor_name(mut self, value: &str) -> CopyHost {
        self.0.set("tensor_name", text(value));
        self
    }

    /// The attribute `debug_ops_spec`; an empty list unless set.
    pub fn debug_ops_spec(mut self, value: &[&str]) -> CopyHost {
        self.0.set("debug_ops_spec", texts(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CopyHost {
        CopyHost(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `DeepCopy(x) -> (y)`.
///
/// * `x`: `T` (any type)
/// * gives `y`: `T` (any type)
///
/// Has no gradient. Has state or effects.
pub fn deep_copy(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("DeepCopy").input(x);
    ForOutput(node)
}

/// `DepthToSpace(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `block_size`: attribute, int, at least 2
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn depth_to_space(input: &Output, block_size: i64) -> DepthToSpace {
    let mut node = NodeBuilder::new("DepthToSpace").input(input);
    node.set("block_size", block_size.into());
    DepthToSpace(node)
}

/// A `DepthToSpace` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DepthToSpace(NodeBuilder);

impl DepthToSpace {
    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> DepthToSpace {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DepthToSpace {
        DepthToSpace(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Diag(diagonal) -> (output)`.
///
/// * `diagonal`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
/// * gives `output`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
///
/// Differentiable.
pub fn diag(diagonal: &Output) -> ForOutput {
    let node = NodeBuilder::new("Diag").input(diagonal);
    ForOutput(node)
}

/// `DiagPart(input) -> (diagonal)`.
///
/// * `input`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
/// * gives `diagonal`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
///
/// Differentiable.
pub fn diag_part(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("DiagPart").input(input);
    ForOutput(node)
}

/// `EditDistance(hypothesis_indices, hypothesis_values, hypothesis_shape, truth_indices, truth_values, truth_shape) -> (output)`.
///
/// * `hypothesis_indices`: int64
/// * `hypothesis_values`: `T` (any type)
/// * `hypothesis_shape`: int64
/// * `truth_indices`: int64
/// * `truth_values`: `T` (any type)
/// * `truth_shape`: int64
/// * gives `output`: float
///
/// Gradients do not flow through it.
pub fn edit_distance(
    hypothesis_indices: &Output,
    hypothesis_values: &Output,
    hypothesis_shape: &Output,
    truth_indices: &Output,
    truth_values: &Output,
    truth_shape: &Output,
) -> EditDistance {
    let node = NodeBuilder::new("EditDistance")
        .input(hypothesis_indices)
        .input(hypothesis_values)
        .input(hypothesis_shape)
        .input(truth_indices)
        .input(truth_values)
        .input(truth_shape);
    EditDistance(node)
}

/// A `EditDistance` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct EditDistance(NodeBuilder);

impl EditDistance {
    /// The attribute `normalize`; `true` unless set.
    pub fn normalize(mut self, value: bool) -> EditDistance {
        self.0.set("normalize", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> EditDistance {
        EditDistance(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Empty(shape) -> (output)`.
///
/// * `shape`: int32
/// * `dtype`: attribute, type
/// * gives `output`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn empty(shape: &Output, dtype: DataType) -> Empty {
    let mut node = NodeBuilder::new("Empty").input(shape);
    node.set("dtype", dtype.into());
    Empty(node)
}

/// A `Empty` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Empty(NodeBuilder);

impl Empty {
    /// The attribute `init`; `false` unless set.
    pub fn init(mut self, value: bool) -> Empty {
        self.0.set("init", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Empty {
        Empty(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `EnsureShape(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `shape`: attribute, shape
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn ensure_shape(input: &Output, shape: &PartialShape) -> ForOutput {
    let mut node = NodeBuilder::new("EnsureShape").input(input);
    node.set("shape", shape.clone().into());
    ForOutput(node)
}

/// `ExpandDims(input, dim) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `dim`: `Tdim` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn expand_dims(input: &Output, dim: &Output) -> ForOutput {
    let node = NodeBuilder::new("ExpandDims").input(input).input(dim);
    ForOutput(node)
}

/// `ExtractImagePatches(images) -> (patches)`.
///
/// * `images`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128, bool)
/// * `ksizes`: attribute, list(int), at least 4 long
/// * `strides`: attribute, list(int), at least 4 long
/// * `rates`: attribute, list(int), at least 4 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `patches`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128, bool)
///
/// Differentiable.
pub fn extract_image_patches(
    images: &Output,
    ksizes: &[i64],
    strides: &[i64],
    rates: &[i64],
    padding: &str,
) -> ForOutput {
    let mut node = NodeBuilder::new("ExtractImagePatches").input(images);
    node.set("ksizes", ksizes.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("rates", rates.to_vec().into());
    node.set("padding", text(padding));
    ForOutput(node)
}

/// `ExtractVolumePatches(input) -> (patches)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `ksizes`: attribute, list(int), at least 5 long
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `patches`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn extract_volume_patches(
    input: &Output,
    ksizes: &[i64],
    strides: &[i64],
    padding: &str,
) -> ForOutput {
    let mut node = NodeBuilder::new("ExtractVolumePatches").input(input);
    node.set("ksizes", ksizes.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    ForOutput(node)
}

/// `FakeQuantWithMinMaxArgs(inputs) -> (outputs)`.
///
/// * `inputs`: float
/// * gives `outputs`: float
///
/// Differentiable.
pub fn fake_quant_with_min_max_args(inputs: &Output) -> FakeQuantWithMinMaxArgs {
    let node = NodeBuilder::new("FakeQuantWithMinMaxArgs").input(inputs);
    FakeQuantWithMinMaxArgs(node)
}

/// A `FakeQuantWithMinMaxArgs` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FakeQuantWithMinMaxArgs(NodeBuilder);

impl FakeQuantWithMinMaxArgs {
    /// The attribute `min`; `-6.0` unless set.
    pub fn min(mut self, value: f32) -> FakeQuantWithMinMaxArgs {
        self.0.set("min", value.into());
        self
    }

    /// The attribute `max`; `6.0` unless set.
    pub fn max(mut self, value: f32) -> FakeQuantWithMinMaxArgs {
        self.0.set("max", value.into());
        self
    }

    /// The attribute `num_bits`; `8` unless set.
    pub fn num_bits(mut self, value: i64) -> FakeQuantWithMinMaxArgs {
        self.0.set("num_bits", value.into());
        self
    }

    /// The attribute `narrow_range`; `false` unless set.
    pub fn narrow_range(mut self, value: bool) -> FakeQuantWithMinMaxArgs {
        self.0.set("narrow_range", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FakeQuantWithMinMaxArgs {
        FakeQuantWithMinMaxArgs(self.0.name(name))
    }

    /// Adds the node and gives `outputs`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `FakeQuantWithMinMaxArgsGradient(gradients, inputs) -> (backprops)`.
///
/// * `gradients`: float
/// * `inputs`: float
/// * gives `backprops`: float
///
/// Gradients do not flow through it.
pub fn fake_quant_with_min_max_args_gradient(
    gradients: &Output,
    inputs: &Output,
) -> FakeQuantWithMinMaxArgsGradient {
    let node = NodeBuilder::new("FakeQuantWithMinMaxArgsGradient").input(gradients).input(inputs);
    FakeQuantWithMinMaxArgsGradient(node)
}

/// A `FakeQuantWithMinMaxArgsGradient` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FakeQuantWithMinMaxArgsGradient(NodeBuilder);

impl FakeQuantWithMinMaxArgsGradient {
    /// The attribute `min`; `-6.0` unless set.
    pub fn min(mut self, value: f32) -> FakeQuantWithMinMaxArgsGradient {
        self.0.set("min", value.into());
        self
    }

    /// The attribute `max`; `6.0` unless set.
    pub fn max(mut self, value: f32) -> FakeQuantWithMinMaxArgsGradient {
        self.0.set("max", value.into());
        self
    }

    /// The attribute `num_bits`; `8` unless set.
    pub fn num_bits(mut self, value: i64) -> FakeQuantWithMinMaxArgsGradient {
        self.0.set("num_bits", value.into());
        self
    }

    /// The attribute `narrow_range`; `false` unless set.
    pub fn narrow_range(mut self, value: bool) -> FakeQuantWithMinMaxArgsGradient {
        self.0.set("narrow_range", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FakeQuantWithMinMaxArgsGradient {
        FakeQuantWithMinMaxArgsGradient(self.0.name(name))
    }

    /// Adds the node and gives `backprops`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `FakeQuantWithMinMaxVars(inputs, min, max) -> (outputs)`.
///
/// * `inputs`: float
/// * `min`: float
/// * `max`: float
/// * gives `outputs`: float
///
/// Differentiable.
pub fn fake_quant_with_min_max_vars(
    inputs: &Output,
    min: &Output,
    max: &Output,
) -> FakeQuantWithMinMaxVars {
    let node = NodeBuilder::new("FakeQuantWithMinMaxVars").input(inputs).input(min).input(max);
    FakeQuantWithMinMaxVars(node)
}

/// A `FakeQuantWithMinMaxVars` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FakeQuantWithMinMaxVars(NodeBuilder);

impl FakeQuantWithMinMaxVars {
    /// The attribute `num_bits`; `8` unless set.
    pub fn num_bits(mut self, value: i64) -> FakeQuantWithMinMaxVars {
        self.0.set("num_bits", value.into());
        self
    }

    /// The attribute `narrow_range`; `false` unless set.
    pub fn narrow_range(mut self, value: bool) -> FakeQuantWithMinMaxVars {
        self.0.set("narrow_range", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FakeQuantWithMinMaxVars {
        FakeQuantWithMinMaxVars(self.0.name(name))
    }

    /// Adds the node and gives `outputs`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `FakeQuantWithMinMaxVarsGradient(gradients, inputs, min, max) -> (backprops_wrt_input, backprop_wrt_min, backprop_wrt_max)`.
///
/// * `gradients`: float
/// * `inputs`: float
/// * `min`: float
/// * `max`: float
/// * gives `backprops_wrt_input`: float
/// * gives `backprop_wrt_min`: float
/// * gives `backprop_wrt_max`: float
///
/// Gradients do not flow through it.
pub fn fake_quant_with_min_max_vars_gradient(
    gradients: &Output,
    inputs: &Output,
    min: &Output,
    max: &Output,
) -> FakeQuantWithMinMaxVarsGradient {
    let node = NodeBuilder::new("FakeQuantWithMinMaxVarsGradient")
        .input(gradients)
        .input(inputs)
        .input(min)
        .input(max);
    FakeQuantWithMinMaxVarsGradient(node)
}

/// A `FakeQuantWithMinMaxVarsGradient` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FakeQuantWithMinMaxVarsGradient(NodeBuilder);

impl FakeQuantWithMinMaxVarsGradient {
    /// The attribute `num_bits`; `8` unless set.
    pub fn num_bits(mut self, value: i64) -> FakeQuantWithMinMaxVarsGradient {
        self.0.set("num_bits", value.into());
        self
    }

    /// The attribute `narrow_range`; `false` unless set.
    pub fn narrow_range(mut self, value: bool) -> FakeQuantWithMinMaxVarsGradient {
        self.0.set("narrow_range", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FakeQuantWithMinMaxVarsGradient {
        FakeQuantWithMinMaxVarsGradient(self.0.name(name))
    }

    /// Adds the node and gives (`backprops_wrt_input`, `backprop_wrt_min`, `backprop_wrt_max`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `FakeQuantWithMinMaxVarsPerChannel(inputs, min, max) -> (outputs)`.
///
/// * `inputs`: float
/// * `min`: float
/// * `max`: float
/// * gives `outputs`: float
///
/// Differentiable.
pub fn fake_quant_with_min_max_vars_per_channel(
    inputs: &Output,
    min: &Output,
    max: &Output,
) -> FakeQuantWithMinMaxVarsPerChannel {
    let node =
        NodeBuilder::new("FakeQuantWithMinMaxVarsPerChannel").input(inputs).input(min).input(max);
    FakeQuantWithMinMaxVarsPerChannel(node)
}

/// A `FakeQuantWithMinMaxVarsPerChannel` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FakeQuantWithMinMaxVarsPerChannel(NodeBuilder);

impl FakeQuantWithMinMaxVarsPerChannel {
    /// The attribute `num_bits`; `8` unless set.
    pub fn num_bits(mut self, value: i64) -> FakeQuantWithMinMaxVarsPerChannel {
        self.0.set("num_bits", value.into());
        self
    }

    /// The attribute `narrow_range`; `false` unless set.
    pub fn narrow_range(mut self, value: bool) -> FakeQuantWithMinMaxVarsPerChannel {
        self.0.set("narrow_range", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FakeQuantWithMinMaxVarsPerChannel {
        FakeQuantWithMinMaxVarsPerChannel(self.0.name(name))
    }

    /// Adds the node and gives `outputs`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `FakeQuantWithMinMaxVarsPerChannelGradient(gradients, inputs, min, max) -> (backprops_wrt_input, backprop_wrt_min, backprop_wrt_max)`.
///
/// * `gradients`: float
/// * `inputs`: float
/// * `min`: float
/// * `max`: float
/// * gives `backprops_wrt_input`: float
/// * gives `backprop_wrt_min`: float
/// * gives `backprop_wrt_max`: float
///
/// Gradients do not flow through it.
pub fn fake_quant_with_min_max_vars_per_channel_gradient(
    gradients: &Output,
    inputs: &Output,
    min: &Output,
    max: &Output,
) -> FakeQuantWithMinMaxVarsPerChannelGradient {
    let node = NodeBuilder::new("FakeQuantWithMinMaxVarsPerChannelGradient")
        .input(gradients)
        .input(inputs)
        .input(min)
        .input(max);
    FakeQuantWithMinMaxVarsPerChannelGradient(node)
}

/// A `FakeQuantWithMinMaxVarsPerChannelGradient` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FakeQuantWithMinMaxVarsPerChannelGradient(NodeBuilder);

impl FakeQuantWithMinMaxVarsPerChannelGradient {
    /// The attribute `num_bits`; `8` unless set.
    pub fn num_bits(mut self, value: i64) -> FakeQuantWithMinMaxVarsPerChannelGradient {
        self.0.set("num_bits", value.into());
        self
    }

    /// The attribute `narrow_range`; `false` unless set.
    pub fn narrow_range(mut self, value: bool) -> FakeQuantWithMinMaxVarsPerChannelGradient {
        self.0.set("narrow_range", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FakeQuantWithMinMaxVarsPerChannelGradient {
        FakeQuantWithMinMaxVarsPerChannelGradient(self.0.name(name))
    }

    /// Adds the node and gives (`backprops_wrt_input`, `backprop_wrt_min`, `backprop_wrt_max`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `Fill(dims, value) -> (output)`.
///
/// * `dims`: `index_type` (int32, int64)
/// * `value`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn fill(dims: &Output, value: &Output) -> ForOutput {
    let node = NodeBuilder::new("Fill").input(dims).input(value);
    ForOutput(node)
}

/// `GuaranteeConst(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn guarantee_const(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("GuaranteeConst").input(input);
    ForOutput(node)
}

/// `Identity(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn identity(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("Identity").input(input);
    ForOutput(node)
}

/// `IdentityN(input) -> (output)`.
///
/// * `input`: several, of types `T`
/// * gives `output`: several, of types `T`
///
/// Differentiable.
pub fn identity_n(input: &[Output]) -> ForOutputs {
    let node = NodeBuilder::new("IdentityN").list(input);
    ForOutputs(node)
}

/// `InvertPermutation(x) -> (y)`.
///
/// * `x`: `T` (int32, int64)
/// * gives `y`: `T` (int32, int64)
///
/// Gradients do not flow through it.
pub fn invert_permutation(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("InvertPermutation").input(x);
    ForOutput(node)
}

/// `LinSpace(start, stop, num) -> (output)`.
///
/// * `start`: `T` (bfloat16, half, float, double)
/// * `stop`: `T` (bfloat16, half, float, double)
/// * `num`: `Tidx` (int32, int64)
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Gradients do not flow through it.
pub fn lin_space(start: &Output, stop: &Output, num: &Output) -> ForOutput {
    let node = NodeBuilder::new("LinSpace").input(start).input(stop).input(num);
    ForOutput(node)
}

/// `LowerBound(sorted_inputs, values) -> (output)`.
///
/// * `sorted_inputs`: `T` (any type)
/// * `values`: `T` (any type)
/// * gives `output`: `out_type` (int32, int64)
///
/// Gradients do not flow through it.
pub fn lower_bound(sorted_inputs: &Output, values: &Output) -> LowerBound {
    let node = NodeBuilder::new("LowerBound").input(sorted_inputs).input(values);
    LowerBound(node)
}

/// A `LowerBound` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LowerBound(NodeBuilder);

impl LowerBound {
    /// The attribute `out_type`; int32 unless set.
    pub fn out_type(mut self, value: DataType) -> LowerBound {
        self.0.set("out_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> LowerBound {
        LowerBound(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MatrixBandPart(input, num_lower, num_upper) -> (band)`.
///
/// * `input`: `T` (any type)
/// * `num_lower`: `Tindex` (int32, int64)
/// * `num_upper`: `Tindex` (int32, int64)
/// * gives `band`: `T` (any type)
///
/// Differentiable.
pub fn matrix_band_part(input: &Output, num_lower: &Output, num_upper: &Output) -> ForOutput {
    let node = NodeBuilder::new("MatrixBandPart").input(input).input(num_lower).input(num_upper);
    ForOutput(node)
}

/// `MatrixDiag(diagonal) -> (output)`.
///
/// * `diagonal`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn matrix_diag(diagonal: &Output) -> ForOutput {
    let node = NodeBuilder::new("MatrixDiag").input(diagonal);
    ForOutput(node)
}

/// `MatrixDiagPart(input) -> (diagonal)`.
///
/// * `input`: `T` (any type)
/// * gives `diagonal`: `T` (any type)
///
/// Differentiable.
pub fn matrix_diag_part(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("MatrixDiagPart").input(input);
    ForOutput(node)
}

/// `MatrixDiagPartV2(input, k, padding_value) -> (diagonal)`.
///
/// * `input`: `T` (any type)
/// * `k`: int32
/// * `padding_value`: `T` (any type)
/// * gives `diagonal`: `T` (any type)
///
/// Differentiable.
pub fn matrix_diag_part_v2(input: &Output, k: &Output, padding_value: &Output) -> ForOutput {
    let node = NodeBuilder::new("MatrixDiagPartV2").input(input).input(k).input(padding_value);
    ForOutput(node)
}

/// `MatrixDiagPartV3(input, k, padding_value) -> (diagonal)`.
///
/// * `input`: `T` (any type)
/// * `k`: int32
/// * `padding_value`: `T` (any type)
/// * gives `diagonal`: `T` (any type)
///
/// Differentiable.
pub fn matrix_diag_part_v3(input: &Output, k: &Output, padding_value: &Output) -> MatrixDiagPartV3 {
    let node = NodeBuilder::new("MatrixDiagPartV3").input(input).input(k).input(padding_value);
    MatrixDiagPartV3(node)
}

/// A `MatrixDiagPartV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MatrixDiagPartV3(NodeBuilder);

impl MatrixDiagPartV3 {
    /// The attribute `align`; `"RIGHT_LEFT"` unless set.
    pub fn align(mut self, value: &str) -> MatrixDiagPartV3 {
        self.0.set("align", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MatrixDiagPartV3 {
        MatrixDiagPartV3(self.0.name(name))
    }

    /// Adds the node and gives `diagonal`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MatrixDiagV2(diagonal, k, num_rows, num_cols, padding_value) -> (output)`.
///
/// * `diagonal`: `T` (any type)
/// * `k`: int32
/// * `num_rows`: int32
/// * `num_cols`: int32
/// * `padding_value`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn matrix_diag_v2(
    diagonal: &Output,
    k: &Output,
    num_rows: &Output,
    num_cols: &Output,
    padding_value: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("MatrixDiagV2")
        .input(diagonal)
        .input(k)
        .input(num_rows)
        .input(num_cols)
        .input(padding_value);
    ForOutput(node)
}

/// `MatrixDiagV3(diagonal, k, num_rows, num_cols, padding_value) -> (output)`.
///
/// * `diagonal`: `T` (any type)
/// * `k`: int32
/// * `num_rows`: int32
/// * `num_cols`: int32
/// * `padding_value`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn matrix_diag_v3(
    diagonal: &Output,
    k: &Output,
    num_rows: &Output,
    num_cols: &Output,
    padding_value: &Output,
) -> MatrixDiagV3 {
    let node = NodeBuilder::new("MatrixDiagV3")
        .input(diagonal)
        .input(k)
        .input(num_rows)
        .input(num_cols)
        .input(padding_value);
    MatrixDiagV3(node)
}

/// A `MatrixDiagV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MatrixDiagV3(NodeBuilder);

impl MatrixDiagV3 {
    /// The attribute `align`; `"RIGHT_LEFT"` unless set.
    pub fn align(mut self, value: &str) -> MatrixDiagV3 {
        self.0.set("align", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MatrixDiagV3 {
        MatrixDiagV3(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MatrixSetDiag(input, diagonal) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `diagonal`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn matrix_set_diag(input: &Output, diagonal: &Output) -> ForOutput {
    let node = NodeBuilder::new("MatrixSetDiag").input(input).input(diagonal);
    ForOutput(node)
}

/// `MatrixSetDiagV2(input, diagonal, k) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `diagonal`: `T` (any type)
/// * `k`: int32
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn matrix_set_diag_v2(input: &Output, diagonal: &Output, k: &Output) -> ForOutput {
    let node = NodeBuilder::new("MatrixSetDiagV2").input(input).input(diagonal).input(k);
    ForOutput(node)
}

/// `MatrixSetDiagV3(input, diagonal, k) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `diagonal`: `T` (any type)
/// * `k`: int32
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn matrix_set_diag_v3(input: &Output, diagonal: &Output, k: &Output) -> MatrixSetDiagV3 {
    let node = NodeBuilder::new("MatrixSetDiagV3").input(input).input(diagonal).input(k);
    MatrixSetDiagV3(node)
}

/// A `MatrixSetDiagV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MatrixSetDiagV3(NodeBuilder);

impl MatrixSetDiagV3 {
    /// The attribute `align`; `"RIGHT_LEFT"` unless set.
    pub fn align(mut self, value: &str) -> MatrixSetDiagV3 {
        self.0.set("align", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MatrixSetDiagV3 {
        MatrixSetDiagV3(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MirrorPad(input, paddings) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `paddings`: `Tpaddings` (int32, int64)
/// * `mode`: attribute, string, one of `"REFLECT"`, `"SYMMETRIC"`
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn mirror_pad(input: &Output, paddings: &Output, mode: &str) -> ForOutput {
    let mut node = NodeBuilder::new("MirrorPad").input(input).input(paddings);
    node.set("mode", text(mode));
    ForOutput(node)
}

/// `MirrorPadGrad(input, paddings) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `paddings`: `Tpaddings` (int32, int64)
/// * `mode`: attribute, string, one of `"REFLECT"`, `"SYMMETRIC"`
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn mirror_pad_grad(input: &Output, paddings: &Output, mode: &str) -> ForOutput {
    let mut node = NodeBuilder::new("MirrorPadGrad").input(input).input(paddings);
    node.set("mode", text(mode));
    ForOutput(node)
}

/// `OnesLike(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64, complex64, complex128, bool)
/// * gives `y`: `T` (bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64, complex64, complex128, bool)
///
/// Gradients do not flow through it.
pub fn ones_like(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("OnesLike").input(x);
    ForOutput(node)
}

/// `Pack(values) -> (output)`.
///
/// * `values`: `N` values of `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn pack(values: &[Output]) -> Pack {
    let node = NodeBuilder::new("Pack").list(values);
    Pack(node)
}

/// A `Pack` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Pack(NodeBuilder);

impl Pack {
    /// The attribute `axis`; `0` unless set.
    pub fn axis(mut self, value: i64) -> Pack {
        self.0.set("axis", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Pack {
        Pack(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Pad(input, paddings) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `paddings`: `Tpaddings` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn pad(input: &Output, paddings: &Output) -> ForOutput {
    let node = NodeBuilder::new("Pad").input(input).input(paddings);
    ForOutput(node)
}

/// `PadV2(input, paddings, constant_values) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `paddings`: `Tpaddings` (int32, int64)
/// * `constant_values`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn pad_v2(input: &Output, paddings: &Output, constant_values: &Output) -> ForOutput {
    let node = NodeBuilder::new("PadV2").input(input).input(paddings).input(constant_values);
    ForOutput(node)
}

/// `ParallelConcat(values) -> (output)`.
///
/// * `values`: `N` values of `T` (any type)
/// * `shape`: attribute, shape
/// * gives `output`: `T` (any type)
///
/// Has no gradient.
pub fn parallel_concat(values: &[Output], shape: &PartialShape) -> ForOutput {
    let mut node = NodeBuilder::new("ParallelConcat").list(values);
    node.set("shape", shape.clone().into());
    ForOutput(node)
}

/// `Placeholder() -> (output)`.
///
/// * `dtype`: attribute, type
/// * gives `output`: `dtype` (any type)
///
/// Has no gradient.
pub fn placeholder(graph: &Graph, dtype: DataType) -> Placeholder {
    let mut node = NodeBuilder::in_graph(graph, "Placeholder");
    node.set("dtype", dtype.into());
    Placeholder(node)
}

/// A `Placeholder` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Placeholder(NodeBuilder);

impl Placeholder {
    /// The attribute `shape`; `<unknown>` unless set.
    pub fn shape(mut self, value: &PartialShape) -> Placeholder {
        self.0.set("shape", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Placeholder {
        Placeholder(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `PlaceholderV2() -> (output)`.
///
/// * `dtype`: attribute, type
/// * `shape`: attribute, shape
/// * gives `output`: `dtype` (any type)
///
/// Has no gradient.
pub fn placeholder_v2(graph: &Graph, dtype: DataType, shape: &PartialShape) -> ForOutput {
    let mut node = NodeBuilder::in_graph(graph, "PlaceholderV2");
    node.set("dtype", dtype.into());
    node.set("shape", shape.clone().into());
    ForOutput(node)
}

/// `PlaceholderWithDefault(input) -> (output)`.
///
/// * `input`: `dtype` (any type)
/// * `shape`: attribute, shape
/// * gives `output`: `dtype` (any type)
///
/// Differentiable.
pub fn placeholder_with_default(input: &Output, shape: &PartialShape) -> ForOutput {
    let mut node = NodeBuilder::new("PlaceholderWithDefault").input(input);
    node.set("shape", shape.clone().into());
    ForOutput(node)
}

/// `PreventGradient(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn prevent_gradient(input: &Output) -> PreventGradient {
    let node = NodeBuilder::new("PreventGradient").input(input);
    PreventGradient(node)
}

/// A `PreventGradient` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct PreventGradient(NodeBuilder);

impl PreventGradient {
    /// The attribute `message`; `""` unless set.
    pub fn message(mut self, value: &str) -> PreventGradient {
        self.0.set("message", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> PreventGradient {
        PreventGradient(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `QuantizeAndDequantize(input) -> (output)`.
///
/// * `input`: `T` (bfloat16, half, float, double)
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn quantize_and_dequantize(input: &Output) -> QuantizeAndDequantize {
    let node = NodeBuilder::new("QuantizeAndDequantize").input(input);
    QuantizeAndDequantize(node)
}

/// A `QuantizeAndDequantize` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizeAndDequantize(NodeBuilder);

impl QuantizeAndDequantize {
    /// The attribute `signed_input`; `true` unless set.
    pub fn signed_input(mut self, value: bool) -> QuantizeAndDequantize {
        self.0.set("signed_input", value.into());
        self
    }

    /// The attribute `num_bits`; `8` unless set.
    pub fn num_bits(mut self, value: i64) -> QuantizeAndDequantize {
        self.0.set("num_bits", value.into());
        self
    }

    /// The attribute `range_given`; `false` unless set.
    pub fn range_given(mut self, value: bool) -> QuantizeAndDequantize {
        self.0.set("range_given", value.into());
        self
    }

    /// The attribute `input_min`; `0.0` unless set.
    pub fn input_min(mut self, value: f32) -> QuantizeAndDequantize {
        self.0.set("input_min", value.into());
        self
    }

    /// The attribute `input_max`; `0.0` unless set.
    pub fn input_max(mut self, value: f32) -> QuantizeAndDequantize {
        self.0.set("input_max", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QuantizeAndDequantize {
        QuantizeAndDequantize(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `QuantizeAndDequantizeV2(input, input_min, input_max) -> (output)`.
///
/// * `input`: `T` (bfloat16, half, float, double)
/// * `input_min`: `T` (bfloat16, half, float, double)
/// * `input_max`: `T` (bfloat16, half, float, double)
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn quantize_and_dequantize_v2(
    input: &Output,
    input_min: &Output,
    input_max: &Output,
) -> QuantizeAndDequantizeV2 {
    let node =
        NodeBuilder::new("QuantizeAndDequantizeV2").input(input).input(input_min).input(input_max);
    QuantizeAndDequantizeV2(node)
}

/// A `QuantizeAndDequantizeV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizeAndDequantizeV2(NodeBuilder);

impl QuantizeAndDequantizeV2 {
    /// The attribute `signed_input`; `true` unless set.
    pub fn signed_input(mut self, value: bool) -> QuantizeAndDequantizeV2 {
        self.0.set("signed_input", value.into());
        self
    }

    /// The attribute `num_bits`; `8` unless set.
    pub fn num_bits(mut self, value: i64) -> QuantizeAndDequantizeV2 {
        self.0.set("num_bits", value.into());
        self
    }

    /// The attribute `range_given`; `false` unless set.
    pub fn range_given(mut self, value: bool) -> QuantizeAndDequantizeV2 {
        self.0.set("range_given", value.into());
        self
    }

    /// The attribute `round_mode`; `"HALF_TO_EVEN"` unless set.
    pub fn round_mode(mut self, value: &str) -> QuantizeAndDequantizeV2 {
        self.0.set("round_mode", text(value));
        self
    }

    /// The attribute `narrow_range`; `false` unless set.
    pub fn narrow_range(mut self, value: bool) -> QuantizeAndDequantizeV2 {
        self.0.set("narrow_range", value.into());
        self
    }

    /// The attribute `axis`; `-1` unless set.
    pub fn axis(mut self, value: i64) -> QuantizeAndDequantizeV2 {
        self.0.set("axis", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QuantizeAndDequantizeV2 {
        QuantizeAndDequantizeV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `QuantizeAndDequantizeV3(input, input_min, input_max, num_bits) -> (output)`.
///
/// * `input`: `T` (bfloat16, half, float, double)
/// * `input_min`: `T` (bfloat16, half, float, double)
/// * `input_max`: `T` (bfloat16, half, float, double)
/// * `num_bits`: int32
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn quantize_and_dequantize_v3(
    input: &Output,
    input_min: &Output,
    input_max: &Output,
    num_bits: &Output,
) -> QuantizeAndDequantizeV3 {
    let node = NodeBuilder::new("QuantizeAndDequantizeV3")
        .input(input)
        .input(input_min)
        .input(input_max)
        .input(num_bits);
    QuantizeAndDequantizeV3(node)
}

/// A `QuantizeAndDequantizeV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizeAndDequantizeV3(NodeBuilder);

impl QuantizeAndDequantizeV3 {
    /// The attribute `signed_input`; `true` unless set.
    pub fn signed_input(mut self, value: bool) -> QuantizeAndDequantizeV3 {
        self.0.set("signed_input", value.into());
        self
    }

    /// The attribute `range_given`; `true` unless set.
    pub fn range_given(mut self, value: bool) -> QuantizeAndDequantizeV3 {
        self.0.set("range_given", value.into());
        self
    }

    /// The attribute `narrow_range`; `false` unless set.
    pub fn narrow_range(mut self, value: bool) -> QuantizeAndDequantizeV3 {
        self.0.set("narrow_range", value.into());
        self
    }

    /// The attribute `axis`; `-1` unless set.
    pub fn axis(mut self, value: i64) -> QuantizeAndDequantizeV3 {
        self.0.set("axis", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QuantizeAndDequantizeV3 {
        QuantizeAndDequantizeV3(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `QuantizeAndDequantizeV4(input, input_min, input_max) -> (output)`.
///
/// * `input`: `T` (bfloat16, half, float, double)
/// * `input_min`: `T` (bfloat16, half, float, double)
/// * `input_max`: `T` (bfloat16, half, float, double)
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn quantize_and_dequantize_v4(
    input: &Output,
    input_min: &Output,
    input_max: &Output,
) -> QuantizeAndDequantizeV4 {
    let node =
        NodeBuilder::new("QuantizeAndDequantizeV4").input(input).input(input_min).input(input_max);
    QuantizeAndDequantizeV4(node)
}

/// A `QuantizeAndDequantizeV4` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizeAndDequantizeV4(NodeBuilder);

impl QuantizeAndDequantizeV4 {
    /// The attribute `signed_input`; `true` unless set.
    pub fn signed_input(mut self, value: bool) -> QuantizeAndDequantizeV4 {
        self.0.set("signed_input", value.into());
        self
    }

    /// The attribute `num_bits`; `8` unless set.
    pub fn num_bits(mut self, value: i64) -> QuantizeAndDequantizeV4 {
        self.0.set("num_bits", value.into());
        self
    }

    /// The attribute `range_given`; `false` unless set.
    pub fn range_given(mut self, value: bool) -> QuantizeAndDequantizeV4 {
        self.0.set("range_given", value.into());
        self
    }

    /// The attribute `round_mode`; `"HALF_TO_EVEN"` unless set.
    pub fn round_mode(mut self, value: &str) -> QuantizeAndDequantizeV4 {
        self.0.set("round_mode", text(value));
        self
    }

    /// The attribute `narrow_range`; `false` unless set.
    pub fn narrow_range(mut self, value: bool) -> QuantizeAndDequantizeV4 {
        self.0.set("narrow_range", value.into());
        self
    }

    /// The attribute `axis`; `-1` unless set.
    pub fn axis(mut self, value: i64) -> QuantizeAndDequantizeV4 {
        self.0.set("axis", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QuantizeAndDequantizeV4 {
        QuantizeAndDequantizeV4(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `QuantizeAndDequantizeV4Grad(gradients, input, input_min, input_max) -> (input_backprop, input_min_backprop, input_max_backprop)`.
///
/// * `gradients`: `T` (bfloat16, half, float, double)
/// * `input`: `T` (bfloat16, half, float, double)
/// * `input_min`: `T` (bfloat16, half, float, double)
/// * `input_max`: `T` (bfloat16, half, float, double)
/// * gives `input_backprop`: `T` (bfloat16, half, float, double)
/// * gives `input_min_backprop`: `T` (bfloat16, half, float, double)
/// * gives `input_max_backprop`: `T` (bfloat16, half, float, double)
///
/// Has no gradient.
pub fn quantize_and_dequantize_v4_grad(
    gradients: &Output,
    input: &Output,
    input_min: &Output,
    input_max: &Output,
) -> QuantizeAndDequantizeV4Grad {
    let node = NodeBuilder::new("QuantizeAndDequantizeV4Grad")
        .input(gradients)
        .input(input)
        .input(input_min)
        .input(input_max);
    QuantizeAndDequantizeV4Grad(node)
}

/// A `QuantizeAndDequantizeV4Grad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QuantizeAndDequantizeV4Grad(NodeBuilder);

impl QuantizeAndDequantizeV4Grad {
    /// The attribute `axis`; `-1` unless set.
    pub fn axis(mut self, value: i64) -> QuantizeAndDequantizeV4Grad {
        self.0.set("axis", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QuantizeAndDequantizeV4Grad {
        QuantizeAndDequantizeV4Grad(self.0.name(name))
    }

    /// Adds the node and gives (`input_backprop`, `input_min_backprop`, `input_max_backprop`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `Range(start, limit, delta) -> (output)`.
///
/// * `start`: `Tidx` (bfloat16, half, float, double, int8, int16, int32, int64, uint16, uint32, uint64)
/// * `limit`: `Tidx` (bfloat16, half, float, double, int8, int16, int32, int64, uint16, uint32, uint64)
/// * `delta`: `Tidx` (bfloat16, half, float, double, int8, int16, int32, int64, uint16, uint32, uint64)
/// * gives `output`: `Tidx` (bfloat16, half, float, double, int8, int16, int32, int64, uint16, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn range(start: &Output, limit: &Output, delta: &Output) -> ForOutput {
    let node = NodeBuilder::new("Range").input(start).input(limit).input(delta);
    ForOutput(node)
}

/// `Rank(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: int32
///
/// Gradients do not flow through it.
pub fn rank(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("Rank").input(input);
    ForOutput(node)
}

/// `Reshape(tensor, shape) -> (output)`.
///
/// * `tensor`: `T` (any type)
/// * `shape`: `Tshape` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn reshape(tensor: &Output, shape: &Output) -> ForOutput {
    let node = NodeBuilder::new("Reshape").input(tensor).input(shape);
    ForOutput(node)
}

/// `Reverse(tensor, dims) -> (output)`.
///
/// * `tensor`: `T` (uint8, int8, uint16, int16, uint32, int32, uint64, int64, bool, bfloat16, half, float, double, complex64, complex128, string)
/// * `dims`: bool
/// * gives `output`: `T` (uint8, int8, uint16, int16, uint32, int32, uint64, int64, bool, bfloat16, half, float, double, complex64, complex128, string)
///
/// Differentiable.
pub fn reverse(tensor: &Output, dims: &Output) -> ForOutput {
    let node = NodeBuilder::new("Reverse").input(tensor).input(dims);
    ForOutput(node)
}

/// `ReverseSequence(input, seq_lengths) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `seq_lengths`: `Tlen` (int32, int64)
/// * `seq_dim`: attribute, int
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn reverse_sequence(input: &Output, seq_lengths: &Output, seq_dim: i64) -> ReverseSequence {
    let mut node = NodeBuilder::new("ReverseSequence").input(input).input(seq_lengths);
    node.set("seq_dim", seq_dim.into());
    ReverseSequence(node)
}

/// A `ReverseSequence` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ReverseSequence(NodeBuilder);

impl ReverseSequence {
    /// The attribute `batch_dim`; `0` unless set.
    pub fn batch_dim(mut self, value: i64) -> ReverseSequence {
        self.0.set("batch_dim", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ReverseSequence {
        ReverseSequence(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ReverseV2(tensor, axis) -> (output)`.
///
/// * `tensor`: `T` (uint8, int8, uint16, int16, int32, uint32, int64, uint64, bool, bfloat16, half, float, double, complex64, complex128, string)
/// * `axis`: `Tidx` (int32, int64)
/// * gives `output`: `T` (uint8, int8, uint16, int16, int32, uint32, int64, uint64, bool, bfloat16, half, float, double, complex64, complex128, string)
///
/// Differentiable.
pub fn reverse_v2(tensor: &Output, axis: &Output) -> ForOutput {
    let node = NodeBuilder::new("ReverseV2").input(tensor).input(axis);
    ForOutput(node)
}

/// `Roll(input, shift, axis) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `shift`: `Tshift` (int32, int64)
/// * `axis`: `Taxis` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn roll(input: &Output, shift: &Output, axis: &Output) -> ForOutput {
    let node = NodeBuilder::new("Roll").input(input).input(shift).input(axis);
    ForOutput(node)
}

/// `Shape(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: `out_type` (int32, int64)
///
/// Gradients do not flow through it.
pub fn shape(input: &Output) -> Shape {
    let node = NodeBuilder::new("Shape").input(input);
    Shape(node)
}

/// A `Shape` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Shape(NodeBuilder);

impl Shape {
    /// The attribute `out_type`; int32 unless set.
    pub fn out_type(mut self, value: DataType) -> Shape {
        self.0.set("out_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Shape {
        Shape(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ShapeN(input) -> (output)`.
///
/// * `input`: `N` values of `T` (any type)
/// * gives `output`: `N` values of `out_type` (int32, int64)
///
/// Gradients do not flow through it.
pub fn shape_n(input: &[Output]) -> ShapeN {
    let node = NodeBuilder::new("ShapeN").list(input);
    ShapeN(node)
}

/// A `ShapeN` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ShapeN(NodeBuilder);

impl ShapeN {
    /// The attribute `out_type`; int32 unless set.
    pub fn out_type(mut self, value: DataType) -> ShapeN {
        self.0.set("out_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ShapeN {
        ShapeN(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `Size(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: `out_type` (int32, int64)
///
/// Gradients do not flow through it.
pub fn size(input: &Output) -> Size {
    let node = NodeBuilder::new("Size").input(input);
    Size(node)
}

/// A `Size` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Size(NodeBuilder);

impl Size {
    /// The attribute `out_type`; int32 unless set.
    pub fn out_type(mut self, value: DataType) -> Size {
        self.0.set("out_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Size {
        Size(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Snapshot(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn snapshot(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("Snapshot").input(input);
    ForOutput(node)
}

/// `SpaceToBatch(input, paddings) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `paddings`: `Tpaddings` (int32, int64)
/// * `block_size`: attribute, int, at least 2
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn space_to_batch(input: &Output, paddings: &Output, block_size: i64) -> ForOutput {
    let mut node = NodeBuilder::new("SpaceToBatch").input(input).input(paddings);
    node.set("block_size", block_size.into());
    ForOutput(node)
}

/// `SpaceToBatchND(input, block_shape, paddings) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `block_shape`: `Tblock_shape` (int32, int64)
/// * `paddings`: `Tpaddings` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn space_to_batch_nd(input: &Output, block_shape: &Output, paddings: &Output) -> ForOutput {
    let node = NodeBuilder::new("SpaceToBatchND").input(input).input(block_shape).input(paddings);
    ForOutput(node)
}

/// `SpaceToDepth(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `block_size`: attribute, int, at least 2
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn space_to_depth(input: &Output, block_size: i64) -> SpaceToDepth {
    let mut node = NodeBuilder::new("SpaceToDepth").input(input);
    node.set("block_size", block_size.into());
    SpaceToDepth(node)
}

/// A `SpaceToDepth` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SpaceToDepth(NodeBuilder);

impl SpaceToDepth {
    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> SpaceToDepth {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SpaceToDepth {
        SpaceToDepth(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Split(split_dim, value) -> (output)`.
///
/// * `split_dim`: int32
/// * `value`: `T` (any type)
/// * `num_split`: attribute, int, at least 1
/// * gives `output`: `num_split` values of `T` (any type)
///
/// Differentiable.
pub fn split(split_dim: &Output, value: &Output, num_split: i64) -> ForOutputs {
    let mut node = NodeBuilder::new("Split").input(split_dim).input(value);
    node.set("num_split", num_split.into());
    ForOutputs(node)
}

/// `SplitV(value, size_splits, split_dim) -> (output)`.
///
/// * `value`: `T` (any type)
/// * `size_splits`: `Tlen` (int8, int32, int64)
/// * `split_dim`: int32
/// * `num_split`: attribute, int, at least 1
/// * gives `output`: `num_split` values of `T` (any type)
///
/// Differentiable.
pub fn split_v(
    value: &Output,
    size_splits: &Output,
    split_dim: &Output,
    num_split: i64,
) -> ForOutputs {
    let mut node = NodeBuilder::new("SplitV").input(value).input(size_splits).input(split_dim);
    node.set("num_split", num_split.into());
    ForOutputs(node)
}

/// `Squeeze(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn squeeze(input: &Output) -> Squeeze {
    let node = NodeBuilder::new("Squeeze").input(input);
    Squeeze(node)
}

/// A `Squeeze` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Squeeze(NodeBuilder);

impl Squeeze {
    /// The attribute `squeeze_dims`; an empty list unless set.
    pub fn squeeze_dims(mut self, value: &[i64]) -> Squeeze {
        self.0.set("squeeze_dims", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Squeeze {
        Squeeze(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StopGradient(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Gradients do not flow through it.
pub fn stop_gradient(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("StopGradient").input(input);
    ForOutput(node)
}

/// `Tile(input, multiples) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `multiples`: `Tmultiples` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn tile(input: &Output, multiples: &Output) -> ForOutput {
    let node = NodeBuilder::new("Tile").input(input).input(multiples);
    ForOutput(node)
}

/// `TileGrad(input, multiples) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `multiples`: int32
/// * gives `output`: `T` (any type)
///
/// Has no gradient.
pub fn tile_grad(input: &Output, multiples: &Output) -> ForOutput {
    let node = NodeBuilder::new("TileGrad").input(input).input(multiples);
    ForOutput(node)
}

/// `Transpose(x, perm) -> (y)`.
///
/// * `x`: `T` (any type)
/// * `perm`: `Tperm` (int32, int64)
/// * gives `y`: `T` (any type)
///
/// Differentiable.
pub fn transpose(x: &Output, perm: &Output) -> ForOutput {
    let node = NodeBuilder::new("Transpose").input(x).input(perm);
    ForOutput(node)
}

/// `Unpack(value) -> (output)`.
///
/// * `value`: `T` (any type)
/// * `num`: attribute, int, at least 0
/// * gives `output`: `num` values of `T` (any type)
///
/// Differentiable.
pub fn unpack(value: &Output, num: i64) -> Unpack {
    let mut node = NodeBuilder::new("Unpack").input(value);
    node.set("num", num.into());
    Unpack(node)
}

/// A `Unpack` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Unpack(NodeBuilder);

impl Unpack {
    /// The attribute `axis`; `0` unless set.
    pub fn axis(mut self, value: i64) -> Unpack {
        self.0.set("axis", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Unpack {
        Unpack(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `UnravelIndex(indices, dims) -> (output)`.
///
/// * `indices`: `Tidx` (int32, int64)
/// * `dims`: `Tidx` (int32, int64)
/// * gives `output`: `Tidx` (int32, int64)
///
/// Gradients do not flow through it.
pub fn unravel_index(indices: &Output, dims: &Output) -> ForOutput {
    let node = NodeBuilder::new("UnravelIndex").input(indices).input(dims);
    ForOutput(node)
}

/// `UpperBound(sorted_inputs, values) -> (output)`.
///
/// * `sorted_inputs`: `T` (any type)
/// * `values`: `T` (any type)
/// * gives `output`: `out_type` (int32, int64)
///
/// Gradients do not flow through it.
pub fn upper_bound(sorted_inputs: &Output, values: &Output) -> UpperBound {
    let node = NodeBuilder::new("UpperBound").input(sorted_inputs).input(values);
    UpperBound(node)
}

/// A `UpperBound` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct UpperBound(NodeBuilder);

impl UpperBound {
    /// The attribute `out_type`; int32 unless set.
    pub fn out_type(mut self, value: DataType) -> UpperBound {
        self.0.set("out_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> UpperBound {
        UpperBound(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Where(input) -> (index)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool)
/// * gives `index`: int64
///
/// Gradients do not flow through it.
pub fn where_(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("Where").input(input);
    ForOutput(node)
}

/// `ZerosLike(x) -> (y)`.
///
/// * `x`: `T` (any type)
/// * gives `y`: `T` (any type)
///
/// Gradients do not flow through it.
pub fn zeros_like(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("ZerosLike").input(x);
    ForOutput(node)
}
