//! Half and bfloat16 as float32: numbers are converted run by run, on the threads that will multiply.

use downpour_runtime::Parallel;
use downpour_tensor::{bf16, f16};
use half::slice::HalfFloatSliceExt;

use crate::{MatMut, MatRef};

/// Shorter runs are not handed to another thread.
const GRAIN: usize = 16 * 1024;

/// A type of 16 bits whose products are computed in float32.
pub(crate) trait Narrow: Copy + Send + Sync {
    fn widen(from: &[Self], to: &mut [f32]);
    fn narrow(from: &[f32], to: &mut [Self]);
    fn wide(self) -> f32;
}

impl Narrow for f16 {
    fn widen(from: &[f16], to: &mut [f32]) {
        from.convert_to_f32_slice(to);
    }
    fn narrow(from: &[f32], to: &mut [f16]) {
        to.convert_from_f32_slice(from);
    }
    fn wide(self) -> f32 {
        self.to_f32()
    }
}

impl Narrow for bf16 {
    fn widen(from: &[bf16], to: &mut [f32]) {
        to.iter_mut().zip(from).for_each(|(to, from)| *to = from.wide());
    }

    /// Without a branch, so that it is vectorised: to the nearest, a tie to the even one.
    fn narrow(from: &[f32], to: &mut [bf16]) {
        for (to, from) in to.iter_mut().zip(from) {
            let bits = from.to_bits();
            let nearest = (bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16) as u16;
            let not_a_number = (bits >> 16) as u16 | 0x40;
            *to = bf16::from_bits(if from.is_nan() { not_a_number } else { nearest });
        }
    }

    fn wide(self) -> f32 {
        f32::from_bits(u32::from(self.to_bits()) << 16)
    }
}

/// A matrix in float32, with its strides: as it lies if it lies densely, else row after row.
pub(crate) struct Widened {
    data: Vec<f32>,
    rows: usize,
    columns: usize,
    strides: (usize, usize),
}

impl Widened {
    pub fn of<T: Narrow>(parallel: &Parallel, from: MatRef<'_, T>) -> Widened {
        let (rows, columns) = (from.rows, from.columns);
        let strides = (from.row_stride, from.column_stride);
        let dense = strides == (columns, 1) || strides == (1, rows);
        if !dense {
            let data = from.packed(|value| value.wide());
            return Widened { data, rows, columns, strides: (columns, 1) };
        }
        let mut data = vec![0f32; rows * columns];
        parallel.for_chunks(&mut data, 1, GRAIN, |start, run| {
            T::widen(&from.data[start..start + run.len()], run);
        });
        Widened { data, rows, columns, strides }
    }

    pub fn view(&self) -> MatRef<'_, f32> {
        MatRef::strided(&self.data, self.rows, self.columns, self.strides.0, self.strides.1)
    }
}

/// Writes rows of float32 into a narrower matrix.
pub(crate) fn narrow_into<T: Narrow>(parallel: &Parallel, from: &[f32], to: &mut MatMut<'_, T>) {
    let (rows, width) = (to.rows, to.columns);
    if to.row_stride == width {
        let to = &mut to.data[..rows * width];
        parallel.for_chunks(to, 1, GRAIN, |start, run| {
            T::narrow(&from[start..start + run.len()], run);
        });
        return;
    }
    for (i, row) in from.chunks_exact(width.max(1)).enumerate() {
        T::narrow(row, to.row(i));
    }
}
