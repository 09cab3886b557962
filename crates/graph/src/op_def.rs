//! Operation definitions as data: arguments, results and attributes.

use downpour_tensor::DataType;

use crate::AttrValue;

/// What an operation takes, gives and is configured by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpDef {
    pub name: String,
    pub inputs: Vec<ArgDef>,
    pub outputs: Vec<ArgDef>,
    pub attrs: Vec<AttrDef>,
    /// Has state or effects: never folded, deduplicated or dropped by rewriting.
    pub is_stateful: bool,
    pub is_commutative: bool,
    pub is_aggregate: bool,
    /// Accepts a reference to a variable that has no value yet.
    pub allows_uninitialized_input: bool,
    pub is_distributed: bool,
}

/// One argument or result, which may stand for several tensors.
#[derive(Clone, Debug, PartialEq)]
pub struct ArgDef {
    pub name: String,
    pub ty: ArgType,
    /// The attribute that says how many tensors of the same type this is.
    pub number_attr: Option<String>,
    pub is_ref: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ArgType {
    Fixed(DataType),
    /// The type is the value of this attribute.
    Attr(String),
    /// As many tensors as this list(type) attribute has entries, of those types.
    ListAttr(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct AttrDef {
    pub name: String,
    pub ty: AttrType,
    pub is_list: bool,
    pub default: Option<AttrValue>,
    /// Allowed types or strings; empty means any.
    pub allowed: Vec<AttrValue>,
    /// Smallest value of an int, or shortest length of a list.
    pub minimum: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttrType {
    Str,
    Int,
    Float,
    Bool,
    Type,
    Shape,
    Tensor,
    Func,
}

impl AttrType {
    pub fn from_name(name: &str) -> Option<AttrType> {
        Some(match name {
            "string" => AttrType::Str,
            "int" => AttrType::Int,
            "float" => AttrType::Float,
            "bool" => AttrType::Bool,
            "type" => AttrType::Type,
            "shape" => AttrType::Shape,
            "tensor" => AttrType::Tensor,
            "func" => AttrType::Func,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            AttrType::Str => "string",
            AttrType::Int => "int",
            AttrType::Float => "float",
            AttrType::Bool => "bool",
            AttrType::Type => "type",
            AttrType::Shape => "shape",
            AttrType::Tensor => "tensor",
            AttrType::Func => "func",
        }
    }
}

impl OpDef {
    pub fn attr(&self, name: &str) -> Option<&AttrDef> {
        self.attrs.iter().find(|a| a.name == name)
    }

    /// Operations whose `_`-prefixed or client-side names never come from a user's program.
    pub fn is_internal(&self) -> bool {
        self.name.starts_with('_')
    }
}
