//! Operations of the family `conv`. Generated from their definitions by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these a family needs depends on its operations
use super::support::*;

/// `AdjustContrastv2(images, contrast_factor) -> (output)`.
///
/// * `images`: `T` (half, float)
/// * `contrast_factor`: float
/// * gives `output`: `T` (half, float)
///
/// Has no gradient.
pub fn adjust_contrastv2(images: &Output, contrast_factor: &Output) -> ForOutput {
    let node = NodeBuilder::new("AdjustContrastv2").input(images).input(contrast_factor);
    ForOutput(node)
}

/// `AdjustHue(images, delta) -> (output)`.
///
/// * `images`: `T` (half, float)
/// * `delta`: float
/// * gives `output`: `T` (half, float)
///
/// Has no gradient.
pub fn adjust_hue(images: &Output, delta: &Output) -> ForOutput {
    let node = NodeBuilder::new("AdjustHue").input(images).input(delta);
    ForOutput(node)
}

/// `AdjustSaturation(images, scale) -> (output)`.
///
/// * `images`: `T` (half, float)
/// * `scale`: float
/// * gives `output`: `T` (half, float)
///
/// Has no gradient.
pub fn adjust_saturation(images: &Output, scale: &Output) -> ForOutput {
    let node = NodeBuilder::new("AdjustSaturation").input(images).input(scale);
    ForOutput(node)
}

/// `AvgPool(value) -> (output)`.
///
/// * `value`: `T` (half, bfloat16, float, double)
/// * `ksize`: attribute, list(int), at least 4 long
/// * `strides`: attribute, list(int), at least 4 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn avg_pool(value: &Output, ksize: &[i64], strides: &[i64], padding: &str) -> AvgPool {
    let mut node = NodeBuilder::new("AvgPool").input(value);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    AvgPool(node)
}

/// A `AvgPool` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AvgPool(NodeBuilder);

