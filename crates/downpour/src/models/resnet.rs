//! A small residual network.

use downpour_tensor::{Result, Status};
use serde::{Deserialize, Serialize};

use super::classifier::{classifier, expect_positive, images};
use crate::initializers;
use crate::layers::{BatchNorm, Conv2d, Dense, ResidualBlock, global_average_pool};
use crate::training::{Built, Inputs, Model};

/// A residual network (He et al., 2015) for small images: a convolution, stages of residual blocks (each
/// stage but the first halves height and width), the mean of each channel, and a dense layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ResNet {
    /// The column with the images.
    pub image: String,
    /// The column with the number of the class.
    pub label: String,
    /// How many classes there are.
    pub classes: usize,
    /// How many channels the stages have.
    pub filters: Vec<usize>,
    /// How many blocks the stages have; as many numbers as `filters`.
    pub blocks: Vec<usize>,
    /// The step of the first convolution; 2 makes the network four times as quick.
    pub strides: usize,
    /// How much of the moving averages of batch normalisation stays at each step.
    pub momentum: f64,
}

impl Default for ResNet {
    fn default() -> ResNet {
        ResNet {
            image: "image".to_string(),
            label: "label".to_string(),
            classes: 10,
            filters: vec![16, 32, 64],
            blocks: vec![1, 1, 1],
            strides: 2,
            momentum: 0.9,
        }
    }
}

impl Model for ResNet {
    fn build(&self, inputs: &Inputs) -> Result<Built> {
        expect_positive("resnet", "filters", &self.filters)?;
        expect_positive("resnet", "strides or classes", &[self.strides, self.classes])?;
        if self.filters.len() != self.blocks.len() || self.filters.is_empty() {
            return Err(Status::invalid_argument(format!(
                "resnet: {} stages have filters and {} have blocks; give as many numbers of both, at least one",
                self.filters.len(),
                self.blocks.len()
            )));
        }
        let training = inputs.is_training();
        let first = Conv2d::new(self.filters[0], 3).strides(self.strides).same().no_bias();
        let x = first
            .kernel_initializer(initializers::he_normal())
            .build(&images(inputs.get(&self.image)?)?)?;
        let mut x = BatchNorm::new().momentum(self.momentum).build(&x, training)?.relu()?;
        for (stage, (&filters, &blocks)) in self.filters.iter().zip(&self.blocks).enumerate() {
            for block in 0..blocks {
                let strides = if stage > 0 && block == 0 { 2 } else { 1 };
                let block = ResidualBlock::new(filters).strides(strides).momentum(self.momentum);
                x = block.build(&x, training)?;
            }
        }
        let logits = Dense::new(self.classes).name("logits").build(&global_average_pool(&x)?)?;
        classifier(inputs, &self.label, &logits)
    }
}
