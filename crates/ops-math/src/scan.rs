//! Cumsum, Cumprod, CumulativeLogsumexp: running results along an axis.

use downpour_graph::{Attrs, Gradient, GradientContext, GradientFn, OpSpec, shapes};
use downpour_runtime::{
    Kernel, KernelBox, KernelBuild, KernelFactory, OpContext, Parallel, Registry,
};
use downpour_tensor::{Element, RealNumber, Result, Status, Tensor, dispatch_float};

use crate::number::{Arithmetic, Number, dispatch_number};

const NUMBERS: &str = "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let ops: [(&str, &str, GradientFn, KernelFactory); 3] = [
        ("Cumsum", NUMBERS, sum_gradient, |b| {
            kernel(b, |scan, cx, t, axis| {
                dispatch_number!(t.dtype(), "Cumsum", T => scan.run::<T>(cx.parallel(), t, axis, T::default(),
                    |a, b| T::narrow(a.widen().add(b.widen()))))
            })
        }),
        ("Cumprod", NUMBERS, prod_gradient, |b| {
            kernel(b, |scan, cx, t, axis| {
                dispatch_number!(t.dtype(), "Cumprod", T => {
                    let one = T::narrow(<T as Number>::Wide::ONE);
                    scan.run::<T>(cx.parallel(), t, axis, one, |a, b| T::narrow(a.widen().mul(b.widen())))
                })
            })
        }),
        ("CumulativeLogsumexp", "{bfloat16, half, float, double}", log_sum_exp_gradient, |b| {
            kernel(b, |scan, cx, t, axis| {
                dispatch_float!(t.dtype(), "CumulativeLogsumexp", T => {
                    scan.run::<T>(cx.parallel(), t, axis, nothing::<T>(), log_sum_exp::<T>)
                })
            })
        }),
    ];
    for (name, types, gradient, factory) in ops {
        let signature = format!(
            "{name}(x: T, axis: Tidx) -> (out: T)
                exclusive: bool = false
                reverse: bool = false
                T: {types}
                Tidx: {{int32, int64}} = int32"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::unchanged).gradient(gradient);
        registry.add(spec.tolerance(1e-5), factory)?;
    }
    Ok(())
}

type Compute = fn(&Scan, &OpContext<'_>, &Tensor, usize) -> Result<Tensor>;

struct Scan {
    exclusive: bool,
    reverse: bool,
    compute: Compute,
}

fn kernel(build: &KernelBuild<'_>, compute: Compute) -> Result<KernelBox> {
    let (exclusive, reverse) = (build.bool("exclusive")?, build.bool("reverse")?);
    Ok(KernelBox::new(Scan { exclusive, reverse, compute }))
}

impl Kernel for Scan {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (x, axis) = (cx.input(0), cx.input(1));
        if axis.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "ScanOp: axis must be a scalar, not {}",
                axis.shape()
            )));
        }
        let axis = axis.to_i64_scalar()?;
        let Some(axis) = x.shape().axis(axis) else {
            let rank = x.rank();
            return Err(Status::invalid_argument(format!(
                "ScanOp: Expected scan axis in the range [-{rank}, {rank}), but got {axis}"
            )));
        };
        let out = (self.compute)(self, cx, x, axis)?;
        cx.set_output(0, out);
        Ok(())
    }
}

impl Scan {
    fn run<T: Element>(
        &self,
        parallel: &Parallel,
        x: &Tensor,
        axis: usize,
        start: T,
        combine: impl Fn(T, T) -> T + Sync,
    ) -> Result<Tensor> {
        let values = x.as_slice::<T>()?;
        let length = x.dims()[axis];
        let inner: usize = x.dims()[axis + 1..].iter().product();
        let block = length * inner;
        Tensor::build(x.shape(), |out| {
            if out.is_empty() {
                return;
            }
            parallel.for_chunks(out, block, (1 << 13) / block + 1, |first, run| {
                for (i, out) in run.chunks_exact_mut(block).enumerate() {
                    let from = (first + i) * block;
                    let values = &values[from..from + block];
                    if inner == 1 {
                        self.line(values, out, start, &combine);
                    } else {
                        self.rows(values, out, inner, start, &combine);
                    }
                }
            });
        })
    }

    /// One contiguous line.
    fn line<T: Copy>(&self, x: &[T], out: &mut [T], start: T, combine: impl Fn(T, T) -> T) {
        let mut sum = start;
        for step in 0..x.len() {
            let i = if self.reverse { x.len() - 1 - step } else { step };
            let next = combine(sum, x[i]);
            out[i] = if self.exclusive { sum } else { next };
            sum = next;
        }
    }

    /// Lines side by side: whole rows are combined at once.
    fn rows<T: Copy>(
        &self,
        x: &[T],
        out: &mut [T],
        inner: usize,
        start: T,
        combine: impl Fn(T, T) -> T,
    ) {
        let mut sums = vec![start; inner];
        let length = x.len() / inner;
        for step in 0..length {
            let i = if self.reverse { length - 1 - step } else { step };
            let (x, out) = (&x[i * inner..][..inner], &mut out[i * inner..][..inner]);
            if self.exclusive {
                out.copy_from_slice(&sums);
            }
            for (sum, &value) in sums.iter_mut().zip(x) {
                *sum = combine(*sum, value);
            }
            if !self.exclusive {
                out.copy_from_slice(&sums);
            }
        }
    }
}

