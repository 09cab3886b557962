//! Gradients of FakeQuantWithMinMax: they pass inside the range and go to its ends outside.

use downpour_graph::{OpSpec, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::fake_quant::{args_grid, channel_grids, scalar_ends};
use super::nudge::{Grid, Integers};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let bits = "num_bits: int = 8\n narrow_range: bool = false";
    registry.add(
        OpSpec::new(&format!(
            "FakeQuantWithMinMaxArgsGradient(gradients: float, inputs: float) -> (backprops: float)
                min: float = -6.0
                max: float = 6.0
                {bits}"
        ))?
        .shape(shapes::all_equal)
        .not_differentiable(),
        |build| {
            let (min, max) = (build.float("min")?, build.float("max")?);
            Ok(KernelBox::new(Args { grid: args_grid(min, max, Integers::of(build)?)? }))
        },
    )?;
    let arguments = "(gradients: float, inputs: float, min: float, max: float) -> \
         (backprops_wrt_input: float, backprop_wrt_min: float, backprop_wrt_max: float)";
    registry.add(
        OpSpec::new(&format!("FakeQuantWithMinMaxVarsGradient{arguments}\n {bits}"))?
            .shape(infer)
            .not_differentiable()
            .tolerance(1e-5),
        |build| Ok(KernelBox::new(Vars { integers: Integers::of(build)?, per_channel: false })),
    )?;
    registry.add(
        OpSpec::new(&format!("FakeQuantWithMinMaxVarsPerChannelGradient{arguments}\n {bits}"))?
            .shape(infer)
            .not_differentiable()
            .tolerance(1e-5),
        |build| Ok(KernelBox::new(Vars { integers: Integers::of(build)?, per_channel: true })),
    )
}

fn check_sizes(cx: &OpContext<'_>) -> Result<()> {
    if cx.input(0).shape() != cx.input(1).shape() {
        return Err(Status::invalid_argument("gradient and input must be the same size"));
    }
    Ok(())
}

struct Args {
    grid: Option<Grid>,
}

impl Kernel for Args {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        check_sizes(cx)?;
        let (output, _, _) = backprop(cx.input(0), cx.input(1), &[self.grid])?;
        cx.set_output(0, output);
        Ok(())
    }
}

struct Vars {
    integers: Integers,
    per_channel: bool,
}

impl Kernel for Vars {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        check_sizes(cx)?;
        let grids = if self.per_channel {
            channel_grids(cx, cx.input(1), 2, self.integers)?
        } else {
            let (min, max) = scalar_ends(cx, 2)?;
            vec![Grid::of(min, max, self.integers)]
        };
        let (output, low, high) = backprop(cx.input(0), cx.input(1), &grids)?;
        let ends = cx.input(2).shape().clone();
        cx.set_output(0, output);
        cx.set_output(1, Tensor::from_vec(&ends, low)?);
        cx.set_output(2, Tensor::from_vec(&ends, high)?);
        Ok(())
    }
}

/// The gradient inside the range, and per channel the sums of what lies below and above it.
fn backprop(
    grads: &Tensor,
    inputs: &Tensor,
    grids: &[Option<Grid>],
) -> Result<(Tensor, Vec<f32>, Vec<f32>)> {
    let depth = grids.len();
    // Long sums of single precision drift; double precision is as near as TensorFlow's tree sums.
    let (mut below, mut above) = (vec![0f64; depth], vec![0f64; depth]);
    let (grad, values) = (grads.as_slice::<f32>()?, inputs.as_slice::<f32>()?);
    let output = Tensor::build(inputs.shape(), |out: &mut [f32]| {
        for (i, o) in out.iter_mut().enumerate() {
            let channel = i % depth;
            let Some(grid) = &grids[channel] else {
                *o = grad[i];
                continue;
            };
            *o = if grid.contains(values[i]) { grad[i] } else { grad[i] * 0.0 };
            if values[i] < grid.low {
                below[channel] += grad[i] as f64;
            } else if values[i] > grid.high {
                above[channel] += grad[i] as f64;
            }
        }
    })?;
    let single = |sums: Vec<f64>| sums.into_iter().map(|v| v as f32).collect();
    Ok((output, single(below), single(above)))
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let inputs = cx.merge(cx.input(0), cx.input(1))?;
    let ends = cx.merge(cx.input(2), cx.input(3))?;
    cx.set_output(0, inputs);
    cx.set_output(1, ends.clone());
    cx.set_output(2, ends);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn outside_gradients_go_to_the_ends() {
        let run = |op: &str, ends: [Tensor; 2]| {
            let [min, max] = ends;
            OpTest::new(register, op)
                .input(Tensor::vector(&[1.0f32, 2.0, 4.0]).unwrap())
                .input(Tensor::vector(&[-1.0f32, 10.0, 100.0]).unwrap())
                .input(min)
                .input(max)
                .run()
        };
        let y = run(
            "FakeQuantWithMinMaxVarsGradient",
            [Tensor::scalar(0f32), Tensor::scalar(63.75f32)],
        )
        .unwrap();
        assert_eq!(y[0].as_slice::<f32>().unwrap(), &[0.0, 2.0, 0.0]);
        assert_eq!(y[1].to_scalar::<f32>().unwrap(), 1.0);
        assert_eq!(y[2].to_scalar::<f32>().unwrap(), 4.0);
        let ends = |v: f32| Tensor::vector(&[v; 3]).unwrap();
        let y = run("FakeQuantWithMinMaxVarsPerChannelGradient", [ends(0.0), ends(63.75)]).unwrap();
        assert_eq!(y[2].as_slice::<f32>().unwrap(), &[0.0, 0.0, 4.0]);
        let short = Tensor::vector(&[0f32]).unwrap();
        assert!(run("FakeQuantWithMinMaxVarsPerChannelGradient", [short.clone(), short]).is_err());
    }

    #[test]
    fn constant_ends() {
        let y = OpTest::new(register, "FakeQuantWithMinMaxArgsGradient")
            .input(Tensor::vector(&[1.0f32, 2.0]).unwrap())
            .input(Tensor::vector(&[0.0f32, 7.0]).unwrap())
            .run_one()
            .unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[1.0, 0.0]);
    }
}
