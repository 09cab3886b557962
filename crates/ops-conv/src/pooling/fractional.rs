//! FractionalMaxPool, FractionalAvgPool and their gradients.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{RealNumber, Result, Shape, Status, Tensor, dispatch_over};

use super::fractional_sequence::{Philox, sequence};
use crate::gradients::picked;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, rule) in [
        ("FractionalMaxPool", max_rule as downpour_graph::GradientFn),
        ("FractionalAvgPool", average_rule),
    ] {
        let spec = OpSpec::new(&format!(
            "{name}(value: T) -> (output: T, row_pooling_sequence: int64, col_pooling_sequence: int64)
                pooling_ratio: list(float) >= 4
                pseudo_random: bool = false
                overlapping: bool = false
                deterministic: bool = false
                seed: int = 0
                seed2: int = 0
                T: {{float, double, int32, int64}}"
        ))?;
        registry.add(spec.shape(shape).gradient(rule), |build| {
            Ok(KernelBox::new(Fractional::of(build)?))
        })?;
    }
    registry.add(
        OpSpec::new(
            "FractionalMaxPoolGrad(orig_input: T, orig_output: T, out_backprop: T, row_pooling_sequence: int64, col_pooling_sequence: int64) -> (output: T)
                overlapping: bool = false
                T: {float, double, int32, int64}",
        )?
        .shape(shapes::unchanged),
        |build| Ok(KernelBox::new(MaxGradient { overlapping: build.bool("overlapping")? })),
    )?;
    registry.add(
        OpSpec::new(
            "FractionalAvgPoolGrad(orig_input_tensor_shape: int64, out_backprop: T, row_pooling_sequence: int64, col_pooling_sequence: int64) -> (output: T)
                overlapping: bool = false
                T: {float, double, int32, int64}",
        )?
        .shape(|cx| {
            let shape = cx.shape_from_input(0)?;
            let known = PartialShape::of_rank(4);
            cx.set_output(0, shape.merge(&known).unwrap_or(known));
            Ok(())
        }),
        |build| Ok(KernelBox::new(AverageGradient { overlapping: build.bool("overlapping")? })),
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let input = cx.with_rank(0, 4)?;
    let ratios = ratios(cx.node())?;
    let dims = (0..4).map(|i| input.dim(i).map(|d| (d as f32 / ratios[i]).floor() as usize));
    cx.set_output(0, PartialShape::of(dims));
    // One border more than cells.
    cx.set_output(1, PartialShape::vector(None));
    cx.set_output(2, PartialShape::vector(None));
    Ok(())
}

fn ratios(attrs: &downpour_graph::Attrs) -> Result<Vec<f32>> {
    let ratios = attrs.floats("pooling_ratio")?;
    if ratios.len() != 4 {
        return Err(Status::invalid_argument("pooling_ratio field must specify 4 dimensions"));
    }
    match ratios.iter().find(|r| **r < 1.0 || r.is_nan()) {
        Some(small) => Err(Status::invalid_argument(format!(
            "pooling_ratio cannot be smaller than 1, got: {small}"
        ))),
        None => Ok(ratios),
    }
}

struct Fractional {
    operation: String,
    average: bool,
    ratios: Vec<f32>,
    pseudo_random: bool,
    overlapping: bool,
    /// Fixed at construction for deterministic nodes; zeros draw fresh seeds each time.
    seeds: (i64, i64),
}

impl Fractional {
    fn of(build: &KernelBuild<'_>) -> Result<Fractional> {
        let operation = build.op_name().to_string();
        let ratios = ratios(build)?;
        if ratios[0] != 1.0 || ratios[3] != 1.0 {
            return Err(build.unsupported(
                "fractional pooling is not yet supported on the batch nor channel dimension",
            ));
        }
        let mut seeds = (build.int("seed")?, build.int("seed2")?);
        if build.bool("deterministic")? {
            if seeds == (0, 0) {
                use std::hash::{BuildHasher, RandomState};
                seeds = (RandomState::new().hash_one(0) as i64 | 1, 1);
            }
        } else if seeds != (0, 0) {
            return Err(Status::invalid_argument(format!(
                "{operation}: Both seed and seed2 should be 0 if deterministic is false."
            )));
        }
        Ok(Fractional {
            average: operation == "FractionalAvgPool",
            operation,
            ratios,
            pseudo_random: build.bool("pseudo_random")?,
            overlapping: build.bool("overlapping")?,
            seeds,
        })
    }
}

