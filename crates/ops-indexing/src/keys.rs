//! Elements as keys of hash tables, equal where TensorFlow's `==` says so.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use downpour_tensor::{ByteString, DataType, Result, unsupported_dtype};

/// A hash table of element keys. The hash is quick and fixed; it does not defend against chosen keys.
pub(crate) type KeyMap<K, V> = HashMap<K, V, BuildHasherDefault<FoldHasher>>;

/// Multiplies into 128 bits and folds: a few instructions per word.
#[derive(Default)]
pub(crate) struct FoldHasher(u64);

impl Hasher for FoldHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word) ^ ((chunk.len() as u64) << 56));
        }
    }
    fn write_u8(&mut self, v: u8) {
        self.write_u64(v as u64);
    }
    fn write_u16(&mut self, v: u16) {
        self.write_u64(v as u64);
    }
    fn write_u32(&mut self, v: u32) {
        self.write_u64(v as u64);
    }
    fn write_u64(&mut self, v: u64) {
        let product = (self.0 ^ v ^ 0x9e37_79b9_7f4a_7c15) as u128 * 0xd6e8_feb8_6659_fd93;
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }
    fn write_usize(&mut self, v: usize) {
        self.write_u64(v as u64);
    }
}

/// A representation (see `units`) usable as a key.
pub(crate) trait Key: Clone + Eq + Hash + Ord {
    /// The key of an element of type `dtype`, or `None` for NaN, which equals nothing.
    fn normal(dtype: DataType, value: &Self) -> Option<Self>;
}

impl Key for u8 {
    fn normal(_: DataType, value: &u8) -> Option<u8> {
        Some(*value)
    }
}

impl Key for u16 {
    fn normal(dtype: DataType, value: &u16) -> Option<u16> {
        let infinity = match dtype {
            DataType::Half => 0x7c00,
            DataType::BFloat16 => 0x7f80,
            _ => return Some(*value),
        };
        let magnitude = value & 0x7fff;
        if magnitude > infinity { None } else { Some(if magnitude == 0 { 0 } else { *value }) }
    }
}

impl Key for u32 {
    fn normal(dtype: DataType, value: &u32) -> Option<u32> {
        if dtype != DataType::Float {
            return Some(*value);
        }
        let float = f32::from_bits(*value);
        if float.is_nan() { None } else { Some(if float == 0.0 { 0 } else { *value }) }
    }
}

impl Key for u64 {
    fn normal(dtype: DataType, value: &u64) -> Option<u64> {
        if dtype != DataType::Double {
            return Some(*value);
        }
        let float = f64::from_bits(*value);
        if float.is_nan() { None } else { Some(if float == 0.0 { 0 } else { *value }) }
    }
}

impl Key for ByteString {
    fn normal(_: DataType, value: &ByteString) -> Option<ByteString> {
        Some(value.clone())
    }
}

/// The status for a dtype whose elements are no keys (complex numbers, handles).
pub(crate) fn no_key<T>(op: &str, dtype: DataType) -> Result<T> {
    Err(unsupported_dtype(op, dtype))
}

/// Runs the body with `T` the representation of a dtype whose elements can be keys.
macro_rules! dispatch_keys {
    ($dtype:expr, $op:expr, $t:ident => $body:expr) => {{
        let dtype: downpour_tensor::DataType = $dtype;
        match (dtype, dtype.size()) {
            (downpour_tensor::DataType::String, _) => {
                type $t = downpour_tensor::ByteString;
                $body
            }
            (downpour_tensor::DataType::Complex64, _) => crate::keys::no_key($op, dtype),
            #[allow(clippy::clone_on_copy, reason = "the body clones objects too")]
            (_, 1) => {
                type $t = u8;
                $body
            }
            #[allow(clippy::clone_on_copy, reason = "the body clones objects too")]
            (_, 2) => {
                type $t = u16;
                $body
            }
            #[allow(clippy::clone_on_copy, reason = "the body clones objects too")]
            (_, 4) => {
                type $t = u32;
                $body
            }
            #[allow(clippy::clone_on_copy, reason = "the body clones objects too")]
            (_, 8) => {
                type $t = u64;
                $body
            }
            _ => crate::keys::no_key($op, dtype),
        }
    }};
}
pub(crate) use dispatch_keys;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_equal_and_nans_are_not() {
        let key = |v: f32| u32::normal(DataType::Float, &v.to_bits());
        assert_eq!(key(0.0), key(-0.0));
        assert_eq!(key(f32::NAN), None);
        assert_ne!(key(1.0), key(-1.0));
        assert_eq!(u16::normal(DataType::Half, &0x7e00), None);
        assert_eq!(u16::normal(DataType::Int16, &0x8000), Some(0x8000));
    }
}
