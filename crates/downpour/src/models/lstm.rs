//! A recurrent network that reads images row by row.

use downpour_tensor::{Result, Status};
use serde::{Deserialize, Serialize};

use super::classifier::{classifier, expect_positive, real};
use crate::layers::{Dense, Dropout, LstmCell, Recurrent};
use crate::training::{Built, Inputs, Model};

/// LSTM layers over sequences [batch, time, features]; the rows of an image are such a sequence. The last
/// output of the last layer is classified. Gradients are better clipped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lstm {
    /// The column with the sequences or images.
    pub features: String,
    /// The column with the number of the class.
    pub label: String,
    /// How many classes there are.
    pub classes: usize,
    /// How many cells each layer has.
    pub cells: usize,
    /// How many layers there are.
    pub layers: usize,
    /// The part of the last output that is dropped while training.
    pub dropout: f64,
}

impl Default for Lstm {
    fn default() -> Lstm {
        Lstm {
            features: "image".to_string(),
            label: "label".to_string(),
            classes: 10,
            cells: 128,
            layers: 1,
            dropout: 0.0,
        }
    }
}

impl Model for Lstm {
    fn build(&self, inputs: &Inputs) -> Result<Built> {
        let sizes = [self.cells, self.layers, self.classes];
        expect_positive("lstm", "one of cells, layers and classes", &sizes)?;
        let mut x = real(inputs.get(&self.features)?)?;
        let shape = x.shape();
        // The columns and channels of an image's row are the features of a step.
        x = match shape.dims() {
            Some([_, _, _]) => x,
            Some(&[_, Some(rows), Some(columns), Some(channels)]) => {
                x.reshape(&[-1, rows as i64, columns.saturating_mul(channels) as i64])?
            }
            _ => {
                return Err(Status::invalid_argument(format!(
                    "the model takes sequences [batch, time, features] or images, but {} has the shape {shape}",
                    x.name()
                )));
            }
        };
        for _ in 1..self.layers {
            x = Recurrent::new(LstmCell::new(self.cells)).build(&x)?.outputs()?;
        }
        let last = Recurrent::new(LstmCell::new(self.cells)).build(&x)?;
        let last = Dropout::new(self.dropout).build(last.last(), inputs.is_training())?;
        let logits = Dense::new(self.classes).name("logits").build(&last)?;
        classifier(inputs, &self.label, &logits)
    }
}
