//! Operation definitions from messages (the signatures of functions) and as messages.

use downpour_tensor::{Result, Status};
use downpour_wire::proto;

use crate::attr::AttrValue;
use crate::attr_proto::{attr_from_proto, attr_to_proto, dtype_from_proto};
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

/// The message of a definition.
pub fn op_def_to_proto(def: &OpDef) -> Result<proto::OpDef> {
    let args = |list: &[ArgDef]| list.iter().map(arg_to_proto).collect();
    Ok(proto::OpDef {
        name: def.name.clone(),
        input_arg: args(&def.inputs),
        output_arg: args(&def.outputs),
        attr: def.attrs.iter().map(attr_def_to_proto).collect::<Result<_>>()?,
        is_stateful: def.is_stateful,
        is_commutative: def.is_commutative,
        is_aggregate: def.is_aggregate,
        allows_uninitialized_input: def.allows_uninitialized_input,
        is_distributed_communication: def.is_distributed,
        ..proto::OpDef::default()
    })
}

fn arg_to_proto(arg: &ArgDef) -> proto::op_def::ArgDef {
    let mut out = proto::op_def::ArgDef {
        name: arg.name.clone(),
        number_attr: arg.number_attr.clone().unwrap_or_default(),
        is_ref: arg.is_ref,
        ..Default::default()
    };
    match &arg.ty {
        ArgType::Fixed(dtype) => out.r#type = *dtype as i32,
        ArgType::Attr(attr) => out.type_attr = attr.clone(),
        ArgType::ListAttr(attr) => out.type_list_attr = attr.clone(),
    }
    out
}

fn attr_def_to_proto(attr: &AttrDef) -> Result<proto::op_def::AttrDef> {
    let kind = attr.ty.name();
    let allowed = (!attr.allowed.is_empty()).then(|| AttrValue::List(attr.allowed.clone()));
    Ok(proto::op_def::AttrDef {
        name: attr.name.clone(),
        r#type: if attr.is_list { format!("list({kind})") } else { kind.to_string() },
        default_value: attr.default.as_ref().map(attr_to_proto).transpose()?,
        allowed_values: allowed.as_ref().map(attr_to_proto).transpose()?,
        has_minimum: attr.minimum.is_some(),
        minimum: attr.minimum.unwrap_or(0),
        ..Default::default()
    })
}
