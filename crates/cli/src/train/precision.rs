//! Precision as job files write it: `precision` and `loss_scale` of `[train]`.

use downpour::{LossScale, MixedPrecision};
use downpour_tensor::Result;
use serde::{Deserialize, Serialize};

use super::job::TrainTable;
use super::mistake::Text;

/// What the model is computed in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
#[clap(rename_all = "lower")]
pub enum PrecisionName {
    /// All of it in 32 bits.
    #[default]
    Float32,
    /// Products in 16 bits with float32's range, weights in float32.
    Bfloat16,
    /// Products in 16 bits of small range, weights in float32, the loss scaled.
    Float16,
}

impl PrecisionName {
    pub fn word(self) -> &'static str {
        match self {
            PrecisionName::Float32 => "float32",
            PrecisionName::Bfloat16 => "bfloat16",
            PrecisionName::Float16 => "float16",
        }
    }
}

impl TrainTable {
    /// Refuses a scale that means nothing.
    pub fn check_precision(&self, place: &Text<'_>) -> Result<()> {
        match &self.loss_scale {
            None => Ok(()),
            Some(_) if self.precision == PrecisionName::Float32 => Err(place.at_key(
                "loss_scale",
                "is for 16 bits: set precision to \"float16\" or \"bfloat16\", or leave it out",
            )),
            Some(value) if read(value).is_none() => {
                Err(place
                    .at_key("loss_scale", "must be \"dynamic\", \"none\" or a number above zero"))
            }
            Some(_) => Ok(()),
        }
    }

    /// What the trainer is told; nothing for float32.
    pub fn mixed_precision(&self) -> Option<MixedPrecision> {
        let precision = match self.precision {
            PrecisionName::Float32 => return None,
            PrecisionName::Bfloat16 => MixedPrecision::bfloat16(),
            PrecisionName::Float16 => MixedPrecision::float16(),
        };
        Some(match self.loss_scale.as_ref().and_then(read) {
            Some(scale) => precision.loss_scale(scale),
            None => precision,
        })
    }
}

fn read(value: &toml::Value) -> Option<LossScale> {
    let number = match value {
        toml::Value::String(word) if word == "dynamic" => return Some(LossScale::dynamic()),
        toml::Value::String(word) if word == "none" => return Some(LossScale::None),
        toml::Value::Integer(number) => *number as f64,
        toml::Value::Float(number) => *number,
        _ => return None,
    };
    let usable = number > 0.0 && (number as f32).is_normal();
    usable.then_some(LossScale::Fixed(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> TrainTable {
        toml::from_str(text).unwrap()
    }

    fn refusal(text: &str) -> String {
        let refused = table(text).check_precision(&Text { text, file: "job.toml" });
        refused.unwrap_err().message().to_string()
    }

    #[test]
    fn words_and_numbers_are_read() {
        assert_eq!(table("").mixed_precision(), None);
        let half = table("precision = \"float16\"").mixed_precision();
        assert_eq!(half, Some(MixedPrecision::float16()));
        let fixed = table("precision = \"bfloat16\"\nloss_scale = 128").mixed_precision();
        assert_eq!(fixed, Some(MixedPrecision::bfloat16().loss_scale(LossScale::Fixed(128.0))));
        let none = table("precision = \"float16\"\nloss_scale = \"none\"").mixed_precision();
        assert_eq!(none, Some(MixedPrecision::float16().loss_scale(LossScale::None)));
    }

    #[test]
    fn mistakes_point_at_their_line() {
        let said = refusal("precision = \"float16\"\nloss_scale = -2\n");
        assert!(said.starts_with("loss_scale must be"), "{said}");
        assert!(said.contains("2 | loss_scale = -2"), "{said}");
        let said = refusal("steps = 3\nloss_scale = 8\n");
        assert!(said.contains("is for 16 bits") && said.contains("job.toml:2"), "{said}");
    }
}
