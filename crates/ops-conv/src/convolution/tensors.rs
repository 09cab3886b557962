//! The three passes on tensors: checks of shapes, layouts, and the types they compute in.

use downpour_runtime::Parallel;
use downpour_tensor::{DataType, Result, Shape, Status, Tensor, bf16, f16, unsupported_dtype};
use half::slice::HalfFloatSliceExt;

use super::{Geometry, filter_gradient, forward, input_gradient};
use crate::product::ProductNumber;
use crate::window::{ChannelOrder, WindowAttributes, to_channels_first, to_channels_last};

/// Something to do with finished float32 rows before they leave the cache.
pub(crate) type Finish<'a> = &'a (dyn Fn(&mut [f32]) + Sync);

/// The gradient pass for which shapes are checked.
#[derive(Clone, Copy)]
pub(crate) struct Label<'a> {
    pub operation: &'a str,
    pub spatial: usize,
}

impl Label<'_> {
    fn error(&self, what: impl std::fmt::Display) -> Status {
        Status::invalid_argument(format!("{}: {what}", self.operation))
    }
}

/// Sizes of a forward convolution.
fn forward_geometry(
    label: Label<'_>,
    window: &WindowAttributes,
    input: &[usize],
    filter: &[usize],
) -> Result<Geometry> {
    let rank = label.spatial + 2;
    if input.len() != rank {
        let shape = Shape::new(input);
        return Err(label.error(format!("convolution input must be {rank}-dimensional: {shape}")));
    }
    if filter.len() != rank {
        let shape = Shape::new(filter);
        return Err(label.error(format!("convolution filter must be {rank}-dimensional: {shape}")));
    }
    let in_channels = input[window.order.channel(rank)];
    let (group_channels, out_channels) = (filter[rank - 2], filter[rank - 1]);
    if group_channels == 0 {
        return Err(label.error(
            "filter must not have zero elements: filter depth must be stricly positive, got 0",
        ));
    }
    if !in_channels.is_multiple_of(group_channels) {
        return Err(label.error(format!(
            "input depth must be evenly divisible by filter depth: {in_channels} vs {group_channels}"
        )));
    }
    let first = window.order.spatial();
    let axes = window.axes(&input[first..first + label.spatial], &filter[..label.spatial])?;
    Ok(Geometry { batch: input[0], in_channels, group_channels, out_channels, axes })
}

impl Geometry {
    fn output_dims(&self, spatial: usize, order: ChannelOrder) -> Result<Shape> {
        let sizes = self.axes.map(|a| a.output);
        let shape: Shape =
            order.arrange(self.batch, &sizes[3 - spatial..], self.out_channels).into();
        downpour_tensor::checked_elements(&shape)?;
        Ok(shape)
    }

    fn check_groups(&self, label: Label<'_>) -> Result<()> {
        let groups = self.groups();
        if groups == 0 {
            return Err(label.error("number of groups must be stricly positive, got 0"));
        }
        if !self.out_channels.is_multiple_of(groups) || self.out_channels < groups {
            return Err(label.error(format!(
                "output depth must be evenly divisible by number of groups: {} vs {groups}",
                self.out_channels
            )));
        }
        Ok(())
    }
}

/// The convolution of `input` with `filter`.
pub(crate) fn convolve(
    label: Label<'_>,
    window: &WindowAttributes,
    input: &Tensor,
    filter: &Tensor,
    parallel: &Parallel,
    finish: Option<Finish<'_>>,
) -> Result<Tensor> {
    let geometry = forward_geometry(label, window, input.dims(), filter.dims())?;
    let shape = geometry.output_dims(label.spatial, window.order)?;
    if shape.elements() == 0 {
        return Tensor::new(input.dtype(), shape);
    }
    if filter.is_empty() {
        return Err(label
            .error("filter must not have zero elements (i.e. all dimensions must be non-zero)"));
    }
    if !input.is_empty() {
        geometry.check_groups(label)?;
    }
    let last: Shape = {
        let sizes = geometry.axes.map(|a| a.output);
        let order = ChannelOrder::Last;
        order.arrange(geometry.batch, &sizes[3 - label.spatial..], geometry.out_channels).into()
    };
    in_compute_type(label.operation, input.dtype(), &[input, filter], |dtype, values| {
        let output = match dtype {
            DataType::Float => {
                let input = arrange::<f32>(&values[0], window.order, parallel)?;
                let mut output = Tensor::new(dtype, last)?;
                let out = output.as_mut_slice::<f32>().expect("a new tensor has one owner");
                let (x, w) = (input.as_slice()?, values[1].as_slice()?);
                forward(&geometry, x, w, out, parallel, |rows: &mut [f32]| {
                    if let Some(finish) = finish {
                        finish(rows)
                    }
                })?;
                output
            }
            DataType::Double => plain_forward::<f64>(&geometry, last, values, window, parallel)?,
            DataType::Int32 => plain_forward::<i32>(&geometry, last, values, window, parallel)?,
            other => return Err(unsupported_dtype(label.operation, other)),
        };
        restore(output, window.order, parallel)
    })
}

