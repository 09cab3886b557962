//! Sum, Prod, Mean, EuclideanNorm.

use downpour_graph::{GradientFn, OpSpec};
use downpour_runtime::{KernelFactory, Registry};
use downpour_tensor::Result;

use super::fold::Fold;
use super::{axes, gradient, kernel, reduce};
use crate::number::{Arithmetic, Number, dispatch_number};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let ops: [(&str, GradientFn, KernelFactory); 4] = [
        ("Sum", gradient::sum, |b| {
            kernel(
                b,
                true,
                |cx, t, plan| dispatch_number!(t.dtype(), "Sum", T => reduce::<T, Sum>(cx, t, plan)),
            )
        }),
        ("Prod", gradient::prod, |b| {
            kernel(
                b,
                true,
                |cx, t, plan| dispatch_number!(t.dtype(), "Prod", T => reduce::<T, Prod>(cx, t, plan)),
            )
        }),
        ("Mean", gradient::mean, |b| {
            kernel(
                b,
                true,
                |cx, t, plan| dispatch_number!(t.dtype(), "Mean", T => reduce::<T, Mean>(cx, t, plan)),
            )
        }),
        ("EuclideanNorm", gradient::euclidean_norm, |b| {
            kernel(
                b,
                false,
                |cx, t, plan| dispatch_number!(t.dtype(), "EuclideanNorm", T => reduce::<T, Norm>(cx, t, plan)),
            )
        }),
    ];
    for (name, gradient, factory) in ops {
        let signature = format!(
            "{name}(input: T, reduction_indices: Tidx) -> (output: T)
                keep_dims: bool = false
                T: {{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}}
                Tidx: {{int32, int64}} = int32"
        );
        let spec = OpSpec::new(&signature)?.shape(axes::shape).gradient(gradient);
        // Sums of floats depend on the order of additions.
        registry.add(spec.tolerance(1e-5), factory)?;
    }
    Ok(())
}

pub(crate) struct Sum;
impl<T: Number> Fold<T> for Sum {
    type State = T::Wide;
    #[inline(always)]
    fn identity() -> T::Wide {
        T::Wide::ZERO
    }
    #[inline(always)]
    fn load(value: T) -> T::Wide {
        value.widen()
    }
    #[inline(always)]
    fn combine(a: T::Wide, b: T::Wide) -> T::Wide {
        a.add(b)
    }
    #[inline(always)]
    fn finish(state: T::Wide, _: usize) -> T {
        T::narrow(state)
    }
}

pub(crate) struct Prod;
impl<T: Number> Fold<T> for Prod {
    type State = T::Wide;
    #[inline(always)]
    fn identity() -> T::Wide {
        T::Wide::ONE
    }
    #[inline(always)]
    fn load(value: T) -> T::Wide {
        value.widen()
    }
    #[inline(always)]
    fn combine(a: T::Wide, b: T::Wide) -> T::Wide {
        a.mul(b)
    }
    #[inline(always)]
    fn finish(state: T::Wide, _: usize) -> T {
        T::narrow(state)
    }
}

pub(crate) struct Mean;
impl<T: Number> Fold<T> for Mean {
    type State = T::Long;
    #[inline(always)]
    fn identity() -> T::Long {
        T::Long::ZERO
    }
    #[inline(always)]
    fn load(value: T) -> T::Long {
        value.lengthen()
    }
    #[inline(always)]
    fn combine(a: T::Long, b: T::Long) -> T::Long {
        a.add(b)
    }
    #[inline(always)]
    fn finish(state: T::Long, count: usize) -> T {
        if count == 0 { T::empty_mean() } else { T::shorten(state.divide_by_count(count)) }
    }
}

struct Norm;
impl<T: Number> Fold<T> for Norm {
    type State = T::Wide;
    #[inline(always)]
    fn identity() -> T::Wide {
        T::Wide::ZERO
    }
    #[inline(always)]
    fn load(value: T) -> T::Wide {
        let wide = value.widen();
        wide.mul(wide.conjugate())
    }
    #[inline(always)]
    fn combine(a: T::Wide, b: T::Wide) -> T::Wide {
        a.add(b)
    }
    #[inline(always)]
    fn finish(state: T::Wide, _: usize) -> T {
        T::narrow(state.square_root())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Tensor, f16};
    use proptest::prelude::*;

    fn run(op: &str, x: Tensor, axes: &[i32]) -> Result<Tensor> {
        OpTest::new(register, op).input(x).input(Tensor::vector(axes)?).run_one()
    }

