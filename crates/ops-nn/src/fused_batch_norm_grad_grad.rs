//! The gradient of FusedBatchNormGrad: its formula is written out in plain operations and differentiated.

use downpour_graph::differentiate::Differentiate;
use downpour_graph::{Attrs, Endpoint, Gradient, GradientContext};
use downpour_tensor::{DataType, Result, Tensor};

type Cx<'a, 'g> = GradientContext<'a, 'g>;

pub(crate) fn gradient(cx: &mut Cx<'_, '_>) -> Result<Vec<Gradient>> {
    let format = cx.node().string("data_format")?;
    let training = cx.node().bool("is_training")?;
    let epsilon = f64::from(cx.node().float("epsilon")?);
    let (to_last, to_first): (&[i32], &[i32]) = match &format[..] {
        "NCHW" => (&[0, 2, 3, 1], &[0, 3, 1, 2]),
        "NCDHW" => (&[0, 2, 3, 4, 1], &[0, 4, 1, 2, 3]),
        _ => (&[], &[]),
    };
    let spatial = if format.len() == 5 { 4 } else { 3 };
    // Copies of the inputs: one may depend on another outside, which must not be differentiated here.
    let mut xs = Vec::with_capacity(3);
    for i in 0..3 {
        let input = cx.input(i);
        xs.push(cx.op("Identity", &[input])?);
    }
    let grad_y = moved(cx, xs[0], to_last)?;
    let x = moved(cx, xs[1], to_last)?;
    let (grad_y, x) = (cast(cx, grad_y, DataType::Float)?, cast(cx, x, DataType::Float)?);
    let formula = Formula { grad_y, x, scale: xs[2], spatial, epsilon };
    let [grad_x, grad_scale, grad_offset] =
        if training { formula.training(cx)? } else { formula.given(cx)? };
    let dtype = cx.dtype(xs[1]);
    let grad_x = cast(cx, grad_x, dtype)?;
    let grad_x = moved(cx, grad_x, to_first)?;
    let mut grad_ys = Vec::with_capacity(3);
    for i in 0..3 {
        grad_ys.push(Gradient::Dense(cx.grad(i)?));
    }
    let ys = vec![grad_x, grad_scale, grad_offset];
    let wanted = Differentiate { ys, xs, grad_ys, ..Differentiate::default() };
    let mut grads = cx.differentiate(&wanted)?;
    grads.resize(cx.inputs_len(), Gradient::None);
    Ok(grads)
}

fn moved(cx: &mut Cx<'_, '_>, value: Endpoint, order: &[i32]) -> Result<Endpoint> {
    if order.is_empty() {
        return Ok(value);
    }
    let order = cx.constant(Tensor::vector(order)?)?;
    cx.op("Transpose", &[value, order])
}

fn cast(cx: &mut Cx<'_, '_>, value: Endpoint, dtype: DataType) -> Result<Endpoint> {
    if cx.dtype(value) == dtype {
        return Ok(value);
    }
    cx.op_with("Cast", &[value], Attrs::new().with("DstT", dtype))
}

/// The values of FusedBatchNormGrad, channels last.
struct Formula {
    grad_y: Endpoint,
    x: Endpoint,
    scale: Endpoint,
    /// How many axes lie before the channels.
    spatial: i32,
    epsilon: f64,
}

impl Formula {
    fn reduce(&self, cx: &mut Cx<'_, '_>, op: &str, value: Endpoint) -> Result<Endpoint> {
        let axes: Vec<i32> = (0..self.spatial).collect();
        let axes = cx.constant(Tensor::vector(&axes)?)?;
        cx.op(op, &[value, axes])
    }

    /// With the batch's own mean and variance.
    fn training(&self, cx: &mut Cx<'_, '_>) -> Result<[Endpoint; 3]> {
        let mean_grad = self.reduce(cx, "Mean", self.grad_y)?;
        let mean_x = self.reduce(cx, "Mean", self.x)?;
        let x_offset = cx.op("Sub", &[self.x, mean_x])?;
        let square = cx.op("Square", &[x_offset])?;
        let variance = self.reduce(cx, "Mean", square)?;
        let epsilon = cx.number(self.epsilon, variance)?;
        let shifted = cx.op("AddV2", &[variance, epsilon])?;
        let deviation = cx.op("Rsqrt", &[shifted])?;
        let grad_offset = cx.op("Sub", &[self.grad_y, mean_grad])?;
        let product = cx.op("Mul", &[self.grad_y, x_offset])?;
        let mean = self.reduce(cx, "Mean", product)?;
        let inverse = cx.op("Reciprocal", &[shifted])?;
        let along = cx.op("Mul", &[inverse, mean])?;
        let along = cx.op("Mul", &[along, x_offset])?;
        let rest = cx.op("Sub", &[grad_offset, along])?;
        let factor = cx.op("Mul", &[self.scale, deviation])?;
        let grad_x = cx.op("Mul", &[factor, rest])?;
        let sum = self.reduce(cx, "Sum", product)?;
        let grad_scale = cx.op("Mul", &[deviation, sum])?;
        Ok([grad_x, grad_scale, self.reduce(cx, "Sum", self.grad_y)?])
    }

    /// With given mean and variance, which are constants here.
    fn given(&self, cx: &mut Cx<'_, '_>) -> Result<[Endpoint; 3]> {
        let (mean, variance) = (cx.input(3), cx.input(4));
        let epsilon = cx.number(self.epsilon, variance)?;
        let shifted = cx.op("AddV2", &[variance, epsilon])?;
        let deviation = cx.op("Rsqrt", &[shifted])?;
        let x_offset = cx.op("Sub", &[self.x, mean])?;
        let product = cx.op("Mul", &[self.grad_y, x_offset])?;
        let product = cx.op("Mul", &[product, deviation])?;
        let grad_scale = self.reduce(cx, "Sum", product)?;
        let factor = cx.op("Mul", &[self.scale, deviation])?;
        let grad_x = cx.op("Mul", &[self.grad_y, factor])?;
        Ok([grad_x, grad_scale, self.reduce(cx, "Sum", self.grad_y)?])
    }
}
