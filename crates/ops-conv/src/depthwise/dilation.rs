//! Dilation2D (morphological dilation) and its gradients.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{RealNumber, Result, Shape, Status, Tensor, dispatch_real};

use super::core::Planes;
use crate::gradients::picked;
use crate::window::{ChannelOrder, WindowAttributes};

const ATTRIBUTES: &str =
    "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}
    strides: list(int) >= 4
    rates: list(int) >= 4
    padding: {'SAME', 'VALID'}";

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let spec = |head: &str| OpSpec::new(&format!("{head}\n{ATTRIBUTES}"));
    registry.add(
        spec("Dilation2D(input: T, filter: T) -> (output: T)")?.shape(shape).gradient(gradient),
        make,
    )?;
    registry.add(
        spec("Dilation2DBackpropInput(input: T, filter: T, out_backprop: T) -> (in_backprop: T)")?
            .shape(shapes::unchanged),
        make,
    )?;
    let head =
        "Dilation2DBackpropFilter(input: T, filter: T, out_backprop: T) -> (filter_backprop: T)";
    registry.add(
        spec(head)?.shape(|cx| {
            cx.set_output(0, cx.input(1).clone());
            Ok(())
        }),
        make,
    )
}

fn window(attrs: &downpour_graph::Attrs) -> Result<WindowAttributes> {
    let mut renamed = picked(attrs, &["strides", "padding"]);
    if let Some(rates) = attrs.get("rates") {
        renamed.set("dilations", rates.clone());
    }
    WindowAttributes::of(&renamed, 2)
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (input, filter) = (cx.with_rank(0, 4)?, cx.with_rank(1, 3)?);
    let window = window(cx.node())?;
    let depth = cx.merge_dim(input.dim(3), filter.dim(2))?;
    let sizes =
        window.output_dims(&[input.dim(1), input.dim(2)], &[filter.dim(0), filter.dim(1)])?;
    cx.set_output(0, PartialShape::of(ChannelOrder::Last.arrange(input.dim(0), &sizes, depth)));
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum Pass {
    Forward,
    Input,
    Filter,
}

struct Dilation {
    operation: String,
    window: WindowAttributes,
    pass: Pass,
}

fn make(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let pass = match build.op_name() {
        "Dilation2D" => Pass::Forward,
        "Dilation2DBackpropInput" => Pass::Input,
        _ => Pass::Filter,
    };
    let operation = build.op_name().to_string();
    Ok(KernelBox::new(Dilation { operation, window: window(build)?, pass }))
}

impl Kernel for Dilation {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (input, filter) = (cx.input(0), cx.input(1));
        let operation = &self.operation;
        let (&[batch, height, width, depth], &[rows, columns, filter_depth]) =
            (input.dims(), filter.dims())
        else {
            return Err(Status::invalid_argument(format!(
                "{operation}: input must be 4-dimensional and filter must be 3-dimensional, got {} and {}",
                input.shape(),
                filter.shape()
            )));
        };
        if depth != filter_depth {
            return Err(Status::invalid_argument(format!(
                "{operation}: input and filter must have the same depth: {depth} vs {filter_depth}"
            )));
        }
        let [_, rows, columns] = self.window.axes(&[height, width], &[rows, columns])?;
        let planes = Planes { channels: depth, rows, columns };
        let shape = Shape::new(&[batch, rows.output, columns.output, depth]);
        downpour_tensor::checked_elements(&shape)?;
        if self.pass != Pass::Forward && cx.input(2).shape() != &shape {
            return Err(Status::invalid_argument(format!(
                "{operation}: out_backprop has incompatible size. Expected {shape}, got {}",
                cx.input(2).shape()
            )));
        }
        let mut done = Ok(());
        let check = || cx.check_cancelled();
        let output = dispatch_real!(input.dtype(), operation, T => {
            let (x, f) = (input.as_slice::<T>()?, filter.as_slice::<T>()?);
            match self.pass {
                Pass::Forward => Tensor::build(shape, |out: &mut [T]| {
                    done = for_largest(&planes, batch, x, f, check, |at, best| out[at] = best.value);
                }),
                Pass::Input => {
                    let dy = cx.input(2).as_slice::<T>()?;
                    Tensor::build(input.shape(), |out: &mut [T]| {
                        out.fill(T::default());
                        done = for_largest(&planes, batch, x, f, check, |at, best| {
                            if let Some((from, _)) = best.places {
                                out[from] = out[from].add_w(dy[at]);
                            }
                        });
                    })
                }
                Pass::Filter => {
                    let dy = cx.input(2).as_slice::<T>()?;
                    Tensor::build(filter.shape(), |out: &mut [T]| {
                        out.fill(T::default());
                        done = for_largest(&planes, batch, x, f, check, |at, best| {
                            if let Some((_, tap)) = best.places {
                                out[tap] = out[tap].add_w(dy[at]);
                            }
                        });
                    })
                }
            }
        })?;
        done?;
        cx.set_output(0, output);
        Ok(())
    }
}