impl Kernel for Fractional {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.input(0);
        let &[batch, rows, columns, channels] = input.dims() else {
            return Err(cx.bad_input(0, "must be 4-dimensional"));
        };
        for (i, (&size, &ratio)) in input.dims().iter().zip(&self.ratios).enumerate() {
            if (size as f32) < ratio {
                return Err(Status::invalid_argument(format!(
                    "{}: Pooling ratio is higher than input dimension size for dimension {i}. \
                     Input dim size: {size} pooling ratio: {ratio}",
                    self.operation
                )));
            }
        }
        let output = |size: usize, ratio: f32| (size as f32 / ratio).floor() as usize;
        let out_rows = output(rows, self.ratios[1]);
        let out_columns = output(columns, self.ratios[2]);
        let mut random = Philox::new(self.seeds.0, self.seeds.1);
        let row_borders = sequence(rows, out_rows, &mut random, self.pseudo_random);
        let column_borders = sequence(columns, out_columns, &mut random, self.pseudo_random);
        let cells = Cells {
            size: [rows, columns],
            borders: [&row_borders, &column_borders],
            overlapping: self.overlapping,
            channels,
        };
        let shape = Shape::new(&[batch, out_rows, out_columns, channels]);
        let pooled = dispatch_over!(input.dtype(), &self.operation, T => {
            pool::<T>(&cells, input, shape, self.average)
        }, Float: f32, Double: f64, Int32: i32, Int64: i64)?;
        cx.set_output(0, pooled);
        cx.set_output(1, Tensor::vector(&row_borders)?);
        cx.set_output(2, Tensor::vector(&column_borders)?);
        Ok(())
    }
}

/// The cells that two border sequences cut an image into.
struct Cells<'a> {
    size: [usize; 2],
    borders: [&'a [i64]; 2],
    overlapping: bool,
    channels: usize,
}

impl Cells<'_> {
    fn count(&self, axis: usize) -> usize {
        self.borders[axis].len().saturating_sub(1)
    }

    fn image(&self) -> usize {
        self.size[0] * self.size[1] * self.channels
    }

    /// The positions of cell `i`; empty when its borders are out of order or outside.
    fn range(&self, axis: usize, i: usize) -> std::ops::Range<usize> {
        let start = self.borders[axis][i].max(0) as usize;
        let end = self.borders[axis][i + 1].max(0) as usize;
        start..end.saturating_add(self.overlapping as usize).min(self.size[axis])
    }

    /// Calls `f` with the offset in the image of each position of cell `(r, c)`.
    fn for_cell(&self, r: usize, c: usize, mut f: impl FnMut(usize)) {
        for h in self.range(0, r) {
            for w in self.range(1, c) {
                f((h * self.size[1] + w) * self.channels);
            }
        }
    }

    /// Refuses negative borders, as patched TensorFlow does.
    fn check(&self, operation: &str) -> Result<()> {
        for (axis, name) in [(0, "Row"), (1, "Column")] {
            if self.borders[axis].iter().any(|&b| b < 0) {
                return Err(Status::invalid_argument(format!(
                    "{operation}: {name} sequence tensor values must not be negative, got {:?}",
                    self.borders[axis]
                )));
            }
        }
        Ok(())
    }
}

fn pool<T: RealNumber>(
    cells: &Cells<'_>,
    input: &Tensor,
    shape: Shape,
    average: bool,
) -> Result<Tensor> {
    let x = input.as_slice::<T>()?;
    let (rows, columns, channels) = (cells.count(0), cells.count(1), cells.channels);
    Tensor::build(shape, |out: &mut [T]| {
        for (i, to) in out.chunks_exact_mut(channels.max(1)).enumerate() {
            let (n, r, c) = (i / (rows * columns), i / columns % rows, i % columns);
            let x = &x[n * cells.image()..];
            let mut count = 0;
            to.fill(if average { T::default() } else { T::min_value() });
            cells.for_cell(r, c, |at| {
                count += 1;
                for (t, &v) in to.iter_mut().zip(&x[at..at + channels]) {
                    *t = match average {
                        true => t.add_w(v),
                        false if v > *t => v,
                        false => *t,
                    };
                }
            });
            if average && count > 0 {
                // Integer means truncate.
                let count = T::from_f64_lossy(count as f64);
                to.iter_mut().for_each(|t| *t = *t / count);
            }
        }
    })
}

struct MaxGradient {
    overlapping: bool,
}

