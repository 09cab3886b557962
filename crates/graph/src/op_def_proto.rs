//! Operation definitions that arrive as messages: the signatures of functions.

use downpour_tensor::{Result, Status};
use downpour_wire::proto;

use crate::attr::AttrValue;
use crate::attr_proto::{attr_from_proto, dtype_from_proto};
use crate::op_def::{ArgDef, ArgType, AttrDef, AttrType, OpDef};

pub fn op_def_from_proto(proto: &proto::OpDef) -> Result<OpDef> {
    let args = |list: &[proto::op_def::ArgDef]| list.iter().map(arg).collect::<Result<Vec<_>>>();
    Ok(OpDef {
        name: proto.name.clone(),
        inputs: args(&proto.input_arg)?,
        outputs: args(&proto.output_arg)?,
        attrs: proto.attr.iter().map(attr).collect::<Result<_>>()?,
        is_stateful: proto.is_stateful,
        is_commutative: proto.is_commutative,
        is_aggregate: proto.is_aggregate,
        allows_uninitialized_input: proto.allows_uninitialized_input,
        is_distributed: proto.is_distributed_communication,
    })
}

fn arg(proto: &proto::op_def::ArgDef) -> Result<ArgDef> {
    let ty = if !proto.type_list_attr.is_empty() {
        ArgType::ListAttr(proto.type_list_attr.clone())
    } else if !proto.type_attr.is_empty() {
        ArgType::Attr(proto.type_attr.clone())
    } else {
        ArgType::Fixed(dtype_from_proto(proto.r#type)?)
    };
    let number_attr = (!proto.number_attr.is_empty()).then(|| proto.number_attr.clone());
    Ok(ArgDef { name: proto.name.clone(), ty, number_attr, is_ref: proto.is_ref })
}

fn attr(proto: &proto::op_def::AttrDef) -> Result<AttrDef> {
    let (is_list, kind) = match proto.r#type.strip_prefix("list(").and_then(|t| t.strip_suffix(')'))
    {
        Some(inner) => (true, inner),
        None => (false, proto.r#type.as_str()),
    };
    let ty = AttrType::from_name(kind).ok_or_else(|| {
        Status::invalid_argument(format!("attribute '{}' has unknown kind '{kind}'", proto.name))
    })?;
    let allowed = match proto.allowed_values.as_ref().map(attr_from_proto).transpose()? {
        Some(AttrValue::List(values)) => values,
        _ => Vec::new(),
    };
    let default = proto.default_value.as_ref().map(attr_from_proto).transpose()?;
    let minimum = proto.has_minimum.then_some(proto.minimum);
    Ok(AttrDef { name: proto.name.clone(), ty, is_list, default, allowed, minimum })
}
