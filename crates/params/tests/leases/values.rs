//! Variables that count how often each example was used.

use bytes::Bytes;
use downpour_coordinator::Extent;
use downpour_params::{Gradient, Named, Values};
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;

pub const EXAMPLES: u64 = 240;
/// More than any run comes to.
const EPOCHS: u64 = 24;
const PLACES: usize = (EXAMPLES * EPOCHS) as usize;

pub const COUNTS: &str = "counts";

#[derive(Default)]
pub struct Counts(Mutex<Vec<f32>>);

/// First values, for whoever gives them.
pub fn first() -> Vec<Named<Tensor>> {
    vec![(COUNTS.to_string(), Tensor::vector(&[0f32; PLACES]).expect("plain numbers"))]
}

/// The examples of an extent.
pub fn places(extent: Extent) -> std::ops::Range<usize> {
    let first = u64::from(extent.data_epoch) * EXAMPLES;
    (first + extent.start) as usize..(first + extent.end) as usize
}

/// The update that positions make: one for each example.
pub fn gradient(extent: Extent) -> Vec<Named<Gradient>> {
    let mut ones = vec![0f32; PLACES];
    ones[places(extent)].fill(1.0);
    let ones = Tensor::vector(&ones).expect("plain numbers");
    vec![(COUNTS.to_string(), Gradient::Dense(ones))]
}

impl Counts {
    pub fn counts(&self) -> Vec<f32> {
        self.0.lock().clone()
    }
}

impl Values for Counts {
    fn define(&self, _program: &Bytes) -> Result<()> {
        Ok(())
    }

    /// Gradients may be an average: the smallest number in it is one use of an example.
    fn apply(&self, gradients: Vec<Named<Gradient>>, _steps: u64) -> Result<()> {
        let mut counts = self.0.lock();
        for (_, gradient) in gradients {
            let Gradient::Dense(uses) = gradient else {
                return Err(Status::invalid_argument("uses are dense"));
            };
            let uses = uses.as_slice::<f32>()?;
            let one = uses.iter().copied().filter(|use_| *use_ > 0.0).fold(f32::MAX, f32::min);
            for (count, use_) in counts.iter_mut().zip(uses) {
                *count += (use_ / one).round();
            }
        }
        Ok(())
    }

    fn get(&self, _name: &str) -> Result<Tensor> {
        Tensor::vector(&self.0.lock())
    }

    fn set(&self, _name: &str, value: Tensor) -> Result<()> {
        *self.0.lock() = value.as_slice::<f32>()?.to_vec();
        Ok(())
    }

    fn remove(&self, _name: &str) -> Result<()> {
        self.0.lock().clear();
        Ok(())
    }

    fn names(&self) -> Vec<String> {
        match self.0.lock().is_empty() {
            true => Vec::new(),
            false => vec![COUNTS.to_string()],
        }
    }
}
