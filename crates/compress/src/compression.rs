//! The setting: which codec gradients take, as people write it.

use std::fmt;
use std::str::FromStr;

use downpour_tensor::{Result, Status};
use serde::{Deserialize, Serialize};

use crate::Lossless;

/// How gradients are made smaller, written `none`, `lz4`, `zstd`, `bfloat16`, `float16`, `int8`, `one-bit`, `top-k:0.01`
/// or `power-sgd:4`, in files (serde) as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Compression {
    /// Gradients travel as they are.
    #[default]
    None,
    /// Every bit, by a general compressor: `lz4`, `zstd` or `zstd:9`.
    Lossless(Lossless),
    /// The upper half of each float32, rounded to nearest even.
    BFloat16,
    /// IEEE half precision, rounded to nearest even, with a power of two per tensor that makes overflow impossible.
    Float16,
    /// 255 steps between the extremes of each block of 1,024, with error feedback.
    Int8,
    /// The sign, and a mean for each sign and block of 1,024, with error feedback.
    OneBit,
    /// The largest values by magnitude, with error feedback.
    TopK {
        /// The share of the elements that is sent, above 0 and at most 1.
        fraction: f64,
    },
    /// The two factors of a matrix of low rank, with error feedback. Vectors travel as they are.
    PowerSgd {
        /// The rank, from 1 to [`Compression::MAX_RANK`].
        rank: usize,
    },
}

impl Compression {
    /// The highest rank `power-sgd` takes.
    pub const MAX_RANK: usize = 256;

    /// True when what is left out of a message is kept for the next one.
    pub fn has_feedback(self) -> bool {
        !matches!(
            self,
            Compression::None
                | Compression::Lossless(_)
                | Compression::BFloat16
                | Compression::Float16
        )
    }

    /// Refuses parameters out of range; settings that were parsed are valid already.
    pub fn validate(self) -> Result<Compression> {
        match self {
            Compression::TopK { fraction } if !(fraction > 0.0 && fraction <= 1.0) => {
                Err(Status::invalid_argument(format!(
                    "top-k:{fraction}: the fraction must be above 0 and at most 1, as in top-k:0.01"
                )))
            }
            Compression::PowerSgd { rank } if !(1..=Compression::MAX_RANK).contains(&rank) => {
                Err(Status::invalid_argument(format!(
                    "power-sgd:{rank}: the rank must be from 1 to {}, as in power-sgd:4",
                    Compression::MAX_RANK
                )))
            }
            valid => Ok(valid),
        }
    }
}

impl FromStr for Compression {
    type Err = Status;

    fn from_str(text: &str) -> Result<Compression> {
        let (name, parameter) = match text.split_once(':') {
            Some((name, parameter)) => (name, Some(parameter)),
            None => (text, None),
        };
        let setting = match (name, parameter) {
            ("none", None) => Compression::None,
            ("lz4" | "zstd", _) => Compression::Lossless(text.parse()?),
            ("bfloat16", None) => Compression::BFloat16,
            ("float16", None) => Compression::Float16,
            ("int8", None) => Compression::Int8,
            ("one-bit", None) => Compression::OneBit,
            ("top-k", Some(fraction)) => Compression::TopK {
                fraction: number(text, fraction, "a fraction, as in top-k:0.01")?,
            },
            ("power-sgd", Some(rank)) => {
                Compression::PowerSgd { rank: number(text, rank, "a rank, as in power-sgd:4")? }
            }
            _ => {
                return Err(Status::invalid_argument(format!(
                    "unknown compression {text:?}; use none, lz4, zstd, bfloat16, float16, int8, one-bit, top-k:FRACTION or power-sgd:RANK"
                )));
            }
        };
        setting.validate()
    }
}

fn number<T: FromStr>(text: &str, parameter: &str, wanted: &str) -> Result<T> {
    parameter.parse().map_err(|_| {
        Status::invalid_argument(format!("compression {text:?}: {parameter:?} is not {wanted}"))
    })
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Compression::None => f.write_str("none"),
            Compression::Lossless(how) => how.fmt(f),
            Compression::BFloat16 => f.write_str("bfloat16"),
            Compression::Float16 => f.write_str("float16"),
            Compression::Int8 => f.write_str("int8"),
            Compression::OneBit => f.write_str("one-bit"),
            Compression::TopK { fraction } => write!(f, "top-k:{fraction}"),
            Compression::PowerSgd { rank } => write!(f, "power-sgd:{rank}"),
        }
    }
}

impl TryFrom<String> for Compression {
    type Error = Status;

    fn try_from(text: String) -> Result<Compression> {
        text.parse()
    }
}

impl From<Compression> for String {
    fn from(setting: Compression) -> String {
        setting.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for text in [
            "none",
            "lz4",
            "zstd:9",
            "bfloat16",
            "float16",
            "int8",
            "one-bit",
            "top-k:0.01",
            "top-k:1",
            "power-sgd:4",
        ] {
            let setting: Compression = text.parse().unwrap();
            assert_eq!(setting.to_string(), text);
            let json = serde_json::to_string(&setting).unwrap();
            assert_eq!(json, format!("{text:?}"));
            assert_eq!(serde_json::from_str::<Compression>(&json).unwrap(), setting);
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for text in [
            "",
            "gzip",
            "lz4:1",
            "zstd:0",
            "int8:3",
            "top-k",
            "top-k:",
            "top-k:0",
            "top-k:1.5",
            "top-k:NaN",
            "top-k:-1",
            "power-sgd",
            "power-sgd:0",
            "power-sgd:257",
            "power-sgd:-1",
            "power-sgd:99999999999999999999",
        ] {
            let error = text.parse::<Compression>().unwrap_err();
            assert_eq!(error.code(), downpour_tensor::Code::InvalidArgument, "{text}");
        }
        assert!(serde_json::from_str::<Compression>("\"top-k:2\"").is_err());
    }
}
