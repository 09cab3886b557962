//! Strides, dilations, padding and layout as nodes give them.

use downpour_graph::{Attrs, Dim};
use downpour_tensor::{Result, Status};

use super::axis::{Axis, Padding};

/// Where the channels stand among the axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChannelOrder {
    /// NHWC, NDHWC.
    Last,
    /// NCHW, NCDHW.
    First,
}

impl ChannelOrder {
    pub fn of(attrs: &Attrs) -> Result<ChannelOrder> {
        if attrs.get("data_format").is_none() {
            return Ok(ChannelOrder::Last);
        }
        match attrs.string("data_format")?.as_str() {
            "NHWC" | "NDHWC" | "CHANNELS_LAST" => Ok(ChannelOrder::Last),
            "NCHW" | "NCDHW" | "CHANNELS_FIRST" => Ok(ChannelOrder::First),
            other => Err(Status::unimplemented(format!(
                "the data_format {other} is not supported on CPU devices; use NHWC"
            ))),
        }
    }

    /// Index of the first spatial axis.
    pub fn spatial(self) -> usize {
        match self {
            ChannelOrder::Last => 1,
            ChannelOrder::First => 2,
        }
    }

    /// Index of the channel axis among `rank` axes.
    pub fn channel(self, rank: usize) -> usize {
        match self {
            ChannelOrder::Last => rank - 1,
            ChannelOrder::First => 1,
        }
    }

    /// Sizes in this order.
    pub fn arrange<T: Copy>(self, batch: T, spatial: &[T], channels: T) -> Vec<T> {
        let mut dims = vec![batch];
        if self == ChannelOrder::First {
            dims.push(channels);
        }
        dims.extend_from_slice(spatial);
        if self == ChannelOrder::Last {
            dims.push(channels);
        }
        dims
    }
}

/// A convolution's window, checked but for the sizes that come with the inputs.
#[derive(Clone, Debug)]
pub(crate) struct WindowAttributes {
    pub order: ChannelOrder,
    pub strides: Vec<usize>,
    pub dilations: Vec<usize>,
    pub padding: Vec<Padding>,
}

impl WindowAttributes {
    /// Reads `strides`, `dilations`, `padding`, `explicit_paddings` and `data_format` of an
    /// operation with `spatial` spatial axes.
    pub fn of(attrs: &Attrs, spatial: usize) -> Result<WindowAttributes> {
        let order = ChannelOrder::of(attrs)?;
        let rank = spatial + 2;
        let strides = attrs.ints("strides")?;
        let mut dilations = match attrs.get("dilations") {
            Some(_) => attrs.ints("dilations")?,
            None => vec![1; rank],
        };
        if dilations.is_empty() {
            dilations = vec![1; rank];
        }
        if dilations.len() != rank {
            return Err(Status::invalid_argument(format!(
                "Sliding window dilations field must specify {rank} dimensions, got {}",
                dilations.len()
            )));
        }
        if strides.len() != rank {
            return Err(Status::invalid_argument(format!(
                "Sliding window strides field must specify {rank} dimensions, got {}",
                strides.len()
            )));
        }
        Ok(WindowAttributes {
            order,
            strides: spatial_values(&strides, order, "strides")?,
            dilations: spatial_values(&dilations, order, "dilations")?,
            padding: paddings(attrs, order, rank)?,
        })
    }

    /// Axes in the order depth, rows, columns; a missing depth is `Axis::ONE`.
    pub fn axes(&self, input: &[usize], kernel: &[usize]) -> Result<[Axis; 3]> {
        let missing = 3 - self.strides.len();
        let mut axes = [Axis::ONE; 3];
        for i in 0..self.strides.len() {
            axes[missing + i] = Axis::new(
                input[i],
                kernel[i],
                self.strides[i],
                self.dilations[i],
                self.padding[i],
            )?;
        }
        Ok(axes)
    }

