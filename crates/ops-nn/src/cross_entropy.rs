//! Softmax cross entropy with dense labels (probabilities) and sparse ones (class numbers).

use downpour_graph::{
    Attrs, Endpoint, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext, shapes,
};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::broadcast::broadcast_shape;
use downpour_tensor::{Charge, Result, Shape, Status, Tensor, dispatch_float};
use num_traits::{Float as _, One, Zero};

use crate::float::Float;
use crate::softmax::exponentials;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SoftmaxCrossEntropyWithLogits(features: T, labels: T) -> (loss: T, backprop: T)
                T: {half, bfloat16, float, double}",
        )?
        .shape(dense_shape)
        .gradient(dense_gradient),
        |_| Ok(KernelBox::function(dense)),
    )?;
    registry.add(
        OpSpec::new(
            "SparseSoftmaxCrossEntropyWithLogits(features: T, labels: Tlabels) -> (loss: T, backprop: T)
                T: {half, bfloat16, float, double}
                Tlabels: {int32, int64} = int64",
        )?
        .shape(sparse_shape)
        .gradient(sparse_gradient),
        |_| Ok(KernelBox::function(sparse)),
    )
}

/// Row and column strides of an operand broadcast to two dimensions.
fn strides(operand: &Shape) -> (usize, usize) {
    match operand.dims() {
        [rows, columns] => ((*rows != 1) as usize * columns, (*columns != 1) as usize),
        [columns] => (0, (*columns != 1) as usize),
        _ => (0, 0),
    }
}

fn dense(cx: &mut OpContext<'_>) -> Result<()> {
    let (features, labels) = (cx.input(0), cx.input(1));
    let shape = broadcast_shape(features.shape(), labels.shape()).map_err(|_| {
        Status::invalid_argument(format!(
            "logits and labels must be broadcastable: logits_size={} labels_size={}",
            features.shape(),
            labels.shape()
        ))
    })?;
    if shape.rank() != 2 {
        return Err(Status::invalid_argument(
            "logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional",
        ));
    }
    let (loss, backprop) = dispatch_float!(features.dtype(), cx.node().op_name(), T => {
        dense_rows::<T>(cx, &shape)
    })?;
    cx.set_output(0, loss);
    cx.set_output(1, backprop);
    Ok(())
}

fn dense_rows<T: Float>(cx: &OpContext<'_>, shape: &Shape) -> Result<(Tensor, Tensor)> {
    let (features, labels) = (cx.input(0), cx.input(1));
    let (feature_row, feature_column) = strides(features.shape());
    let (label_row, label_column) = strides(labels.shape());
    let (features, labels) = (features.as_slice::<T>()?, labels.as_slice::<T>()?);
    for_rows::<T>(cx, shape[0], shape[1], |r, row, exps, backprop| {
        for (c, v) in row.iter_mut().enumerate() {
            *v = features[r * feature_row + c * feature_column];
        }
        let (max, sum) = exponentials::<T>(row, exps);
        let (log_sum, inverse) = (sum.ln(), sum.recip());
        let mut loss = T::Wide::zero();
        for (c, out) in backprop.iter_mut().enumerate() {
            let label = labels[r * label_row + c * label_column].wide();
            loss += label * (log_sum - (row[c].wide() - max));
            *out = T::narrow(exps[c] * inverse - label);
        }
        loss
    })
}

fn sparse(cx: &mut OpContext<'_>) -> Result<()> {
    let (features, labels) = (cx.input(0), cx.input(1));
    if features.rank() != 2 {
        return Err(Status::invalid_argument(format!(
            "logits must be 2-D, but got shape {}",
            features.shape()
        )));
    }
    if labels.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "labels must be 1-D, but got shape {}",
            labels.shape()
        )));
    }
    let (rows, classes) = (features.dims()[0], features.dims()[1]);
    if labels.len() != rows {
        return Err(Status::invalid_argument(format!(
            "logits and labels must have the same first dimension, got logits shape {} and labels \
             shape {}",
            features.shape(),
            labels.shape()
        )));
    }
    if classes == 0 {
        return Err(Status::invalid_argument(format!(
            "Must have at least one class, but got logits shape {}",
            features.shape()
        )));
    }
    let labels = labels.to_i64_vec()?;
    if let Some(bad) = labels.iter().find(|&&l| l < 0 || l as usize >= classes) {
        let shown: Vec<String> = labels.iter().take(100).map(i64::to_string).collect();
        return Err(Status::invalid_argument(format!(
            "Received a label value of {bad} which is outside the valid range of [0, {classes}).  \
             Label values: {}",
            shown.join(" ")
        )));
    }
    let (loss, backprop) = dispatch_float!(features.dtype(), cx.node().op_name(), T => {
        sparse_rows::<T>(cx, rows, classes, &labels)
    })?;
    cx.set_output(0, loss);
    cx.set_output(1, backprop);
    Ok(())
}

