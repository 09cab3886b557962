//! Where: the indices of elements that are not zero.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Element, Result, Tensor, dispatch_plain};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Where(input: T) -> (index: int64)
                T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool} = bool",
        )?
        .shape(infer)
        .not_differentiable(),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let input = cx.input(0);
    let output = dispatch_plain!(input.dtype(), "Where", T => indices::<T>(input))?;
    cx.set_output(0, output);
    Ok(())
}

fn indices<T: Element>(input: &Tensor) -> Result<Tensor> {
    let values = input.as_slice::<T>()?;
    let zero = T::default();
    let count = values.iter().filter(|&&v| v != zero).count();
    let rank = input.rank();
    Tensor::build([count, rank], |out: &mut [i64]| {
        if rank == 0 || count == 0 {
            return;
        }
        let (&width, outer) = input.dims().split_last().expect("the rank was checked above");
        let mut index = vec![0i64; outer.len()];
        let mut places = out.chunks_exact_mut(rank);
        for row in values.chunks_exact(width) {
            for (i, &value) in row.iter().enumerate() {
                if value != zero
                    && let Some(place) = places.next()
                {
                    place[..rank - 1].copy_from_slice(&index);
                    place[rank - 1] = i as i64;
                }
            }
            for (i, &size) in index.iter_mut().zip(outer).rev() {
                *i += 1;
                if (*i as usize) < size {
                    break;
                }
                *i = 0;
            }
        }
    })
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.set_output(0, PartialShape::matrix(None, cx.input(0).rank()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(x: Tensor) -> Tensor {
        OpTest::new(register, "Where").input(x).run_one().unwrap()
    }

    #[test]
    fn indices_in_order() {
        let x = Tensor::from_vec([2, 2], vec![true, false, true, true]).unwrap();
        assert_eq!(run(x).as_slice::<i64>().unwrap(), &[0, 0, 1, 0, 1, 1]);
        let x = Tensor::vector(&[0.0f32, -0.0, f32::NAN, 2.0]).unwrap();
        assert_eq!(run(x).as_slice::<i64>().unwrap(), &[2, 3]);
        assert_eq!(run(Tensor::scalar(true)).dims(), &[1, 0]);
        assert_eq!(run(Tensor::from_vec([0, 3], Vec::<bool>::new()).unwrap()).dims(), &[0, 2]);
    }
}
