//! RandomShuffle and StatelessShuffle put the rows of a tensor into a random order.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Tensor};

use crate::generator::Generator;
use crate::philox::{Philox, Singles};
use crate::source::key_counter;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "RandomShuffle(value: T) -> (output: T) @stateful
                seed: int = 0
                seed2: int = 0
                T: type",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |build| Ok(KernelBox::new(RandomShuffle(Generator::new(build)?))),
    )?;
    registry.add(
        OpSpec::new(
            "StatelessShuffle(value: T, key: uint64, counter: uint64, alg: int32) -> (output: T)
                T: type",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |_| Ok(KernelBox::function(stateless)),
    )
}

struct RandomShuffle(Generator);

impl Kernel for RandomShuffle {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let value = cx.take(0);
        // One number per row but the last, four to a block.
        let draws = value.dims().first().copied().unwrap_or(0).saturating_sub(1);
        let philox = self.0.reserve(match value.len() {
            0 | 1 => 0,
            _ => draws.div_ceil(4) as u64,
        });
        cx.set_output(0, shuffled(value, philox)?);
        Ok(())
    }
}

fn stateless(cx: &mut OpContext<'_>) -> Result<()> {
    let philox = key_counter(cx.input(1), cx.input(2), cx.input(3), 3)?;
    let value = cx.take(0);
    cx.set_output(0, shuffled(value, philox)?);
    Ok(())
}

fn shuffled(value: Tensor, philox: Philox) -> Result<Tensor> {
    let rows = value.dims().first().copied().unwrap_or(0);
    if value.len() <= 1 || rows <= 1 {
        return Ok(value);
    }
    let order = permutation(rows, philox);
    let row = value.len() / rows;
    let mut output = Tensor::new(value.dtype(), value.shape())?;
    if let (Some(from), Some(to)) = (value.bytes(), output.bytes_mut()) {
        let size = row * value.dtype().size();
        for (to, &i) in to.chunks_exact_mut(size).zip(&order) {
            to.copy_from_slice(&from[i * size..(i + 1) * size]);
        }
        return Ok(output);
    }
    let places = order.iter().flat_map(|&i| i * row..(i + 1) * row);
    match value.dtype() {
        downpour_tensor::DataType::String => {
            let from = value.strings()?;
            Tensor::from_strings(value.shape(), places.map(|i| from[i].clone()).collect())
        }
        downpour_tensor::DataType::Resource => {
            let from = value.handles()?;
            Tensor::from_handles(value.shape(), places.map(|i| from[i].clone()).collect())
        }
        _ => {
            let from = value.variants()?;
            Tensor::from_variants(value.shape(), places.map(|i| from[i].clone()).collect())
        }
    }
}

/// Exchanges each place with itself or a later one.
fn permutation(rows: usize, philox: Philox) -> Vec<usize> {
    let mut singles = Singles::new(philox);
    let mut order: Vec<usize> = (0..rows).collect();
    for i in 0..rows - 1 {
        // More rows than 32 bits can count would need more memory than there is; the remainder is
        // taken in 32 bits as TensorFlow does.
        let left = ((rows - i) as u32).max(1);
        order.swap(i, i + (singles.next() % left) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn every_row_stays_whole_and_appears_once() {
        let values: Vec<i32> = (0..30).collect();
        let out = OpTest::new(register, "RandomShuffle")
            .attr("seed", 1i64)
            .input(Tensor::from_slice([10, 3], &values).unwrap())
            .run_one()
            .unwrap();
        let mut rows: Vec<Vec<i32>> =
            out.as_slice::<i32>().unwrap().chunks(3).map(<[i32]>::to_vec).collect();
        rows.sort();
        assert_eq!(rows.concat(), values);
    }

    #[test]
    fn strings_move_too_and_a_scalar_stays() {
        let words = ["a", "b", "c"].map(|w| w.into()).to_vec();
        let out = OpTest::new(register, "RandomShuffle")
            .input(Tensor::from_strings([3], words).unwrap())
            .run_one()
            .unwrap();
        let mut got = out.strings().unwrap().to_vec();
        got.sort();
        assert_eq!(got, ["a", "b", "c"]);
        let one = OpTest::new(register, "RandomShuffle").input(Tensor::scalar(3i32)).run_one();
        assert_eq!(one.unwrap().to_scalar::<i32>().unwrap(), 3);
    }
}