fn sparse_rows<T: Float>(
    cx: &OpContext<'_>,
    rows: usize,
    classes: usize,
    labels: &[i64],
) -> Result<(Tensor, Tensor)> {
    let features = cx.input(0).as_slice::<T>()?;
    for_rows::<T>(cx, rows, classes, |r, _, exps, backprop| {
        let row = &features[r * classes..(r + 1) * classes];
        let (max, sum) = exponentials::<T>(row, exps);
        let inverse = sum.recip();
        for (out, e) in backprop.iter_mut().zip(&*exps) {
            *out = T::narrow(*e * inverse);
        }
        let label = labels[r] as usize;
        backprop[label] = T::narrow(exps[label] * inverse - T::Wide::one());
        sum.ln() - (row[label].wide() - max)
    })
}

/// Calls `row(r, scratch_row, scratch, backprop_row)`, which returns the loss of row r.
fn for_rows<T: Float>(
    cx: &OpContext<'_>,
    rows: usize,
    classes: usize,
    row: impl Fn(usize, &mut [T], &mut [T::Wide], &mut [T]) -> T::Wide + Sync,
) -> Result<(Tensor, Tensor)> {
    // There can be many rows of few classes, or of none.
    let row_bytes = size_of::<T::Wide>() + size_of::<(&mut T::Wide, &mut [T])>();
    let _scratch = Charge::new(rows.saturating_mul(row_bytes))?;
    let mut losses = vec![T::Wide::zero(); rows];
    let mut backprop = Tensor::new(T::DTYPE, [rows, classes])?;
    let out = backprop.as_mut_slice::<T>().expect("a new tensor has one owner");
    // One loop writes two outputs: it walks pairs of a loss and its row of gradients.
    let mut pairs: Vec<(&mut T::Wide, &mut [T])> = if classes == 0 {
        Vec::new()
    } else {
        losses.iter_mut().zip(out.chunks_exact_mut(classes)).collect()
    };
    let grain = (2048 / classes.max(1)).max(1);
    cx.parallel().for_chunks(&mut pairs, 1, grain, |first, run| {
        let mut values = vec![T::default(); classes];
        let mut exps = vec![T::Wide::zero(); classes];
        for (i, (loss, backprop)) in run.iter_mut().enumerate() {
            **loss = row(first + i, &mut values, &mut exps, backprop);
        }
    });
    drop(pairs);
    let loss = Tensor::build([rows], |out: &mut [T]| {
        for (o, l) in out.iter_mut().zip(&losses) {
            *o = T::narrow(*l);
        }
    })?;
    Ok((loss, backprop))
}

fn dense_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let merged = cx.with_rank(0, 2).ok().and_then(|f| f.merge(cx.input(1)));
    let shape = match merged {
        Some(shape) => shape,
        None => {
            let shape = shapes::broadcast(cx.input(0), cx.input(1))
                .map_err(|e| e.context(cx.describe()))?;
            match shape.rank() {
                Some(2) => shape,
                Some(rank) => {
                    return Err(Status::invalid_argument(format!(
                        "Shape must be broadcasted with rank 2, but is rank {rank}"
                    )));
                }
                None => {
                    return Err(Status::invalid_argument(
                        "Shape must be broadcasted with rank 2, but is rank is unknown.",
                    ));
                }
            }
        }
    };
    cx.set_output(0, PartialShape::vector(shape.dim(0)));
    cx.set_output(1, shape);
    Ok(())
}

fn sparse_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let features = cx.with_rank(0, 2)?;
    let labels = cx.with_rank(1, 1)?;
    let batch = cx.merge_dim(features.dim(0), labels.dim(0))?;
    cx.set_output(0, PartialShape::vector(batch));
    cx.set_output(1, PartialShape::matrix(batch, features.dim(1)));
    Ok(())
}

/// `vector` (one number per row) times every element of its row of `matrix`.
fn times_rows(
    cx: &mut GradientContext<'_, '_>,
    vector: Endpoint,
    matrix: Endpoint,
) -> Result<Endpoint> {
    let axis = cx.scalar(-1i32)?;
    let column = cx.op("ExpandDims", &[vector, axis])?;
    cx.op("Mul", &[column, matrix])
}

