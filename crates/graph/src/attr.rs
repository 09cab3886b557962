//! Attribute values of nodes, and typed access to them.

use std::collections::BTreeMap;

use bytes::Bytes;
use downpour_tensor::{DataType, Result, Status, Tensor};

use crate::PartialShape;

/// An attribute's value. A list keeps the kind of its elements, so an empty list is just `List(vec![])`.
#[derive(Clone, Debug)]
pub enum AttrValue {
    Str(Bytes),
    Int(i64),
    Float(f32),
    Bool(bool),
    Type(DataType),
    Shape(PartialShape),
    Tensor(Tensor),
    Func(Function),
    List(Vec<AttrValue>),
    /// Inside a function body: the value comes from the caller's attribute of this name.
    Placeholder(String),
}

/// A function by name, with values for its own attributes.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: String,
    pub attrs: Attrs,
}

impl PartialEq for AttrValue {
    fn eq(&self, other: &AttrValue) -> bool {
        use AttrValue::*;
        match (self, other) {
            (Str(a), Str(b)) => a == b,
            (Int(a), Int(b)) => a == b,
            (Float(a), Float(b)) => a.to_bits() == b.to_bits(),
            (Bool(a), Bool(b)) => a == b,
            (Type(a), Type(b)) => a == b,
            (Shape(a), Shape(b)) => a == b,
            (Tensor(a), Tensor(b)) => same_tensor(a, b),
            (Func(a), Func(b)) => a == b,
            (List(a), List(b)) => a == b,
            (Placeholder(a), Placeholder(b)) => a == b,
            _ => false,
        }
    }
}

/// Bitwise equality (two NaNs of the same bits are equal, 0.0 and -0.0 are not).
fn same_tensor(a: &Tensor, b: &Tensor) -> bool {
    a.dtype() == b.dtype()
        && a.shape() == b.shape()
        && match (a.bytes(), b.bytes()) {
            (Some(x), Some(y)) => x == y,
            _ => matches!((a.strings(), b.strings()), (Ok(x), Ok(y)) if x == y),
        }
}

impl AttrValue {
    /// The kind in the words of operation definitions.
    pub fn kind(&self) -> &'static str {
        match self {
            AttrValue::Str(_) => "string",
            AttrValue::Int(_) => "int",
            AttrValue::Float(_) => "float",
            AttrValue::Bool(_) => "bool",
            AttrValue::Type(_) => "type",
            AttrValue::Shape(_) => "shape",
            AttrValue::Tensor(_) => "tensor",
            AttrValue::Func(_) => "func",
            AttrValue::List(_) => "list",
            AttrValue::Placeholder(_) => "placeholder",
        }
    }
}

macro_rules! conversions {
    ($($ty:ty => $variant:ident),* $(,)?) => {$(
        impl From<$ty> for AttrValue {
            fn from(value: $ty) -> AttrValue { AttrValue::$variant(value.into()) }
        }
    )*};
}
conversions! {
    i64 => Int, i32 => Int, f32 => Float, bool => Bool, DataType => Type, PartialShape => Shape,
    Tensor => Tensor, Function => Func, Bytes => Str, String => Str, &'static str => Str,
}

impl<T: Into<AttrValue>> From<Vec<T>> for AttrValue {
    fn from(values: Vec<T>) -> AttrValue {
        AttrValue::List(values.into_iter().map(Into::into).collect())
    }
}

/// A node's attributes by name, with typed accessors whose errors name the attribute.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attrs(pub BTreeMap<String, AttrValue>);

impl Attrs {
    pub fn new() -> Attrs {
        Attrs::default()
    }

    pub fn with(mut self, name: &str, value: impl Into<AttrValue>) -> Attrs {
        self.set(name, value);
        self
    }

    pub fn set(&mut self, name: &str, value: impl Into<AttrValue>) {
        self.0.insert(name.to_string(), value.into());
    }

    pub fn get(&self, name: &str) -> Option<&AttrValue> {
        self.0.get(name)
    }

    fn required(&self, name: &str) -> Result<&AttrValue> {
        self.get(name)
            .ok_or_else(|| Status::invalid_argument(format!("the attribute '{name}' is missing")))
    }

    fn list(&self, name: &str) -> Result<&[AttrValue]> {
        match self.required(name)? {
            AttrValue::List(values) => Ok(values),
            other => Err(wrong_kind(name, "list", other)),
        }
    }
}

fn wrong_kind(name: &str, wanted: &str, got: &AttrValue) -> Status {
    Status::invalid_argument(format!(
        "the attribute '{name}' should be of kind {wanted} but is of kind {}",
        got.kind()
    ))
}

macro_rules! accessors {
    ($($one:ident, $many:ident, $variant:ident, $kind:literal, $ty:ty, $get:expr;)*) => {
        impl Attrs {$(
            pub fn $one(&self, name: &str) -> Result<$ty> {
                match self.required(name)? {
                    AttrValue::$variant(v) => Ok($get(v)),
                    other => Err(wrong_kind(name, $kind, other)),
                }
            }
            pub fn $many(&self, name: &str) -> Result<Vec<$ty>> {
                self.list(name)?
                    .iter()
                    .map(|v| match v {
                        AttrValue::$variant(v) => Ok($get(v)),
                        other => Err(wrong_kind(name, concat!("list(", $kind, ")"), other)),
                    })
                    .collect()
            }
        )*}
    };
}

accessors! {
    int, ints, Int, "int", i64, |v: &i64| *v;
    float, floats, Float, "float", f32, |v: &f32| *v;
    bool, bools, Bool, "bool", bool, |v: &bool| *v;
    dtype, dtypes, Type, "type", DataType, |v: &DataType| *v;
    bytes, byte_strings, Str, "string", Bytes, |v: &Bytes| v.clone();
    string, strings, Str, "string", String, |v: &Bytes| String::from_utf8_lossy(v).into_owned();
    shape, shapes, Shape, "shape", PartialShape, |v: &PartialShape| v.clone();
    tensor, tensors, Tensor, "tensor", Tensor, |v: &Tensor| v.clone();
    function, functions, Func, "func", Function, |v: &Function| v.clone();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn access_is_typed_and_errors_name_the_attribute() {
        let attrs =
            Attrs::new().with("N", 3i64).with("T", DataType::Float).with("s", vec![1i64, 2]);
        assert_eq!(attrs.int("N").unwrap(), 3);
        assert_eq!(attrs.ints("s").unwrap(), vec![1, 2]);
        assert!(attrs.bool("N").unwrap_err().message().contains("'N'"));
        assert!(attrs.int("absent").unwrap_err().message().contains("'absent'"));
    }
}