fn plain_forward<T: ProductNumber>(
    geometry: &Geometry,
    shape: Shape,
    values: &[Tensor],
    window: &WindowAttributes,
    parallel: &Parallel,
) -> Result<Tensor> {
    let input = arrange::<T>(&values[0], window.order, parallel)?;
    let mut output = Tensor::new(T::DTYPE, shape)?;
    let out = output.as_mut_slice::<T>().expect("a new tensor has one owner");
    forward(geometry, input.as_slice()?, values[1].as_slice()?, out, parallel, |_| {})?;
    Ok(output)
}

/// Sizes of a gradient, whose three shapes must agree.
fn gradient_geometry(
    label: Label<'_>,
    window: &WindowAttributes,
    input: &[usize],
    filter: &[usize],
    grad: &[usize],
) -> Result<Geometry> {
    let rank = label.spatial + 2;
    for (what, dims) in [("input", input), ("filter", filter), ("out_backprop", grad)] {
        if dims.len() != rank {
            return Err(label.error(format!("{what} must be {rank}-dimensional")));
        }
    }
    if input[0] != grad[0] {
        return Err(label.error(format!(
            "input and out_backprop must have the same batch size. Input batch: {}, outbackprop batch: {}",
            input[0], grad[0]
        )));
    }
    let channel = window.order.channel(rank);
    if filter[rank - 2] == 0 {
        return Err(label.error("filter depth must be strictly greater than zero"));
    }
    if !input[channel].is_multiple_of(filter[rank - 2]) {
        return Err(label.error("input depth must be evenly divisible by filter depth"));
    }
    if filter[rank - 1] != grad[channel] {
        return Err(label.error("filter and out_backprop must have the same out_depth"));
    }
    let geometry = forward_geometry(label, window, input, filter)?;
    let first = window.order.spatial();
    for (i, axis) in geometry.axes[3 - label.spatial..].iter().enumerate() {
        if axis.output != grad[first + i] {
            return Err(label.error(format!(
                "Size of out_backprop doesn't match computed: actual = {}, computed = {} \
                 spatial_dim: {} input: {} filter: {} output: {} stride: {} dilation: {}",
                grad[first + i],
                axis.output,
                first + i,
                axis.input,
                axis.kernel,
                grad[first + i],
                axis.stride,
                axis.dilation
            )));
        }
    }
    if !input.contains(&0) {
        geometry.check_groups(label)?;
    }
    Ok(geometry)
}

/// The gradient of an input of shape `input`.
pub(crate) fn input_gradient_of(
    label: Label<'_>,
    window: &WindowAttributes,
    input: &Shape,
    filter: &Tensor,
    grad: &Tensor,
    parallel: &Parallel,
) -> Result<Tensor> {
    let dtype = grad.dtype();
    if input.elements() == 0 {
        return Tensor::new(dtype, input);
    }
    if grad.is_empty() {
        return Tensor::zeros(dtype, input);
    }
    let geometry = gradient_geometry(label, window, input, filter.dims(), grad.dims())?;
    let sizes = geometry.axes.map(|a| a.input);
    let order = ChannelOrder::Last;
    let last: Shape =
        order.arrange(input[0], &sizes[3 - label.spatial..], geometry.in_channels).into();
    in_compute_type(label.operation, dtype, &[filter, grad], |dtype, values| {
        fn run<T: ProductNumber>(
            geometry: &Geometry,
            shape: Shape,
            values: &[Tensor],
            order: ChannelOrder,
            parallel: &Parallel,
        ) -> Result<Tensor> {
            let grad = arrange::<T>(&values[1], order, parallel)?;
            let mut output = Tensor::new(T::DTYPE, shape)?;
            let out = output.as_mut_slice::<T>().expect("a new tensor has one owner");
            input_gradient(geometry, values[0].as_slice()?, grad.as_slice()?, out, parallel)?;
            Ok(output)
        }
        let order = window.order;
        let output = match dtype {
            DataType::Float => run::<f32>(&geometry, last, values, order, parallel)?,
            DataType::Double => run::<f64>(&geometry, last, values, order, parallel)?,
            DataType::Int32 => run::<i32>(&geometry, last, values, order, parallel)?,
            other => return Err(unsupported_dtype(label.operation, other)),
        };
        restore(output, window.order, parallel)
    })
}