    #[test]
    fn along_each_axis() {
        let x = Tensor::from_vec([2, 3], vec![1f32, 2., 3., 4., 5., 6.]).unwrap();
        let sum = |axes: &[i32]| run("Sum", x.clone(), axes).unwrap();
        assert_eq!(sum(&[0]).as_slice::<f32>().unwrap(), &[5., 7., 9.]);
        assert_eq!(sum(&[-1]).as_slice::<f32>().unwrap(), &[6., 15.]);
        assert_eq!(sum(&[0, 1]).as_slice::<f32>().unwrap(), &[21.]);
        assert_eq!(sum(&[]).dims(), &[2, 3]);
        let mean = run("Mean", x.clone(), &[1]).unwrap();
        assert_eq!(mean.as_slice::<f32>().unwrap(), &[2., 5.]);
        let prod = run("Prod", x, &[0]).unwrap();
        assert_eq!(prod.as_slice::<f32>().unwrap(), &[4., 10., 18.]);
    }

    #[test]
    fn nothing_to_reduce() {
        let empty = Tensor::from_vec([0, 2], Vec::<f32>::new()).unwrap();
        assert_eq!(run("Sum", empty.clone(), &[0]).unwrap().as_slice::<f32>().unwrap(), &[0., 0.]);
        assert_eq!(run("Prod", empty.clone(), &[0]).unwrap().as_slice::<f32>().unwrap(), &[1., 1.]);
        assert!(run("Mean", empty.clone(), &[0]).unwrap().as_slice::<f32>().unwrap()[0].is_nan());
        assert_eq!(run("Sum", empty, &[1]).unwrap().dims(), &[0]);
        let norm = run("EuclideanNorm", Tensor::vector(&[-3f32]).unwrap(), &[]).unwrap();
        assert_eq!(norm.as_slice::<f32>().unwrap(), &[3.0]);
        assert!(run("Sum", Tensor::scalar(1f32), &[0]).is_err());
    }

    #[test]
    fn half_sums_in_float_and_integer_means_in_64_bits() {
        let x = Tensor::from_vec([4096], vec![f16::ONE; 4096]).unwrap();
        let sum = run("Sum", x, &[0]).unwrap().to_scalar::<f16>().unwrap();
        assert_eq!(sum.to_f32(), 4096.0);
        let x = Tensor::vector(&[i32::MAX, i32::MAX]).unwrap();
        assert_eq!(run("Mean", x, &[0]).unwrap().to_scalar::<i32>().unwrap(), i32::MAX);
    }

    #[test]
    fn long_sums_stay_exact() {
        let x = Tensor::from_vec([1 << 20], vec![0.1f32; 1 << 20]).unwrap();
        let exact = 0.1f32 as f64 * (1 << 20) as f64;
        let sum = run("Sum", x.clone(), &[0]).unwrap().to_scalar::<f32>().unwrap() as f64;
        assert!((sum - exact).abs() / exact < 1e-6, "{sum}");
        let columns = run("Sum", x.into_shape([1 << 19, 2]).unwrap(), &[0]).unwrap();
        let sum = columns.as_slice::<f32>().unwrap()[1] as f64;
        assert!((sum - exact / 2.0).abs() / exact < 1e-6, "{sum}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn agrees_with_the_definition(
            dims in prop::collection::vec(0usize..5, 0..5),
            folded in prop::collection::vec(any::<bool>(), 5),
        ) {
            let elements: usize = dims.iter().product();
            let values: Vec<i64> = (0..elements as i64).map(|v| v * v % 17 - 4).collect();
            let axes: Vec<i32> = (0..dims.len()).filter(|&i| folded[i]).map(|i| i as i32).collect();
            let kept: usize = (0..dims.len()).filter(|&i| !folded[i]).map(|i| dims[i]).product();
            let mut expected = vec![0i64; kept];
            for (flat, value) in values.iter().enumerate() {
                let (mut rest, mut place, mut stride) = (flat, 0, 1);
                for i in (0..dims.len()).rev() {
                    if !folded[i] {
                        place += rest % dims[i] * stride;
                        stride *= dims[i];
                    }
                    rest /= dims[i];
                }
                expected[place] += value;
            }
            let x = Tensor::from_vec(dims.clone(), values).unwrap();
            let out = run("Sum", x, &axes).unwrap();
            prop_assert_eq!(out.as_slice::<i64>().unwrap(), &expected[..]);
        }
    }
}
