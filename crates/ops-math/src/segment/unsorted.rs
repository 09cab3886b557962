//! UnsortedSegmentSum, UnsortedSegmentProd, UnsortedSegmentMin, UnsortedSegmentMax.

use downpour_graph::{GradientFn, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, KernelFactory, OpContext, Registry};
use downpour_tensor::{Element, RealNumber, Result, Status, Tensor, dispatch_real};

use super::groups::Groups;
use super::{fold_groups, gradient, output_shape};
use crate::number::{Arithmetic, Number, dispatch_number};
use crate::reduce::{Fold, Prod, Sum};

const NUMBERS: &str = "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}";
const REALS: &str =
    "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let ops: [(&str, &str, &str, GradientFn, KernelFactory); 4] = [
        ("UnsortedSegmentSum", NUMBERS, "int16, ", gradient::unsorted_sum, |_| {
            Ok(KernelBox::function(
                |cx| dispatch_number!(cx.input(0).dtype(), "UnsortedSegmentSum", T => run::<T, Sum>(cx, T::default())),
            ))
        }),
        ("UnsortedSegmentProd", NUMBERS, "", gradient::unsorted_prod, |_| {
            Ok(KernelBox::function(|cx| {
                dispatch_number!(cx.input(0).dtype(), "UnsortedSegmentProd", T => {
                    run::<T, Prod>(cx, T::narrow(<T as Number>::Wide::ONE))
                })
            }))
        }),
        ("UnsortedSegmentMin", REALS, "", gradient::unsorted_extreme, |_| {
            Ok(KernelBox::function(
                |cx| dispatch_real!(cx.input(0).dtype(), "UnsortedSegmentMin", T => run::<T, Lowest>(cx, <Lowest as Fold<T>>::identity())),
            ))
        }),
        ("UnsortedSegmentMax", REALS, "", gradient::unsorted_extreme, |_| {
            Ok(KernelBox::function(
                |cx| dispatch_real!(cx.input(0).dtype(), "UnsortedSegmentMax", T => run::<T, Highest>(cx, <Highest as Fold<T>>::identity())),
            ))
        }),
    ];
    for (name, types, small, gradient, factory) in ops {
        let signature = format!(
            "{name}(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> (output: T)
                T: {types}
                Tindices: {{{small}int32, int64}}
                Tnumsegments: {{int32, int64}} = int32"
        );
        let spec = OpSpec::new(&signature)?.shape(shape).gradient(gradient).tolerance(1e-5);
        registry.add(spec, factory)?;
    }
    Ok(())
}

/// Extremes that start from the type's finite bounds, which is what empty segments show.
struct Highest;
struct Lowest;

macro_rules! bounded {
    ($($name:ident, $identity:ident, $better:tt;)*) => {$(
        impl<T: RealNumber> Fold<T> for $name {
            type State = T;
            #[inline(always)] fn identity() -> T { T::$identity() }
            #[inline(always)] fn load(value: T) -> T { value }
            #[inline(always)] fn combine(a: T, b: T) -> T {
                if a $better b || a.is_nan_value() { a } else { b }
            }
            #[inline(always)] fn finish(state: T, _: usize) -> T { state }
        }
    )*};
}
bounded! { Highest, min_value, >; Lowest, max_value, <; }

fn run<T: Element, F: Fold<T>>(cx: &mut OpContext<'_>, empty: T) -> Result<()> {
    let (data, id_tensor, count) = (cx.input(0), cx.input(1), cx.input(2));
    if count.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "num_segments should be a scalar, not shape {}",
            count.shape()
        )));
    }
    if !data.dims().starts_with(id_tensor.dims()) {
        return Err(Status::invalid_argument(format!(
            "data.shape = {} does not start with segment_ids.shape = {}",
            data.shape(),
            id_tensor.shape()
        )));
    }
    let segments = count.to_i64_scalar()?;
    if segments < 0 {
        return Err(Status::invalid_argument(format!(
            "Input num_segments == {segments} must not be negative."
        )));
    }
    let inner = &data.dims()[id_tensor.rank()..];
    let mut output = Tensor::new(T::DTYPE, output_shape(segments, inner)?)?;
    let ids = id_tensor.to_i64_vec()?;
    if let Some(at) = ids.iter().position(|&id| id >= segments) {
        return Err(Status::invalid_argument(format!(
            "segment_ids{} = {} is out of range [0, {segments})",
            place(at, id_tensor),
            ids[at]
        )));
    }
    let groups = Groups::of_unsorted(&ids, segments as usize);
    let columns = inner.iter().product();
    fold_groups::<T, F>(
        cx.parallel(),
        data.as_slice::<T>()?,
        columns,
        &groups,
        empty,
        &mut output,
    )?;
    cx.set_output(0, output);
    Ok(())
}

