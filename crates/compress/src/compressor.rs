//! One worker's compression: the setting, and what error feedback keeps for each variable.

use std::collections::HashMap;

use bytes::Bytes;
use downpour_tensor::{DataType, Result, Status, Tensor};

use crate::codecs::{bfloat16, float16, int8, one_bit, planes, top_k};
use crate::feedback::Residual;
use crate::{Codec, Compression, Encoded, PowerSgd};

mod saved;

/// Tensors with fewer elements travel as they are: their headers would be a good part of them.
const WORTHWHILE: usize = 64;

/// Makes a worker's gradients smaller. One per worker; its residuals belong to that worker's gradients.
pub struct Compressor {
    compression: Compression,
    residuals: HashMap<String, Residual>,
    power_sgd: Option<PowerSgd>,
    traffic: Traffic,
}

/// Bytes that a [`Compressor`] has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Bytes of the tensors.
    pub given: u64,
    /// Bytes of the messages, headers included.
    pub sent: u64,
}

impl Compressor {
    /// A compressor without residuals. The seed matters to `power-sgd` only; workers that average factors must agree on it.
    /// Fails for a setting out of range, which parsing would have refused.
    pub fn new(compression: Compression, seed: u64) -> Result<Compressor> {
        let power_sgd = match compression.validate()? {
            Compression::PowerSgd { rank } => Some(PowerSgd::new(rank, seed)?),
            _ => None,
        };
        let (residuals, traffic) = (HashMap::new(), Traffic::default());
        Ok(Compressor { compression, residuals, power_sgd, traffic })
    }

    /// The setting.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// Bytes given and sent so far.
    pub fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// What earlier gradients of this variable have left to be sent.
    pub fn residual(&self, name: &str) -> Option<&Tensor> {
        let kept = self.residuals.get(name).and_then(Residual::tensor);
        kept.or_else(|| self.power_sgd.as_ref()?.residual(name))
    }

    /// Drops what is kept for a variable, as when it was restored from a checkpoint.
    pub fn forget(&mut self, name: &str) {
        self.residuals.remove(name);
        if let Some(power_sgd) = &mut self.power_sgd {
            power_sgd.forget(name);
        }
    }

    /// A variable's gradient in fewer bytes; what is kept of it goes with the variable's next one.
    ///
    /// float32 and float64 of at least 64 elements are compressed. Everything else passes unchanged, and so do gradients
    /// with infinities or NaN under a setting with error feedback, whose residual then waits.
    pub fn encode(&mut self, name: &str, gradient: &Tensor) -> Result<Encoded> {
        let smaller = match gradient.dtype() {
            _ if gradient.len() < WORTHWHILE => None,
            DataType::Float => self.encode_float::<f32>(name, gradient)?,
            DataType::Double => self.encode_float::<f64>(name, gradient)?,
            _ => None,
        };
        self.finish(gradient, smaller)
    }

    /// Values of sparse rows in fewer bytes. Which rows come differs from step to step, so no error can be kept: casts are as
    /// for dense gradients, `int8` goes without feedback, and what is nothing without feedback passes unchanged.
    pub fn encode_rows(&mut self, values: &Tensor) -> Result<Encoded> {
        let smaller = match values.dtype() {
            _ if values.len() < WORTHWHILE => None,
            DataType::Float => self.encode_once::<f32>(values)?,
            DataType::Double => self.encode_once::<f64>(values)?,
            _ => None,
        };
        self.finish(values, smaller)
    }

    fn encode_float<T: bfloat16::ToBFloat16 + float16::ToFloat16>(
        &mut self,
        name: &str,
        gradient: &Tensor,
    ) -> Result<Option<(Codec, Bytes)>> {
        if !self.compression.has_feedback() {
            return self.encode_once::<T>(gradient);
        }
        if let Some(power_sgd) = &mut self.power_sgd {
            return Ok(power_sgd
                .encode::<T>(name, gradient)?
                .map(|bytes| (Codec::PowerSgd, bytes)));
        }
        let values = gradient.as_slice::<T>()?;
        if let Compression::TopK { fraction } = self.compression
            && top_k::count(fraction, values.len()) == values.len()
        {
            return Ok(Some((Codec::TopK, top_k::encode_all(values)?)));
        }
        if !self.residuals.contains_key(name) {
            self.residuals.insert(name.to_owned(), Residual::default());
        }
        let Some(residual) = self.residuals.get_mut(name) else { return Ok(None) };
        let residual = residual.values::<T>(name, gradient)?;
        let (codec, bytes) = match self.compression {
            Compression::Int8 => (Codec::Int8, int8::encode(values, residual)?),
            Compression::OneBit => (Codec::OneBit, one_bit::encode(values, residual)?),
            Compression::TopK { fraction } => {
                (Codec::TopK, top_k::encode(values, residual, fraction)?)
            }
            _ => (Codec::Raw, None),
        };
        Ok(bytes.map(|bytes| (codec, bytes)))
    }

    fn encode_once<T: bfloat16::ToBFloat16 + float16::ToFloat16>(
        &self,
        tensor: &Tensor,
    ) -> Result<Option<(Codec, Bytes)>> {
        let values = tensor.as_slice::<T>()?;
        Ok(match self.compression {
            Compression::Lossless(how) => {
                planes::encode(tensor, how)?.map(|bytes| (Codec::Planes, bytes))
            }
            Compression::BFloat16 => Some((Codec::BFloat16, bfloat16::encode(values)?)),
            Compression::Float16 => Some((Codec::Float16, float16::encode(values)?)),
            Compression::Int8 => {
                let mut dropped = Tensor::zeros(T::DTYPE, tensor.shape())?;
                let dropped = dropped.as_mut_slice().unwrap_or(&mut []);
                int8::encode(values, dropped)?.map(|bytes| (Codec::Int8, bytes))
            }
            _ => None,
        })
    }

    fn finish(&mut self, tensor: &Tensor, smaller: Option<(Codec, Bytes)>) -> Result<Encoded> {
        let (codec, payload) = match smaller {
            Some(smaller) => smaller,
            None => {
                let bytes = tensor.to_bytes().ok_or_else(|| {
                    Status::invalid_argument(format!(
                        "a {} tensor has no bytes of its own; compression is for plain dtypes",
                        tensor.dtype()
                    ))
                })?;
                (Codec::Raw, bytes)
            }
        };
        let encoded = Encoded::new(codec, tensor.dtype(), tensor.shape().clone(), payload);
        self.traffic.given += tensor.byte_len() as u64;
        self.traffic.sent += encoded.wire_len() as u64;
        Ok(encoded)
    }
}
