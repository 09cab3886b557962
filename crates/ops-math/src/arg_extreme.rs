//! ArgMax and ArgMin: where the first extreme along an axis is.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{DataType, Element, Result, Shape, Status, Tensor, bf16, dispatch_over, f16};

const TYPES: &str = "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8, qint32, qint16, quint16, bool}";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let max = format!(
        "ArgMax(input: T, dimension: Tidx) -> (output: output_type)
            T: {TYPES}
            Tidx: {{int16, int32, int64}} = int32
            output_type: {{int16, uint16, int32, int64}} = int64"
    );
    registry.add(OpSpec::new(&max)?.shape(shape).not_differentiable(), factory::<true>)?;
    let min = format!(
        "ArgMin(input: T, dimension: Tidx) -> (output: output_type)
            T: {TYPES}
            Tidx: {{int32, int64}} = int32
            output_type: {{int32, int64}} = int64"
    );
    registry.add(OpSpec::new(&min)?.shape(shape).not_differentiable(), factory::<false>)
}

struct ArgExtreme {
    max: bool,
    output: DataType,
}

fn factory<const MAX: bool>(build: &KernelBuild<'_>) -> Result<KernelBox> {
    Ok(KernelBox::new(ArgExtreme { max: MAX, output: build.dtype("output_type")? }))
}

impl Kernel for ArgExtreme {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (input, dimension) = (cx.input(0), cx.input(1));
        if dimension.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "dim must be a scalar, but received tensor of shape: {}",
                dimension.shape()
            )));
        }
        let dimension = dimension.to_i64_scalar()?;
        let rank = input.rank();
        let Some(axis) = input.shape().axis(dimension) else {
            return Err(Status::invalid_argument(format!(
                "Expected dimension in the range [-{rank}, {rank}), but got {dimension}"
            )));
        };
        if input.dims()[axis] == 0 {
            return Err(Status::invalid_argument(format!(
                "Reduction axis {dimension} is empty in shape {}",
                input.shape()
            )));
        }
        #[allow(clippy::bool_comparison, reason = "one comparison for every type, bool among them")]
        let places = dispatch_over!(input.dtype(), cx.node().op_name(), T => {
            let values = input.as_slice::<T>()?;
            Ok(if self.max {
                places(cx, input, values, axis, |a: T, b: T| a > b)
            } else {
                places(cx, input, values, axis, |a: T, b: T| a < b)
            })
        }, Float: f32, Double: f64, Half: f16, BFloat16: bf16, Int8: i8, Int16: i16, Int32: i32,
           Int64: i64, UInt8: u8, UInt16: u16, UInt32: u32, UInt64: u64, Bool: bool)?;
        let shape: Shape = (0..rank).filter(|&i| i != axis).map(|i| input.dims()[i]).collect();
        let output = dispatch_over!(self.output, cx.node().op_name(), I => {
            Tensor::build(shape, |out: &mut [I]| {
                out.iter_mut().zip(&places).for_each(|(o, &p)| *o = p as I);
            })
        }, Int16: i16, UInt16: u16, Int32: i32, Int64: i64)?;
        cx.set_output(0, output);
        Ok(())
    }
}

/// Position of the best element of each line; comparisons with not-a-number never win.
fn places<T: Element>(
    cx: &OpContext<'_>,
    input: &Tensor,
    values: &[T],
    axis: usize,
    better: impl Fn(T, T) -> bool + Sync,
) -> Vec<usize> {
    let length = input.dims()[axis];
    let inner: usize = input.dims()[axis + 1..].iter().product();
    let outer: usize = input.dims()[..axis].iter().product();
    let mut places = vec![0usize; outer * inner];
    if inner == 1 {
        cx.parallel().for_chunks(&mut places, 1, (1 << 14) / length + 1, |first, run| {
            for (i, place) in run.iter_mut().enumerate() {
                let line = &values[(first + i) * length..][..length];
                *place = best_of(line, &better);
            }
        });
        return places;
    }
    let grain = (1 << 14) / (length * inner.max(1)).max(1) + 1;
    cx.parallel().for_chunks(&mut places, inner, grain, |first, run| {
        for (i, places) in run.chunks_exact_mut(inner.max(1)).enumerate() {
            let block = &values[(first + i) * length * inner..][..length * inner];
            let mut best = block[..inner].to_vec();
            for (row, values) in block.chunks_exact(inner).enumerate().skip(1) {
                for ((best, place), &value) in best.iter_mut().zip(places.iter_mut()).zip(values) {
                    if wins(value, *best, &better) {
                        *best = value;
                        *place = row;
                    }
                }
            }
        }
    });
    places
}

fn best_of<T: Element>(line: &[T], better: impl Fn(T, T) -> bool) -> usize {
    let mut place = 0;
    for (i, &value) in line.iter().enumerate().skip(1) {
        if wins(value, line[place], &better) {
            place = i;
        }
    }
    place
}

/// A number also wins over not-a-number, which is the only value unequal to itself.
#[inline(always)]
#[allow(clippy::eq_op, reason = "the test for not-a-number that works for every element type")]
fn wins<T: Element>(value: T, best: T, better: impl Fn(T, T) -> bool) -> bool {
    better(value, best) || (best != best && value == value)
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(1, 0)?;
    let Some(dims) = cx.input(0).dims() else { return Ok(()) };
    let rank = dims.len() as i64;
    let output = match cx.constant_ints(1).as_deref() {
        _ if rank <= 1 => PartialShape::scalar(),
        Some(&[dimension]) => {
            let axis = if dimension < 0 { dimension + rank } else { dimension };
            if axis < 0 || axis >= rank {
                return Err(Status::invalid_argument(format!(
                    "Dimension ({dimension}) must be in the range [-{rank}, {rank}), where {rank} \
                     is the number of dimensions in the input."
                )));
            }
            let kept = dims.iter().enumerate().filter(|(i, _)| *i as i64 != axis);
            PartialShape::of(kept.map(|(_, &d)| d))
        }
        _ => PartialShape::of_rank(dims.len() - 1),
    };
    cx.set_output(0, output);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(op: &str, x: Tensor, axis: i32) -> Result<Tensor> {
        OpTest::new(register, op).input(x).input(Tensor::scalar(axis)).run_one()
    }

    #[test]
    fn first_extremes() {
        let x = Tensor::from_vec([2, 3], vec![1f32, 5., 5., 9., 0., 2.]).unwrap();
        let places =
            |op: &str, axis| run(op, x.clone(), axis).unwrap().as_slice::<i64>().unwrap().to_vec();
        assert_eq!(places("ArgMax", 1), &[1, 0]);
        assert_eq!(places("ArgMax", 0), &[1, 0, 0]);
        assert_eq!(places("ArgMin", -1), &[0, 1]);
        let truths = Tensor::vector(&[false, true]).unwrap();
        assert_eq!(run("ArgMax", truths, 0).unwrap().to_scalar::<i64>().unwrap(), 1);
    }

    #[test]
    fn bad_axes_and_empty_ones() {
        let empty = Tensor::from_vec([0], Vec::<f32>::new()).unwrap();
        let message = run("ArgMax", empty, 0).unwrap_err().to_string();
        assert!(message.contains("Reduction axis 0 is empty in shape [0]"));
        assert!(run("ArgMin", Tensor::scalar(1f32), 0).is_err());
        let hollow = Tensor::from_vec([2, 0], Vec::<f32>::new()).unwrap();
        assert_eq!(run("ArgMax", hollow, 0).unwrap().dims(), &[0]);
    }
}
