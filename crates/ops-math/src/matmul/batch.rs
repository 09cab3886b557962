//! BatchMatMul and its later versions: products of stacks of matrices.

use downpour_graph::{
    Attrs, Endpoint, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext, shapes,
};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{DataType, RealNumber, Result, Status, Tensor, dispatch_real};

use super::product::{Side, multiply};

const ATTRS: &str = "
    adj_x: bool = false
    adj_y: bool = false
    grad_x: bool = false
    grad_y: bool = false";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let first = format!(
        "BatchMatMul(x: T, y: T) -> (output: T)
            T: {{bfloat16, half, float, double, int32, int64, complex64, complex128}}{ATTRS}"
    );
    registry.add(
        OpSpec::new(&first)?.shape(shape).gradient(gradient_without_broadcast).tolerance(1e-5),
        factory::<false>,
    )?;
    let second = format!(
        "BatchMatMulV2(x: T, y: T) -> (output: T)
            T: {{bfloat16, half, float, double, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128}}{ATTRS}"
    );
    let third = format!(
        "BatchMatMulV3(x: Ta, y: Tb) -> (output: Tout)
            Ta: {{bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128}}
            Tb: {{bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128}}
            Tout: {{bfloat16, half, float, double, int16, int32, int64, complex64, complex128}}{ATTRS}"
    );
    for signature in [second, third] {
        registry.add(
            OpSpec::new(&signature)?.shape(shape).gradient(gradient).tolerance(1e-5),
            factory::<true>,
        )?;
    }
    Ok(())
}

struct BatchMatMul {
    x: Side,
    y: Side,
    /// BatchMatMul itself insists on equal batches; the later versions broadcast them.
    broadcasts: bool,
}

fn factory<const BROADCASTS: bool>(build: &KernelBuild<'_>) -> Result<KernelBox> {
    Ok(KernelBox::new(BatchMatMul {
        x: Side::adjoint(build.bool("adj_x")?),
        y: Side::adjoint(build.bool("adj_y")?),
        broadcasts: BROADCASTS,
    }))
}

impl Kernel for BatchMatMul {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let op = cx.node().op_name();
        let (x, y) = (cx.input(0), cx.input(1));
        if !self.broadcasts {
            check_equal_batches(op, x, y)?;
        }
        let out_type = cx.node().output_dtype(0);
        let (x, y) = (converted(x, out_type)?, converted(y, out_type)?);
        let product = multiply(cx.parallel(), op, &x, self.x, &y, self.y)?;
        cx.set_output(0, product);
        Ok(())
    }
}

fn check_equal_batches(op: &str, x: &Tensor, y: &Tensor) -> Result<()> {
    if x.rank() != y.rank() {
        return Err(Status::invalid_argument(format!(
            "{op}: In[0] and In[1] has different ndims: {} vs. {}",
            x.shape(),
            y.shape()
        )));
    }
    let batch = x.rank().saturating_sub(2);
    for i in 0..batch {
        if x.dims()[i] != y.dims()[i] {
            return Err(Status::invalid_argument(format!(
                "{op}: In[0].dim({i}) and In[1].dim({i}) must be the same: {} vs {}",
                x.shape(),
                y.shape()
            )));
        }
    }
    Ok(())
}

/// The tensor in the product's type (BatchMatMulV3 multiplies small integers into larger ones).
fn converted(t: &Tensor, dtype: DataType) -> Result<Tensor> {
    if t.dtype() == dtype {
        return Ok(t.clone());
    }
    dispatch_real!(t.dtype(), "BatchMatMulV3", From => {
        let values = t.as_slice::<From>()?;
        dispatch_real!(dtype, "BatchMatMulV3", To => Tensor::build(t.shape(), |out: &mut [To]| {
            for (out, &value) in out.iter_mut().zip(values) {
                *out = To::from_f64_lossy(value.to_f64_lossy());
            }
        }))
    })
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (x, y) = (cx.with_rank_at_least(0, 2)?, cx.with_rank_at_least(1, 2)?);
    let (ax, ay) = (cx.node().bool("adj_x")? as usize, cx.node().bool("adj_y")? as usize);
    let (Some(xr), Some(yr)) = (x.rank(), y.rank()) else { return Ok(()) };
    cx.merge_dim(x.dim(xr - 1 - ax), y.dim(yr - 2 + ay))?;
    let batch = shapes::broadcast(&x.subshape(0, xr - 2), &y.subshape(0, yr - 2))
        .map_err(|e| e.context(cx.describe()))?;
    let matrix = PartialShape::matrix(x.dim(xr - 2 + ax), y.dim(yr - 1 - ay));
    cx.set_output(0, batch.concat(&matrix));
    Ok(())
}

fn products(cx: &mut GradientContext<'_, '_>) -> Result<(Endpoint, Endpoint)> {
    let (ax, ay) = (cx.node().bool("adj_x")?, cx.node().bool("adj_y")?);
    let op = cx.node().op_name().to_string();
    let grad = cx.grad(0)?;
    let (x, y) = (cx.input(0), cx.input(1));
    let (x_type, y_type) = (cx.dtype(x), cx.dtype(y));
    let mut product = |a, adj_a: bool, b, adj_b: bool, which: &str, dtype: DataType| {
        let mut attrs = Attrs::new().with("adj_x", adj_a).with("adj_y", adj_b).with(which, true);
        if op == "BatchMatMulV3" {
            attrs.set("Tout", dtype);
        }
        cx.op_with(&op, &[a, b], attrs)
    };
    let grad_x = if ax {
        product(y, ay, grad, true, "grad_x", x_type)?
    } else {
        product(grad, false, y, !ay, "grad_x", x_type)?
    };
    let grad_y = if ay {
        product(grad, true, x, ax, "grad_y", y_type)?
    } else {
        product(x, !ax, grad, false, "grad_y", y_type)?
    };
    Ok((grad_x, grad_y))
}

