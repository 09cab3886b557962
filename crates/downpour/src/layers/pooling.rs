//! Pooling: fewer points of an image, and images as vectors.

use downpour_tensor::{Result, Status};

use super::support::expect_rank;
use super::{Padding, Window};
use crate::ops;
use crate::output::Output;

const IMAGES: &str = "images [batch, height, width, channels]";

macro_rules! pooling {
    ($(#[$doc:meta])* $layer:ident, $function:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        #[must_use = "nothing is added before `build`"]
        pub struct $layer {
            window: Window,
            strides: Window,
            padding: Padding,
        }

        impl $layer {
            /// Windows of this size, `2` or `[2, 3]`, side by side.
            pub fn new(window: impl Into<Window>) -> $layer {
                let window = window.into();
                $layer { window, strides: window, padding: Padding::Valid }
            }

            /// The step from one window to the next; the window's size unless set.
            pub fn strides(mut self, strides: impl Into<Window>) -> $layer {
                self.strides = strides.into();
                self
            }

            /// What happens at the edges; windows stay within the image unless set.
            pub fn padding(mut self, padding: Padding) -> $layer {
                self.padding = padding;
                self
            }

            /// Pads the edges.
            pub fn same(self) -> $layer {
                self.padding(Padding::Same)
            }

            /// Adds it on images.
            pub fn build(&self, x: &Output) -> Result<Output> {
                expect_rank(stringify!($layer), x, 4, IMAGES)?;
                let (window, strides) = (self.window.attribute(), self.strides.attribute());
                ops::$function(x, &window, &strides, self.padding.attribute()).build()
            }
        }
    };
}

pooling! {
    /// The largest value of each window of an image [batch, height, width, channels].
    ///
    /// ```
    /// use downpour::{DataType, Graph, layers::MaxPool2d};
    /// # fn main() -> downpour::Result<()> {
    /// let graph = Graph::new();
    /// let x = graph.placeholder("x", DataType::Float, [None, Some(28), Some(28), Some(8)])?;
    /// assert_eq!(MaxPool2d::new(2).build(&x)?.shape().to_string(), "[?,14,14,8]");
    /// # Ok(())
    /// # }
    /// ```
    MaxPool2d, max_pool
}

pooling! {
    /// The mean of each window of an image [batch, height, width, channels].
    ///
    /// ```
    /// use downpour::{DataType, Graph, layers::AveragePool2d};
    /// # fn main() -> downpour::Result<()> {
    /// let graph = Graph::new();
    /// let x = graph.placeholder("x", DataType::Float, [None, Some(7), Some(7), Some(8)])?;
    /// let y = AveragePool2d::new(3).strides(2).same().build(&x)?;
    /// assert_eq!(y.shape().to_string(), "[?,4,4,8]");
    /// # Ok(())
    /// # }
    /// ```
    AveragePool2d, avg_pool
}

/// The mean of each channel of an image: [batch, height, width, channels] becomes [batch, channels].
pub fn global_average_pool(x: &Output) -> Result<Output> {
    expect_rank("global_average_pool", x, 4, IMAGES)?;
    x.reduce_mean(&[1, 2], false)
}

/// The largest value of each channel of an image.
pub fn global_max_pool(x: &Output) -> Result<Output> {
    expect_rank("global_max_pool", x, 4, IMAGES)?;
    x.reduce_max(&[1, 2], false)
}

/// Each example of a batch as one vector.
///
/// ```
/// use downpour::{DataType, Graph, layers::flatten};
/// # fn main() -> downpour::Result<()> {
/// let graph = Graph::new();
/// let x = graph.placeholder("x", DataType::Float, [None, Some(4), Some(5)])?;
/// assert_eq!(flatten(&x)?.shape().to_string(), "[?,20]");
/// # Ok(())
/// # }
/// ```
pub fn flatten(x: &Output) -> Result<Output> {
    let shape = x.shape();
    let Some((_, inner)) = shape.dims().and_then(|dims| dims.split_first()) else {
        return Err(Status::invalid_argument(format!(
            "flatten takes a batch, but {} has the shape {shape}",
            x.name()
        )));
    };
    if inner.len() == 1 {
        return Ok(x.clone());
    }
    let size = inner.iter().try_fold(1usize, |size, dim| size.checked_mul((*dim)?));
    let size = size.ok_or_else(|| {
        Status::invalid_argument(format!(
            "flatten needs to know the size of each example of {}, whose shape is {shape}; say it by set_shape",
            x.name()
        ))
    })?;
    x.reshape(&[-1, size as i64])
}