/// The gradient of the logits, including what flows back through the second output.
fn logits_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Endpoint> {
    let loss = cx.grad(0)?;
    let through_loss = times_rows(cx, loss, cx.output(1))?;
    if !cx.has_grad(1) {
        return Ok(through_loss);
    }
    let grad = cx.grad(1)?;
    let softmax = cx.op("Softmax", &[cx.input(0)])?;
    let product = cx.op("Mul", &[grad, softmax])?;
    let axis = cx.scalar(-1i32)?;
    let sum = cx.op_with("Sum", &[product, axis], Attrs::new().with("keep_dims", true))?;
    let centred = cx.op("Sub", &[grad, sum])?;
    let second = cx.op("Mul", &[centred, softmax])?;
    cx.op("AddV2", &[through_loss, second])
}

fn dense_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let logits = logits_gradient(cx)?;
    let loss = cx.grad(0)?;
    let log_softmax = cx.op("LogSoftmax", &[cx.input(0)])?;
    let negative = cx.op("Neg", &[log_softmax])?;
    let labels = times_rows(cx, loss, negative)?;
    Ok(vec![Gradient::Dense(logits), Gradient::Dense(labels)])
}

fn sparse_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    Ok(vec![Gradient::Dense(logits_gradient(cx)?), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::DataType;

    fn close(got: &Tensor, expected: &[f32]) {
        let got = got.as_slice::<f32>().unwrap();
        assert_eq!(got.len(), expected.len());
        for (g, e) in got.iter().zip(expected) {
            assert!((g - e).abs() < 1e-5, "{got:?} {expected:?}");
        }
    }

    #[test]
    fn dense_and_sparse_agree() {
        let x = Tensor::from_slice([2, 3], &[1f32, 2.0, 3.0, 0.0, 0.0, 0.0]).unwrap();
        let labels = Tensor::from_slice([2, 3], &[0f32, 0.0, 1.0, 1.0, 0.0, 0.0]).unwrap();
        let dense = OpTest::new(register, "SoftmaxCrossEntropyWithLogits")
            .input(x.clone())
            .input(labels)
            .run()
            .unwrap();
        close(&dense[0], &[0.407_605_97, 1.098_612_3]);
        let sparse = OpTest::new(register, "SparseSoftmaxCrossEntropyWithLogits")
            .input(x)
            .input(Tensor::vector(&[2i64, 0]).unwrap())
            .run()
            .unwrap();
        for i in 0..2 {
            close(&dense[i], sparse[i].as_slice::<f32>().unwrap());
        }
    }

    #[test]
    fn labels_broadcast() {
        let x = Tensor::from_slice([2, 2], &[1f32, 2.0, 3.0, 3.0]).unwrap();
        let out = OpTest::new(register, "SoftmaxCrossEntropyWithLogits")
            .input(x)
            .input(Tensor::from_slice([1, 2], &[0f32, 1.0]).unwrap())
            .run()
            .unwrap();
        close(&out[0], &[0.313_261_7, std::f32::consts::LN_2]);
        close(&out[1], &[0.268_941_4, -0.268_941_4, 0.5, -0.5]);
    }

    #[test]
    fn bad_labels_and_empty_batches() {
        let run = |x: Tensor, labels: Tensor| {
            OpTest::new(register, "SparseSoftmaxCrossEntropyWithLogits")
                .input(x)
                .input(labels)
                .run()
        };
        let x = || Tensor::from_slice([1, 2], &[1f32, 2.0]).unwrap();
        let error = run(x(), Tensor::vector(&[2i32]).unwrap()).unwrap_err();
        assert!(error.message().contains("outside the valid range of [0, 2)"));
        assert!(run(x(), Tensor::vector(&[-1i32]).unwrap()).is_err());
        let none = Tensor::zeros(DataType::Float, [0, 0]).unwrap();
        assert!(run(none, Tensor::zeros(DataType::Int32, [0]).unwrap()).is_err());
        let out = OpTest::new(register, "SoftmaxCrossEntropyWithLogits")
            .input(Tensor::zeros(DataType::Float, [2, 0]).unwrap())
            .input(Tensor::zeros(DataType::Float, [2, 0]).unwrap())
            .run()
            .unwrap();
        close(&out[0], &[0.0, 0.0]);
    }
}
