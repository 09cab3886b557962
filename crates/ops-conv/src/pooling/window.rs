//! Pooling windows: attributes, checks, and the walk over every window.

use std::ops::Range;

use downpour_graph::{Attrs, PartialShape, ShapeContext};
use downpour_tensor::{Result, Shape, Status};

use crate::window::{Axis, ChannelOrder, Padding, output_dim, paddings};

/// What a pooling node says about its window.
#[derive(Clone, Debug)]
pub(super) struct PoolAttributes {
    order: ChannelOrder,
    padding: Vec<Padding>,
    ksize: Vec<i64>,
    strides: Vec<i64>,
    spatial: usize,
}

impl PoolAttributes {
    /// Attributes of a node whose `ksize` and `strides` are attributes too.
    pub fn of(attrs: &Attrs, spatial: usize) -> Result<PoolAttributes> {
        let rest = PoolAttributes::without_sizes(attrs, spatial)?;
        rest.with_sizes(attrs.ints("ksize")?, attrs.ints("strides")?)
    }

    /// Attributes of a node that gets `ksize` and `strides` as inputs.
    pub fn without_sizes(attrs: &Attrs, spatial: usize) -> Result<PoolAttributes> {
        let order = ChannelOrder::of(attrs)?;
        let padding = paddings(attrs, order, spatial + 2)?;
        Ok(PoolAttributes { order, padding, ksize: vec![], strides: vec![], spatial })
    }

    pub fn with_sizes(&self, ksize: Vec<i64>, strides: Vec<i64>) -> Result<PoolAttributes> {
        let rank = self.spatial + 2;
        for (what, values) in [("ksize", &ksize), ("strides", &strides)] {
            if values.len() != rank {
                return Err(Status::invalid_argument(format!(
                    "Sliding window {what} field must specify {rank} dimensions, got {}",
                    values.len()
                )));
            }
            if values.iter().any(|&v| v <= 0 || v > i32::MAX as i64) {
                let sizes: Vec<String> = values.iter().map(i64::to_string).collect();
                return Err(Status::invalid_argument(format!(
                    "Sliding window {what} must be positive. The specified or inferred {what} is: \
                     {}; each {what} must be a positive int32 value",
                    sizes.join(",")
                )));
            }
        }
        if ksize[0] != 1 || strides[0] != 1 {
            return Err(Status::unimplemented(
                "Pooling is not yet supported on the batch dimension.",
            ));
        }
        Ok(PoolAttributes { ksize, strides, ..self.clone() })
    }

    fn channel(&self) -> usize {
        self.order.channel(self.spatial + 2)
    }

    /// Channels pooled together; more than one only for MaxPool over channels.
    pub fn depth_window(&self) -> usize {
        self.ksize[self.channel()] as usize
    }

    fn depth_stride(&self) -> usize {
        self.strides[self.channel()] as usize
    }

    /// The window over an input of these sizes.
    pub fn pool(&self, operation: &str, input: &[usize]) -> Result<Pool> {
        let rank = self.spatial + 2;
        if input.len() != rank {
            return Err(Status::invalid_argument(format!(
                "{operation}: tensor_in must be {rank}-dimensional, got {}",
                Shape::new(input)
            )));
        }
        let first = self.order.spatial();
        let mut axes = [Axis::ONE; 3];
        const SIDES: [(&str, &str); 2] = [("Top", "Bottom"), ("Left", "Right")];
        for i in 0..self.spatial {
            let kernel = self.ksize[first + i] as usize;
            if let Padding::Explicit(before, after) = self.padding[i] {
                let names = SIDES[i.min(1)];
                for (side, pad) in [(names.0, before), (names.1, after)] {
                    if pad >= kernel {
                        return Err(Status::invalid_argument(format!(
                            "{side} padding {pad} needs to be smaller than the window size {kernel}"
                        )));
                    }
                }
            }
            let stride = self.strides[first + i] as usize;
            axes[3 - self.spatial + i] =
                Axis::new(input[first + i], kernel, stride, 1, self.padding[i])?;
        }
        let channels = input[self.channel()];
        let inner = match self.order {
            ChannelOrder::Last => channels,
            // Each channel is an image of its own.
            ChannelOrder::First => 1,
        };
        let sizes = axes.map(|a| a.output);
        let dims = self.order.arrange(input[0], &sizes[3 - self.spatial..], channels);
        let output: Shape = dims.into();
        downpour_tensor::checked_elements(&output)?;
        Ok(Pool { inner, axes, output })
    }

    /// Like `pool`, for operations that cannot pool over channels.
    pub fn spatial_pool(&self, operation: &str, input: &[usize]) -> Result<Pool> {
        if self.depth_window() != 1 {
            return Err(Status::unimplemented(format!(
                "{operation}: Non-spatial pooling is not yet supported on the depth dimension."
            )));
        }
        self.pool(operation, input)
    }

