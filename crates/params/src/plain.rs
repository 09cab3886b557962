//! Variables in plain memory, changed by gradient descent: for simulations and tests.

use std::collections::BTreeMap;

use bytes::Bytes;
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;

use crate::gradient::{Gradient, Named};
use crate::values::Values;

/// Float vectors; a gradient is subtracted, times the rate.
pub struct PlainValues {
    rate: f32,
    /// Which are changed by themselves.
    apart: Vec<String>,
    values: Mutex<BTreeMap<String, Tensor>>,
}

impl PlainValues {
    /// No variables yet.
    pub fn new(rate: f32) -> PlainValues {
        PlainValues { rate, apart: Vec::new(), values: Mutex::default() }
    }

    /// These are changed by themselves, also where gradients of others are averaged.
    pub fn apart(self, names: &[&str]) -> PlainValues {
        PlainValues { apart: names.iter().map(|name| name.to_string()).collect(), ..self }
    }
}

impl Values for PlainValues {
    fn define(&self, _program: &Bytes) -> Result<()> {
        Ok(())
    }

    fn apply(&self, gradients: Vec<Named<Gradient>>, _steps: u64) -> Result<()> {
        let mut values = self.values.lock();
        for (name, gradient) in gradients {
            let Gradient::Dense(gradient) = gradient else {
                return Err(Status::unimplemented("plain variables take dense gradients"));
            };
            let value = values.get_mut(&name).ok_or_else(|| unknown(&name))?;
            let old = value.as_slice::<f32>()?;
            let change = gradient.as_slice::<f32>()?;
            if old.len() != change.len() {
                return Err(Status::invalid_argument(format!(
                    "the gradient of '{name}' does not fit"
                )));
            }
            let new: Vec<f32> = old.iter().zip(change).map(|(v, g)| v - self.rate * g).collect();
            *value = Tensor::from_vec(value.shape().clone(), new)?;
        }
        Ok(())
    }

    fn is_apart(&self, name: &str) -> bool {
        self.apart.iter().any(|apart| apart == name)
    }

    fn get(&self, name: &str) -> Result<Tensor> {
        self.values.lock().get(name).cloned().ok_or_else(|| unknown(name))
    }

    fn set(&self, name: &str, value: Tensor) -> Result<()> {
        self.values.lock().insert(name.to_string(), value);
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<()> {
        self.values.lock().remove(name).map(drop).ok_or_else(|| unknown(name))
    }

    fn names(&self) -> Vec<String> {
        self.values.lock().keys().cloned().collect()
    }
}

fn unknown(name: &str) -> Status {
    Status::not_found(format!("there is no variable '{name}' on this server"))
}