impl Kernel for MaxGradient {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let operation = "FractionalMaxPoolGrad";
        let (input, output, grad) = (cx.input(0), cx.input(1), cx.input(2));
        for i in 0..3 {
            if cx.input(i).rank() != 4 || cx.input(i).is_empty() {
                return Err(cx.bad_input(i, "must be a non-empty tensor of rank 4"));
            }
        }
        let rows = cx.vector_input(3)?.as_slice::<i64>()?;
        let columns = cx.vector_input(4)?.as_slice::<i64>()?;
        let (x, y) = (input.dims(), output.dims());
        let cells = Cells {
            size: [x[1], x[2]],
            borders: [rows, columns],
            overlapping: self.overlapping,
            channels: x[3],
        };
        cells.check(operation)?;
        if y != [x[0], cells.count(0), cells.count(1), x[3]] || grad.shape() != output.shape() {
            return Err(Status::invalid_argument(format!(
                "{operation}: orig_output {} and out_backprop {} do not fit orig_input {} and pooling \
                 sequences of {} and {} borders",
                output.shape(),
                grad.shape(),
                input.shape(),
                rows.len(),
                columns.len()
            )));
        }
        let result = dispatch_over!(input.dtype(), operation, T => {
            max_gradient::<T>(&cells, input, output, grad)
        }, Float: f32, Double: f64, Int32: i32, Int64: i64)?;
        cx.set_output(0, result);
        Ok(())
    }
}

fn max_gradient<T: RealNumber>(
    cells: &Cells<'_>,
    input: &Tensor,
    output: &Tensor,
    grad: &Tensor,
) -> Result<Tensor> {
    let (x, y, dy) = (input.as_slice::<T>()?, output.as_slice::<T>()?, grad.as_slice::<T>()?);
    let (rows, columns, channels) = (cells.count(0), cells.count(1), cells.channels);
    let mut result = Tensor::zeros(T::DTYPE, input.shape())?;
    let dx = result.as_mut_slice::<T>().expect("a new tensor has one owner");
    for i in 0..y.len() / channels {
        let (n, r, c) = (i / (rows * columns), i / columns % rows, i % columns);
        let base = n * cells.image();
        for channel in 0..channels {
            let mut best: Option<(T, usize)> = None;
            cells.for_cell(r, c, |at| {
                let value = x[base + at + channel];
                if best.is_none_or(|(b, _)| b < value) {
                    best = Some((value, base + at + channel));
                }
            });
            let at = i * channels + channel;
            match best {
                Some((value, from)) if value == y[at] => dx[from] = dx[from].add_w(dy[at]),
                Some(_) => {
                    return Err(Status::invalid_argument(
                        "FractionalMaxPoolGrad: orig_output is not the pooling of orig_input \
                         (tensor_out_dup is not the same as tensor_out)",
                    ));
                }
                None => {
                    return Err(Status::invalid_argument(
                        "FractionalMaxPoolGrad: the pooling sequences leave a cell empty",
                    ));
                }
            }
        }
    }
    Ok(result)
}

struct AverageGradient {
    overlapping: bool,
}

impl Kernel for AverageGradient {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let operation = "FractionalAvgPoolGrad";
        let sizes = cx.vector_input(0)?.to_i64_vec()?;
        let grad = cx.input(1);
        if sizes.len() != 4 || sizes.iter().any(|&s| s <= 0) {
            return Err(cx.bad_input(0, "must have 4 positive elements"));
        }
        let shape = Shape::from_i64(&sizes)?;
        if grad.rank() != 4 || grad.is_empty() {
            return Err(cx.bad_input(1, "must be a non-empty tensor of rank 4"));
        }
        let rows = cx.vector_input(2)?.as_slice::<i64>()?;
        let columns = cx.vector_input(3)?.as_slice::<i64>()?;
        let dims = grad.dims();
        for (name, borders, cells) in [("row", rows, dims[1]), ("col", columns, dims[2])] {
            if borders.len() <= cells {
                return Err(Status::invalid_argument(format!(
                    "{operation}: Given out_backprop shape {}, {name}_seq_tensor must have at least {} \
                     elements, but got {}",
                    grad.shape(),
                    cells + 1,
                    borders.len()
                )));
            }
        }
        let cells = Cells {
            size: [shape[1], shape[2]],
            borders: [&rows[..dims[1] + 1], &columns[..dims[2] + 1]],
            overlapping: self.overlapping,
            channels: shape[3],
        };
        cells.check(operation)?;
        if dims[0] != shape[0] || dims[3] != shape[3] {
            return Err(Status::invalid_argument(format!(
                "{operation}: out_backprop {} and the input's shape {shape} must agree in batch and depth",
                grad.shape()
            )));
        }
        let result = dispatch_over!(grad.dtype(), operation, T => {
            average_gradient::<T>(&cells, &shape, grad)
        }, Float: f32, Double: f64, Int32: i32, Int64: i64)?;
        cx.set_output(0, result);
        Ok(())
    }
}

