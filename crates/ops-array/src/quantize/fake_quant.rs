//! FakeQuantWithMinMax: values rounded to a grid between given ends.

use downpour_graph::{Attrs, Endpoint, Gradient, GradientContext, OpSpec, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::nudge::{Grid, Integers};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let bits = "num_bits: int = 8\n narrow_range: bool = false";
    registry.add(
        OpSpec::new(&format!(
            "FakeQuantWithMinMaxArgs(inputs: float) -> (outputs: float)
                min: float = -6.0
                max: float = 6.0
                {bits}"
        ))?
        .shape(shapes::unchanged)
        .gradient(args_gradient),
        |build| {
            let (min, max) = (build.float("min")?, build.float("max")?);
            Ok(KernelBox::new(Args { grid: args_grid(min, max, Integers::of(build)?)? }))
        },
    )?;
    registry.add(
        OpSpec::new(&format!(
            "FakeQuantWithMinMaxVars(inputs: float, min: float, max: float) -> (outputs: float)
                {bits}"
        ))?
        .shape(vars_shape)
        .gradient(vars_gradient),
        |build| Ok(KernelBox::new(Vars { integers: Integers::of(build)? })),
    )?;
    registry.add(
        OpSpec::new(&format!(
            "FakeQuantWithMinMaxVarsPerChannel(inputs: float, min: float, max: float) -> (outputs: float)
                {bits}"
        ))?
        .shape(channels_shape)
        .gradient(vars_gradient),
        |build| Ok(KernelBox::new(PerChannel { integers: Integers::of(build)? })),
    )
}

/// The grid of constant ends, which must be in order.
pub(super) fn args_grid(min: f32, max: f32, integers: Integers) -> Result<Option<Grid>> {
    if min.is_nan() || max.is_nan() || min >= max {
        return Err(Status::invalid_argument(format!(
            "min has to be smaller than max, was: {min} >= {max}"
        )));
    }
    Ok(Grid::of(min, max, integers))
}

/// The scalar ends of inputs `first` and `first + 1`.
pub(super) fn scalar_ends(cx: &OpContext<'_>, first: usize) -> Result<(f32, f32)> {
    for (i, name) in [(first, "min"), (first + 1, "max")] {
        if cx.input(i).rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "`{name}` must be rank 0 but is rank {}",
                cx.input(i).rank()
            )));
        }
    }
    Ok((cx.input(first).to_scalar()?, cx.input(first + 1).to_scalar()?))
}

/// A grid per entry of the last axis, from inputs `first` and `first + 1`.
pub(super) fn channel_grids(
    cx: &OpContext<'_>,
    input: &Tensor,
    first: usize,
    integers: Integers,
) -> Result<Vec<Option<Grid>>> {
    let Some(&depth) = input.dims().last() else {
        return Err(Status::invalid_argument("inputs must have at least one dimension"));
    };
    for (i, name) in [(first, "min"), (first + 1, "max")] {
        let bound = cx.input(i);
        if bound.rank() != 1 {
            return Err(Status::invalid_argument(format!(
                "`{name}` must be rank 1 but is rank {}",
                bound.rank()
            )));
        }
        if bound.len() != depth {
            return Err(Status::invalid_argument(format!(
                "{name} has incorrect size, expected {depth} was {}",
                bound.len()
            )));
        }
    }
    let (min, max) = (cx.input(first).as_slice::<f32>()?, cx.input(first + 1).as_slice::<f32>()?);
    Ok(min.iter().zip(max).map(|(&min, &max)| Grid::of(min, max, integers)).collect())
}

fn by_product(value: f32, grid: &Grid) -> f32 {
    let shifted = value.min(grid.high).max(grid.low) - grid.low;
    (shifted * grid.inverse - grid.zero + 0.5).floor() * grid.scale
}

/// The form with scalar ends divides where the others multiply, and so rounds differently.
fn by_quotient(value: f32, grid: &Grid) -> f32 {
    let shifted = value.min(grid.high).max(grid.low) - grid.low;
    (shifted / grid.scale - grid.zero + 0.5).floor() * grid.scale
}

/// Applies `round` to every element with the grid of its channel.
fn quantize(
    cx: &OpContext<'_>,
    input: Tensor,
    grids: &[Option<Grid>],
    round: fn(f32, &Grid) -> f32,
) -> Result<Tensor> {
    let mut output = input.into_unique()?;
    let values = output
        .as_mut_slice::<f32>()
        .ok_or_else(|| Status::internal("a tensor made unique is shared"))?;
    if grids.is_empty() || values.is_empty() {
        return Ok(output);
    }
    let depth = grids.len();
    let unit = if depth == 1 { 1 } else { depth };
    cx.parallel().for_chunks(values, unit, 8192usize.div_ceil(unit), |_, run| {
        for row in run.chunks_exact_mut(depth) {
            for (value, grid) in row.iter_mut().zip(grids) {
                *value = grid.as_ref().map_or(0.0, |grid| round(*value, grid));
            }
        }
    });
    Ok(output)
}

