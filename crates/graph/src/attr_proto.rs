//! Attribute values to and from their messages.

use downpour_tensor::{DataType, Result, Status};
use downpour_wire::proto::{
    self, NameAttrList, TensorShapeProto, attr_value::ListValue, attr_value::Value,
    tensor_shape_proto::Dim as DimProto,
};
use downpour_wire::{tensor_from_proto, tensor_to_proto};

use crate::attr::{AttrValue, Attrs, Function};
use crate::partial_shape::PartialShape;

/// The attribute a message describes.
pub fn attr_from_proto(proto: &proto::AttrValue) -> Result<AttrValue> {
    let value = proto
        .value
        .as_ref()
        .ok_or_else(|| Status::invalid_argument("an attribute has no value"))?;
    Ok(match value {
        Value::S(v) => AttrValue::Str(v.clone()),
        Value::I(v) => AttrValue::Int(*v),
        Value::F(v) => AttrValue::Float(*v),
        Value::B(v) => AttrValue::Bool(*v),
        Value::Type(v) => AttrValue::Type(dtype_from_proto(*v)?),
        Value::Shape(v) => AttrValue::Shape(shape_from_proto(v)?),
        Value::Tensor(v) => AttrValue::Tensor(tensor_from_proto(v)?),
        Value::Func(v) => AttrValue::Func(function_from_proto(v)?),
        Value::Placeholder(v) => AttrValue::Placeholder(v.clone()),
        Value::List(v) => AttrValue::List(list_from_proto(v)?),
    })
}

fn list_from_proto(list: &ListValue) -> Result<Vec<AttrValue>> {
    let mut values = Vec::new();
    values.extend(list.s.iter().map(|v| AttrValue::Str(v.clone())));
    values.extend(list.i.iter().map(|v| AttrValue::Int(*v)));
    values.extend(list.f.iter().map(|v| AttrValue::Float(*v)));
    values.extend(list.b.iter().map(|v| AttrValue::Bool(*v)));
    for v in &list.r#type {
        values.push(AttrValue::Type(dtype_from_proto(*v)?));
    }
    for v in &list.shape {
        values.push(AttrValue::Shape(shape_from_proto(v)?));
    }
    for v in &list.tensor {
        values.push(AttrValue::Tensor(tensor_from_proto(v)?));
    }
    for v in &list.func {
        values.push(AttrValue::Func(function_from_proto(v)?));
    }
    Ok(values)
}

/// A dtype number; whether it is a reference type is the operation definition's to say.
pub fn dtype_from_proto(number: i32) -> Result<DataType> {
    DataType::from_wire(number)
        .map(|(dtype, _)| dtype)
        .ok_or_else(|| Status::invalid_argument(format!("{number} is not the number of a dtype")))
}

pub fn shape_from_proto(proto: &TensorShapeProto) -> Result<PartialShape> {
    if proto.unknown_rank {
        return Ok(PartialShape::unknown());
    }
    let dims: Vec<i64> = proto.dim.iter().map(|d| d.size).collect();
    PartialShape::from_i64(&dims)
}

pub fn partial_shape_to_proto(shape: &PartialShape) -> TensorShapeProto {
    match shape.to_i64() {
        None => TensorShapeProto { unknown_rank: true, dim: Vec::new() },
        Some(dims) => TensorShapeProto {
            unknown_rank: false,
            dim: dims.into_iter().map(|size| DimProto { size, ..DimProto::default() }).collect(),
        },
    }
}

pub fn function_from_proto(proto: &NameAttrList) -> Result<Function> {
    Ok(Function { name: proto.name.clone(), attrs: attrs_from_proto(&proto.attr)? })
}

pub fn attrs_from_proto<'a>(
    attrs: impl IntoIterator<Item = (&'a String, &'a proto::AttrValue)>,
) -> Result<Attrs> {
    let mut out = Attrs::new();
    for (name, value) in attrs {
        // A value no message field was set for: a client wrote an attribute of an empty kind.
        if value.value.is_none() {
            continue;
        }
        let value = attr_from_proto(value).map_err(|e| e.context(format!("attribute '{name}'")))?;
        out.0.insert(name.clone(), value);
    }
    Ok(out)
}

/// The message of an attribute.
pub fn attr_to_proto(value: &AttrValue) -> Result<proto::AttrValue> {
    let value = match value {
        AttrValue::Str(v) => Value::S(v.clone()),
        AttrValue::Int(v) => Value::I(*v),
        AttrValue::Float(v) => Value::F(*v),
        AttrValue::Bool(v) => Value::B(*v),
        AttrValue::Type(v) => Value::Type(*v as i32),
        AttrValue::Shape(v) => Value::Shape(partial_shape_to_proto(v)),
        AttrValue::Tensor(v) => Value::Tensor(Box::new(tensor_to_proto(v)?)),
        AttrValue::Func(v) => Value::Func(function_to_proto(v)?),
        AttrValue::Placeholder(v) => Value::Placeholder(v.clone()),
        AttrValue::List(values) => Value::List(Box::new(list_to_proto(values)?)),
    };
    Ok(proto::AttrValue { value: Some(value) })
}

fn list_to_proto(values: &[AttrValue]) -> Result<ListValue> {
    let mut list = ListValue::default();
    for value in values {
        match value {
            AttrValue::Str(v) => list.s.push(v.clone()),
            AttrValue::Int(v) => list.i.push(*v),
            AttrValue::Float(v) => list.f.push(*v),
            AttrValue::Bool(v) => list.b.push(*v),
            AttrValue::Type(v) => list.r#type.push(*v as i32),
            AttrValue::Shape(v) => list.shape.push(partial_shape_to_proto(v)),
            AttrValue::Tensor(v) => list.tensor.push(tensor_to_proto(v)?),
            AttrValue::Func(v) => list.func.push(function_to_proto(v)?),
            AttrValue::List(_) | AttrValue::Placeholder(_) => {
                return Err(Status::invalid_argument("a list attribute cannot hold lists"));
            }
        }
    }
    Ok(list)
}

fn function_to_proto(function: &Function) -> Result<NameAttrList> {
    Ok(NameAttrList { name: function.name.clone(), attr: attrs_to_proto(&function.attrs)? })
}

pub fn attrs_to_proto(
    attrs: &Attrs,
) -> Result<std::collections::BTreeMap<String, proto::AttrValue>> {
    attrs.0.iter().map(|(name, value)| Ok((name.clone(), attr_to_proto(value)?))).collect()
}
