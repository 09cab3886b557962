//! What travels along an edge.

use std::sync::Arc;

use downpour_tensor::Tensor;
use smallvec::SmallVec;

use crate::variable::Variable;

/// A value on an edge. `Dead` is what an untaken branch sends; `None` a place not (or no longer) filled.
#[derive(Clone, Default)]
pub enum Value {
    #[default]
    None,
    Dead,
    Tensor(Tensor),
    /// A reference to a variable, which a consumer may read or write.
    Ref(Arc<Variable>),
}

/// The outputs of one kernel run; a place left `None` is a dead output.
pub type Outputs = SmallVec<[Value; 2]>;

impl Value {
    pub fn tensor(&self) -> Option<&Tensor> {
        match self {
            Value::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    pub fn is_present(&self) -> bool {
        matches!(self, Value::Tensor(_) | Value::Ref(_))
    }
}

impl From<Tensor> for Value {
    fn from(tensor: Tensor) -> Value {
        Value::Tensor(tensor)
    }
}
