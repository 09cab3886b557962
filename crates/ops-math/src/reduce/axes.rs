//! Which axes a reduction folds, and the shape it leaves.

use downpour_graph::{PartialShape, ShapeContext};
use downpour_tensor::{Result, Shape, Status, Tensor};
use smallvec::SmallVec;

/// A reduction seen as alternating runs of kept and folded axes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Sizes of the runs; neighbours differ in kind.
    pub runs: SmallVec<[usize; 4]>,
    /// True when the first run is folded; the kinds alternate from there.
    pub first_folded: bool,
    pub output: Shape,
}

impl Plan {
    pub fn new(input: &Shape, axes: &Tensor, keep_dims: bool) -> Result<Plan> {
        let folded = folded_axes(input.rank(), &axes.to_i64_vec()?)?;
        let mut output = Shape::scalar();
        for (&size, &fold) in input.iter().zip(&folded) {
            match (fold, keep_dims) {
                (false, _) => output.push(size),
                (true, true) => output.push(1),
                (true, false) => {}
            }
        }
        let mut runs: SmallVec<[usize; 4]> = SmallVec::new();
        let (mut first_folded, mut last) = (false, false);
        // Axes of size one belong to whichever run they stand beside.
        for (&size, &fold) in input.iter().zip(&folded).filter(|(size, _)| **size != 1) {
            match runs.last_mut() {
                Some(run) if last == fold => *run *= size,
                Some(_) => runs.push(size),
                None => {
                    first_folded = fold;
                    runs.push(size);
                }
            }
            last = fold;
        }
        Ok(Plan { runs, first_folded, output })
    }

    /// True when nothing is folded but axes of size one.
    pub fn is_trivial(&self) -> bool {
        self.runs.is_empty() || (self.runs.len() == 1 && !self.first_folded)
    }

    pub fn is_folded(&self, run: usize) -> bool {
        run.is_multiple_of(2) == self.first_folded
    }

    /// How many elements go into each result.
    pub fn count(&self) -> usize {
        (0..self.runs.len()).filter(|&i| self.is_folded(i)).map(|i| self.runs[i]).product()
    }
}

fn folded_axes(rank: usize, axes: &[i64]) -> Result<SmallVec<[bool; 8]>> {
    let mut folded: SmallVec<[bool; 8]> = SmallVec::from_elem(false, rank);
    let signed = rank as i64;
    for &axis in axes {
        if axis < -signed || axis >= signed {
            return Err(Status::invalid_argument(format!(
                "Invalid reduction dimension ({axis} for input with {rank} dimension(s)"
            )));
        }
        let place = &mut folded[axis.rem_euclid(signed) as usize];
        if *place {
            return Err(Status::invalid_argument(format!(
                "Invalid reduction arguments: Axes contains duplicate dimension: {}",
                axis.rem_euclid(signed)
            )));
        }
        *place = true;
    }
    Ok(folded)
}

/// The shape function of reductions: input 1 names the axes.
pub(crate) fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let keep_dims = cx.node().bool("keep_dims")?;
    let input = cx.input(0);
    let Some(dims) = input.dims() else { return Ok(()) };
    let output = match cx.constant_ints(1) {
        None if keep_dims => PartialShape::of_rank(dims.len()),
        None => PartialShape::unknown(),
        Some(axes) => {
            let signed = dims.len() as i64;
            if let Some(axis) = axes.iter().find(|&&a| a < -signed || a >= signed) {
                return Err(Status::invalid_argument(format!(
                    "Invalid reduction dimension {axis} for input with {signed} dimensions. for {}",
                    cx.describe()
                )));
            }
            let fold = |i: usize| axes.iter().any(|a| a.rem_euclid(signed) as usize == i);
            PartialShape::of(dims.iter().enumerate().filter_map(|(i, &d)| {
                match (fold(i), keep_dims) {
                    (false, _) => Some(d),
                    (true, true) => Some(Some(1)),
                    (true, false) => None,
                }
            }))
        }
    };
    cx.set_output(0, output);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_axes_join() {
        let axes = Tensor::vector(&[1i32, -1]).unwrap();
        let plan = Plan::new(&Shape::from([2, 3, 1, 4]), &axes, true).unwrap();
        assert_eq!(&plan.runs[..], &[2, 12]);
        assert_eq!(plan.output.dims(), &[2, 1, 1, 1]);
        assert_eq!((plan.first_folded, plan.count()), (false, 12));
    }

    #[test]
    fn bad_axes_are_refused() {
        for axes in [[3i32, 0], [-4, 0], [1, -2]] {
            assert!(
                Plan::new(&Shape::from([2, 3, 4]), &Tensor::vector(&axes).unwrap(), false).is_err()
            );
        }
    }
}
