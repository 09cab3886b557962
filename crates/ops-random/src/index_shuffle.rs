//! RandomIndexShuffle: the place of an index in a random permutation, without making the permutation.

use downpour_graph::{Dim, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Element, Permutation, Result, Status, Tensor, dispatch_over};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "RandomIndexShuffle(index: dtype, seed: Tseed, max_index: dtype) -> (output: dtype)
                rounds: int = 4
                dtype: {int32, uint32, int64, uint64}
                Tseed: {int32, uint32, int64, uint64}",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| {
            let rounds = build.int("rounds")?;
            // The network works on two halves in turn, so that only even counts exchange both.
            if !(4..=1024).contains(&rounds) || rounds % 2 != 0 {
                return Err(Status::invalid_argument(format!(
                    "rounds must be an even number of at least 4 (and at most 1024), got {rounds}"
                )));
            }
            Ok(KernelBox::new(IndexShuffle { rounds: rounds as usize }))
        },
    )
}

struct IndexShuffle {
    rounds: usize,
}

/// Integers as 64-bit words; negative values are kept apart.
trait Index: Element {
    fn word(self) -> Option<u64>;
    fn from_word(word: u64) -> Self;
    fn text(self) -> String;
}

macro_rules! indices {
    ($($ty:ty),*) => {$(
        impl Index for $ty {
            fn word(self) -> Option<u64> { u64::try_from(self).ok() }
            fn from_word(word: u64) -> $ty { word as $ty }
            fn text(self) -> String { self.to_string() }
        }
    )*};
}
indices!(i32, u32, i64, u64);

impl Kernel for IndexShuffle {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let dtype = cx.input(0).dtype();
        let output = dispatch_over!(dtype, "RandomIndexShuffle", T => self.run::<T>(cx),
            Int32: i32, UInt32: u32, Int64: i64, UInt64: u64)?;
        cx.set_output(0, output);
        Ok(())
    }
}

impl IndexShuffle {
    fn run<T: Index>(&self, cx: &OpContext<'_>) -> Result<Tensor> {
        let (index, seed, largest) = (cx.input(0), cx.input(1), cx.input(2));
        let count = index.len().max(largest.len()).max(seed.len() / 3);
        let fits = |t: &Tensor| t.rank() == 0 || t.dims() == [count];
        if !fits(index) {
            return Err(Status::invalid_argument("Index must be a scalar or vector."));
        }
        if seed.dims() != [3] && seed.dims() != [count, 3] {
            return Err(Status::invalid_argument(format!(
                "Seed must be a vector of size [3] or a matrix of size [{count}, 3] but got {}.",
                seed.shape()
            )));
        }
        if !fits(largest) {
            return Err(Status::invalid_argument(format!(
                "Maxval must be a scalar or a vector of the same size as index but got {}",
                largest.shape()
            )));
        }
        let seeds = seed_words(seed)?;
        let (indices, largests) = (index.as_slice::<T>()?, largest.as_slice::<T>()?);
        let at = |values: &[T], i: usize| values[if values.len() == 1 { 0 } else { i }];
        let mut out = Vec::with_capacity(count);
        for i in 0..count {
            let (index, largest) = (at(indices, i), at(largests, i));
            let negative = |name: &str, value: T| {
                Status::invalid_argument(format!("{name} must be >= 0 but was {}", value.text()))
            };
            let index_word = index.word().ok_or_else(|| negative("index", index))?;
            let largest_word = largest.word().ok_or_else(|| negative("max_index", largest))?;
            if largest_word < index_word {
                return Err(Status::invalid_argument(format!(
                    "max_index must be >= index, but {} < {}",
                    largest.text(),
                    index.text()
                )));
            }
            let seed = &seeds[if seed.rank() == 1 { 0 } else { 3 * i }..][..3];
            let order = Permutation::new([seed[0], seed[1], seed[2]], largest_word, self.rounds);
            out.push(T::from_word(order.place(index_word)));
        }
        let scalar = index.rank() == 0 && seed.rank() == 1 && largest.rank() == 0;
        match scalar {
            true => Ok(Tensor::scalar(out[0])),
            false => Tensor::vector(&out),
        }
    }
}

fn seed_words(seed: &Tensor) -> Result<Vec<u32>> {
    Ok(match seed.dtype() {
        DataType::UInt32 => seed.as_slice::<u32>()?.to_vec(),
        DataType::UInt64 => seed.as_slice::<u64>()?.iter().map(|&v| v as u32).collect(),
        _ => seed.to_i64_vec()?.iter().map(|&v| v as u32).collect(),
    })
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (index, seed, largest) = (cx.input(0), cx.input(1), cx.input(2));
    let (Some(i), Some(s), Some(m)) = (index.rank(), seed.rank(), largest.rank()) else {
        return Ok(());
    };
    if i > 1 || s > 2 || s == 0 || m > 1 {
        return Err(Status::invalid_argument(format!(
            "index and max_index must be scalars or vectors and seed a vector or matrix for {}",
            cx.describe()
        )));
    }
    if (i, s, m) == (0, 1, 0) {
        cx.set_output(0, PartialShape::scalar());
        return Ok(());
    }
    let mut count: Dim = None;
    for (rank, vector, shape) in [(i, 1, index), (s, 2, seed), (m, 1, largest)] {
        if rank == vector {
            count = cx.merge_dim(count, shape.dim(0))?;
        }
    }
    cx.set_output(0, PartialShape::vector(count));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn bad_indices_are_refused() {
        let run = |index: i32, largest: i32| {
            OpTest::new(register, "RandomIndexShuffle")
                .input(Tensor::scalar(index))
                .input(Tensor::vector(&[1i32, 2, 3]).unwrap())
                .input(Tensor::scalar(largest))
                .run_one()
        };
        assert!(run(1, 5).is_ok());
        assert!(run(-1, 5).unwrap_err().message().contains("index must be >= 0"));
        assert!(run(1, -5).unwrap_err().message().contains("max_index must be >= 0"));
        assert!(run(6, 5).unwrap_err().message().contains("max_index must be >= index"));
    }
}