/// Where element `flat` of the tensor is, as `[1,2]`.
fn place(flat: usize, tensor: &Tensor) -> String {
    let mut index: Vec<usize> = Vec::new();
    let mut rest = flat;
    for &size in tensor.dims().iter().rev() {
        index.push(rest % size.max(1));
        rest /= size.max(1);
    }
    index.reverse();
    if index.is_empty() { String::new() } else { downpour_tensor::Shape::new(&index).to_string() }
}

pub(super) fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(2, 0)?;
    let (Some(ids), Some(data)) = (cx.input(1).dims(), cx.input(0).dims()) else { return Ok(()) };
    if ids.len() > data.len() {
        return Err(Status::invalid_argument(format!(
            "Shape must be at least rank {} but is rank {} for {}",
            ids.len(),
            data.len(),
            cx.describe()
        )));
    }
    for (&a, &b) in ids.iter().zip(data) {
        cx.merge_dim(a, b)?;
    }
    let segments = match cx.constant_ints(2).as_deref() {
        Some(&[n]) => Some(usize::try_from(n).map_err(|_| {
            Status::invalid_argument(format!(
                "Dimension size, given by scalar input 2, must not be negative but is {n} for {}",
                cx.describe()
            ))
        })?),
        _ => None,
    };
    let inner = PartialShape::of(data[ids.len()..].iter().copied());
    cx.set_output(0, PartialShape::vector(segments).concat(&inner));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use proptest::prelude::*;

    fn run(op: &str, data: Tensor, ids: Tensor, count: i32) -> Result<Tensor> {
        OpTest::new(register, op).input(data).input(ids).input(Tensor::scalar(count)).run_one()
    }

    #[test]
    fn any_order_and_negative_ids() {
        let data = Tensor::from_vec([4, 1], vec![1f32, 2., 3., 4.]).unwrap();
        let ids = Tensor::vector(&[2i64, 0, -1, 2]).unwrap();
        let values = |op: &str| {
            run(op, data.clone(), ids.clone(), 3).unwrap().as_slice::<f32>().unwrap().to_vec()
        };
        assert_eq!(values("UnsortedSegmentSum"), &[2., 0., 5.]);
        assert_eq!(values("UnsortedSegmentProd"), &[2., 1., 4.]);
        assert_eq!(values("UnsortedSegmentMax"), &[2., f32::MIN, 4.]);
        assert_eq!(values("UnsortedSegmentMin"), &[2., f32::MAX, 1.]);
    }

    #[test]
    fn bad_inputs() {
        let data = Tensor::from_vec([1, 2], vec![1i32, 2]).unwrap();
        let ids = Tensor::from_vec([1, 2], vec![2i32, 0]).unwrap();
        let sum = |data: &Tensor, ids: &Tensor, n| {
            run("UnsortedSegmentSum", data.clone(), ids.clone(), n)
        };
        let message = sum(&data, &ids, 2).unwrap_err().to_string();
        assert!(message.contains("segment_ids[0,0] = 2 is out of range [0, 2)"), "{message}");
        assert!(sum(&data, &ids, -1).is_err());
        assert!(sum(&data, &Tensor::vector(&[0i32, 1]).unwrap(), 2).is_err());
        let one = sum(&Tensor::scalar(7i32), &Tensor::scalar(1i32), 2).unwrap();
        assert_eq!(one.as_slice::<i32>().unwrap(), &[0, 7]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(30))]
        #[test]
        fn sums_agree_with_the_definition(
            ids in prop::collection::vec(-1i32..7, 0..40), columns in 0usize..300,
        ) {
            let n = ids.len();
            let values: Vec<i64> = (0..(n * columns) as i64).collect();
            let mut expected = vec![0i64; 7 * columns];
            for (i, &id) in ids.iter().enumerate().filter(|(_, id)| **id >= 0) {
                for c in 0..columns {
                    expected[id as usize * columns + c] += values[i * columns + c];
                }
            }
            let data = Tensor::from_vec([n, columns], values).unwrap();
            let out = run("UnsortedSegmentSum", data, Tensor::vector(&ids).unwrap(), 7).unwrap();
            prop_assert_eq!(out.as_slice::<i64>().unwrap(), &expected[..]);
        }
    }
}