/// The gradient of a filter of shape `filter`.
pub(crate) fn filter_gradient_of(
    label: Label<'_>,
    window: &WindowAttributes,
    input: &Tensor,
    filter: &Shape,
    grad: &Tensor,
    parallel: &Parallel,
) -> Result<Tensor> {
    let dtype = grad.dtype();
    if filter.elements() == 0 {
        return Tensor::new(dtype, filter);
    }
    if input.is_empty() {
        return Tensor::zeros(dtype, filter);
    }
    let geometry = gradient_geometry(label, window, input.dims(), filter, grad.dims())?;
    in_compute_type(label.operation, dtype, &[input, grad], |dtype, values| {
        fn run<T: ProductNumber>(
            geometry: &Geometry,
            shape: &Shape,
            values: &[Tensor],
            order: ChannelOrder,
            parallel: &Parallel,
        ) -> Result<Tensor> {
            let input = arrange::<T>(&values[0], order, parallel)?;
            let grad = arrange::<T>(&values[1], order, parallel)?;
            let mut output = Tensor::new(T::DTYPE, shape)?;
            let out = output.as_mut_slice::<T>().expect("a new tensor has one owner");
            filter_gradient(geometry, input.as_slice()?, grad.as_slice()?, out, parallel)?;
            Ok(output)
        }
        match dtype {
            DataType::Float => run::<f32>(&geometry, filter, values, window.order, parallel),
            DataType::Double => run::<f64>(&geometry, filter, values, window.order, parallel),
            DataType::Int32 => run::<i32>(&geometry, filter, values, window.order, parallel),
            other => Err(unsupported_dtype(label.operation, other)),
        }
    })
}

fn arrange<T: ProductNumber>(
    tensor: &Tensor,
    order: ChannelOrder,
    parallel: &Parallel,
) -> Result<Tensor> {
    match order {
        ChannelOrder::Last => Ok(tensor.clone()),
        ChannelOrder::First => to_channels_last::<T>(tensor, parallel),
    }
}

fn restore(tensor: Tensor, order: ChannelOrder, parallel: &Parallel) -> Result<Tensor> {
    match (order, tensor.dtype()) {
        (ChannelOrder::Last, _) => Ok(tensor),
        (_, DataType::Float) => to_channels_first::<f32>(&tensor, parallel),
        (_, DataType::Double) => to_channels_first::<f64>(&tensor, parallel),
        _ => to_channels_first::<i32>(&tensor, parallel),
    }
}

/// Calls `compute` with the values as they are, or as float32 if they are half or bfloat16, and
/// gives its result the original type.
pub(crate) fn in_compute_type(
    operation: &str,
    dtype: DataType,
    values: &[&Tensor],
    compute: impl FnOnce(DataType, &[Tensor]) -> Result<Tensor>,
) -> Result<Tensor> {
    match dtype {
        DataType::Half | DataType::BFloat16 => {
            let wide = values.iter().map(|t| widened(t)).collect::<Result<Vec<_>>>()?;
            narrowed(&compute(DataType::Float, &wide)?, dtype)
        }
        DataType::Float | DataType::Double | DataType::Int32 => {
            let same: Vec<Tensor> = values.iter().map(|&t| t.clone()).collect();
            compute(dtype, &same)
        }
        other => Err(unsupported_dtype(operation, other)),
    }
}

/// A half or bfloat16 tensor in float32; others as they are.
pub(crate) fn widened(tensor: &Tensor) -> Result<Tensor> {
    match tensor.dtype() {
        DataType::Half => {
            let from = tensor.as_slice::<f16>()?;
            Tensor::build(tensor.shape(), |out: &mut [f32]| {
                from.convert_to_f32_slice(out);
            })
        }
        DataType::BFloat16 => {
            let from = tensor.as_slice::<bf16>()?;
            Tensor::build(tensor.shape(), |out: &mut [f32]| {
                out.iter_mut().zip(from).for_each(|(o, v)| *o = v.to_f32());
            })
        }
        _ => Ok(tensor.clone()),
    }
}

/// A float32 tensor rounded to half or bfloat16.
pub(crate) fn narrowed(tensor: &Tensor, dtype: DataType) -> Result<Tensor> {
    let from = tensor.as_slice::<f32>()?;
    match dtype {
        DataType::Half => Tensor::build(tensor.shape(), |out: &mut [f16]| {
            out.convert_from_f32_slice(from);
        }),
        DataType::BFloat16 => Tensor::build(tensor.shape(), |out: &mut [bf16]| {
            out.iter_mut().zip(from).for_each(|(o, &v)| *o = bf16::from_f32(v));
        }),
        _ => Ok(tensor.clone()),
    }
}