fn gradient_without_broadcast(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (grad_x, grad_y) = products(cx)?;
    Ok(vec![Gradient::Dense(grad_x), Gradient::Dense(grad_y)])
}

/// Broadcast batches are summed away again.
fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (grad_x, grad_y) = products(cx)?;
    let (x, y) = (cx.input(0), cx.input(1));
    let (x_shape, y_shape) = (cx.shape(x)?, cx.shape(y)?);
    let begin = cx.constant(Tensor::vector(&[0i32])?)?;
    let two = cx.constant(Tensor::vector(&[2i32])?)?;
    let mut batches = Vec::new();
    for shape in [x_shape, y_shape] {
        let rank = cx.shape(shape)?;
        let size = cx.op("Sub", &[rank, two])?;
        batches.push(cx.op("Slice", &[shape, begin, size])?);
    }
    let axes = cx.node_with("BroadcastGradientArgs", &batches, Attrs::new())?;
    let sum_x = cx.op("Sum", &[grad_x, Endpoint { node: axes, port: 0 }])?;
    let sum_y = cx.op("Sum", &[grad_y, Endpoint { node: axes, port: 1 }])?;
    Ok(vec![
        Gradient::Dense(cx.op("Reshape", &[sum_x, x_shape])?),
        Gradient::Dense(cx.op("Reshape", &[sum_y, y_shape])?),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Complex128;
    use proptest::prelude::*;

    fn ramp(dims: &[usize]) -> Tensor {
        let n: usize = dims.iter().product();
        Tensor::from_vec(dims.to_vec(), (0..n).map(|v| (v % 7) as f32 - 3.0).collect()).unwrap()
    }

    #[test]
    fn versions_differ_in_broadcasting_and_types() {
        let run =
            |op: &str, x: Tensor, y: Tensor| OpTest::new(register, op).input(x).input(y).run_one();
        assert!(run("BatchMatMul", ramp(&[2, 1, 2]), ramp(&[1, 2, 1])).is_err());
        let out = run("BatchMatMulV2", ramp(&[2, 1, 2]), ramp(&[2, 1])).unwrap();
        // [-3,-2]·[-3,-2] = 13, [-1,0]·[-3,-2] = 3
        assert_eq!(
            (out.dims(), out.as_slice::<f32>().unwrap()),
            (&[2, 1, 1][..], &[13f32, 3.][..])
        );
        assert!(run("BatchMatMulV2", ramp(&[2]), ramp(&[2, 1])).is_err());
        assert!(run("BatchMatMulV2", ramp(&[2, 1, 2]), ramp(&[3, 2, 1])).is_err());
        let bytes = Tensor::from_vec([1, 2], vec![100i8, 100]).unwrap();
        let out = OpTest::new(register, "BatchMatMulV3")
            .input(bytes.clone())
            .input(bytes)
            .attr("adj_y", true)
            .attr("Tout", DataType::Int32)
            .run_one()
            .unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), &[20000]);
    }

    #[test]
    fn adjoints_conjugate() {
        let x = Tensor::from_vec([1, 1], vec![Complex128::new(1.0, 2.0)]).unwrap();
        let out = OpTest::new(register, "BatchMatMulV2")
            .input(x.clone())
            .input(x)
            .attr("adj_x", true)
            .run_one()
            .unwrap();
        assert_eq!(out.as_slice::<Complex128>().unwrap(), &[Complex128::new(5.0, 0.0)]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn batches_broadcast(
            dims in prop::collection::vec(0usize..4, 0..3),
            ones_x in prop::collection::vec(any::<bool>(), 3),
            ones_y in prop::collection::vec(any::<bool>(), 3),
            m in 0usize..4, n in 0usize..4, k in 0usize..4, adj_x: bool, adj_y: bool,
        ) {
            let pick = |ones: &[bool], a: usize, b: usize, swap: bool| -> Vec<usize> {
                let batch = dims.iter().zip(ones).map(|(&d, &one)| if one { 1 } else { d });
                batch.chain(if swap { [b, a] } else { [a, b] }).collect()
            };
            let (x, y) = (ramp(&pick(&ones_x, m, k, adj_x)), ramp(&pick(&ones_y, k, n, adj_y)));
            let out = OpTest::new(register, "BatchMatMulV2")
                .attr("adj_x", adj_x).attr("adj_y", adj_y)
                .input(x.clone()).input(y.clone()).run_one().unwrap();
            let rank = dims.len();
            let (xs, ys) = (x.as_slice::<f32>().unwrap(), y.as_slice::<f32>().unwrap());
            let place = |t: &Tensor, mut index: usize, shape: &[usize]| {
                let (mut at, mut stride) = (0, t.dims()[rank] * t.dims()[rank + 1]);
                for i in (0..rank).rev() {
                    let here = index % shape[i];
                    index /= shape[i];
                    if t.dims()[i] != 1 { at += here * stride; }
                    stride *= t.dims()[i];
                }
                at
            };
            for (flat, &got) in out.as_slice::<f32>().unwrap().iter().enumerate() {
                let (batch, i, j) = (flat / (m * n), flat / n % m, flat % n);
                let (bx, by) = (place(&x, batch, out.dims()), place(&y, batch, out.dims()));
                let want: f32 = (0..k).map(|p| {
                    xs[bx + if adj_x { p * m + i } else { i * k + p }]
                        * ys[by + if adj_y { j * k + p } else { p * n + j }]
                }).sum();
                prop_assert_eq!(got, want);
            }
        }
    }
}
