//! Windows over images: sizes, strides and what happens at the edges.

use serde::{Deserialize, Serialize};

/// Height and width of a window, or the step between windows: `3` or `[3, 5]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Rows.
    pub height: usize,
    /// Columns.
    pub width: usize,
}

impl From<usize> for Window {
    fn from(size: usize) -> Window {
        Window { height: size, width: size }
    }
}

impl From<[usize; 2]> for Window {
    fn from([height, width]: [usize; 2]) -> Window {
        Window { height, width }
    }
}

impl Window {
    /// As an attribute of operations on images [batch, height, width, channels].
    pub(super) fn attribute(self) -> [i64; 4] {
        [1, self.height as i64, self.width as i64, 1]
    }
}

/// What happens at the edges of an image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Padding {
    /// The edges are padded, so that with a stride of one the result is as large as the image.
    Same,
    /// Windows lie within the image.
    #[default]
    Valid,
}

impl Padding {
    pub(super) fn attribute(self) -> &'static str {
        match self {
            Padding::Same => "SAME",
            Padding::Valid => "VALID",
        }
    }
}
