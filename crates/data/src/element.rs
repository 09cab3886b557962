//! One element of a dataset: a few tensors with names.

use std::sync::Arc;

use downpour_tensor::{Result, Status, Tensor};

/// The names of an element's tensors, shared by all elements of a dataset.
#[derive(Clone, Debug, Eq)]
pub struct Names(Arc<[Arc<str>]>);

impl PartialEq for Names {
    fn eq(&self, other: &Names) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Names {
    /// These names, in this order.
    pub fn new<I: IntoIterator<Item: AsRef<str>>>(names: I) -> Names {
        Names(names.into_iter().map(|n| Arc::from(n.as_ref())).collect())
    }

    /// `0`, `1`, ...: the names of tensors nobody named.
    pub fn numbered(count: usize) -> Names {
        Names::new((0..count).map(|i| i.to_string()))
    }

    /// How many tensors an element with these names has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True for elements without tensors.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|n| &**n)
    }

    /// The place of a name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.iter().position(|n| n == name)
    }

    /// The names but the last.
    pub(crate) fn without_last(&self) -> Names {
        Names(
            self.0.split_last().map(|(_, rest)| rest.iter().cloned().collect()).unwrap_or_default(),
        )
    }

    /// The names of elements put side by side.
    pub fn joined(&self, other: &Names) -> Names {
        Names(self.0.iter().chain(other.0.iter()).cloned().collect())
    }
}

/// One element: tensors and their names. Cloning shares the contents.
///
/// ```
/// use downpour_data::Element;
/// use downpour_tensor::Tensor;
/// let e = Element::named([("x", Tensor::scalar(1f32)), ("y", Tensor::scalar(2i64))]);
/// assert_eq!(e.get("y").unwrap().to_scalar::<i64>().unwrap(), 2);
/// assert!(e.get("z").unwrap_err().message().contains("x, y"));
/// ```
#[derive(Clone, Debug)]
pub struct Element {
    names: Names,
    tensors: Vec<Tensor>,
}

impl Element {
    /// Tensors without names of their own (they are called `0`, `1`, ...).
    pub fn new(tensors: Vec<Tensor>) -> Element {
        Element { names: Names::numbered(tensors.len()), tensors }
    }

    /// Tensors with names. In a closure that runs per element prefer [`Element::with`] or
    /// [`Element::from_parts`], which share the list of names.
    pub fn named<N: AsRef<str>>(tensors: impl IntoIterator<Item = (N, Tensor)>) -> Element {
        let (names, tensors): (Vec<N>, Vec<Tensor>) = tensors.into_iter().unzip();
        Element { names: Names::new(names), tensors }
    }

    /// Tensors under names made before; the counts must agree.
    pub fn from_parts(names: Names, tensors: Vec<Tensor>) -> Result<Element> {
        if names.len() != tensors.len() {
            return Err(Status::invalid_argument(format!(
                "{} tensors cannot have the {} names ({})",
                tensors.len(),
                names.len(),
                names.iter().collect::<Vec<_>>().join(", ")
            )));
        }
        Ok(Element { names, tensors })
    }

    /// Other tensors under this element's names; numbered names if their count is another.
    pub fn with(&self, tensors: Vec<Tensor>) -> Element {
        let names = match tensors.len() == self.names.len() {
            true => self.names.clone(),
            false => Names::numbered(tensors.len()),
        };
        Element { names, tensors }
    }

    /// The names, in the order of the tensors.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The tensors, in order.
    pub fn tensors(&self) -> &[Tensor] {
        &self.tensors
    }

    /// The tensors without their names.
    pub fn into_tensors(self) -> Vec<Tensor> {
        self.tensors
    }

    pub(crate) fn into_parts(self) -> (Names, Vec<Tensor>) {
        (self.names, self.tensors)
    }

    /// The tensor of this name.
    pub fn get(&self, name: &str) -> Result<&Tensor> {
        self.names.position(name).map(|i| &self.tensors[i]).ok_or_else(|| {
            Status::not_found(format!(
                "an element has no tensor named {name:?}; it has {}",
                self.names.iter().collect::<Vec<_>>().join(", ")
            ))
        })
    }
}

impl std::ops::Index<usize> for Element {
    type Output = Tensor;
    fn index(&self, index: usize) -> &Tensor {
        &self.tensors[index]
    }
}
