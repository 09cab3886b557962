//! StringToHashBucket, -Fast and -Strong: a bucket for each string.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::fingerprint::{fingerprint64, keyed_hash};
use downpour_tensor::{Result, Status};

use super::elements::to_numbers;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "StringToHashBucket(string_tensor: string) -> (output: int64)
                num_buckets: int >= 1",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |build| bucket(build, legacy_hash),
    )?;
    registry.add(
        OpSpec::new(
            "StringToHashBucketFast(input: string) -> (output: int64)
                num_buckets: int >= 1",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |build| bucket(build, fingerprint64),
    )?;
    registry.add(
        OpSpec::new(
            "StringToHashBucketStrong(input: string) -> (output: int64)
                num_buckets: int >= 1
                key: list(int)",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |build| match build.ints("key")?[..] {
            [a, b] => bucket(build, move |text| keyed_hash([a as u64, b as u64], text)),
            _ => Err(Status::invalid_argument("Key must have 2 elements")),
        },
    )
}

struct Bucket<H> {
    buckets: u64,
    hash: H,
}

fn bucket<H>(build: &KernelBuild<'_>, hash: H) -> Result<KernelBox>
where
    H: Fn(&[u8]) -> u64 + Send + Sync + 'static,
{
    // The signature asks for at least one; without that check a division by zero would follow.
    let buckets = u64::try_from(build.int("num_buckets")?).unwrap_or(0).max(1);
    Ok(KernelBox::new(Bucket { buckets, hash }))
}

impl<H: Fn(&[u8]) -> u64 + Send + Sync> Kernel for Bucket<H> {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        to_numbers(cx, |text| Ok(((self.hash)(text) % self.buckets) as i64))
    }
}

/// The MurmurHash64A variant that StringToHashBucket has always used.
fn legacy_hash(text: &[u8]) -> u64 {
    const MUL: u64 = 0xc6a4_a793_5bd1_e995;
    const SEED: u64 = 0x00DE_CAFC_AFFE;
    let mut hash = SEED ^ (text.len() as u64).wrapping_mul(MUL);
    let (words, rest) = text.as_chunks::<8>();
    for word in words {
        let mut k = u64::from_le_bytes(*word).wrapping_mul(MUL);
        k ^= k >> 47;
        hash = (hash ^ k.wrapping_mul(MUL)).wrapping_mul(MUL);
    }
    if !rest.is_empty() {
        for (i, &byte) in rest.iter().enumerate() {
            hash ^= (byte as u64) << (8 * i);
        }
        hash = hash.wrapping_mul(MUL);
    }
    hash ^= hash >> 47;
    hash = hash.wrapping_mul(MUL);
    hash ^ (hash >> 47)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    fn test(op: &str, words: &[&'static str]) -> OpTest {
        let words: Vec<_> = words.iter().map(|&w| w.into()).collect();
        OpTest::new(register, op)
            .attr("num_buckets", 1_000_000_007i64)
            .input(Tensor::from_strings([words.len()], words).unwrap())
    }

    #[test]
    fn buckets_agree_with_tensorflow() {
        let words = ["", "a", "abcdefg", "abcdefgh", "hello world, hello"];
        let out = test("StringToHashBucket", &words).run_one().unwrap();
        let expected = [727638525i64, 395105680, 77951215, 762742249, 411179542];
        assert_eq!(out.as_slice::<i64>().unwrap(), &expected);
        let fast = test("StringToHashBucketFast", &["", "a"]).run_one().unwrap();
        assert_eq!(fast.as_slice::<i64>().unwrap(), &[912170738, 384735799]);
        let strong = test("StringToHashBucketStrong", &["", "a", "abcdefgh1"]);
        let strong = strong.attr("key", vec![1i64, -2]).run_one().unwrap();
        assert_eq!(strong.as_slice::<i64>().unwrap(), &[86710601, 306109332, 438021187]);
    }

    #[test]
    fn a_key_has_two_numbers() {
        let bad = test("StringToHashBucketStrong", &["a"]).attr("key", vec![1i64]);
        assert!(bad.run_one().unwrap_err().message().contains("Key must have 2 elements"));
    }
}
