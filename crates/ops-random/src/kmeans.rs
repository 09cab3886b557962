//! KmeansPlusPlusInitialization and KMC2ChainInitialization: points to start clusters from, drawn with probabilities that
//! grow with their distance from those drawn before.

use downpour_graph::{OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, DataType, Result, Shape, Status, Tensor};

use crate::philox::{Philox, Singles};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "KmeansPlusPlusInitialization(points: float, num_to_sample: int64, seed: int64, num_retries_per_sample: int64) -> (samples: float)",
        )?
        .shape(infer),
        |_| Ok(KernelBox::function(kmeans)),
    )?;
    registry.add(
        OpSpec::new("KMC2ChainInitialization(distances: float, seed: int64) -> (index: int64)")?
            .shape(shapes::scalar),
        |_| Ok(KernelBox::function(chain)),
    )
}

fn scalar(cx: &OpContext<'_>, i: usize, name: &str) -> Result<i64> {
    match cx.input(i).rank() {
        0 => cx.input(i).to_scalar(),
        _ => Err(Status::invalid_argument(format!("Input {name} should be a scalar."))),
    }
}

/// Numbers from a seed alone.
fn numbers(seed: i64) -> Singles {
    Singles::new(Philox::new(seed as u64, 0))
}

fn chain(cx: &mut OpContext<'_>) -> Result<()> {
    let distances = cx.input(0);
    if distances.rank() != 1 {
        return Err(Status::invalid_argument("Input distances should be a vector."));
    }
    let mut numbers = numbers(scalar(cx, 1, "seed")?);
    let Some((&first, others)) = distances.as_slice::<f32>()?.split_first() else {
        return Err(Status::invalid_argument("Expected distances_tensor.size() > 0."));
    };
    let mut selected = (0i64, first);
    for (i, &candidate) in others.iter().enumerate() {
        if candidate > numbers.float() * selected.1 {
            selected = (i as i64 + 1, candidate);
        }
    }
    cx.set_output(0, Tensor::scalar(selected.0));
    Ok(())
}

fn kmeans(cx: &mut OpContext<'_>) -> Result<()> {
    let points = cx.input(0);
    let &[count, width] = points.dims() else {
        return Err(Status::invalid_argument("Input points should be a matrix."));
    };
    let wanted = scalar(cx, 1, "num_to_sample")?;
    let seed = scalar(cx, 2, "seed")?;
    let retries = scalar(cx, 3, "num_retries_per_sample")?;
    if count == 0 {
        return Err(Status::invalid_argument("Expected points.rows() > 0."));
    }
    if wanted <= 0 {
        return Err(Status::invalid_argument("Expected num_to_sample > 0."));
    }
    if wanted > count as i64 {
        return Err(Status::invalid_argument(format!(
            "Expected num_to_sample <= points.rows(). {wanted} vs {count}."
        )));
    }
    let retries = if retries >= 0 { retries } else { 2 + (wanted as f64).ln() as i64 };
    let mut samples = Samples::new(points.as_slice::<f32>()?, count, width, numbers(seed))?;
    let mut chosen = CountedVec::with_capacity(wanted as usize)?;
    for _ in 0..wanted {
        samples.sum_up();
        chosen.push(samples.choose(cx, retries)?)?;
    }
    let mut output = Tensor::zeros(DataType::Float, Shape::new(&[wanted as usize, width]))?;
    let out =
        output.as_mut_slice::<f32>().ok_or_else(|| Status::internal("a new tensor is shared"))?;
    for (i, &from) in chosen.iter().enumerate() {
        out[i * width..][..width].copy_from_slice(samples.point(from));
    }
    cx.set_output(0, output);
    Ok(())
}

struct Samples<'a> {
    points: &'a [f32],
    width: usize,
    numbers: Singles,
    half_norms: CountedVec<f32>,
    /// Half the squared distance of each point from the nearest chosen one.
    distances: CountedVec<f32>,
    sums: CountedVec<f32>,
    chosen: CountedVec<bool>,
    any: bool,
}

impl<'a> Samples<'a> {
    fn new(points: &'a [f32], count: usize, width: usize, numbers: Singles) -> Result<Samples<'a>> {
        let half_norms = CountedVec::build(count, |i| {
            Ok(0.5 * points[i * width..][..width].iter().map(|v| v * v).sum::<f32>())
        })?;
        Ok(Samples {
            points,
            width,
            numbers,
            half_norms,
            distances: CountedVec::filled(count, f32::INFINITY)?,
            sums: CountedVec::filled(count, 0.0)?,
            chosen: CountedVec::filled(count, false)?,
            any: false,
        })
    }

    fn point(&self, i: usize) -> &'a [f32] {
        &self.points[i * self.width..][..self.width]
    }

