//! Keys of tables, apart from their tensors.

use std::hash::Hash;

use downpour_tensor::{ByteString, Charge, CountedVec, DataType, Result, Shape, Status, Tensor};

/// A key of one element (nearly all are) or of several.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Number(i64),
    Text(ByteString),
    Numbers(Box<[i64]>),
    Texts(Box<[ByteString]>),
}

impl Key {
    /// What a key takes in a list of keys and in the map that finds it.
    pub(crate) fn place_bytes(&self) -> usize {
        let boxed = match self {
            Key::Number(_) | Key::Text(_) => 0,
            Key::Numbers(numbers) => size_of_val(&**numbers),
            Key::Texts(texts) => size_of_val(&**texts),
        };
        // Both hold it; vectors and maps grow by doubling, and a map keeps places free.
        4 * (size_of::<Key>() + boxed) + 2 * size_of::<usize>()
    }
}

/// The keys in a tensor, each of `size` elements.
pub(crate) fn keys(tensor: &Tensor, size: usize) -> Result<CountedVec<Key>> {
    let size = size.max(1);
    let count = tensor.len() / size;
    match tensor.dtype() {
        DataType::String => {
            let texts = tensor.strings()?;
            CountedVec::build(count, |i| match &texts[i * size..(i + 1) * size] {
                [text] => Ok(Key::Text(text.clone())),
                texts => Ok(Key::Texts(texts.into())),
            })
        }
        DataType::Int32 | DataType::Int64 => {
            let _numbers = Charge::scratch::<i64>(tensor.len())?;
            let numbers = tensor.to_i64_vec()?;
            CountedVec::build(count, |i| match &numbers[i * size..(i + 1) * size] {
                [number] => Ok(Key::Number(*number)),
                numbers => Ok(Key::Numbers(numbers.into())),
            })
        }
        other => Err(unsupported(other)),
    }
}

/// A tensor of these keys.
pub(crate) fn tensor<'k>(
    dtype: DataType,
    shape: Shape,
    keys: impl Iterator<Item = &'k Key>,
) -> Result<Tensor> {
    let (mut numbers, mut texts) = (Vec::new(), CountedVec::new());
    for key in keys {
        match key {
            Key::Number(n) => numbers.push(*n),
            Key::Text(t) => texts.push(t.clone())?,
            Key::Numbers(n) => numbers.extend_from_slice(n),
            Key::Texts(t) => t.iter().try_for_each(|t| texts.push(t.clone()))?,
        }
    }
    match dtype {
        DataType::String => Tensor::from_counted(shape, texts),
        DataType::Int64 => Tensor::from_vec(shape, numbers),
        DataType::Int32 => {
            Tensor::from_vec(shape, numbers.into_iter().map(|n| n as i32).collect::<Vec<_>>())
        }
        other => Err(unsupported(other)),
    }
}

/// Refuses types that cannot be keys.
pub(crate) fn check_type(dtype: DataType) -> Result<()> {
    match dtype {
        DataType::String | DataType::Int32 | DataType::Int64 => Ok(()),
        other => Err(unsupported(other)),
    }
}

fn unsupported(dtype: DataType) -> Status {
    Status::unimplemented(format!(
        "a lookup table cannot have {dtype} keys; use string, int32 or int64"
    ))
}

impl Key {
    /// TensorFlow's hash, by which exported dense tables are laid out.
    pub(crate) fn hash64(&self) -> u64 {
        match self {
            Key::Number(n) => *n as u64,
            Key::Text(t) => hash_bytes(t),
            Key::Numbers(n) => n.iter().fold(0, |h, &n| combine(h, n as u64)),
            Key::Texts(t) => t.iter().fold(0, |h, t| combine(h, hash_bytes(t))),
        }
    }
}

fn combine(a: u64, b: u64) -> u64 {
    a ^ b.wrapping_add(0x9e37_79b9_7f4a_7800).wrapping_add(a << 10).wrapping_add(a >> 4)
}

/// MurmurHash64A with TensorFlow's seed.
fn hash_bytes(data: &[u8]) -> u64 {
    const M: u64 = 0xc6a4_a793_5bd1_e995;
    let mut hash = 0xde_cafc_affe ^ (data.len() as u64).wrapping_mul(M);
    let (words, rest) = data.as_chunks::<8>();
    for word in words {
        let mut k = u64::from_le_bytes(*word).wrapping_mul(M);
        k ^= k >> 47;
        hash = (hash ^ k.wrapping_mul(M)).wrapping_mul(M);
    }
    if !rest.is_empty() {
        for (i, &byte) in rest.iter().enumerate() {
            hash ^= (byte as u64) << (8 * i);
        }
        hash = hash.wrapping_mul(M);
    }
    hash ^= hash >> 47;
    hash = hash.wrapping_mul(M);
    hash ^ (hash >> 47)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_go_through_tensors_unchanged() {
        let t = Tensor::from_vec([2, 2], vec![1i32, -2, 3, 4]).unwrap();
        let k = keys(&t, 2).unwrap();
        assert_eq!(k[0], Key::Numbers([1, -2].into()));
        let back = tensor(DataType::Int32, [2, 2].into(), k.iter()).unwrap();
        assert_eq!(back.as_slice::<i32>().unwrap(), &[1, -2, 3, 4]);
        assert!(keys(&Tensor::scalar(1.0f32), 1).is_err());
    }
}
