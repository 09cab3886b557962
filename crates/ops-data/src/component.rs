//! Types and shapes of the components of a dataset's elements.

use std::sync::Arc;

use downpour_data::Names;
use downpour_graph::{Node, PartialShape};
use downpour_tensor::{DataType, Result, Status, Tensor};

/// Types and shapes of an element's components.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub types: Arc<[DataType]>,
    pub shapes: Arc<[PartialShape]>,
}

impl Signature {
    /// Returns what a node's attributes `output_types` (or `Toutput_types`) and `output_shapes` say.
    pub fn of(node: &Node) -> Result<Signature> {
        let types = node.dtypes("output_types").or_else(|_| node.dtypes("Toutput_types"))?;
        let shapes = node.shapes("output_shapes")?;
        Ok(Signature { types: types.into(), shapes: shapes.into() })
    }

    /// Returns the signature of elements that are one scalar.
    pub fn scalar(dtype: DataType) -> Signature {
        Signature { types: Arc::new([dtype]), shapes: Arc::new([PartialShape::scalar()]) }
    }

    /// Returns names for the components; nobody sees them.
    pub fn names(&self) -> Names {
        Names::numbered(self.types.len())
    }

    /// Fails unless datasets of `other` can be iterated as this.
    pub fn check_compatible(&self, other: &Signature) -> Result<()> {
        self.check_types(other.types.iter().copied())?;
        for (i, (mine, theirs)) in self.shapes.iter().zip(other.shapes.iter()).enumerate() {
            if !mine.is_compatible(theirs) {
                return Err(Status::invalid_argument(format!(
                    "Incompatible shapes at component {i}: expected {mine} but got {theirs}."
                )));
            }
        }
        Ok(())
    }

    /// Fails unless these are components of such an element.
    pub fn check_element(&self, components: &[Tensor]) -> Result<()> {
        self.check_types(components.iter().map(Tensor::dtype))?;
        for (i, (shape, component)) in self.shapes.iter().zip(components).enumerate() {
            if !shape.allows(component.dims()) {
                return Err(Status::invalid_argument(format!(
                    "Incompatible shapes at component {i}: expected {shape} but got {}.",
                    component.shape()
                )));
            }
        }
        Ok(())
    }

    fn check_types(&self, others: impl ExactSizeIterator<Item = DataType>) -> Result<()> {
        if others.len() != self.types.len() {
            return Err(Status::invalid_argument(format!(
                "Number of components does not match: expected {} types but got {}.",
                self.types.len(),
                others.len()
            )));
        }
        for (i, (mine, theirs)) in self.types.iter().zip(others).enumerate() {
            if *mine != theirs {
                return Err(Status::invalid_argument(format!(
                    "Data type mismatch at component {i}: expected {mine} but got {theirs}."
                )));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_named() {
        let one = Signature::scalar(DataType::Float);
        one.check_element(&[Tensor::scalar(1f32)]).unwrap();
        let message = |found: Result<()>| found.unwrap_err().message().to_owned();
        let several = message(one.check_element(&[Tensor::scalar(1f32), Tensor::scalar(2f32)]));
        assert!(several.contains("expected 1 types but got 2"), "{several}");
        let other = message(one.check_compatible(&Signature::scalar(DataType::Int32)));
        assert!(other.contains("expected float but got int32"), "{other}");
        let longer = message(one.check_element(&[Tensor::vector(&[1f32]).unwrap()]));
        assert!(longer.contains("Incompatible shapes at component 0"), "{longer}");
    }
}