    /// Checks a window over channels.
    pub fn check_depth_window(&self, channels: usize) -> Result<()> {
        let first = self.order.spatial();
        let window = self.depth_window();
        if window == 1 {
            return Ok(());
        }
        if self.ksize[first..first + self.spatial].iter().any(|&k| k != 1) {
            return Err(Status::unimplemented(
                "MaxPooling supports exactly one of pooling across depth or pooling across \
                 width/height.",
            ));
        }
        if self.order != ChannelOrder::Last
            || self.padding.iter().any(|p| matches!(p, Padding::Explicit(..)))
        {
            return Err(Status::unimplemented(
                "Depthwise max pooling supports only channels-last data without explicit padding.",
            ));
        }
        if !channels.is_multiple_of(window) {
            return Err(Status::unimplemented(
                "Depthwise max pooling requires the depth window to evenly divide the input depth",
            ));
        }
        if self.depth_stride() != window {
            return Err(Status::unimplemented(
                "Depthwise max pooling requires the depth window to equal the depth stride",
            ));
        }
        Ok(())
    }

    /// The output's shape as far as it is known.
    pub fn output_shape(&self, input: &PartialShape) -> Result<PartialShape> {
        let first = self.order.spatial();
        let mut sizes = Vec::new();
        for i in 0..self.spatial {
            sizes.push(output_dim(
                input.dim(first + i),
                Some(self.ksize[first + i] as usize),
                self.strides[first + i] as usize,
                1,
                self.padding[i],
            )?);
        }
        let channels = input.dim(self.channel()).map(|c| c / self.depth_window());
        Ok(PartialShape::of(self.order.arrange(input.dim(0), &sizes, channels)))
    }
}

/// The shape function of pooling input 0 with windows from attributes.
pub(super) fn pool_shape(cx: &mut ShapeContext<'_>, spatial: usize) -> Result<()> {
    let input = cx.with_rank(0, spatial + 2)?;
    let shape = PoolAttributes::of(cx.node(), spatial)?.output_shape(&input)?;
    cx.set_output(0, shape);
    Ok(())
}

/// The shape function of pooling input 0 with windows in inputs `at` and `at + 1`.
pub(super) fn pool_shape_v2(cx: &mut ShapeContext<'_>, at: usize) -> Result<()> {
    let input = cx.with_rank(0, 4)?;
    let shape = match (cx.constant_ints(at), cx.constant_ints(at + 1)) {
        (Some(ksize), Some(strides)) => {
            let attributes = PoolAttributes::without_sizes(cx.node(), 2)?;
            attributes.with_sizes(ksize, strides)?.output_shape(&input)?
        }
        _ => PartialShape::of_rank(4),
    };
    cx.set_output(0, shape);
    Ok(())
}

/// A pooling of images of `inner` interleaved channels.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    pub inner: usize,
    pub axes: [Axis; 3],
    /// The output's shape in the node's layout.
    pub output: Shape,
}

impl Pool {
    pub fn input_pixels(&self) -> usize {
        self.axes.iter().map(|a| a.input).product()
    }

    pub fn output_pixels(&self) -> usize {
        self.axes.iter().map(|a| a.output).product()
    }

    /// Elements of one input image.
    pub fn input_image(&self) -> usize {
        self.input_pixels() * self.inner
    }

    /// Elements of one output image.
    pub fn output_image(&self) -> usize {
        self.output_pixels() * self.inner
    }

    /// The box of input positions under output pixel `pixel` of an image.
    pub fn window(&self, pixel: usize) -> [Range<usize>; 3] {
        let [d, h, w] = &self.axes;
        [
            d.covered(pixel / (h.output * w.output)),
            h.covered(pixel / w.output % h.output),
            w.covered(pixel % w.output),
        ]
    }

    /// Calls `f` with the offset in the image of each input position under `pixel`, in order.
    #[inline(always)]
    pub fn for_window(&self, pixel: usize, mut f: impl FnMut(usize)) {
        let [planes, rows, columns] = self.window(pixel);
        for d in planes {
            for h in rows.clone() {
                let row = (d * self.axes[1].input + h) * self.axes[2].input;
                for w in columns.clone() {
                    f((row + w) * self.inner);
                }
            }
        }
    }

    /// Units of `unit` elements per chunk worth a thread, when each costs a window of work.
    pub fn grain(&self, unit: usize) -> usize {
        let window: usize = self.axes.iter().map(|a| a.kernel.min(a.input)).product();
        40_000 / (unit * window).max(1) + 1
    }

    /// Refuses a tensor that should have the pooled shape and has not.
    pub fn expect_output(&self, operation: &str, name: &str, shape: &Shape) -> Result<()> {
        expect_shape(operation, name, &self.output, shape)
    }
}

pub(super) fn expect_shape(operation: &str, name: &str, wanted: &Shape, got: &Shape) -> Result<()> {
    if wanted == got {
        return Ok(());
    }
    Err(Status::invalid_argument(format!(
        "{operation}: Expected {name} shape to be {wanted}, but got {got}"
    )))
}