    /// Output sizes as far as they are known before running.
    pub fn output_dims(&self, input: &[Dim], kernel: &[Dim]) -> Result<Vec<Dim>> {
        (0..self.strides.len())
            .map(|i| {
                let (stride, dilation) = (self.strides[i], self.dilations[i]);
                output_dim(input[i], kernel[i], stride, dilation, self.padding[i])
            })
            .collect()
    }
}

/// The output size of one axis as far as it is known.
pub(crate) fn output_dim(
    input: Dim,
    kernel: Dim,
    stride: usize,
    dilation: usize,
    padding: Padding,
) -> Result<Dim> {
    let kernel = match (kernel, padding) {
        (None, Padding::Same) => Some(1),
        (kernel, _) => kernel,
    };
    let (Some(input), Some(kernel)) = (input, kernel) else { return Ok(None) };
    let padded = match padding {
        Padding::Explicit(before, after) => input.saturating_add(before).saturating_add(after),
        _ => input,
    };
    let effective = (kernel.max(1) - 1).saturating_mul(dilation).saturating_add(1);
    // Stricter than the kernels, which give an empty result to a window that misses by less than
    // a stride: graphs are refused as TensorFlow refuses them.
    if padding != Padding::Same && padded < effective {
        return Err(Status::invalid_argument(format!(
            "Negative dimension size caused by subtracting {effective} from {padded}"
        )));
    }
    Axis::new(input, kernel, stride, dilation, padding).map(|axis| Some(axis.output))
}

/// The spatial entries of a list that must be 1 for batch and channels.
fn spatial_values(values: &[i64], order: ChannelOrder, what: &str) -> Result<Vec<usize>> {
    let channel = order.channel(values.len());
    if values[0] != 1 || values[channel] != 1 {
        return Err(Status::unimplemented(format!(
            "Current implementation does not yet support {what} in the batch and depth dimensions."
        )));
    }
    let first = order.spatial();
    values[first..first + values.len() - 2]
        .iter()
        .map(|&v| match (v > 0, what) {
            (true, _) => Ok(v as usize),
            (false, "strides") => Err(Status::invalid_argument(
                "Row and column strides should be larger than 0. Spatial strides should be larger than 0.",
            )),
            (false, _) => Err(Status::invalid_argument("Dilated rates should be larger than 0.")),
        })
        .collect()
}

/// The padding of each spatial axis.
pub(crate) fn paddings(attrs: &Attrs, order: ChannelOrder, rank: usize) -> Result<Vec<Padding>> {
    let explicit = match attrs.get("explicit_paddings") {
        Some(_) => attrs.ints("explicit_paddings")?,
        None => Vec::new(),
    };
    let padding = attrs.string("padding")?;
    let spatial = rank - 2;
    if padding != "EXPLICIT" && !explicit.is_empty() {
        return Err(Status::invalid_argument(
            "explicit_paddings attribute must be empty if the padding attribute is not EXPLICIT",
        ));
    }
    match padding.as_str() {
        "SAME" => Ok(vec![Padding::Same; spatial]),
        "VALID" => Ok(vec![Padding::Valid; spatial]),
        "EXPLICIT" => {
            if explicit.len() != 2 * rank {
                return Err(Status::invalid_argument(format!(
                    "explicit_paddings attribute must contain {} values, but got: {}",
                    2 * rank,
                    explicit.len()
                )));
            }
            if explicit.iter().any(|&p| p < 0) {
                return Err(Status::invalid_argument(
                    "All elements of explicit_paddings must be nonnegative",
                ));
            }
            if explicit.iter().any(|&p| p > i32::MAX as i64) {
                return Err(Status::invalid_argument("explicit_paddings are too large"));
            }
            let channel = order.channel(rank);
            if [0, 1, 2 * channel, 2 * channel + 1].iter().any(|&i| explicit[i] != 0) {
                return Err(Status::invalid_argument(
                    "Nonzero explicit padding in the batch or depth dimensions is not supported",
                ));
            }
            let first = order.spatial();
            Ok((first..first + spatial)
                .map(|i| Padding::Explicit(explicit[2 * i] as usize, explicit[2 * i + 1] as usize))
                .collect())
        }
        other => Err(Status::not_found(format!("{other} is not an allowed padding type"))),
    }
}
