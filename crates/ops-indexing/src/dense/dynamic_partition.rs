//! DynamicPartition: deals slices out into several tensors by number.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, DataType, Result, Shape, Status, Tensor};

use crate::indices::place;
use crate::units::{Unit, dispatch_units};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "DynamicPartition(data: T, partitions: int32) -> (outputs: num_partitions * T)
                num_partitions: int >= 1
                T: type",
        )?
        .shape(shape)
        .gradient(gradient),
        |build| {
            let count = build.int("num_partitions")?;
            let count = usize::try_from(count).ok().filter(|&n| n >= 1).ok_or_else(|| {
                Status::invalid_argument(format!("num_partitions must be at least 1, got {count}"))
            })?;
            Ok(KernelBox::new(DynamicPartition(count)))
        },
    )
}

struct DynamicPartition(usize);

impl Kernel for DynamicPartition {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (data, partitions) = (cx.input(0), cx.input(1));
        let Some(inner) = data.dims().strip_prefix(partitions.dims()) else {
            return Err(Status::invalid_argument(format!(
                "data.shape must start with partitions.shape, got data.shape = {}, \
                 partitions.shape = {}",
                data.shape(),
                partitions.shape()
            )));
        };
        let numbers = partitions.as_slice::<i32>()?;
        let mut counts = vec![0usize; self.0];
        for (i, &number) in numbers.iter().enumerate() {
            let slot = usize::try_from(number).ok().and_then(|n| counts.get_mut(n));
            *slot.ok_or_else(|| {
                Status::invalid_argument(format!(
                    "partitions{} = {number} is not in [0, {})",
                    place(partitions.dims(), i),
                    self.0
                ))
            })? += 1;
        }
        let outputs = dispatch_units!(data.dtype(), T => deal::<T>(data, numbers, &counts, inner))?;
        for (i, output) in outputs.into_iter().enumerate() {
            cx.set_output(i, output);
        }
        Ok(())
    }
}

fn deal<T: Unit>(
    data: &Tensor,
    numbers: &[i32],
    counts: &[usize],
    inner: &[usize],
) -> Result<Vec<Tensor>> {
    let row: usize = inner.iter().product();
    let values = T::view(data)?;
    // Positions grouped by partition, in order: one pass of a counting sort.
    let mut starts = Vec::with_capacity(counts.len());
    let mut total = 0;
    for &count in counts {
        starts.push(total);
        total += count;
    }
    let mut order = CountedVec::filled(total, 0usize)?;
    let mut next = starts.clone();
    for (i, &number) in numbers.iter().enumerate() {
        let slot = &mut next[number as usize];
        order[*slot] = i;
        *slot += 1;
    }
    counts
        .iter()
        .zip(starts)
        .map(|(&count, start)| {
            let shape: Shape = std::iter::once(count).chain(inner.iter().copied()).collect();
            T::build(data.dtype(), shape, |out| {
                if row > 0 {
                    let rows = out.chunks_exact_mut(row).zip(&order[start..start + count]);
                    rows.for_each(|(o, &i)| o.clone_from_slice(&values[i * row..(i + 1) * row]));
                }
                Ok(())
            })
        })
        .collect()
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (data, partitions) = (cx.input(0), cx.input(1));
    let Some(rank) = partitions.rank() else { return Ok(()) };
    let data_rank = cx.with_rank_at_least(0, rank)?.rank();
    let rest = match data_rank {
        Some(data_rank) => {
            cx.merge(&data.subshape(0, rank), partitions)?;
            data.subshape(rank, data_rank)
        }
        None => PartialShape::unknown(),
    };
    let out = PartialShape::vector(None).concat(&rest);
    for i in 0..cx.outputs_len() {
        cx.set_output(i, out.clone());
    }
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    // Numbers the slices, deals the numbers out the same way, and stitches the gradients back.
    let (data, partitions) = (cx.input(0), cx.input(1));
    let count = cx.node().int("num_partitions")?;
    let prefix = cx.shape(partitions)?;
    let axis = cx.constant(Tensor::vector(&[0i32])?)?;
    let total = cx.op("Prod", &[prefix, axis])?;
    let (zero, one) = (cx.scalar(0i32)?, cx.scalar(1i32)?);
    let range = cx.op("Range", &[zero, total, one])?;
    let numbers = cx.op("Reshape", &[range, prefix])?;
    let attrs = Attrs::new().with("num_partitions", count).with("T", DataType::Int32);
    let dealt = cx.node_with("DynamicPartition", &[numbers, partitions], attrs)?;
    let mut inputs = Vec::new();
    for port in 0..count as u32 {
        inputs.push(downpour_graph::Endpoint { node: dealt, port });
    }
    for i in 0..count as usize {
        inputs.push(cx.grad(i)?);
    }
    let attrs = Attrs::new().with("N", count);
    let stitched = cx.op_with("ParallelDynamicStitch", &inputs, attrs)?;
    let shape = cx.shape(data)?;
    Ok(vec![Gradient::Dense(cx.op("Reshape", &[stitched, shape])?), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn test(data: Tensor, partitions: Tensor, count: i64) -> OpTest {
        OpTest::new(register, "DynamicPartition")
            .input(data)
            .input(partitions)
            .attr("num_partitions", count)
    }

    #[test]
    fn slices_keep_their_order() {
        let x = Tensor::from_vec([3, 2], vec![1f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        let out = test(x, Tensor::vector(&[1i32, 0, 1]).unwrap(), 3).run().unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), &[3.0, 4.0]);
        assert_eq!(out[1].as_slice::<f32>().unwrap(), &[1.0, 2.0, 5.0, 6.0]);
        assert_eq!(out[2].dims(), &[0, 2]);
        let out = test(Tensor::scalar(7i64), Tensor::scalar(1i32), 2).run().unwrap();
        assert_eq!(out[1].as_slice::<i64>().unwrap(), &[7]);
    }

    #[test]
    fn bad_numbers_and_shapes_are_refused() {
        let x = || Tensor::vector(&[1f32, 2.0]).unwrap();
        let e = test(x(), Tensor::vector(&[0i32, 2]).unwrap(), 2).run().unwrap_err();
        assert!(e.message().contains("partitions[1] = 2 is not in [0, 2)"), "{e}");
        assert!(test(x(), Tensor::vector(&[0i32, -1]).unwrap(), 2).run().is_err());
        assert!(test(x(), Tensor::vector(&[0i32]).unwrap(), 2).run().is_err());
    }
}
