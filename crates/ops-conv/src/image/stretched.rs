//! Rows of images stretched to another width by linear interpolation, in float.

use downpour_tensor::RealNumber;

use crate::product::vectorized;

/// The two input positions around an output position.
pub(super) struct Between {
    pub lower: usize,
    pub upper: usize,
    /// Distance from `lower`.
    pub weight: f32,
}

impl Between {
    #[inline(always)]
    fn mix(&self, lower: f32, upper: f32) -> f32 {
        lower + (upper - lower) * self.weight
    }
}

/// Mixes two rows.
pub(super) fn mix(between: &Between, lower: &[f32], upper: &[f32], out: &mut [f32]) {
    vectorized(|| {
        for ((to, &lower), &upper) in out.iter_mut().zip(lower).zip(upper) {
            *to = between.mix(lower, upper);
        }
    });
}

/// Converts numbers to float.
pub(super) fn convert<T: RealNumber>(from: &[T], out: &mut [f32]) {
    vectorized(|| out.iter_mut().zip(from).for_each(|(to, v)| *to = v.to_f64_lossy() as f32));
}

/// The rows of all images of a tensor.
pub(super) struct Rows<'a> {
    /// All elements, if they are float.
    pub floats: Option<&'a [f32]>,
    /// Converts the elements from one on.
    pub convert: &'a (dyn Fn(usize, &mut [f32]) + Sync),
    pub columns: usize,
    pub channels: usize,
}

/// Pixels of up to four channels are read and written as vectors of four, so there is room behind each row.
const ROOM: usize = 3;

/// Stretches rows, and keeps the last two: the next output row often lies between the same ones.
pub(super) struct Stretched<'a> {
    from: &'a Rows<'a>,
    columns: &'a [Between],
    row: Vec<f32>,
    /// The numbers of the rows and their pixels.
    kept: [(Option<usize>, Vec<f32>); 2],
}

impl<'a> Stretched<'a> {
    /// Returns how many bytes it takes.
    pub fn bytes(from: &Rows<'_>, columns: usize) -> usize {
        let pixels = from.columns.saturating_add(columns.saturating_mul(2));
        pixels.saturating_mul(from.channels).saturating_add(3 * ROOM).saturating_mul(4)
    }

    pub fn new(from: &'a Rows<'a>, columns: &'a [Between]) -> Stretched<'a> {
        let line = |pixels: usize| vec![0.0; pixels * from.channels + ROOM];
        let kept = [0, 1].map(|_| (None, line(columns.len())));
        Stretched { from, columns, row: line(from.columns), kept }
    }

    /// Returns two rows.
    pub fn rows(&mut self, [lower, upper]: [usize; 2]) -> [&[f32]; 2] {
        let places = [self.keep(lower, upper), self.keep(upper, lower)];
        let length = self.columns.len() * self.from.channels;
        places.map(|place| &self.kept[place].1[..length])
    }

    /// Returns the place of a row, which is not that of the other.
    fn keep(&mut self, row: usize, other: usize) -> usize {
        if let Some(place) = self.kept.iter().position(|kept| kept.0 == Some(row)) {
            return place;
        }
        let place = usize::from(self.kept[0].0 == Some(other));
        let length = self.from.columns * self.from.channels;
        let start = row * length;
        let floats = self.from.floats.and_then(|all| all.get(start..start + length + ROOM));
        let from = floats.unwrap_or_else(|| {
            (self.from.convert)(start, &mut self.row[..length]);
            &self.row
        });
        let (number, out) = &mut self.kept[place];
        *number = Some(row);
        vectorized(|| match self.from.channels {
            1 => pixels::<1, 1>(from, self.columns, out),
            2 => pixels::<2, 2>(from, self.columns, out),
            3 => pixels::<3, 4>(from, self.columns, out),
            4 => pixels::<4, 4>(from, self.columns, out),
            channels => long_pixels(channels, from, self.columns, out),
        });
        place
    }
}

/// Mixes pixels of `C` channels with `W` behind each other: the next pixel overwrites what is too much.
#[inline(always)]
fn pixels<const C: usize, const W: usize>(from: &[f32], columns: &[Between], out: &mut [f32]) {
    for (i, column) in columns.iter().enumerate() {
        let lower = from[column.lower * C..].first_chunk::<W>();
        let upper = from[column.upper * C..].first_chunk::<W>();
        let to = out[i * C..].first_chunk_mut::<W>();
        // The room behind the rows makes sure of all three.
        if let (Some(lower), Some(upper), Some(to)) = (lower, upper, to) {
            *to = std::array::from_fn(|c| column.mix(lower[c], upper[c]));
        }
    }
}

#[inline(always)]
fn long_pixels(channels: usize, from: &[f32], columns: &[Between], out: &mut [f32]) {
    for (to, column) in out.chunks_exact_mut(channels).zip(columns) {
        let lower = &from[column.lower * channels..][..channels];
        let upper = &from[column.upper * channels..][..channels];
        for ((to, &lower), &upper) in to.iter_mut().zip(lower).zip(upper) {
            *to = column.mix(lower, upper);
        }
    }
}
