//! Shape functions that many operations share.

use downpour_tensor::{Result, Status};

use crate::partial_shape::{Dim, PartialShape};
use crate::shape_inference::ShapeContext;

/// Every output has the shape of input 0.
pub fn unchanged(cx: &mut ShapeContext<'_>) -> Result<()> {
    for i in 0..cx.outputs_len() {
        cx.set_output(i, cx.input(0).clone());
    }
    Ok(())
}

/// All inputs and outputs have one shape.
pub fn all_equal(cx: &mut ShapeContext<'_>) -> Result<()> {
    let mut shape = PartialShape::unknown();
    for input in cx.inputs() {
        shape = cx.merge(&shape, input)?;
    }
    for i in 0..cx.outputs_len() {
        cx.set_output(i, shape.clone());
    }
    Ok(())
}

/// Every output is a scalar.
pub fn scalar(cx: &mut ShapeContext<'_>) -> Result<()> {
    for i in 0..cx.outputs_len() {
        cx.set_output(i, PartialShape::scalar());
    }
    Ok(())
}

/// Nothing is known of any output.
pub fn unknown(_: &mut ShapeContext<'_>) -> Result<()> {
    Ok(())
}

/// Every output has the shape given by the attribute `shape`.
pub fn from_shape_attr(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = cx.node().shape("shape")?;
    for i in 0..cx.outputs_len() {
        cx.set_output(i, shape.clone());
    }
    Ok(())
}

/// The output has the shape described by input 0.
pub fn from_first_input_value(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = cx.shape_from_input(0)?;
    cx.set_output(0, shape);
    Ok(())
}

/// The output is the broadcast of inputs 0 and 1.
pub fn broadcast_binary(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = broadcast(cx.input(0), cx.input(1)).map_err(|e| e.context(cx.describe()))?;
    cx.set_output(0, shape);
    Ok(())
}

/// The broadcast of two partially known shapes.
pub fn broadcast(a: &PartialShape, b: &PartialShape) -> Result<PartialShape> {
    let (Some(da), Some(db)) = (a.dims(), b.dims()) else { return Ok(PartialShape::unknown()) };
    let rank = da.len().max(db.len());
    let at = |dims: &[Dim], i: usize| {
        let missing = rank - dims.len();
        if i < missing { Some(1) } else { dims[i - missing] }
    };
    let mut out = Vec::with_capacity(rank);
    for i in 0..rank {
        out.push(match (at(da, i), at(db, i)) {
            (Some(1), d) | (d, Some(1)) => d,
            (Some(x), Some(y)) if x != y => {
                return Err(Status::invalid_argument(format!("Incompatible shapes: {a} vs. {b}")));
            }
            (Some(x), _) | (_, Some(x)) => Some(x),
            (None, None) => None,
        });
    }
    Ok(PartialShape::of(out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_dimensions_broadcast_as_far_as_they_tell() {
        let a = PartialShape::of([Some(2), None, Some(1)]);
        let b = PartialShape::of([Some(3), None]);
        assert_eq!(broadcast(&a, &b).unwrap(), PartialShape::of([Some(2), Some(3), None]));
        let c = PartialShape::of([Some(4)]);
        assert!(broadcast(&PartialShape::of([Some(3)]), &c).is_err());
    }
}
