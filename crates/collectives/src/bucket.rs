//! Many small tensors reduced as few large ones.

use std::collections::HashMap;

use downpour_tensor::{DataType, Result, Status, Tensor};

use crate::collective::{all_reduce_bytes, choose};
use crate::mesh::Mesh;
use crate::reduction::{ReduceOp, Reduction};
use crate::sink::Scratch;

/// Tensors of one type that travel together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Their type.
    pub dtype: DataType,
    /// Which they are, in the order given.
    pub members: Vec<usize>,
    /// All their bytes.
    pub bytes: usize,
}

/// Puts tensors (type and bytes each) into buckets of at most `target` bytes, in their order; one that is
/// larger has a bucket of its own. Buckets come in the order in which they are complete, so that tensors which
/// become ready in the given order can leave as early as possible. Depends on nothing else: every rank that
/// is given the same comes to the same.
pub fn plan_buckets(tensors: &[(DataType, usize)], target: usize) -> Vec<Bucket> {
    let mut done: Vec<Bucket> = Vec::new();
    let mut open: HashMap<DataType, Bucket> = HashMap::new();
    for (index, &(dtype, bytes)) in tensors.iter().enumerate() {
        let new = || Bucket { dtype, members: Vec::new(), bytes: 0 };
        let bucket = open.entry(dtype).or_insert_with(new);
        let full = bucket.bytes.saturating_add(bytes) > target;
        if full && !bucket.members.is_empty() {
            done.push(std::mem::replace(bucket, new()));
        }
        bucket.members.push(index);
        bucket.bytes = bucket.bytes.saturating_add(bytes);
    }
    done.extend(open.into_values());
    done.sort_by_key(|bucket| bucket.members.last().copied());
    done
}

/// All-reduces every tensor, in buckets of at most `target` bytes; all ranks must give tensors of the same
/// types and shapes in the same order.
pub async fn all_reduce_many<M: Mesh>(
    mesh: &mut M,
    tensors: &mut [Tensor],
    op: ReduceOp,
    target: usize,
) -> Result<()> {
    let sizes: Vec<_> = tensors.iter().map(|t| (t.dtype(), t.byte_len())).collect();
    for bucket in plan_buckets(&sizes, target) {
        let reduction = Reduction::new(op, bucket.dtype)?;
        let algorithm = choose(mesh, bucket.bytes);
        if let [only] = bucket.members[..] {
            let bytes = writable(&mut tensors[only])?;
            all_reduce_bytes(mesh, bytes, reduction, algorithm).await?;
            continue;
        }
        let mut fused = Scratch::whole(bucket.bytes);
        let fused = &mut fused.bytes()[..bucket.bytes];
        let mut at = 0;
        for &member in &bucket.members {
            let bytes = tensors[member].bytes().ok_or_else(not_plain)?;
            fused[at..at + bytes.len()].copy_from_slice(bytes);
            at += bytes.len();
        }
        all_reduce_bytes(mesh, fused, reduction, algorithm).await?;
        at = 0;
        for &member in &bucket.members {
            let bytes = writable(&mut tensors[member])?;
            bytes.copy_from_slice(&fused[at..at + bytes.len()]);
            at += bytes.len();
        }
    }
    Ok(())
}

fn not_plain() -> Status {
    Status::invalid_argument("only tensors of numbers can be reduced")
}

/// The bytes of a tensor for writing; one that others hold too gets contents of its own.
pub(crate) fn writable(tensor: &mut Tensor) -> Result<&mut [u8]> {
    if !tensor.is_unique() {
        *tensor = tensor.deep_copy()?;
    }
    tensor.bytes_mut().ok_or_else(not_plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KINDS: [DataType; 3] = [DataType::Float, DataType::Half, DataType::Int64];

    #[test]
    fn buckets_fill_in_order() {
        let float = |bytes| (DataType::Float, bytes);
        let tensors = [float(40), float(50), (DataType::Half, 10), float(20), float(500), float(1)];
        let buckets = plan_buckets(&tensors, 100);
        let members: Vec<_> = buckets.iter().map(|b| b.members.clone()).collect();
        assert_eq!(members, [vec![0, 1], vec![2], vec![3], vec![4], vec![5]]);
        assert_eq!(buckets[0].bytes, 90);
        assert!(plan_buckets(&[], 100).is_empty());
    }

    proptest! {
        #[test]
        fn every_tensor_is_in_one_bucket_of_its_type(
            tensors in proptest::collection::vec((0usize..3, 0usize..300), 0..60),
            target in 0usize..500,
        ) {
            let tensors: Vec<_> = tensors.iter().map(|&(k, b)| (KINDS[k], b)).collect();
            let buckets = plan_buckets(&tensors, target);
            let mut seen = vec![0; tensors.len()];
            for bucket in &buckets {
                let bytes: usize = bucket.members.iter().map(|&m| tensors[m].1).sum();
                prop_assert_eq!(bytes, bucket.bytes);
                prop_assert!(bytes <= target || bucket.members.len() == 1);
                prop_assert!(bucket.members.is_sorted());
                for &member in &bucket.members {
                    prop_assert_eq!(tensors[member].0, bucket.dtype);
                    seen[member] += 1;
                }
            }
            prop_assert!(seen.iter().all(|&count| count == 1));
            prop_assert!(buckets.is_sorted_by_key(|b| b.members.last().copied()));
        }
    }
}