struct Args {
    grid: Option<Grid>,
}

impl Kernel for Args {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.take(0);
        let output = quantize(cx, input, &[self.grid], by_product)?;
        cx.set_output(0, output);
        Ok(())
    }
}

struct Vars {
    integers: Integers,
}

impl Kernel for Vars {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (min, max) = scalar_ends(cx, 1)?;
        let input = cx.take(0);
        let output = quantize(cx, input, &[Grid::of(min, max, self.integers)], by_quotient)?;
        cx.set_output(0, output);
        Ok(())
    }
}

struct PerChannel {
    integers: Integers,
}

impl Kernel for PerChannel {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.take(0);
        let grids = channel_grids(cx, &input, 1, self.integers)?;
        let output = quantize(cx, input, &grids, by_product)?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn vars_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(1, 0)?;
    cx.with_rank(2, 0)?;
    shapes::unchanged(cx)
}

fn channels_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank_at_least(0, 1)?;
    let ends = cx.merge(&cx.with_rank(1, 1)?, &cx.with_rank(2, 1)?)?;
    if let Some(&last) = cx.input(0).dims().and_then(|d| d.last()) {
        cx.merge_dim(last, ends.dim(0))?;
    }
    shapes::unchanged(cx)
}

fn bits_attrs(cx: &GradientContext<'_, '_>) -> Result<Attrs> {
    Ok(Attrs::new()
        .with("num_bits", cx.node().int("num_bits")?)
        .with("narrow_range", cx.node().bool("narrow_range")?))
}

fn args_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let attrs =
        bits_attrs(cx)?.with("min", cx.node().float("min")?).with("max", cx.node().float("max")?);
    let back = cx.op_with("FakeQuantWithMinMaxArgsGradient", &[grad, cx.input(0)], attrs)?;
    Ok(vec![Gradient::Dense(back)])
}

fn vars_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let op = format!("{}Gradient", cx.node().op_name());
    let attrs = bits_attrs(cx)?;
    let inputs = [grad, cx.input(0), cx.input(1), cx.input(2)];
    let node = cx.node_with(&op, &inputs, attrs)?;
    Ok((0..3).map(|port| Gradient::Dense(Endpoint { node, port })).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn input() -> Tensor {
        Tensor::vector(&[-10.1f32, -10.0, -9.76, -9.75, 53.75, 53.8]).unwrap()
    }

    #[test]
    fn values_snap_to_the_grid() {
        let y = OpTest::new(register, "FakeQuantWithMinMaxArgs")
            .attr("min", -10.0f32)
            .attr("max", 53.75f32)
            .input(input())
            .run_one()
            .unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[-10.0, -10.0, -9.75, -9.75, 53.75, 53.75]);
        let y = OpTest::new(register, "FakeQuantWithMinMaxVars")
            .input(input())
            .input(Tensor::scalar(-10.0f32))
            .input(Tensor::scalar(53.75f32))
            .run_one()
            .unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[-10.0, -10.0, -9.75, -9.75, 53.75, 53.75]);
    }

    #[test]
    fn channels_have_their_own_ends() {
        let run = |min: &[f32], max: &[f32]| {
            OpTest::new(register, "FakeQuantWithMinMaxVarsPerChannel")
                .input(Tensor::from_vec([2, 2], vec![-0.1f32, 0.1, 63.8, 1.0]).unwrap())
                .input(Tensor::vector(min).unwrap())
                .input(Tensor::vector(max).unwrap())
                .run_one()
        };
        let y = run(&[0.0, 0.0], &[63.75, 0.0]).unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[0.0, 0.0, 63.75, 0.0]);
        assert!(run(&[0.0], &[1.0]).is_err());
    }

    #[test]
    fn bad_arguments_are_refused() {
        let args = |min: f32, max: f32, bits: i64| {
            OpTest::new(register, "FakeQuantWithMinMaxArgs")
                .attr("min", min)
                .attr("max", max)
                .attr("num_bits", bits)
                .input(input())
                .run()
        };
        assert!(args(1.0, 1.0, 8).is_err());
        assert!(args(0.0, 1.0, 1).is_err());
        assert!(args(0.0, 1.0, 17).is_err());
        assert!(args(f32::NAN, 1.0, 8).is_err());
    }
}
