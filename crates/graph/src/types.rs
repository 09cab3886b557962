//! Types from attributes and attributes from types: what an operation definition lets us derive.

use downpour_tensor::{DataType, Result, Status};

use crate::attr::{AttrValue, Attrs};
use crate::node::{EdgeType, arg_len};
use crate::op_def::{ArgDef, ArgType, AttrDef, AttrType, OpDef};

/// A count or list from outside may ask for this many edges at most.
const MAX_EDGES: usize = 1 << 20;

/// The types of all tensors a list of arguments stands for.
pub(crate) fn arg_types(args: &[ArgDef], attrs: &Attrs) -> Result<Vec<EdgeType>> {
    let mut types = Vec::new();
    for arg in args {
        let len = arg_len(arg, attrs)?;
        if types.len().saturating_add(len) > MAX_EDGES {
            return Err(Status::invalid_argument(format!(
                "argument '{}' stands for {len} tensors; at most {MAX_EDGES} are supported",
                arg.name
            )));
        }
        let edge = |dtype| EdgeType { dtype, is_ref: arg.is_ref };
        match &arg.ty {
            ArgType::Fixed(dtype) => types.extend(std::iter::repeat_n(edge(*dtype), len)),
            ArgType::Attr(attr) => {
                types.extend(std::iter::repeat_n(edge(attrs.dtype(attr)?), len));
            }
            ArgType::ListAttr(list) => types.extend(attrs.dtypes(list)?.into_iter().map(edge)),
        }
    }
    Ok(types)
}

/// Fills in defaults and checks every attribute the definition names.
pub(crate) fn complete_attrs(def: &OpDef, attrs: &mut Attrs) -> Result<()> {
    for attr in &def.attrs {
        match (attrs.get(&attr.name), &attr.default) {
            (Some(value), _) => check_attr(attr, value)?,
            (None, Some(default)) => attrs.set(&attr.name, default.clone()),
            (None, None) => {
                return Err(Status::invalid_argument(format!(
                    "NodeDef missing attr '{}' from Op<name={}>",
                    attr.name, def.name
                )));
            }
        }
    }
    Ok(())
}

fn check_attr(def: &AttrDef, value: &AttrValue) -> Result<()> {
    if matches!(value, AttrValue::Placeholder(_)) {
        return Ok(());
    }
    match value {
        AttrValue::List(values) if def.is_list => {
            if def.minimum.is_some_and(|least| (values.len() as i64) < least) {
                return Err(Status::invalid_argument(format!(
                    "Length for attr '{}' of {} must be at least minimum {}",
                    def.name,
                    values.len(),
                    def.minimum.unwrap_or(0)
                )));
            }
            values.iter().try_for_each(|v| check_one(def, v))
        }
        value if !def.is_list => {
            if let (AttrValue::Int(v), Some(least)) = (value, def.minimum)
                && *v < least
            {
                return Err(Status::invalid_argument(format!(
                    "Value for attr '{}' of {v} must be at least minimum {least}",
                    def.name
                )));
            }
            check_one(def, value)
        }
        value => Err(mismatch(def, value)),
    }
}

fn check_one(def: &AttrDef, value: &AttrValue) -> Result<()> {
    let fits = matches!(
        (def.ty, value),
        (AttrType::Str, AttrValue::Str(_))
            | (AttrType::Int, AttrValue::Int(_))
            | (AttrType::Float, AttrValue::Float(_))
            | (AttrType::Bool, AttrValue::Bool(_))
            | (AttrType::Type, AttrValue::Type(_))
            | (AttrType::Shape, AttrValue::Shape(_))
            | (AttrType::Tensor, AttrValue::Tensor(_))
            | (AttrType::Func, AttrValue::Func(_))
            | (_, AttrValue::Placeholder(_))
    );
    if !fits {
        return Err(mismatch(def, value));
    }
    if !def.allowed.is_empty() && !def.allowed.contains(value) {
        let shown = |v: &AttrValue| match v {
            AttrValue::Type(t) => t.name().to_string(),
            AttrValue::Str(s) => format!("\"{}\"", String::from_utf8_lossy(s)),
            other => format!("{other:?}"),
        };
        let allowed: Vec<String> = def.allowed.iter().map(shown).collect();
        return Err(Status::invalid_argument(format!(
            "Value for attr '{}' of {} is not in the list of allowed values: {}",
            def.name,
            shown(value),
            allowed.join(", ")
        )));
    }
    Ok(())
}

fn mismatch(def: &AttrDef, value: &AttrValue) -> Status {
    let wanted =
        if def.is_list { format!("list({})", def.ty.name()) } else { def.ty.name().into() };
    Status::invalid_argument(format!(
        "AttrValue of attr '{}' had value of kind '{}' when '{wanted}' was expected",
        def.name,
        value.kind()
    ))
}

/// Derives type and count attributes that were not given from the types of the inputs.
pub(crate) fn infer_attrs(def: &OpDef, inputs: &[DataType], attrs: &mut Attrs) -> Result<()> {
    let is_open = |arg: &ArgDef| match (&arg.ty, &arg.number_attr) {
        (ArgType::ListAttr(list), _) => attrs.get(list).is_none(),
        (_, Some(n)) => attrs.get(n).is_none(),
        _ => false,
    };
    let open: Vec<bool> = def.inputs.iter().map(is_open).collect();
    let mut fixed = 0;
    for (arg, _) in def.inputs.iter().zip(&open).filter(|(_, open)| !**open) {
        fixed += arg_len(arg, attrs)?;
    }
    // Several open lists share one length (as in `handles: N * T, values: N * T`).
    let open_count = open.iter().filter(|o| **o).count().max(1);
    let length = inputs.len().saturating_sub(fixed) / open_count;
    let mut next = 0;
    for (arg, open) in def.inputs.iter().zip(open) {
        let len = if open { length } else { arg_len(arg, attrs)? };
        let types = inputs.get(next..next + len).ok_or_else(|| {
            Status::invalid_argument(format!("{} got {} inputs, too few", def.name, inputs.len()))
        })?;
        next += len;
        if let Some(n) = &arg.number_attr {
            attrs.0.entry(n.clone()).or_insert(AttrValue::Int(len as i64));
        }
        match &arg.ty {
            ArgType::Attr(attr) if !types.is_empty() => {
                attrs.0.entry(attr.clone()).or_insert(AttrValue::Type(types[0]));
            }
            ArgType::ListAttr(list) => {
                attrs.0.entry(list.clone()).or_insert(types.to_vec().into());
            }
            _ => {}
        }
    }
    Ok(())
}