impl AvgPool {
    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> AvgPool {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AvgPool {
        AvgPool(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `AvgPool3D(input) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double)
/// * `ksize`: attribute, list(int), at least 5 long
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn avg_pool3d(input: &Output, ksize: &[i64], strides: &[i64], padding: &str) -> AvgPool3D {
    let mut node = NodeBuilder::new("AvgPool3D").input(input);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    AvgPool3D(node)
}

/// A `AvgPool3D` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AvgPool3D(NodeBuilder);

impl AvgPool3D {
    /// The attribute `data_format`; `"NDHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> AvgPool3D {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AvgPool3D {
        AvgPool3D(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `AvgPool3DGrad(orig_input_shape, grad) -> (output)`.
///
/// * `orig_input_shape`: int32
/// * `grad`: `T` (half, bfloat16, float, double)
/// * `ksize`: attribute, list(int), at least 5 long
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn avg_pool3d_grad(
    orig_input_shape: &Output,
    grad: &Output,
    ksize: &[i64],
    strides: &[i64],
    padding: &str,
) -> AvgPool3DGrad {
    let mut node = NodeBuilder::new("AvgPool3DGrad").input(orig_input_shape).input(grad);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    AvgPool3DGrad(node)
}

/// A `AvgPool3DGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AvgPool3DGrad(NodeBuilder);

impl AvgPool3DGrad {
    /// The attribute `data_format`; `"NDHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> AvgPool3DGrad {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AvgPool3DGrad {
        AvgPool3DGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `AvgPoolGrad(orig_input_shape, grad) -> (output)`.
///
/// * `orig_input_shape`: int32
/// * `grad`: `T` (half, bfloat16, float, double)
/// * `ksize`: attribute, list(int), at least 4 long
/// * `strides`: attribute, list(int), at least 4 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn avg_pool_grad(
    orig_input_shape: &Output,
    grad: &Output,
    ksize: &[i64],
    strides: &[i64],
    padding: &str,
) -> AvgPoolGrad {
    let mut node = NodeBuilder::new("AvgPoolGrad").input(orig_input_shape).input(grad);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    AvgPoolGrad(node)
}

/// A `AvgPoolGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AvgPoolGrad(NodeBuilder);

impl AvgPoolGrad {
    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> AvgPoolGrad {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AvgPoolGrad {
        AvgPoolGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Conv(input, filter) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double, int32)
/// * `filter`: `T` (half, bfloat16, float, double, int32)
/// * `strides`: attribute, list(int)
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`, `"EXPLICIT"`
/// * gives `output`: `T` (half, bfloat16, float, double, int32)
///
/// Has no gradient.
pub fn conv(input: &Output, filter: &Output, strides: &[i64], padding: &str) -> Conv {
    let mut node = NodeBuilder::new("Conv").input(input).input(filter);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    Conv(node)
}

/// A `Conv` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Conv(NodeBuilder);

impl Conv {
    /// The attribute `explicit_paddings`; an empty list unless set.
    pub fn explicit_paddings(mut self, value: &[i64]) -> Conv {
        self.0.set("explicit_paddings", value.to_vec().into());
        self
    }

    /// The attribute `data_format`; `"CHANNELS_LAST"` unless set.
    pub fn data_format(mut self, value: &str) -> Conv {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `dilations`; an empty list unless set.
    pub fn dilations(mut self, value: &[i64]) -> Conv {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// The attribute `batch_dims`; `1` unless set.
    pub fn batch_dims(mut self, value: i64) -> Conv {
        self.0.set("batch_dims", value.into());
        self
    }

    /// The attribute `groups`; `1` unless set.
    pub fn groups(mut self, value: i64) -> Conv {
        self.0.set("groups", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Conv {
        Conv(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Conv2D(input, filter) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double, int32)
/// * `filter`: `T` (half, bfloat16, float, double, int32)
/// * `strides`: attribute, list(int)
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`, `"EXPLICIT"`
/// * gives `output`: `T` (half, bfloat16, float, double, int32)
///
/// Differentiable.
pub fn conv2d(input: &Output, filter: &Output, strides: &[i64], padding: &str) -> Conv2D {
    let mut node = NodeBuilder::new("Conv2D").input(input).input(filter);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    Conv2D(node)
}

/// A `Conv2D` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Conv2D(NodeBuilder);

impl Conv2D {
    /// The attribute `use_cudnn_on_gpu`; `true` unless set.
    pub fn use_cudnn_on_gpu(mut self, value: bool) -> Conv2D {
        self.0.set("use_cudnn_on_gpu", value.into());
        self
    }

    /// The attribute `explicit_paddings`; an empty list unless set.
    pub fn explicit_paddings(mut self, value: &[i64]) -> Conv2D {
        self.0.set("explicit_paddings", value.to_vec().into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> Conv2D {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `dilations`; `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> Conv2D {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Conv2D {
        Conv2D(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Conv2DBackpropFilter(input, filter_sizes, out_backprop) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double)
/// * `filter_sizes`: int32
/// * `out_backprop`: `T` (half, bfloat16, float, double)
/// * `strides`: attribute, list(int)
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`, `"EXPLICIT"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn conv2d_backprop_filter(
    input: &Output,
    filter_sizes: &Output,
    out_backprop: &Output,
    strides: &[i64],
    padding: &str,
) -> Conv2DBackpropFilter {
    let mut node = NodeBuilder::new("Conv2DBackpropFilter")
        .input(input)
        .input(filter_sizes)
        .input(out_backprop);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    Conv2DBackpropFilter(node)
}

/// A `Conv2DBackpropFilter` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Conv2DBackpropFilter(NodeBuilder);

impl Conv2DBackpropFilter {
    /// The attribute `use_cudnn_on_gpu`; `true` unless set.
    pub fn use_cudnn_on_gpu(mut self, value: bool) -> Conv2DBackpropFilter {
        self.0.set("use_cudnn_on_gpu", value.into());
        self
    }

    /// The attribute `explicit_paddings`; an empty list unless set.
    pub fn explicit_paddings(mut self, value: &[i64]) -> Conv2DBackpropFilter {
        self.0.set("explicit_paddings", value.to_vec().into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> Conv2DBackpropFilter {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `dilations`; `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> Conv2DBackpropFilter {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Conv2DBackpropFilter {
        Conv2DBackpropFilter(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Conv2DBackpropFilterV2(input, filter, out_backprop) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double)
/// * `filter`: `T` (half, bfloat16, float, double)
/// * `out_backprop`: `T` (half, bfloat16, float, double)
/// * `strides`: attribute, list(int)
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`, `"EXPLICIT"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn conv2d_backprop_filter_v2(
    input: &Output,
    filter: &Output,
    out_backprop: &Output,
    strides: &[i64],
    padding: &str,
) -> Conv2DBackpropFilterV2 {
    let mut node =
        NodeBuilder::new("Conv2DBackpropFilterV2").input(input).input(filter).input(out_backprop);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    Conv2DBackpropFilterV2(node)
}

/// A `Conv2DBackpropFilterV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Conv2DBackpropFilterV2(NodeBuilder);

impl Conv2DBackpropFilterV2 {
    /// The attribute `use_cudnn_on_gpu`; `true` unless set.
    pub fn use_cudnn_on_gpu(mut self, value: bool) -> Conv2DBackpropFilterV2 {
        self.0.set("use_cudnn_on_gpu", value.into());
        self
    }

    /// The attribute `explicit_paddings`; an empty list unless set.
    pub fn explicit_paddings(mut self, value: &[i64]) -> Conv2DBackpropFilterV2 {
        self.0.set("explicit_paddings", value.to_vec().into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> Conv2DBackpropFilterV2 {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `dilations`; `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> Conv2DBackpropFilterV2 {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Conv2DBackpropFilterV2 {
        Conv2DBackpropFilterV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Conv2DBackpropInput(input_sizes, filter, out_backprop) -> (output)`.
///
/// * `input_sizes`: int32
/// * `filter`: `T` (half, bfloat16, float, double, int32)
/// * `out_backprop`: `T` (half, bfloat16, float, double, int32)
/// * `strides`: attribute, list(int)
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`, `"EXPLICIT"`
/// * gives `output`: `T` (half, bfloat16, float, double, int32)
///
/// Differentiable.
pub fn conv2d_backprop_input(
    input_sizes: &Output,
    filter: &Output,
    out_backprop: &Output,
    strides: &[i64],
    padding: &str,
) -> Conv2DBackpropInput {
    let mut node = NodeBuilder::new("Conv2DBackpropInput")
        .input(input_sizes)
        .input(filter)
        .input(out_backprop);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    Conv2DBackpropInput(node)
}

/// A `Conv2DBackpropInput` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Conv2DBackpropInput(NodeBuilder);

impl Conv2DBackpropInput {
    /// The attribute `use_cudnn_on_gpu`; `true` unless set.
    pub fn use_cudnn_on_gpu(mut self, value: bool) -> Conv2DBackpropInput {
        self.0.set("use_cudnn_on_gpu", value.into());
        self
    }

    /// The attribute `explicit_paddings`; an empty list unless set.
    pub fn explicit_paddings(mut self, value: &[i64]) -> Conv2DBackpropInput {
        self.0.set("explicit_paddings", value.to_vec().into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> Conv2DBackpropInput {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `dilations`; `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> Conv2DBackpropInput {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Conv2DBackpropInput {
        Conv2DBackpropInput(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Conv2DBackpropInputV2(input, filter, out_backprop) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double, int32)
/// * `filter`: `T` (half, bfloat16, float, double, int32)
/// * `out_backprop`: `T` (half, bfloat16, float, double, int32)
/// * `strides`: attribute, list(int)
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`, `"EXPLICIT"`
/// * gives `output`: `T` (half, bfloat16, float, double, int32)
///
/// Differentiable.
pub fn conv2d_backprop_input_v2(
    input: &Output,
    filter: &Output,
    out_backprop: &Output,
    strides: &[i64],
    padding: &str,
) -> Conv2DBackpropInputV2 {
    let mut node =
        NodeBuilder::new("Conv2DBackpropInputV2").input(input).input(filter).input(out_backprop);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    Conv2DBackpropInputV2(node)
}

/// A `Conv2DBackpropInputV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Conv2DBackpropInputV2(NodeBuilder);

impl Conv2DBackpropInputV2 {
    /// The attribute `use_cudnn_on_gpu`; `true` unless set.
    pub fn use_cudnn_on_gpu(mut self, value: bool) -> Conv2DBackpropInputV2 {
        self.0.set("use_cudnn_on_gpu", value.into());
        self
    }

    /// The attribute `explicit_paddings`; an empty list unless set.
    pub fn explicit_paddings(mut self, value: &[i64]) -> Conv2DBackpropInputV2 {
        self.0.set("explicit_paddings", value.to_vec().into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> Conv2DBackpropInputV2 {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `dilations`; `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> Conv2DBackpropInputV2 {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Conv2DBackpropInputV2 {
        Conv2DBackpropInputV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Conv3D(input, filter) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double)
/// * `filter`: `T` (half, bfloat16, float, double)
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn conv3d(input: &Output, filter: &Output, strides: &[i64], padding: &str) -> Conv3D {
    let mut node = NodeBuilder::new("Conv3D").input(input).input(filter);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    Conv3D(node)
}

/// A `Conv3D` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Conv3D(NodeBuilder);

impl Conv3D {
    /// The attribute `data_format`; `"NDHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> Conv3D {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `dilations`; `1`, `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> Conv3D {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Conv3D {
        Conv3D(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Conv3DBackpropFilter(input, filter, out_backprop) -> (output)`.
///
/// * `input`: `T` (half, float, double)
/// * `filter`: `T` (half, float, double)
/// * `out_backprop`: `T` (half, float, double)
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, float, double)
///
/// Differentiable.
pub fn conv3d_backprop_filter(
    input: &Output,
    filter: &Output,
    out_backprop: &Output,
    strides: &[i64],
    padding: &str,
) -> Conv3DBackpropFilter {
    let mut node =
        NodeBuilder::new("Conv3DBackpropFilter").input(input).input(filter).input(out_backprop);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    Conv3DBackpropFilter(node)
}

/// A `Conv3DBackpropFilter` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Conv3DBackpropFilter(NodeBuilder);

impl Conv3DBackpropFilter {
    /// The attribute `dilations`; `1`, `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> Conv3DBackpropFilter {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Conv3DBackpropFilter {
        Conv3DBackpropFilter(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Conv3DBackpropFilterV2(input, filter_sizes, out_backprop) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double)
/// * `filter_sizes`: int32
/// * `out_backprop`: `T` (half, bfloat16, float, double)
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn conv3d_backprop_filter_v2(
    input: &Output,
    filter_sizes: &Output,
    out_backprop: &Output,
    strides: &[i64],
    padding: &str,
) -> Conv3DBackpropFilterV2 {
    let mut node = NodeBuilder::new("Conv3DBackpropFilterV2")
        .input(input)
        .input(filter_sizes)
        .input(out_backprop);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    Conv3DBackpropFilterV2(node)
}

/// A `Conv3DBackpropFilterV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Conv3DBackpropFilterV2(NodeBuilder);

impl Conv3DBackpropFilterV2 {
    /// The attribute `data_format`; `"NDHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> Conv3DBackpropFilterV2 {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `dilations`; `1`, `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> Conv3DBackpropFilterV2 {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Conv3DBackpropFilterV2 {
        Conv3DBackpropFilterV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Conv3DBackpropInput(input, filter, out_backprop) -> (output)`.
///
/// * `input`: `T` (half, float, double)
/// * `filter`: `T` (half, float, double)
/// * `out_backprop`: `T` (half, float, double)
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, float, double)
///
/// Differentiable.
pub fn conv3d_backprop_input(
    input: &Output,
    filter: &Output,
    out_backprop: &Output,
    strides: &[i64],
    padding: &str,
) -> Conv3DBackpropInput {
    let mut node =
        NodeBuilder::new("Conv3DBackpropInput").input(input).input(filter).input(out_backprop);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    Conv3DBackpropInput(node)
}

/// A `Conv3DBackpropInput` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Conv3DBackpropInput(NodeBuilder);

impl Conv3DBackpropInput {
    /// The attribute `dilations`; `1`, `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> Conv3DBackpropInput {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Conv3DBackpropInput {
        Conv3DBackpropInput(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Conv3DBackpropInputV2(input_sizes, filter, out_backprop) -> (output)`.
///
/// * `input_sizes`: `Tshape` (int32, int64)
/// * `filter`: `T` (half, bfloat16, float, double)
/// * `out_backprop`: `T` (half, bfloat16, float, double)
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn conv3d_backprop_input_v2(
    input_sizes: &Output,
    filter: &Output,
    out_backprop: &Output,
    strides: &[i64],
    padding: &str,
) -> Conv3DBackpropInputV2 {
    let mut node = NodeBuilder::new("Conv3DBackpropInputV2")
        .input(input_sizes)
        .input(filter)
        .input(out_backprop);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    Conv3DBackpropInputV2(node)
}

/// A `Conv3DBackpropInputV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Conv3DBackpropInputV2(NodeBuilder);

impl Conv3DBackpropInputV2 {
    /// The attribute `data_format`; `"NDHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> Conv3DBackpropInputV2 {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `dilations`; `1`, `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> Conv3DBackpropInputV2 {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Conv3DBackpropInputV2 {
        Conv3DBackpropInputV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `CropAndResize(image, boxes, box_ind, crop_size) -> (crops)`.
///
/// * `image`: `T` (uint8, uint16, int8, int16, int32, int64, half, float, double)
/// * `boxes`: float
/// * `box_ind`: int32
/// * `crop_size`: int32
/// * gives `crops`: float
///
/// Differentiable.
pub fn crop_and_resize(
    image: &Output,
    boxes: &Output,
    box_ind: &Output,
    crop_size: &Output,
) -> CropAndResize {
    let node =
        NodeBuilder::new("CropAndResize").input(image).input(boxes).input(box_ind).input(crop_size);
    CropAndResize(node)
}

/// A `CropAndResize` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CropAndResize(NodeBuilder);

impl CropAndResize {
    /// The attribute `method`; `"bilinear"` unless set.
    pub fn method(mut self, value: &str) -> CropAndResize {
        self.0.set("method", text(value));
        self
    }

    /// The attribute `extrapolation_value`; `0.0` unless set.
    pub fn extrapolation_value(mut self, value: f32) -> CropAndResize {
        self.0.set("extrapolation_value", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CropAndResize {
        CropAndResize(self.0.name(name))
    }

    /// Adds the node and gives `crops`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `CropAndResizeGradBoxes(grads, image, boxes, box_ind) -> (output)`.
///
/// * `grads`: float
/// * `image`: `T` (uint8, uint16, int8, int16, int32, int64, half, float, double)
/// * `boxes`: float
/// * `box_ind`: int32
/// * gives `output`: float
///
/// Has no gradient.
pub fn crop_and_resize_grad_boxes(
    grads: &Output,
    image: &Output,
    boxes: &Output,
    box_ind: &Output,
) -> CropAndResizeGradBoxes {
    let node = NodeBuilder::new("CropAndResizeGradBoxes")
        .input(grads)
        .input(image)
        .input(boxes)
        .input(box_ind);
    CropAndResizeGradBoxes(node)
}

/// A `CropAndResizeGradBoxes` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CropAndResizeGradBoxes(NodeBuilder);

impl CropAndResizeGradBoxes {
    /// The attribute `method`; `"bilinear"` unless set.
    pub fn method(mut self, value: &str) -> CropAndResizeGradBoxes {
        self.0.set("method", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CropAndResizeGradBoxes {
        CropAndResizeGradBoxes(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `CropAndResizeGradImage(grads, boxes, box_ind, image_size) -> (output)`.
///
/// * `grads`: float
/// * `boxes`: float
/// * `box_ind`: int32
/// * `image_size`: int32
/// * `T`: attribute, type, one of float, half, double
/// * gives `output`: `T` (float, half, double)
///
/// Has no gradient.
pub fn crop_and_resize_grad_image(
    grads: &Output,
    boxes: &Output,
    box_ind: &Output,
    image_size: &Output,
    t: DataType,
) -> CropAndResizeGradImage {
    let mut node = NodeBuilder::new("CropAndResizeGradImage")
        .input(grads)
        .input(boxes)
        .input(box_ind)
        .input(image_size);
    node.set("T", t.into());
    CropAndResizeGradImage(node)
}

/// A `CropAndResizeGradImage` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CropAndResizeGradImage(NodeBuilder);

impl CropAndResizeGradImage {
    /// The attribute `method`; `"bilinear"` unless set.
    pub fn method(mut self, value: &str) -> CropAndResizeGradImage {
        self.0.set("method", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CropAndResizeGradImage {
        CropAndResizeGradImage(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `DepthwiseConv2dNative(input, filter) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double)
/// * `filter`: `T` (half, bfloat16, float, double)
/// * `strides`: attribute, list(int)
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`, `"EXPLICIT"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn depthwise_conv2d_native(
    input: &Output,
    filter: &Output,
    strides: &[i64],
    padding: &str,
) -> DepthwiseConv2dNative {
    let mut node = NodeBuilder::new("DepthwiseConv2dNative").input(input).input(filter);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    DepthwiseConv2dNative(node)
}

/// A `DepthwiseConv2dNative` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DepthwiseConv2dNative(NodeBuilder);

impl DepthwiseConv2dNative {
    /// The attribute `explicit_paddings`; an empty list unless set.
    pub fn explicit_paddings(mut self, value: &[i64]) -> DepthwiseConv2dNative {
        self.0.set("explicit_paddings", value.to_vec().into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> DepthwiseConv2dNative {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `dilations`; `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> DepthwiseConv2dNative {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DepthwiseConv2dNative {
        DepthwiseConv2dNative(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `DepthwiseConv2dNativeBackpropFilter(input, filter_sizes, out_backprop) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double)
/// * `filter_sizes`: int32
/// * `out_backprop`: `T` (half, bfloat16, float, double)
/// * `strides`: attribute, list(int)
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`, `"EXPLICIT"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn depthwise_conv2d_native_backprop_filter(
    input: &Output,
    filter_sizes: &Output,
    out_backprop: &Output,
    strides: &[i64],
    padding: &str,
) -> DepthwiseConv2dNativeBackpropFilter {
    let mut node = NodeBuilder::new("DepthwiseConv2dNativeBackpropFilter")
        .input(input)
        .input(filter_sizes)
        .input(out_backprop);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    DepthwiseConv2dNativeBackpropFilter(node)
}

/// A `DepthwiseConv2dNativeBackpropFilter` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DepthwiseConv2dNativeBackpropFilter(NodeBuilder);

impl DepthwiseConv2dNativeBackpropFilter {
    /// The attribute `explicit_paddings`; an empty list unless set.
    pub fn explicit_paddings(mut self, value: &[i64]) -> DepthwiseConv2dNativeBackpropFilter {
        self.0.set("explicit_paddings", value.to_vec().into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> DepthwiseConv2dNativeBackpropFilter {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `dilations`; `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> DepthwiseConv2dNativeBackpropFilter {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DepthwiseConv2dNativeBackpropFilter {
        DepthwiseConv2dNativeBackpropFilter(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `DepthwiseConv2dNativeBackpropInput(input_sizes, filter, out_backprop) -> (output)`.
///
/// * `input_sizes`: int32
/// * `filter`: `T` (half, bfloat16, float, double)
/// * `out_backprop`: `T` (half, bfloat16, float, double)
/// * `strides`: attribute, list(int)
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`, `"EXPLICIT"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn depthwise_conv2d_native_backprop_input(
    input_sizes: &Output,
    filter: &Output,
    out_backprop: &Output,
    strides: &[i64],
    padding: &str,
) -> DepthwiseConv2dNativeBackpropInput {
    let mut node = NodeBuilder::new("DepthwiseConv2dNativeBackpropInput")
        .input(input_sizes)
        .input(filter)
        .input(out_backprop);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    DepthwiseConv2dNativeBackpropInput(node)
}

/// A `DepthwiseConv2dNativeBackpropInput` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DepthwiseConv2dNativeBackpropInput(NodeBuilder);

impl DepthwiseConv2dNativeBackpropInput {
    /// The attribute `explicit_paddings`; an empty list unless set.
    pub fn explicit_paddings(mut self, value: &[i64]) -> DepthwiseConv2dNativeBackpropInput {
        self.0.set("explicit_paddings", value.to_vec().into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> DepthwiseConv2dNativeBackpropInput {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `dilations`; `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> DepthwiseConv2dNativeBackpropInput {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DepthwiseConv2dNativeBackpropInput {
        DepthwiseConv2dNativeBackpropInput(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Dilation2D(input, filter) -> (output)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `filter`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `strides`: attribute, list(int), at least 4 long
/// * `rates`: attribute, list(int), at least 4 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn dilation2d(
    input: &Output,
    filter: &Output,
    strides: &[i64],
    rates: &[i64],
    padding: &str,
) -> ForOutput {
    let mut node = NodeBuilder::new("Dilation2D").input(input).input(filter);
    node.set("strides", strides.to_vec().into());
    node.set("rates", rates.to_vec().into());
    node.set("padding", text(padding));
    ForOutput(node)
}

/// `Dilation2DBackpropFilter(input, filter, out_backprop) -> (filter_backprop)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `filter`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `out_backprop`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `strides`: attribute, list(int), at least 4 long
/// * `rates`: attribute, list(int), at least 4 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `filter_backprop`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Has no gradient.
pub fn dilation2d_backprop_filter(
    input: &Output,
    filter: &Output,
    out_backprop: &Output,
    strides: &[i64],
    rates: &[i64],
    padding: &str,
) -> ForOutput {
    let mut node =
        NodeBuilder::new("Dilation2DBackpropFilter").input(input).input(filter).input(out_backprop);
    node.set("strides", strides.to_vec().into());
    node.set("rates", rates.to_vec().into());
    node.set("padding", text(padding));
    ForOutput(node)
}

/// `Dilation2DBackpropInput(input, filter, out_backprop) -> (in_backprop)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `filter`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `out_backprop`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `strides`: attribute, list(int), at least 4 long
/// * `rates`: attribute, list(int), at least 4 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `in_backprop`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Has no gradient.
pub fn dilation2d_backprop_input(
    input: &Output,
    filter: &Output,
    out_backprop: &Output,
    strides: &[i64],
    rates: &[i64],
    padding: &str,
) -> ForOutput {
    let mut node =
        NodeBuilder::new("Dilation2DBackpropInput").input(input).input(filter).input(out_backprop);
    node.set("strides", strides.to_vec().into());
    node.set("rates", rates.to_vec().into());
    node.set("padding", text(padding));
    ForOutput(node)
}

/// `DrawBoundingBoxes(images, boxes) -> (output)`.
///
/// * `images`: `T` (float, half)
/// * `boxes`: float
/// * gives `output`: `T` (float, half)
///
/// Gradients do not flow through it.
pub fn draw_bounding_boxes(images: &Output, boxes: &Output) -> ForOutput {
    let node = NodeBuilder::new("DrawBoundingBoxes").input(images).input(boxes);
    ForOutput(node)
}

/// `DrawBoundingBoxesV2(images, boxes, colors) -> (output)`.
///
/// * `images`: `T` (float, half)
/// * `boxes`: float
/// * `colors`: float
/// * gives `output`: `T` (float, half)
///
/// Gradients do not flow through it.
pub fn draw_bounding_boxes_v2(images: &Output, boxes: &Output, colors: &Output) -> ForOutput {
    let node = NodeBuilder::new("DrawBoundingBoxesV2").input(images).input(boxes).input(colors);
    ForOutput(node)
}

/// `FractionalAvgPool(value) -> (output, row_pooling_sequence, col_pooling_sequence)`.
///
/// * `value`: `T` (float, double, int32, int64)
/// * `pooling_ratio`: attribute, list(float), at least 4 long
/// * gives `output`: `T` (float, double, int32, int64)
/// * gives `row_pooling_sequence`: int64
/// * gives `col_pooling_sequence`: int64
///
/// Differentiable.
pub fn fractional_avg_pool(value: &Output, pooling_ratio: &[f32]) -> FractionalAvgPool {
    let mut node = NodeBuilder::new("FractionalAvgPool").input(value);
    node.set("pooling_ratio", pooling_ratio.to_vec().into());
    FractionalAvgPool(node)
}

/// A `FractionalAvgPool` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FractionalAvgPool(NodeBuilder);

impl FractionalAvgPool {
    /// The attribute `pseudo_random`; `false` unless set.
    pub fn pseudo_random(mut self, value: bool) -> FractionalAvgPool {
        self.0.set("pseudo_random", value.into());
        self
    }

    /// The attribute `overlapping`; `false` unless set.
    pub fn overlapping(mut self, value: bool) -> FractionalAvgPool {
        self.0.set("overlapping", value.into());
        self
    }

    /// The attribute `deterministic`; `false` unless set.
    pub fn deterministic(mut self, value: bool) -> FractionalAvgPool {
        self.0.set("deterministic", value.into());
        self
    }

    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> FractionalAvgPool {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> FractionalAvgPool {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FractionalAvgPool {
        FractionalAvgPool(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `row_pooling_sequence`, `col_pooling_sequence`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `FractionalAvgPoolGrad(orig_input_tensor_shape, out_backprop, row_pooling_sequence, col_pooling_sequence) -> (output)`.
///
/// * `orig_input_tensor_shape`: int64
/// * `out_backprop`: `T` (float, double, int32, int64)
/// * `row_pooling_sequence`: int64
/// * `col_pooling_sequence`: int64
/// * gives `output`: `T` (float, double, int32, int64)
///
/// Has no gradient.
pub fn fractional_avg_pool_grad(
    orig_input_tensor_shape: &Output,
    out_backprop: &Output,
    row_pooling_sequence: &Output,
    col_pooling_sequence: &Output,
) -> FractionalAvgPoolGrad {
    let node = NodeBuilder::new("FractionalAvgPoolGrad")
        .input(orig_input_tensor_shape)
        .input(out_backprop)
        .input(row_pooling_sequence)
        .input(col_pooling_sequence);
    FractionalAvgPoolGrad(node)
}

/// A `FractionalAvgPoolGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FractionalAvgPoolGrad(NodeBuilder);

impl FractionalAvgPoolGrad {
    /// The attribute `overlapping`; `false` unless set.
    pub fn overlapping(mut self, value: bool) -> FractionalAvgPoolGrad {
        self.0.set("overlapping", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FractionalAvgPoolGrad {
        FractionalAvgPoolGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `FractionalMaxPool(value) -> (output, row_pooling_sequence, col_pooling_sequence)`.
///
/// * `value`: `T` (float, double, int32, int64)
/// * `pooling_ratio`: attribute, list(float), at least 4 long
/// * gives `output`: `T` (float, double, int32, int64)
/// * gives `row_pooling_sequence`: int64
/// * gives `col_pooling_sequence`: int64
///
/// Differentiable.
pub fn fractional_max_pool(value: &Output, pooling_ratio: &[f32]) -> FractionalMaxPool {
    let mut node = NodeBuilder::new("FractionalMaxPool").input(value);
    node.set("pooling_ratio", pooling_ratio.to_vec().into());
    FractionalMaxPool(node)
}

/// A `FractionalMaxPool` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FractionalMaxPool(NodeBuilder);

impl FractionalMaxPool {
    /// The attribute `pseudo_random`; `false` unless set.
    pub fn pseudo_random(mut self, value: bool) -> FractionalMaxPool {
        self.0.set("pseudo_random", value.into());
        self
    }

    /// The attribute `overlapping`; `false` unless set.
    pub fn overlapping(mut self, value: bool) -> FractionalMaxPool {
        self.0.set("overlapping", value.into());
        self
    }

    /// The attribute `deterministic`; `false` unless set.
    pub fn deterministic(mut self, value: bool) -> FractionalMaxPool {
        self.0.set("deterministic", value.into());
        self
    }

    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> FractionalMaxPool {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> FractionalMaxPool {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FractionalMaxPool {
        FractionalMaxPool(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `row_pooling_sequence`, `col_pooling_sequence`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `FractionalMaxPoolGrad(orig_input, orig_output, out_backprop, row_pooling_sequence, col_pooling_sequence) -> (output)`.
///
/// * `orig_input`: `T` (float, double, int32, int64)
/// * `orig_output`: `T` (float, double, int32, int64)
/// * `out_backprop`: `T` (float, double, int32, int64)
/// * `row_pooling_sequence`: int64
/// * `col_pooling_sequence`: int64
/// * gives `output`: `T` (float, double, int32, int64)
///
/// Has no gradient.
pub fn fractional_max_pool_grad(
    orig_input: &Output,
    orig_output: &Output,
    out_backprop: &Output,
    row_pooling_sequence: &Output,
    col_pooling_sequence: &Output,
) -> FractionalMaxPoolGrad {
    let node = NodeBuilder::new("FractionalMaxPoolGrad")
        .input(orig_input)
        .input(orig_output)
        .input(out_backprop)
        .input(row_pooling_sequence)
        .input(col_pooling_sequence);
    FractionalMaxPoolGrad(node)
}

/// A `FractionalMaxPoolGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FractionalMaxPoolGrad(NodeBuilder);

impl FractionalMaxPoolGrad {
    /// The attribute `overlapping`; `false` unless set.
    pub fn overlapping(mut self, value: bool) -> FractionalMaxPoolGrad {
        self.0.set("overlapping", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FractionalMaxPoolGrad {
        FractionalMaxPoolGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `HSVToRGB(images) -> (output)`.
///
/// * `images`: `T` (half, bfloat16, float, double)
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Gradients do not flow through it.
pub fn hsv_to_rgb(images: &Output) -> ForOutput {
    let node = NodeBuilder::new("HSVToRGB").input(images);
    ForOutput(node)
}

/// `MaxPool(input) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8)
/// * `ksize`: attribute, list(int), at least 4 long
/// * `strides`: attribute, list(int), at least 4 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`, `"EXPLICIT"`
/// * gives `output`: `T` (half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8)
///
/// Differentiable.
pub fn max_pool(input: &Output, ksize: &[i64], strides: &[i64], padding: &str) -> MaxPool {
    let mut node = NodeBuilder::new("MaxPool").input(input);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    MaxPool(node)
}

/// A `MaxPool` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPool(NodeBuilder);

impl MaxPool {
    /// The attribute `explicit_paddings`; an empty list unless set.
    pub fn explicit_paddings(mut self, value: &[i64]) -> MaxPool {
        self.0.set("explicit_paddings", value.to_vec().into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> MaxPool {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPool {
        MaxPool(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MaxPool3D(input) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float)
/// * `ksize`: attribute, list(int), at least 5 long
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float)
///
/// Differentiable.
pub fn max_pool3d(input: &Output, ksize: &[i64], strides: &[i64], padding: &str) -> MaxPool3D {
    let mut node = NodeBuilder::new("MaxPool3D").input(input);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    MaxPool3D(node)
}

/// A `MaxPool3D` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPool3D(NodeBuilder);

impl MaxPool3D {
    /// The attribute `data_format`; `"NDHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> MaxPool3D {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPool3D {
        MaxPool3D(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MaxPool3DGrad(orig_input, orig_output, grad) -> (output)`.
///
/// * `orig_input`: `TInput` (half, bfloat16, float)
/// * `orig_output`: `TInput` (half, bfloat16, float)
/// * `grad`: `T` (half, bfloat16, float)
/// * `ksize`: attribute, list(int), at least 5 long
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float)
///
/// Differentiable.
pub fn max_pool3d_grad(
    orig_input: &Output,
    orig_output: &Output,
    grad: &Output,
    ksize: &[i64],
    strides: &[i64],
    padding: &str,
) -> MaxPool3DGrad {
    let mut node =
        NodeBuilder::new("MaxPool3DGrad").input(orig_input).input(orig_output).input(grad);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    MaxPool3DGrad(node)
}

/// A `MaxPool3DGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPool3DGrad(NodeBuilder);

impl MaxPool3DGrad {
    /// The attribute `data_format`; `"NDHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> MaxPool3DGrad {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPool3DGrad {
        MaxPool3DGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MaxPool3DGradGrad(orig_input, orig_output, grad) -> (output)`.
///
/// * `orig_input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `orig_output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `ksize`: attribute, list(int), at least 5 long
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn max_pool3d_grad_grad(
    orig_input: &Output,
    orig_output: &Output,
    grad: &Output,
    ksize: &[i64],
    strides: &[i64],
    padding: &str,
) -> MaxPool3DGradGrad {
    let mut node =
        NodeBuilder::new("MaxPool3DGradGrad").input(orig_input).input(orig_output).input(grad);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    MaxPool3DGradGrad(node)
}

/// A `MaxPool3DGradGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPool3DGradGrad(NodeBuilder);

impl MaxPool3DGradGrad {
    /// The attribute `data_format`; `"NDHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> MaxPool3DGradGrad {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPool3DGradGrad {
        MaxPool3DGradGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MaxPoolGrad(orig_input, orig_output, grad) -> (output)`.
///
/// * `orig_input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `orig_output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `ksize`: attribute, list(int), at least 4 long
/// * `strides`: attribute, list(int), at least 4 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`, `"EXPLICIT"`
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn max_pool_grad(
    orig_input: &Output,
    orig_output: &Output,
    grad: &Output,
    ksize: &[i64],
    strides: &[i64],
    padding: &str,
) -> MaxPoolGrad {
    let mut node = NodeBuilder::new("MaxPoolGrad").input(orig_input).input(orig_output).input(grad);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    MaxPoolGrad(node)
}

/// A `MaxPoolGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPoolGrad(NodeBuilder);

impl MaxPoolGrad {
    /// The attribute `explicit_paddings`; an empty list unless set.
    pub fn explicit_paddings(mut self, value: &[i64]) -> MaxPoolGrad {
        self.0.set("explicit_paddings", value.to_vec().into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> MaxPoolGrad {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPoolGrad {
        MaxPoolGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MaxPoolGradGrad(orig_input, orig_output, grad) -> (output)`.
///
/// * `orig_input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `orig_output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `ksize`: attribute, list(int), at least 4 long
/// * `strides`: attribute, list(int), at least 4 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn max_pool_grad_grad(
    orig_input: &Output,
    orig_output: &Output,
    grad: &Output,
    ksize: &[i64],
    strides: &[i64],
    padding: &str,
) -> MaxPoolGradGrad {
    let mut node =
        NodeBuilder::new("MaxPoolGradGrad").input(orig_input).input(orig_output).input(grad);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    MaxPoolGradGrad(node)
}

/// A `MaxPoolGradGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPoolGradGrad(NodeBuilder);

impl MaxPoolGradGrad {
    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> MaxPoolGradGrad {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPoolGradGrad {
        MaxPoolGradGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MaxPoolGradGradV2(orig_input, orig_output, grad, ksize, strides) -> (output)`.
///
/// * `orig_input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `orig_output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `ksize`: int32
/// * `strides`: int32
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn max_pool_grad_grad_v2(
    orig_input: &Output,
    orig_output: &Output,
    grad: &Output,
    ksize: &Output,
    strides: &Output,
    padding: &str,
) -> MaxPoolGradGradV2 {
    let mut node = NodeBuilder::new("MaxPoolGradGradV2")
        .input(orig_input)
        .input(orig_output)
        .input(grad)
        .input(ksize)
        .input(strides);
    node.set("padding", text(padding));
    MaxPoolGradGradV2(node)
}

/// A `MaxPoolGradGradV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPoolGradGradV2(NodeBuilder);

impl MaxPoolGradGradV2 {
    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> MaxPoolGradGradV2 {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPoolGradGradV2 {
        MaxPoolGradGradV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MaxPoolGradGradWithArgmax(input, grad, argmax) -> (output)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `argmax`: `Targmax` (int32, int64)
/// * `ksize`: attribute, list(int), at least 4 long
/// * `strides`: attribute, list(int), at least 4 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Has no gradient.
pub fn max_pool_grad_grad_with_argmax(
    input: &Output,
    grad: &Output,
    argmax: &Output,
    ksize: &[i64],
    strides: &[i64],
    padding: &str,
) -> MaxPoolGradGradWithArgmax {
    let mut node =
        NodeBuilder::new("MaxPoolGradGradWithArgmax").input(input).input(grad).input(argmax);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    MaxPoolGradGradWithArgmax(node)
}

/// A `MaxPoolGradGradWithArgmax` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPoolGradGradWithArgmax(NodeBuilder);

impl MaxPoolGradGradWithArgmax {
    /// The attribute `include_batch_in_index`; `false` unless set.
    pub fn include_batch_in_index(mut self, value: bool) -> MaxPoolGradGradWithArgmax {
        self.0.set("include_batch_in_index", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPoolGradGradWithArgmax {
        MaxPoolGradGradWithArgmax(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MaxPoolGradV2(orig_input, orig_output, grad, ksize, strides) -> (output)`.
///
/// * `orig_input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `orig_output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `ksize`: int32
/// * `strides`: int32
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn max_pool_grad_v2(
    orig_input: &Output,
    orig_output: &Output,
    grad: &Output,
    ksize: &Output,
    strides: &Output,
    padding: &str,
) -> MaxPoolGradV2 {
    let mut node = NodeBuilder::new("MaxPoolGradV2")
        .input(orig_input)
        .input(orig_output)
        .input(grad)
        .input(ksize)
        .input(strides);
    node.set("padding", text(padding));
    MaxPoolGradV2(node)
}

/// A `MaxPoolGradV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPoolGradV2(NodeBuilder);

impl MaxPoolGradV2 {
    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> MaxPoolGradV2 {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPoolGradV2 {
        MaxPoolGradV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MaxPoolGradWithArgmax(input, grad, argmax) -> (output)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `argmax`: `Targmax` (int32, int64)
/// * `ksize`: attribute, list(int), at least 4 long
/// * `strides`: attribute, list(int), at least 4 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Has no gradient.
pub fn max_pool_grad_with_argmax(
    input: &Output,
    grad: &Output,
    argmax: &Output,
    ksize: &[i64],
    strides: &[i64],
    padding: &str,
) -> MaxPoolGradWithArgmax {
    let mut node = NodeBuilder::new("MaxPoolGradWithArgmax").input(input).input(grad).input(argmax);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    MaxPoolGradWithArgmax(node)
}

/// A `MaxPoolGradWithArgmax` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPoolGradWithArgmax(NodeBuilder);

impl MaxPoolGradWithArgmax {
    /// The attribute `include_batch_in_index`; `false` unless set.
    pub fn include_batch_in_index(mut self, value: bool) -> MaxPoolGradWithArgmax {
        self.0.set("include_batch_in_index", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPoolGradWithArgmax {
        MaxPoolGradWithArgmax(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MaxPoolV2(input, ksize, strides) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8)
/// * `ksize`: int32
/// * `strides`: int32
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8)
///
/// Differentiable.
pub fn max_pool_v2(input: &Output, ksize: &Output, strides: &Output, padding: &str) -> MaxPoolV2 {
    let mut node = NodeBuilder::new("MaxPoolV2").input(input).input(ksize).input(strides);
    node.set("padding", text(padding));
    MaxPoolV2(node)
}

/// A `MaxPoolV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPoolV2(NodeBuilder);

impl MaxPoolV2 {
    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> MaxPoolV2 {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPoolV2 {
        MaxPoolV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MaxPoolWithArgmax(input) -> (output, argmax)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `ksize`: attribute, list(int), at least 4 long
/// * `strides`: attribute, list(int), at least 4 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `argmax`: `Targmax` (int32, int64)
///
/// Differentiable.
pub fn max_pool_with_argmax(
    input: &Output,
    ksize: &[i64],
    strides: &[i64],
    padding: &str,
) -> MaxPoolWithArgmax {
    let mut node = NodeBuilder::new("MaxPoolWithArgmax").input(input);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    MaxPoolWithArgmax(node)
}

/// A `MaxPoolWithArgmax` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPoolWithArgmax(NodeBuilder);

impl MaxPoolWithArgmax {
    /// The attribute `Targmax`; int64 unless set.
    pub fn targmax(mut self, value: DataType) -> MaxPoolWithArgmax {
        self.0.set("Targmax", value.into());
        self
    }

    /// The attribute `include_batch_in_index`; `false` unless set.
    pub fn include_batch_in_index(mut self, value: bool) -> MaxPoolWithArgmax {
        self.0.set("include_batch_in_index", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPoolWithArgmax {
        MaxPoolWithArgmax(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `argmax`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `NonMaxSuppression(boxes, scores, max_output_size) -> (selected_indices)`.
///
/// * `boxes`: float
/// * `scores`: float
/// * `max_output_size`: int32
/// * gives `selected_indices`: int32
///
/// Gradients do not flow through it.
pub fn non_max_suppression(
    boxes: &Output,
    scores: &Output,
    max_output_size: &Output,
) -> NonMaxSuppression {
    let node =
        NodeBuilder::new("NonMaxSuppression").input(boxes).input(scores).input(max_output_size);
    NonMaxSuppression(node)
}

/// A `NonMaxSuppression` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct NonMaxSuppression(NodeBuilder);

impl NonMaxSuppression {
    /// The attribute `iou_threshold`; `0.5` unless set.
    pub fn iou_threshold(mut self, value: f32) -> NonMaxSuppression {
        self.0.set("iou_threshold", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> NonMaxSuppression {
        NonMaxSuppression(self.0.name(name))
    }

    /// Adds the node and gives `selected_indices`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `NonMaxSuppressionV2(boxes, scores, max_output_size, iou_threshold) -> (selected_indices)`.
///
/// * `boxes`: `T` (half, float)
/// * `scores`: `T` (half, float)
/// * `max_output_size`: int32
/// * `iou_threshold`: `T_threshold` (half, float)
/// * gives `selected_indices`: int32
///
/// Gradients do not flow through it.
pub fn non_max_suppression_v2(
    boxes: &Output,
    scores: &Output,
    max_output_size: &Output,
    iou_threshold: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("NonMaxSuppressionV2")
        .input(boxes)
        .input(scores)
        .input(max_output_size)
        .input(iou_threshold);
    ForOutput(node)
}

/// `NonMaxSuppressionV3(boxes, scores, max_output_size, iou_threshold, score_threshold) -> (selected_indices)`.
///
/// * `boxes`: `T` (half, float)
/// * `scores`: `T` (half, float)
/// * `max_output_size`: int32
/// * `iou_threshold`: `T_threshold` (half, float)
/// * `score_threshold`: `T_threshold` (half, float)
/// * gives `selected_indices`: int32
///
/// Gradients do not flow through it.
pub fn non_max_suppression_v3(
    boxes: &Output,
    scores: &Output,
    max_output_size: &Output,
    iou_threshold: &Output,
    score_threshold: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("NonMaxSuppressionV3")
        .input(boxes)
        .input(scores)
        .input(max_output_size)
        .input(iou_threshold)
        .input(score_threshold);
    ForOutput(node)
}

/// `NonMaxSuppressionV4(boxes, scores, max_output_size, iou_threshold, score_threshold) -> (selected_indices, valid_outputs)`.
///
/// * `boxes`: `T` (half, float)
/// * `scores`: `T` (half, float)
/// * `max_output_size`: int32
/// * `iou_threshold`: `T_threshold` (half, float)
/// * `score_threshold`: `T_threshold` (half, float)
/// * gives `selected_indices`: int32
/// * gives `valid_outputs`: int32
///
/// Gradients do not flow through it.
pub fn non_max_suppression_v4(
    boxes: &Output,
    scores: &Output,
    max_output_size: &Output,
    iou_threshold: &Output,
    score_threshold: &Output,
) -> NonMaxSuppressionV4 {
    let node = NodeBuilder::new("NonMaxSuppressionV4")
        .input(boxes)
        .input(scores)
        .input(max_output_size)
        .input(iou_threshold)
        .input(score_threshold);
    NonMaxSuppressionV4(node)
}

/// A `NonMaxSuppressionV4` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct NonMaxSuppressionV4(NodeBuilder);

impl NonMaxSuppressionV4 {
    /// The attribute `pad_to_max_output_size`; `false` unless set.
    pub fn pad_to_max_output_size(mut self, value: bool) -> NonMaxSuppressionV4 {
        self.0.set("pad_to_max_output_size", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> NonMaxSuppressionV4 {
        NonMaxSuppressionV4(self.0.name(name))
    }

    /// Adds the node and gives (`selected_indices`, `valid_outputs`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `NonMaxSuppressionV5(boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma) -> (selected_indices, selected_scores, valid_outputs)`.
///
/// * `boxes`: `T` (half, float)
/// * `scores`: `T` (half, float)
/// * `max_output_size`: int32
/// * `iou_threshold`: `T` (half, float)
/// * `score_threshold`: `T` (half, float)
/// * `soft_nms_sigma`: `T` (half, float)
/// * gives `selected_indices`: int32
/// * gives `selected_scores`: `T` (half, float)
/// * gives `valid_outputs`: int32
///
/// Gradients do not flow through it.
pub fn non_max_suppression_v5(
    boxes: &Output,
    scores: &Output,
    max_output_size: &Output,
    iou_threshold: &Output,
    score_threshold: &Output,
    soft_nms_sigma: &Output,
) -> NonMaxSuppressionV5 {
    let node = NodeBuilder::new("NonMaxSuppressionV5")
        .input(boxes)
        .input(scores)
        .input(max_output_size)
        .input(iou_threshold)
        .input(score_threshold)
        .input(soft_nms_sigma);
    NonMaxSuppressionV5(node)
}

/// A `NonMaxSuppressionV5` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct NonMaxSuppressionV5(NodeBuilder);

impl NonMaxSuppressionV5 {
    /// The attribute `pad_to_max_output_size`; `false` unless set.
    pub fn pad_to_max_output_size(mut self, value: bool) -> NonMaxSuppressionV5 {
        self.0.set("pad_to_max_output_size", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> NonMaxSuppressionV5 {
        NonMaxSuppressionV5(self.0.name(name))
    }

    /// Adds the node and gives (`selected_indices`, `selected_scores`, `valid_outputs`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `NonMaxSuppressionWithOverlaps(overlaps, scores, max_output_size, overlap_threshold, score_threshold) -> (selected_indices)`.
///
/// * `overlaps`: float
/// * `scores`: float
/// * `max_output_size`: int32
/// * `overlap_threshold`: float
/// * `score_threshold`: float
/// * gives `selected_indices`: int32
///
/// Gradients do not flow through it.
pub fn non_max_suppression_with_overlaps(
    overlaps: &Output,
    scores: &Output,
    max_output_size: &Output,
    overlap_threshold: &Output,
    score_threshold: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("NonMaxSuppressionWithOverlaps")
        .input(overlaps)
        .input(scores)
        .input(max_output_size)
        .input(overlap_threshold)
        .input(score_threshold);
    ForOutput(node)
}

/// `RGBToHSV(images) -> (output)`.
///
/// * `images`: `T` (half, bfloat16, float, double)
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn rgb_to_hsv(images: &Output) -> ForOutput {
    let node = NodeBuilder::new("RGBToHSV").input(images);
    ForOutput(node)
}

/// `ResizeArea(images, size) -> (resized_images)`.
///
/// * `images`: `T` (int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16)
/// * `size`: int32
/// * gives `resized_images`: float
///
/// Has no gradient.
pub fn resize_area(images: &Output, size: &Output) -> ResizeArea {
    let node = NodeBuilder::new("ResizeArea").input(images).input(size);
    ResizeArea(node)
}

/// A `ResizeArea` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResizeArea(NodeBuilder);

impl ResizeArea {
    /// The attribute `align_corners`; `false` unless set.
    pub fn align_corners(mut self, value: bool) -> ResizeArea {
        self.0.set("align_corners", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResizeArea {
        ResizeArea(self.0.name(name))
    }

    /// Adds the node and gives `resized_images`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ResizeBicubic(images, size) -> (resized_images)`.
///
/// * `images`: `T` (int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16)
/// * `size`: int32
/// * gives `resized_images`: float
///
/// Differentiable.
pub fn resize_bicubic(images: &Output, size: &Output) -> ResizeBicubic {
    let node = NodeBuilder::new("ResizeBicubic").input(images).input(size);
    ResizeBicubic(node)
}

/// A `ResizeBicubic` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResizeBicubic(NodeBuilder);

impl ResizeBicubic {
    /// The attribute `align_corners`; `false` unless set.
    pub fn align_corners(mut self, value: bool) -> ResizeBicubic {
        self.0.set("align_corners", value.into());
        self
    }

    /// The attribute `half_pixel_centers`; `false` unless set.
    pub fn half_pixel_centers(mut self, value: bool) -> ResizeBicubic {
        self.0.set("half_pixel_centers", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResizeBicubic {
        ResizeBicubic(self.0.name(name))
    }

    /// Adds the node and gives `resized_images`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ResizeBicubicGrad(grads, original_image) -> (output)`.
///
/// * `grads`: float
/// * `original_image`: `T` (float, double)
/// * gives `output`: `T` (float, double)
///
/// Has no gradient.
pub fn resize_bicubic_grad(grads: &Output, original_image: &Output) -> ResizeBicubicGrad {
    let node = NodeBuilder::new("ResizeBicubicGrad").input(grads).input(original_image);
    ResizeBicubicGrad(node)
}

/// A `ResizeBicubicGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResizeBicubicGrad(NodeBuilder);

impl ResizeBicubicGrad {
    /// The attribute `align_corners`; `false` unless set.
    pub fn align_corners(mut self, value: bool) -> ResizeBicubicGrad {
        self.0.set("align_corners", value.into());
        self
    }

    /// The attribute `half_pixel_centers`; `false` unless set.
    pub fn half_pixel_centers(mut self, value: bool) -> ResizeBicubicGrad {
        self.0.set("half_pixel_centers", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResizeBicubicGrad {
        ResizeBicubicGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ResizeBilinear(images, size) -> (resized_images)`.
///
/// * `images`: `T` (int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double, bfloat16)
/// * `size`: int32
/// * gives `resized_images`: float
///
/// Differentiable.
pub fn resize_bilinear(images: &Output, size: &Output) -> ResizeBilinear {
    let node = NodeBuilder::new("ResizeBilinear").input(images).input(size);
    ResizeBilinear(node)
}

/// A `ResizeBilinear` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResizeBilinear(NodeBuilder);

impl ResizeBilinear {
    /// The attribute `align_corners`; `false` unless set.
    pub fn align_corners(mut self, value: bool) -> ResizeBilinear {
        self.0.set("align_corners", value.into());
        self
    }

    /// The attribute `half_pixel_centers`; `false` unless set.
    pub fn half_pixel_centers(mut self, value: bool) -> ResizeBilinear {
        self.0.set("half_pixel_centers", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResizeBilinear {
        ResizeBilinear(self.0.name(name))
    }

    /// Adds the node and gives `resized_images`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ResizeBilinearGrad(grads, original_image) -> (output)`.
///
/// * `grads`: float
/// * `original_image`: `T` (float, bfloat16, half, double)
/// * gives `output`: `T` (float, bfloat16, half, double)
///
/// Gradients do not flow through it.
pub fn resize_bilinear_grad(grads: &Output, original_image: &Output) -> ResizeBilinearGrad {
    let node = NodeBuilder::new("ResizeBilinearGrad").input(grads).input(original_image);
    ResizeBilinearGrad(node)
}

/// A `ResizeBilinearGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResizeBilinearGrad(NodeBuilder);

impl ResizeBilinearGrad {
    /// The attribute `align_corners`; `false` unless set.
    pub fn align_corners(mut self, value: bool) -> ResizeBilinearGrad {
        self.0.set("align_corners", value.into());
        self
    }

    /// The attribute `half_pixel_centers`; `false` unless set.
    pub fn half_pixel_centers(mut self, value: bool) -> ResizeBilinearGrad {
        self.0.set("half_pixel_centers", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResizeBilinearGrad {
        ResizeBilinearGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ResizeNearestNeighbor(images, size) -> (resized_images)`.
///
/// * `images`: `T` (int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16)
/// * `size`: int32
/// * gives `resized_images`: `T` (int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16)
///
/// Differentiable.
pub fn resize_nearest_neighbor(images: &Output, size: &Output) -> ResizeNearestNeighbor {
    let node = NodeBuilder::new("ResizeNearestNeighbor").input(images).input(size);
    ResizeNearestNeighbor(node)
}

/// A `ResizeNearestNeighbor` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResizeNearestNeighbor(NodeBuilder);

impl ResizeNearestNeighbor {
    /// The attribute `align_corners`; `false` unless set.
    pub fn align_corners(mut self, value: bool) -> ResizeNearestNeighbor {
        self.0.set("align_corners", value.into());
        self
    }

    /// The attribute `half_pixel_centers`; `false` unless set.
    pub fn half_pixel_centers(mut self, value: bool) -> ResizeNearestNeighbor {
        self.0.set("half_pixel_centers", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResizeNearestNeighbor {
        ResizeNearestNeighbor(self.0.name(name))
    }

    /// Adds the node and gives `resized_images`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ResizeNearestNeighborGrad(grads, size) -> (output)`.
///
/// * `grads`: `T` (uint8, int8, int32, half, float, double, bfloat16)
/// * `size`: int32
/// * gives `output`: `T` (uint8, int8, int32, half, float, double, bfloat16)
///
/// Has no gradient.
pub fn resize_nearest_neighbor_grad(grads: &Output, size: &Output) -> ResizeNearestNeighborGrad {
    let node = NodeBuilder::new("ResizeNearestNeighborGrad").input(grads).input(size);
    ResizeNearestNeighborGrad(node)
}

/// A `ResizeNearestNeighborGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResizeNearestNeighborGrad(NodeBuilder);

impl ResizeNearestNeighborGrad {
    /// The attribute `align_corners`; `false` unless set.
    pub fn align_corners(mut self, value: bool) -> ResizeNearestNeighborGrad {
        self.0.set("align_corners", value.into());
        self
    }

    /// The attribute `half_pixel_centers`; `false` unless set.
    pub fn half_pixel_centers(mut self, value: bool) -> ResizeNearestNeighborGrad {
        self.0.set("half_pixel_centers", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResizeNearestNeighborGrad {
        ResizeNearestNeighborGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