fn average_gradient<T: RealNumber>(
    cells: &Cells<'_>,
    shape: &Shape,
    grad: &Tensor,
) -> Result<Tensor> {
    let dy = grad.as_slice::<T>()?;
    let (rows, columns, channels) = (cells.count(0), cells.count(1), cells.channels);
    // Shares are summed in double whatever the type, so that integer shares are not lost.
    let mut sums = Tensor::zeros(downpour_tensor::DataType::Double, shape)?;
    let dx = sums.as_mut_slice::<f64>().expect("a new tensor has one owner");
    for (i, dy) in dy.chunks_exact(channels).enumerate() {
        let (n, r, c) = (i / (rows * columns), i / columns % rows, i % columns);
        let base = n * cells.image();
        let count = (cells.range(0, r).len() * cells.range(1, c).len()) as f64;
        cells.for_cell(r, c, |at| {
            for (d, g) in dx[base + at..base + at + channels].iter_mut().zip(dy) {
                *d += g.to_f64_lossy() / count;
            }
        });
    }
    let sums = sums.as_slice::<f64>()?;
    Tensor::build(shape, |out: &mut [T]| {
        out.iter_mut().zip(sums).for_each(|(o, &v)| *o = T::from_f64_lossy(v));
    })
}

fn max_rule(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let attrs = picked(cx.node(), &["overlapping"]);
    let inputs = [cx.input(0), cx.output(0), cx.grad(0)?, cx.output(1), cx.output(2)];
    Ok(vec![Gradient::Dense(cx.op_with("FractionalMaxPoolGrad", &inputs, attrs)?)])
}

fn average_rule(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let attrs = picked(cx.node(), &["overlapping"]);
    let x = cx.input(0);
    let wide = downpour_graph::Attrs::new().with("out_type", downpour_tensor::DataType::Int64);
    let shape = cx.op_with("Shape", &[x], wide)?;
    let inputs = [shape, cx.grad(0)?, cx.output(1), cx.output(2)];
    Ok(vec![Gradient::Dense(cx.op_with("FractionalAvgPoolGrad", &inputs, attrs)?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn exact_ratios_pool_regularly() {
        let x = Tensor::from_vec([1, 4, 4, 1], (1..=16).map(|v| v as f32).collect()).unwrap();
        let op = |name| {
            OpTest::new(register, name)
                .input(x.clone())
                .attr("pooling_ratio", vec![1f32, 2.0, 2.0, 1.0])
        };
        let out = op("FractionalMaxPool").run().unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), &[6.0, 8.0, 14.0, 16.0]);
        assert_eq!(out[1].as_slice::<i64>().unwrap(), &[0, 2, 4]);
        let mean = op("FractionalAvgPool").run().unwrap();
        assert_eq!(mean[0].as_slice::<f32>().unwrap(), &[3.5, 5.5, 11.5, 13.5]);
        let dx = OpTest::new(register, "FractionalMaxPoolGrad")
            .input(x.clone())
            .input(out[0].clone())
            .input(out[0].clone())
            .input(out[1].clone())
            .input(out[2].clone())
            .run_one()
            .unwrap();
        assert_eq!(dx.as_slice::<f32>().unwrap()[5], 6.0);
        assert_eq!(dx.as_slice::<f32>().unwrap().iter().sum::<f32>(), 44.0);
    }

    #[test]
    fn bad_sequences_are_refused() {
        let run = |rows: &[i64], columns: &[i64]| {
            OpTest::new(register, "FractionalAvgPoolGrad")
                .input(Tensor::vector(&[1i64, 2, 2, 1]).unwrap())
                .input(Tensor::from_vec([1, 1, 1, 1], vec![4f32]).unwrap())
                .input(Tensor::vector(rows).unwrap())
                .input(Tensor::vector(columns).unwrap())
                .run()
        };
        let dx = run(&[0, 2], &[0, 2]).unwrap();
        assert_eq!(dx[0].as_slice::<f32>().unwrap(), &[1.0; 4]);
        assert!(run(&[-10, 1], &[0, 2]).is_err());
        assert!(run(&[0], &[0, 2]).is_err());
        assert!(run(&[0, i64::MAX], &[0, i64::MAX]).is_ok());
    }
}
