//! A multilayer perceptron.

use downpour_tensor::Result;
use serde::{Deserialize, Serialize};

use super::classifier::{classifier, expect_positive, real};
use crate::layers::{Activation, Dense, Dropout, flatten};
use crate::regularizers;
use crate::training::{Built, Inputs, Model};

/// Dense layers, one after the other, on whatever numbers an example has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mlp {
    /// The column with the features; bytes become numbers between 0 and 1.
    pub features: String,
    /// The column with the number of the class.
    pub label: String,
    /// How many classes there are.
    pub classes: usize,
    /// The sizes of the hidden layers.
    pub hidden: Vec<usize>,
    /// What the hidden layers apply to their sums.
    pub activation: Activation,
    /// The part of the hidden values that is dropped while training.
    pub dropout: f64,
    /// How strongly weights are kept small; 0 is not at all.
    pub l2: f64,
}

impl Default for Mlp {
    fn default() -> Mlp {
        Mlp {
            features: "image".to_string(),
            label: "label".to_string(),
            classes: 10,
            hidden: vec![128, 128],
            activation: Activation::Relu,
            dropout: 0.0,
            l2: 0.0,
        }
    }
}

impl Model for Mlp {
    fn build(&self, inputs: &Inputs) -> Result<Built> {
        expect_positive("mlp", "hidden", &self.hidden)?;
        expect_positive("mlp", "classes", &[self.classes])?;
        let dense = |units: usize| {
            let layer = Dense::new(units);
            if self.l2 > 0.0 { layer.regularizer(regularizers::l2(self.l2)) } else { layer }
        };
        let mut x = flatten(&real(inputs.get(&self.features)?)?)?;
        for &units in &self.hidden {
            x = dense(units).activation(self.activation).build(&x)?;
            x = Dropout::new(self.dropout).build(&x, inputs.is_training())?;
        }
        let logits = dense(self.classes).name("logits").build(&x)?;
        classifier(inputs, &self.label, &logits)
    }
}