/// The largest sum under a window and where its terms lie in input and filter.
struct Largest<T> {
    value: T,
    places: Option<(usize, usize)>,
}

/// Calls `f(output position, largest)` for every output, in order, and `check` before each row of them.
fn for_largest<T: RealNumber>(
    planes: &Planes,
    batch: usize,
    x: &[T],
    filter: &[T],
    check: impl Fn() -> Result<()>,
    mut f: impl FnMut(usize, Largest<T>),
) -> Result<()> {
    // A batch of images without pixels can be very large.
    let batch = if planes.output_image() == 0 { 0 } else { batch };
    let mut at = 0;
    for n in 0..batch {
        for h in 0..planes.rows.output {
            check()?;
            for w in 0..planes.columns.output {
                for c in 0..planes.channels {
                    let mut best = Largest { value: T::min_value(), places: None };
                    planes.for_taps(h, w, |tap, offset| {
                        let from = n * planes.input_image() + offset + c;
                        let value = x[from].add_w(filter[tap + c]);
                        // Where everything is the lowest value the first place counts.
                        if value > best.value || best.places.is_none() {
                            let value = if value > best.value { value } else { best.value };
                            best = Largest { value, places: Some((from, tap + c)) };
                        }
                    });
                    f(at, best);
                    at += 1;
                }
            }
        }
    }
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let attrs = picked(cx.node(), &["strides", "rates", "padding"]);
    let inputs = [cx.input(0), cx.input(1), cx.grad(0)?];
    let dx = cx.op_with("Dilation2DBackpropInput", &inputs, attrs.clone())?;
    let dw = cx.op_with("Dilation2DBackpropFilter", &inputs, attrs)?;
    Ok(vec![Gradient::Dense(dx), Gradient::Dense(dw)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn op(name: &str, padding: &'static str) -> OpTest {
        OpTest::new(register, name)
            .attr("strides", vec![1i64, 1, 1, 1])
            .attr("rates", vec![1i64, 1, 1, 1])
            .attr("padding", padding)
            .input(Tensor::from_vec([1, 2, 2, 1], vec![0.1f32, 0.2, 0.3, 0.4]).unwrap())
            .input(Tensor::from_vec([2, 2, 1], vec![0.4f32, 0.3, 0.1, 0.0]).unwrap())
    }

    #[test]
    fn values_and_gradients() {
        let close = |t: Tensor, expected: &[f32]| {
            let got = t.as_slice::<f32>().unwrap().to_vec();
            assert!(got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{got:?}");
        };
        close(op("Dilation2D", "VALID").run_one().unwrap(), &[0.5]);
        close(op("Dilation2D", "SAME").run_one().unwrap(), &[0.5, 0.6, 0.7, 0.8]);
        let dy = Tensor::from_vec([1, 1, 1, 1], vec![2f32]).unwrap();
        let dx = op("Dilation2DBackpropInput", "VALID").input(dy.clone()).run_one().unwrap();
        // 0.1 + 0.4 and 0.2 + 0.3 tie in exact arithmetic; in float32 the first is reached first.
        assert_eq!(dx.as_slice::<f32>().unwrap().iter().sum::<f32>(), 2.0);
        let dw = op("Dilation2DBackpropFilter", "VALID").input(dy.clone()).run_one().unwrap();
        assert_eq!(dw.as_slice::<f32>().unwrap().iter().sum::<f32>(), 2.0);
        assert!(op("Dilation2DBackpropInput", "SAME").input(dy).run().is_err());
    }

    #[test]
    fn a_large_batch_of_nothing_is_nothing() {
        let batch = 1usize << 40;
        let out = OpTest::new(register, "Dilation2D")
            .attr("strides", vec![1i64, 1, 1, 1])
            .attr("rates", vec![1i64, 1, 1, 1])
            .attr("padding", "SAME")
            .input(Tensor::from_vec([batch, 4, 4, 0], Vec::<f32>::new()).unwrap())
            .input(Tensor::from_vec([2, 2, 0], Vec::<f32>::new()).unwrap())
            .run_one()
            .unwrap();
        assert_eq!(out.dims(), &[batch, 4, 4, 0]);
    }
}
