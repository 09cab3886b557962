//! Huge constants of one value: made when they are needed instead of being kept.
//!
//! `tf.constant_initializer(0.1)` of a large variable is a Const whose message holds one number and a shape.
//! Expanded it would lie beside the variable for as long as the graph lives; as a Fill it costs nothing.

use std::borrow::Cow;

use downpour_tensor::DataType;
use downpour_wire::proto::{
    AttrValue, NodeDef, TensorProto, TensorShapeProto, attr_value::Value, tensor_shape_proto::Dim,
};

/// Constants from this size on are rewritten; smaller ones may be used in every step.
const LARGE: usize = 16 << 20;

/// The nodes, with large constants of one value as Fills of the same name.
pub fn fill_large_constants(nodes: &[NodeDef]) -> Cow<'_, [NodeDef]> {
    if !nodes.iter().any(|node| splat(node).is_some()) {
        return Cow::Borrowed(nodes);
    }
    let mut out = Vec::with_capacity(nodes.len() + 2);
    for node in nodes {
        match splat(node) {
            Some(value) => out.extend(fill(node, value)),
            None => out.push(node.clone()),
        }
    }
    Cow::Owned(out)
}

/// The message of a large constant that holds a single number.
fn splat(node: &NodeDef) -> Option<&TensorProto> {
    if node.op != "Const" {
        return None;
    }
    let Some(Value::Tensor(value)) = &node.attr.get("value")?.value else { return None };
    let dtype = DataType::from_i32(value.dtype).filter(|d| d.is_plain())?;
    let numbers = value.half_val.len()
        + value.float_val.len()
        + value.double_val.len()
        + value.int_val.len()
        + value.int64_val.len()
        + value.bool_val.len();
    let shape = value.tensor_shape.as_ref().filter(|shape| !shape.unknown_rank)?;
    let mut dims = shape.dim.iter();
    let bytes =
        dims.try_fold(dtype.size(), |all, dim| all.checked_mul(usize::try_from(dim.size).ok()?))?;
    (bytes >= LARGE && numbers == 1 && value.tensor_content.is_empty()).then_some(value)
}

fn fill(node: &NodeDef, value: &TensorProto) -> [NodeDef; 3] {
    let dims = value.tensor_shape.iter().flat_map(|shape| &shape.dim).map(|dim| dim.size);
    let dims: Vec<i64> = dims.collect();
    let rank = Dim { size: dims.len() as i64, ..Dim::default() };
    let dims = TensorProto {
        dtype: DataType::Int64 as i32,
        tensor_shape: Some(TensorShapeProto { dim: vec![rank], unknown_rank: false }),
        int64_val: dims,
        ..TensorProto::default()
    };
    let scalar = TensorProto { tensor_shape: Some(TensorShapeProto::default()), ..value.clone() };
    let (dims, scalar) = (constant(node, "_dims", dims), constant(node, "_value", scalar));
    let mut fill = node.clone();
    fill.op = "Fill".to_string();
    fill.attr.retain(|name, _| name.starts_with('_'));
    fill.attr.insert("T".to_string(), dtype_attr(value.dtype));
    fill.attr.insert("index_type".to_string(), dtype_attr(DataType::Int64 as i32));
    // What a Const waits for, its only inputs, stays behind.
    fill.input.splice(0..0, [dims.name.clone(), scalar.name.clone()]);
    [dims, scalar, fill]
}

fn constant(of: &NodeDef, suffix: &str, value: TensorProto) -> NodeDef {
    let dtype = dtype_attr(value.dtype);
    let value = AttrValue { value: Some(Value::Tensor(Box::new(value))) };
    NodeDef {
        name: format!("{}/{suffix}", of.name),
        op: "Const".to_string(),
        device: of.device.clone(),
        attr: [("dtype".to_string(), dtype), ("value".to_string(), value)].into(),
        ..NodeDef::default()
    }
}

fn dtype_attr(dtype: i32) -> AttrValue {
    AttrValue { value: Some(Value::Type(dtype)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constant_of(size: i64, values: usize) -> NodeDef {
        let dim = Dim { size, ..Dim::default() };
        let value = TensorProto {
            dtype: DataType::Float as i32,
            tensor_shape: Some(TensorShapeProto { dim: vec![dim], unknown_rank: false }),
            float_val: vec![0.5; values],
            ..TensorProto::default()
        };
        let of = NodeDef { name: "c".into(), device: "/job:ps".into(), ..NodeDef::default() };
        let mut node = constant(&of, "x", value);
        node.input.push("^before".into());
        node
    }

    #[test]
    fn large_ones_become_fills() {
        let nodes = [constant_of(8 << 20, 1)];
        let out = fill_large_constants(&nodes);
        assert_eq!(
            out.iter().map(|n| n.op.as_str()).collect::<Vec<_>>(),
            ["Const", "Const", "Fill"]
        );
        assert_eq!(out[2].name, "c/x");
        assert_eq!(out[2].input, ["c/x/_dims", "c/x/_value", "^before"]);
        assert!(out.iter().all(|n| n.device == "/job:ps"));
    }

    #[test]
    fn others_stay() {
        for node in [constant_of(100, 1), constant_of(8 << 20, 2), constant_of(-1, 1)] {
            assert!(matches!(fill_large_constants(&[node]), Cow::Borrowed(_)));
        }
        assert!(matches!(fill_large_constants(&[constant_of(i64::MAX, 1)]), Cow::Borrowed(_)));
    }
}
