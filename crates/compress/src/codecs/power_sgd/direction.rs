//! Q between steps: the columns the next gradient is projected on.

use downpour_tensor::{Result, Status, Tensor, fingerprint};

use super::Extent;
use crate::float::Float;

/// Qᵀ of the last step, or random values before the first. Workers with the same seed that see the same reduced factors
/// hold the same values.
pub(crate) struct Direction {
    state: u64,
    values: Option<Tensor>,
}

impl Direction {
    pub(crate) fn new(seed: u64, name: &str) -> Direction {
        let state = seed ^ fingerprint::fingerprint64(name.as_bytes());
        Direction { state, values: None }
    }

    /// What to save: the values, and where the random numbers are.
    pub(crate) fn save(&self) -> (Option<&Tensor>, u64) {
        (self.values.as_ref(), self.state)
    }

    /// Goes on with values that were saved.
    pub(crate) fn restore_values(&mut self, values: Tensor) {
        self.values = Some(values);
    }

    /// Goes on with random numbers where they were saved.
    pub(crate) fn restore_state(&mut self, state: u64) {
        self.state = state;
    }

    /// A number between -1 and 1 (SplitMix64).
    fn draw(state: &mut u64) -> f64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Qᵀ, `rank` rows of `columns` values.
    pub(crate) fn values<T: Float>(&mut self, extent: Extent) -> Result<&[T]> {
        let shape = [extent.rank, extent.columns];
        let values = match self.values.take() {
            Some(values) => values,
            None => Tensor::build(shape, |out: &mut [T]| {
                out.fill_with(|| T::from_f64(Self::draw(&mut self.state)));
            })?,
        };
        if values.dims() != shape || values.dtype() != T::DTYPE {
            return Err(Status::invalid_argument(format!(
                "a direction of PowerSGD is {} of shape {}, but {} of shape {shape:?} is needed; was it saved with \
                 another rank or for another variable?",
                values.dtype(),
                values.shape(),
                T::DTYPE
            )));
        }
        self.values.insert(values).as_slice()
    }

    /// Goes on from this step's Qᵀ. A row of zeros would stay zero for ever and gets new random values.
    pub(crate) fn follow<T: Float>(&mut self, q: &[T], extent: Extent) -> Result<()> {
        let mut values = Tensor::from_slice([extent.rank, extent.columns], q)?;
        let rows = values.as_mut_slice::<T>().unwrap_or(&mut []);
        for row in rows.chunks_exact_mut(extent.columns.max(1)) {
            if row.iter().all(|&value| value == T::ZERO) {
                row.fill_with(|| T::from_f64(Self::draw(&mut self.state)));
            }
        }
        self.values = Some(values);
        Ok(())
    }
}
