//! Variables that count how often each example was used, and know what they have: a server's ledger of positions.

use bytes::Bytes;
use downpour_coordinator::{Extent, Ledger, Overlap};
use downpour_params::{Gradient, Named, Values};
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;

pub const EXAMPLES: u64 = 240;
pub const EPOCHS: u32 = 2;
const PLACES: usize = EXAMPLES as usize * EPOCHS as usize;

const COUNTS: &str = "counts";
const LEDGER: &str = "ledger";

#[derive(Default)]
pub struct Counts(Mutex<State>);

#[derive(Default)]
struct State {
    counts: Vec<i64>,
    ledger: Ledger,
    /// Updates that were made of other positions than those that met them here.
    partial: u64,
}

/// First values, for whoever gives them.
pub fn first() -> Vec<Named<Tensor>> {
    let counts = Tensor::vector(&[0i64; PLACES]).expect("plain numbers");
    let ledger = serde_json::to_vec(&Ledger::default()).expect("plain data");
    vec![
        (COUNTS.to_string(), counts),
        (LEDGER.to_string(), Tensor::from_string(ledger).expect("little")),
    ]
}

/// The update that positions make: it says which they are.
pub fn gradient(extent: Extent) -> Vec<Named<Gradient>> {
    let numbers = [i64::from(extent.data_epoch), extent.start as i64, extent.end as i64];
    let numbers = Tensor::vector(&numbers).expect("plain numbers");
    vec![(COUNTS.to_string(), Gradient::Dense(numbers))]
}

impl Counts {
    pub fn counts(&self) -> Vec<i64> {
        self.0.lock().counts.clone()
    }

    pub fn partial(&self) -> u64 {
        self.0.lock().partial
    }
}

impl Values for Counts {
    fn define(&self, _program: &Bytes) -> Result<()> {
        Ok(())
    }

    fn apply(&self, gradients: Vec<Named<Gradient>>, _steps: u64) -> Result<()> {
        let mut state = self.0.lock();
        for (_, gradient) in gradients {
            let Gradient::Dense(numbers) = gradient else {
                return Err(Status::invalid_argument("positions are dense"));
            };
            let [data_epoch, start, end] = numbers.as_slice::<i64>()? else {
                return Err(Status::invalid_argument("positions are three numbers"));
            };
            let (data_epoch, start, end) = (*data_epoch as u32, *start as u64, *end as u64);
            match state.ledger.enter(Extent { dataset: 1, data_epoch, start, end }) {
                Overlap::Applied => {}
                Overlap::Partial => state.partial += 1,
                Overlap::New => {
                    let first = u64::from(data_epoch) * EXAMPLES;
                    for place in first + start..first + end {
                        state.counts[place as usize] += 1;
                    }
                }
            }
        }
        Ok(())
    }

    fn get(&self, name: &str) -> Result<Tensor> {
        let state = self.0.lock();
        match name {
            COUNTS => Tensor::vector(&state.counts),
            _ => Tensor::from_string(serde_json::to_vec(&state.ledger).expect("plain data")),
        }
    }

    fn set(&self, name: &str, value: Tensor) -> Result<()> {
        let mut state = self.0.lock();
        match name {
            COUNTS => state.counts = value.as_slice::<i64>()?.to_vec(),
            _ => {
                let text = value.strings()?.first().cloned().unwrap_or_default();
                state.ledger = serde_json::from_slice(&text)
                    .map_err(|e| Status::invalid_argument(e.to_string()))?;
            }
        }
        Ok(())
    }

    fn names(&self) -> Vec<String> {
        match self.0.lock().counts.is_empty() {
            true => Vec::new(),
            false => vec![COUNTS.to_string(), LEDGER.to_string()],
        }
    }
}
