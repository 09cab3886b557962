//! What a compressor keeps, as named tensors that a checkpoint can hold: a resumed worker goes on exactly.

use downpour_tensor::{Result, Status, Tensor};

use super::Compressor;

/// Ends of the names under which a variable's parts are saved.
const RESIDUAL: &str = "/residual";
const DIRECTION: &str = "/direction";
const GENERATOR: &str = "/generator";

impl Compressor {
    /// Everything that error feedback keeps, by name: `w/residual` for the variable `w`, and for `power-sgd` also
    /// `w/direction` and `w/generator`. The tensors share their memory with the compressor until it goes on.
    pub fn save(&self) -> Vec<(String, Tensor)> {
        let mut saved = Vec::new();
        for (name, residual) in &self.residuals {
            saved.extend(residual.tensor().map(|kept| (format!("{name}{RESIDUAL}"), kept.clone())));
        }
        if let Some(power_sgd) = &self.power_sgd {
            for (name, residual, direction) in power_sgd.kept() {
                saved.extend(residual.map(|kept| (format!("{name}{RESIDUAL}"), kept.clone())));
                let Some((values, generator)) = direction else { continue };
                saved.extend(values.map(|kept| (format!("{name}{DIRECTION}"), kept.clone())));
                saved.push((format!("{name}{GENERATOR}"), Tensor::scalar(generator as i64)));
            }
        }
        saved.sort_by(|(a, _), (b, _)| a.cmp(b));
        saved
    }

    /// Takes what [`Compressor::save`] gave, of a compressor with the same setting. Shapes are checked when the
    /// variables' next gradients come.
    pub fn restore(&mut self, saved: impl IntoIterator<Item = (String, Tensor)>) -> Result<()> {
        for (full_name, tensor) in saved {
            if let Some(name) = full_name.strip_suffix(RESIDUAL) {
                match &mut self.power_sgd {
                    Some(power_sgd) => power_sgd.restore_residual(name, tensor),
                    None => self.residuals.entry(name.to_owned()).or_default().replace(tensor),
                }
                continue;
            }
            let power_sgd = self.power_sgd.as_mut().ok_or_else(|| {
                Status::invalid_argument(format!(
                    "{full_name} is nothing a compressor with the setting {} keeps; restore with the setting it was saved with",
                    self.compression
                ))
            })?;
            if let Some(name) = full_name.strip_suffix(DIRECTION) {
                power_sgd.direction(name).restore_values(tensor);
            } else if let Some(name) = full_name.strip_suffix(GENERATOR) {
                power_sgd.direction(name).restore_state(tensor.to_scalar::<i64>()? as u64);
            } else {
                return Err(Status::invalid_argument(format!(
                    "{full_name} is no name that a compressor saves under"
                )));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Compression;

    fn gradient(step: u32) -> Tensor {
        let value = |i: u32| ((i * 37 + step * 11) % 101) as f32 / 50.0 - 1.0;
        Tensor::from_vec([20, 20], (0..400).map(value).collect()).unwrap()
    }

    #[test]
    fn a_restored_compressor_goes_on_exactly() {
        for text in ["none", "bfloat16", "int8", "one-bit", "top-k:0.05", "power-sgd:2"] {
            let setting: Compression = text.parse().unwrap();
            let mut first = Compressor::new(setting, 3).unwrap();
            for step in 0..3 {
                first.encode("layer/w", &gradient(step)).unwrap();
            }
            let saved = first.save();
            assert_eq!(saved.is_empty(), !setting.has_feedback(), "{text}");
            let mut second = Compressor::new(setting, 99).unwrap();
            second.restore(saved.clone()).unwrap();
            for step in 3..6 {
                let expected = first.encode("layer/w", &gradient(step)).unwrap();
                assert_eq!(second.encode("layer/w", &gradient(step)).unwrap(), expected, "{text}");
            }
            let mut third = Compressor::new(setting, 3).unwrap();
            third.restore(saved).unwrap();
            assert_eq!(
                third.save().len(),
                if text == "power-sgd:2" { 3 } else { setting.has_feedback() as usize }
            );
        }
    }

    #[test]
    fn what_was_saved_otherwise_is_refused() {
        let wrong = |text: &str, name: &str, tensor: &Tensor| {
            let mut compressor = Compressor::new(text.parse().unwrap(), 3).unwrap();
            let restored = compressor.restore([(name.to_owned(), tensor.clone())]);
            restored.and_then(|()| compressor.encode("w", &gradient(0)).map(|_| ())).unwrap_err()
        };
        let other = Tensor::vector(&[1f32; 7]).unwrap();
        for (text, name) in [
            ("int8", "w/residual"),
            ("int8", "w/direction"),
            ("power-sgd:2", "w/residual"),
            ("power-sgd:2", "w/direction"),
            ("power-sgd:2", "w/generator"),
            ("power-sgd:2", "w"),
        ] {
            let error = wrong(text, name, &other);
            assert_eq!(error.code(), downpour_tensor::Code::InvalidArgument, "{text} {name}");
        }
    }
}