/// What an empty sum of exponentials has for a logarithm.
fn nothing<T: RealNumber>() -> T {
    T::from_f64_lossy(f64::NEG_INFINITY)
}

fn log_sum_exp<T: RealNumber>(a: T, b: T) -> T {
    let (a, b) = (a.to_f64_lossy(), b.to_f64_lossy());
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if high == f64::NEG_INFINITY {
        return T::from_f64_lossy(high);
    }
    T::from_f64_lossy((low - high).exp().ln_1p() + high)
}

fn flags(cx: &GradientContext<'_, '_>) -> Result<(Attrs, Attrs)> {
    let (exclusive, reverse) = (cx.node().bool("exclusive")?, cx.node().bool("reverse")?);
    let with = |reverse: bool| Attrs::new().with("exclusive", exclusive).with("reverse", reverse);
    Ok((with(reverse), with(!reverse)))
}

fn sum_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (_, back) = flags(cx)?;
    let (grad, axis) = (cx.grad(0)?, cx.input(1));
    let out = cx.op_with("Cumsum", &[grad, axis], back)?;
    Ok(vec![Gradient::Dense(out), Gradient::None])
}

fn prod_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (forth, back) = flags(cx)?;
    let (grad, x, axis) = (cx.grad(0)?, cx.input(0), cx.input(1));
    let prod = cx.op_with("Cumprod", &[x, axis], forth)?;
    let weighted = cx.op("Mul", &[prod, grad])?;
    let sums = cx.op_with("Cumsum", &[weighted, axis], back)?;
    let out = cx.op("DivNoNan", &[sums, x])?;
    Ok(vec![Gradient::Dense(out), Gradient::None])
}

/// Positive and negative parts are taken apart, since only logarithms of positive numbers exist.
fn log_sum_exp_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (_, back) = flags(cx)?;
    let (grad, x, axis, output) = (cx.grad(0)?, cx.input(0), cx.input(1), cx.output(0));
    let lowest = match cx.dtype(grad) {
        downpour_tensor::DataType::Double => f64::MIN,
        downpour_tensor::DataType::Half => -65504.0,
        downpour_tensor::DataType::BFloat16 => downpour_tensor::bf16::MIN.to_f64(),
        _ => f32::MIN as f64,
    };
    let lowest = cx.number(lowest, grad)?;
    let zero = cx.number(0.0, grad)?;
    let negated = cx.op("Neg", &[grad])?;
    let mut parts = Vec::new();
    for part in [grad, negated] {
        let positive = cx.op("Greater", &[part, zero])?;
        let log = cx.op("Log", &[part])?;
        let log = cx.op("SelectV2", &[positive, log, lowest])?;
        let scaled = cx.op("Sub", &[log, output])?;
        let sums = cx.op_with("CumulativeLogsumexp", &[scaled, axis], back.clone())?;
        let shifted = cx.op("AddV2", &[sums, x])?;
        parts.push(cx.op("Exp", &[shifted])?);
    }
    let out = cx.op("Sub", &parts)?;
    Ok(vec![Gradient::Dense(out), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(op: &str, axis: i32, exclusive: bool, reverse: bool) -> Vec<f32> {
        let x = Tensor::from_vec([2, 3], vec![1f32, 2., 3., 4., 5., 6.]).unwrap();
        let out = OpTest::new(register, op)
            .input(x)
            .input(Tensor::scalar(axis))
            .attr("exclusive", exclusive)
            .attr("reverse", reverse)
            .run_one()
            .unwrap();
        out.as_slice::<f32>().unwrap().to_vec()
    }

    #[test]
    fn running_sums_and_products() {
        assert_eq!(run("Cumsum", 1, false, false), &[1., 3., 6., 4., 9., 15.]);
        assert_eq!(run("Cumsum", -1, true, true), &[5., 3., 0., 11., 6., 0.]);
        assert_eq!(run("Cumsum", 0, false, true), &[5., 7., 9., 4., 5., 6.]);
        assert_eq!(run("Cumprod", 1, true, false), &[1., 1., 2., 1., 4., 20.]);
        assert_eq!(run("Cumprod", 0, false, false), &[1., 2., 3., 4., 10., 18.]);
        let logs = run("CumulativeLogsumexp", 1, false, false);
        assert!((logs[2] - 3.407606).abs() < 1e-5);
        assert_eq!(run("CumulativeLogsumexp", 1, true, false)[0], f32::NEG_INFINITY);
    }

    #[test]
    fn bad_axes() {
        let run = |x: Tensor, axis: Tensor| {
            OpTest::new(register, "Cumsum").input(x).input(axis).run_one()
        };
        assert!(run(Tensor::vector(&[1f32]).unwrap(), Tensor::scalar(1i32)).is_err());
        assert!(run(Tensor::vector(&[1f32]).unwrap(), Tensor::vector(&[0i32]).unwrap()).is_err());
        assert!(run(Tensor::scalar(1f32), Tensor::scalar(0i32)).is_err());
        let empty = Tensor::from_vec([0, 2], Vec::<f32>::new()).unwrap();
        assert_eq!(run(empty, Tensor::scalar(0i32)).unwrap().dims(), &[0, 2]);
    }
}
