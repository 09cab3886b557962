//! Optimizers as job files write them.

use downpour::optimizer::{
    Adadelta, Adagrad, Adam, AdamW, AmsGrad, Ftrl, GradientDescent, Momentum, RmsProp,
};
use downpour::{LearningRate, Optimizer, Schedule};
use downpour_tensor::Result;
use serde::{Deserialize, Serialize};

use super::mistake::Text;

/// An optimizer and its learning rate.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptimizerTable {
    pub kind: Kind,
    pub learning_rate: f64,
    /// How the learning rate changes.
    #[serde(default)]
    pub schedule: Option<ScheduleTable>,
    #[serde(default)]
    pub momentum: Option<f64>,
    #[serde(default)]
    pub nesterov: bool,
    #[serde(default)]
    pub weight_decay: Option<f64>,
    #[serde(default)]
    pub l1: Option<f64>,
    #[serde(default)]
    pub l2: Option<f64>,
    /// Gradients are scaled down to this norm, taken over all of them.
    #[serde(default)]
    pub clip_norm: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Sgd,
    Momentum,
    Adagrad,
    Adam,
    AdamW,
    Amsgrad,
    RmsProp,
    Adadelta,
    Ftrl,
}

/// How the learning rate changes with the steps.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ScheduleTable {
    /// Times `rate` every `steps`.
    Exponential { steps: i64, rate: f64 },
    /// Down to 0 along a cosine.
    Cosine { steps: i64 },
}

impl ScheduleTable {
    /// The same schedule where a step takes `times` as many examples.
    pub fn with_larger_steps(&mut self, times: f64) {
        let (ScheduleTable::Exponential { steps, .. } | ScheduleTable::Cosine { steps }) = self;
        *steps = ((*steps as f64 / times).round() as i64).max(1);
    }
}

impl OptimizerTable {
    pub fn check(&self, place: &Text<'_>) -> Result<()> {
        if !(self.learning_rate > 0.0 && self.learning_rate.is_finite()) {
            return Err(place.at_key("learning_rate", "must be a number above 0"));
        }
        if self.momentum.is_some() && !matches!(self.kind, Kind::Momentum | Kind::RmsProp) {
            return Err(place.at_key("momentum", "is only for the kinds momentum and rms_prop"));
        }
        if self.nesterov && self.kind != Kind::Momentum {
            return Err(place.at_key("nesterov", "is only for the kind momentum"));
        }
        if self.weight_decay.is_some() && self.kind != Kind::AdamW {
            return Err(place.at_key("weight_decay", "is only for the kind adam_w"));
        }
        if (self.l1.is_some() || self.l2.is_some()) && self.kind != Kind::Ftrl {
            let key = if self.l1.is_some() { "l1" } else { "l2" };
            return Err(place.at_key(key, "is only for the kind ftrl"));
        }
        Ok(())
    }

    pub fn build(&self) -> Optimizer {
        let rate: LearningRate = match &self.schedule {
            None => self.learning_rate.into(),
            Some(ScheduleTable::Exponential { steps, rate }) => {
                let (rate, decay_rate) = (self.learning_rate, *rate);
                let decay_steps = *steps as f64;
                Schedule::Exponential { rate, decay_steps, decay_rate, staircase: false }.into()
            }
            Some(ScheduleTable::Cosine { steps }) => {
                let (rate, decay_steps) = (self.learning_rate, *steps as f64);
                Schedule::Cosine { rate, decay_steps, alpha: 0.0 }.into()
            }
        };
        match self.kind {
            Kind::Sgd => Optimizer::new(rate, GradientDescent),
            Kind::Momentum => {
                let momentum = self.momentum.unwrap_or(0.9);
                Optimizer::new(rate, Momentum { momentum, nesterov: self.nesterov })
            }
            Kind::Adagrad => Optimizer::new(rate, Adagrad::default()),
            Kind::Adam => Optimizer::new(rate, Adam::default()),
            Kind::AdamW => {
                let usual = AdamW::default();
                let weight_decay = self.weight_decay.unwrap_or(usual.weight_decay);
                Optimizer::new(rate, AdamW { weight_decay, ..usual })
            }
            Kind::Amsgrad => Optimizer::new(rate, AmsGrad::default()),
            Kind::RmsProp => {
                let usual = RmsProp::default();
                let momentum = self.momentum.unwrap_or(usual.momentum);
                Optimizer::new(rate, RmsProp { momentum, ..usual })
            }
            Kind::Adadelta => Optimizer::new(rate, Adadelta::default()),
            Kind::Ftrl => {
                let usual = Ftrl::default();
                let (l1, l2) = (self.l1.unwrap_or(usual.l1), self.l2.unwrap_or(usual.l2));
                Optimizer::new(rate, Ftrl { l1, l2, ..usual })
            }
        }
    }
}
