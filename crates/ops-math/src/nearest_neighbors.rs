//! NearestNeighbors: the centers nearest to each point, and their squared distances.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, Result, Shape, Status, Tensor};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "NearestNeighbors(points: float, centers: float, k: int64) -> (nearest_center_indices: int64, nearest_center_distances: float)",
        )?
        .shape(infer)
        .tolerance(1e-5),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let (points, centers, k) = (cx.input(0), cx.input(1), cx.input(2));
    for (name, matrix) in [("points", points), ("centers", centers)] {
        if matrix.rank() != 2 {
            return Err(Status::invalid_argument(format!("Input {name} should be a matrix.")));
        }
    }
    if k.rank() != 0 {
        return Err(Status::invalid_argument("Input k should be a scalar."));
    }
    let (count, width) = (points.dims()[0], points.dims()[1]);
    let center_count = centers.dims()[0];
    if count == 0 {
        return Err(Status::invalid_argument("Expected points.rows() > 0."));
    }
    if centers.dims()[1] != width {
        return Err(Status::invalid_argument(format!(
            "Expected point_dimensions == center_dimensions: {width} vs {}.",
            centers.dims()[1]
        )));
    }
    let k = k.to_scalar::<i64>()?.min(center_count as i64);
    let shape = Shape::from_i64(&[count as i64, k])?;
    let nearest = nearest(cx, [points.as_slice()?, centers.as_slice()?], width, &shape)?;
    let indices = Tensor::build(shape.clone(), |out: &mut [i64]| {
        out.iter_mut().zip(nearest.iter()).for_each(|(o, &(_, index))| *o = index);
    })?;
    let distances = Tensor::build(shape, |out: &mut [f32]| {
        out.iter_mut().zip(nearest.iter()).for_each(|(o, &(distance, _))| *o = distance);
    })?;
    cx.set_output(0, indices);
    cx.set_output(1, distances);
    Ok(())
}

/// Returns distances and indices of the nearest centers of each point.
fn nearest(
    cx: &OpContext<'_>,
    [points, centers]: [&[f32]; 2],
    width: usize,
    shape: &Shape,
) -> Result<CountedVec<(f32, i64)>> {
    let k = shape[1];
    let mut nearest = CountedVec::filled(shape.elements(), (0f32, 0i64))?;
    if k == 0 {
        return Ok(nearest);
    }
    // Points of no numbers have no rows to count.
    let center_count = cx.input(1).dims()[0];
    let center = |i: usize| &centers[i * width..(i + 1) * width];
    let norms = CountedVec::build(center_count, |i| Ok(half_norm(center(i))))?;
    let grain = (1 << 15) / (center_count * width.max(1)) + 1;
    cx.parallel().for_chunks(&mut nearest, k, grain, |first, run| {
        let mut candidates = Vec::with_capacity(center_count);
        for (i, out) in run.chunks_exact_mut(k).enumerate() {
            let point = &points[(first + i) * width..][..width];
            candidates.clear();
            candidates.extend(norms.iter().enumerate().map(|(i, norm)| {
                let product: f32 = point.iter().zip(center(i)).map(|(a, b)| a * b).sum();
                (norm - product, i as i64)
            }));
            let order = |a: &(f32, i64), b: &(f32, i64)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
            if k < candidates.len() {
                candidates.select_nth_unstable_by(k, order);
            }
            candidates[..k].sort_unstable_by(order);
            let half = half_norm(point);
            for (o, &(partial, index)) in out.iter_mut().zip(&candidates) {
                *o = (2.0 * (half + partial), index);
            }
        }
    });
    Ok(nearest)
}

fn half_norm(values: &[f32]) -> f32 {
    0.5 * values.iter().map(|v| v * v).sum::<f32>()
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let points = cx.with_rank(0, 2)?;
    cx.with_rank(1, 2)?;
    cx.with_rank(2, 0)?;
    for i in 0..2 {
        cx.set_output(i, PartialShape::matrix(points.dim(0), None));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(points: Tensor, centers: Tensor, k: i64) -> Result<Vec<Tensor>> {
        let test = OpTest::new(register, "NearestNeighbors").input(points).input(centers);
        test.input(Tensor::scalar(k)).run()
    }

    fn matrix(rows: usize, values: &[f32]) -> Tensor {
        Tensor::from_slice([rows, values.len() / rows.max(1)], values).unwrap()
    }

    #[test]
    fn nearest_come_first() {
        let centers = matrix(3, &[0.0, 0.0, 10.0, 0.0, 3.0, 0.0]);
        let out = run(matrix(2, &[1.0, 0.0, 9.0, 0.0]), centers, 2).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 2, 1, 2]);
        assert_eq!(out[1].as_slice::<f32>().unwrap(), &[1.0, 4.0, 1.0, 36.0]);
    }

    #[test]
    fn few_centers_and_bad_input() {
        let point = || matrix(1, &[1.0]);
        assert_eq!(run(point(), matrix(2, &[1.0, 1.0]), 9).unwrap()[0].dims(), &[1, 2]);
        let none = run(point(), Tensor::from_slice::<f32>([0, 1], &[]).unwrap(), 1).unwrap();
        assert_eq!(none[0].dims(), &[1, 0]);
        let flat = || Tensor::from_slice::<f32>([2, 0], &[]).unwrap();
        assert_eq!(run(flat(), flat(), 1).unwrap()[0].dims(), &[2, 1]);
        assert!(run(point(), matrix(1, &[1.0, 2.0]), 1).is_err());
        assert!(run(point(), point(), -1).is_err());
        assert!(run(Tensor::from_slice::<f32>([0, 1], &[]).unwrap(), point(), 1).is_err());
        assert!(run(Tensor::scalar(1f32), point(), 1).is_err());
    }
}