    fn sum_up(&mut self) {
        let mut sum = 0.0;
        for (total, distance) in self.sums.iter_mut().zip(self.distances.iter()) {
            sum += distance;
            *total = sum;
        }
    }

    /// Draws a point that was not chosen, the farther ones more often. Where all points are the same nothing is farther:
    /// then it is the first that is left, for which TensorFlow would wait for ever.
    fn draw(&mut self, cx: &OpContext<'_>) -> Result<usize> {
        let count = self.distances.len();
        if !self.any {
            return Ok(self.numbers.below64(count as u64) as usize);
        }
        let last = self.sums[count - 1];
        for _ in 0..1 << 16 {
            let limit = self.numbers.float() * last;
            let index = self.sums.partition_point(|&sum| sum <= limit).min(count - 1);
            if !self.chosen[index] {
                return Ok(index);
            }
        }
        cx.check_cancelled()?;
        Ok(self.chosen.iter().position(|&chosen| !chosen).unwrap_or(0))
    }

    /// Returns the distances if a point were chosen, too.
    fn with(&self, index: usize) -> Result<CountedVec<f32>> {
        let (center, norm) = (self.point(index), self.half_norms[index]);
        CountedVec::build(self.distances.len(), |i| {
            let product: f32 = self.point(i).iter().zip(center).map(|(a, b)| a * b).sum();
            Ok(self.distances[i].min(self.half_norms[i] - product + norm))
        })
    }

    /// Chooses the best of some points.
    fn choose(&mut self, cx: &OpContext<'_>, retries: i64) -> Result<usize> {
        let mut best = (f32::INFINITY, 0, None);
        for _ in 0..=retries {
            cx.check_cancelled()?;
            let index = self.draw(cx)?;
            let distances = self.with(index)?;
            let potential = distances.iter().sum::<f32>();
            if best.2.is_none() || potential < best.0 {
                best = (potential, index, Some(distances));
            }
        }
        let (_, index, distances) = best;
        if let Some(distances) = distances {
            self.distances = distances;
        }
        self.chosen[index] = true;
        self.any = true;
        Ok(index)
    }
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let points = cx.with_rank(0, 2)?;
    (1..4).try_for_each(|i| cx.with_rank(i, 0).map(drop))?;
    cx.set_output(0, PartialShape::matrix(None, points.dim(1)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(points: Tensor, count: i64, retries: i64) -> Result<Tensor> {
        OpTest::new(register, "KmeansPlusPlusInitialization")
            .input(points)
            .input(Tensor::scalar(count))
            .input(Tensor::scalar(7i64))
            .input(Tensor::scalar(retries))
            .run_one()
    }

    #[test]
    fn every_point_is_chosen_once() {
        let points = || Tensor::from_vec([4, 1], vec![0f32, 1.0, 10.0, 100.0]).unwrap();
        for retries in [-1, 0, 3] {
            let y = run(points(), 4, retries).unwrap();
            let mut values = y.as_slice::<f32>().unwrap().to_vec();
            values.sort_by(f32::total_cmp);
            assert_eq!(values, [0.0, 1.0, 10.0, 100.0]);
        }
        let same = Tensor::from_vec([3, 2], vec![1f32; 6]).unwrap();
        assert_eq!(run(same, 3, 1).unwrap().dims(), &[3, 2]);
    }

    #[test]
    fn bad_input_is_refused() {
        let points = || Tensor::from_vec([2, 1], vec![0f32, 1.0]).unwrap();
        assert!(run(points(), 0, 0).is_err());
        assert!(run(points(), 3, 0).is_err());
        assert!(run(Tensor::vector(&[1f32]).unwrap(), 1, 0).is_err());
        assert!(run(Tensor::from_vec([0, 1], Vec::<f32>::new()).unwrap(), 1, 0).is_err());
        let chain = |distances: &[f32]| {
            let test = OpTest::new(register, "KMC2ChainInitialization");
            test.input(Tensor::vector(distances).unwrap()).input(Tensor::scalar(1i64)).run_one()
        };
        assert!(chain(&[]).is_err());
        assert_eq!(chain(&[0.0, 0.0, 5.0, 0.0]).unwrap().to_scalar::<i64>().unwrap(), 2);
    }
}
