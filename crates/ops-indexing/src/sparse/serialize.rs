//! Sparse tensors as strings or variants, one by one or by rows, and back.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{
    ByteString, CountedVec, DataType, Result, Shape, Status, Tensor, TensorVariant, Variant,
};
use downpour_wire::proto::TensorProto;

use super::coo::Coo;
use super::stack::{SparseParts, check, stack, unstack};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    downpour_wire::register_variant_decoder(TensorVariant::TYPE_NAME, |_, mut tensors| {
        let only = tensors.pop().filter(|_| tensors.is_empty());
        let tensor = only.ok_or_else(|| {
            Status::invalid_argument("a tensor in a variant consists of exactly one tensor")
        })?;
        Variant::new(TensorVariant(tensor))
    });
    let inputs = "sparse_indices: int64, sparse_values: T, sparse_shape: int64";
    for name in ["SerializeSparse", "SerializeManySparse"] {
        let signature = format!(
            "{name}({inputs}) -> (serialized_sparse: out_type)
                T: type
                out_type: {{string, variant}} = string"
        );
        registry.add(
            OpSpec::new(&signature)?.shape(serialize_shape).not_differentiable(),
            |b| {
                Ok(KernelBox::new(Serialize {
                    many: b.op_name() == "SerializeManySparse",
                    output: b.dtype("out_type")?,
                }))
            },
        )?;
    }
    let outputs = "(sparse_indices: int64, sparse_values: dtype, sparse_shape: int64)";
    for (name, input, attr) in [
        ("DeserializeSparse", "Tserialized", "\nTserialized: {string, variant} = string"),
        ("DeserializeManySparse", "string", ""),
    ] {
        let signature =
            format!("{name}(serialized_sparse: {input}) -> {outputs}\ndtype: type{attr}");
        registry
            .add(OpSpec::new(&signature)?.shape(deserialize_shape).not_differentiable(), |b| {
                Ok(KernelBox::new(Deserialize(b.dtype("dtype")?)))
            })?;
    }
    Ok(())
}

struct Serialize {
    many: bool,
    output: DataType,
}

impl Kernel for Serialize {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (indices, values, shape) = (cx.input(0), cx.input(1), cx.input(2));
        let wanted = [
            ("indices", indices, 2, "matrix"),
            ("values", values, 1, "vector"),
            ("shape", shape, 1, "vector"),
        ];
        for (name, tensor, rank, kind) in wanted {
            if tensor.rank() != rank {
                return Err(Status::invalid_argument(format!(
                    "Input {name} should be a {kind} but received shape {}",
                    tensor.shape()
                )));
            }
        }
        let (parts, outer) = if self.many {
            let parts = unstack(&Coo::new(indices, values, shape)?)?;
            let outer = Shape::from([parts.len(), 3]);
            (parts, outer)
        } else {
            let own = SparseParts {
                indices: indices.clone(),
                values: values.clone(),
                shape: shape.clone(),
            };
            (CountedVec::from_vec(vec![own])?, Shape::from([3]))
        };
        let mut tensors = parts.into_iter().flat_map(|p| [p.indices, p.values, p.shape]);
        let mut next = || tensors.next().ok_or_else(|| Status::internal("three tensors for each"));
        let output = if self.output == DataType::Variant {
            Tensor::build_variants(outer, |_| Variant::new(TensorVariant(next()?)))?
        } else {
            Tensor::build_strings(outer, |_| to_bytes(&next()?))?
        };
        cx.set_output(0, output);
        Ok(())
    }
}

fn to_bytes(tensor: &Tensor) -> Result<ByteString> {
    let (proto, _charge) = downpour_wire::counted_proto(tensor)?;
    downpour_wire::encode_string(&proto)
}

fn from_bytes(bytes: &ByteString) -> Result<Tensor> {
    let what = "Could not parse serialized proto";
    let (proto, _charge) = downpour_wire::decode_counted::<TensorProto>(bytes.to_bytes(), what)?;
    downpour_wire::tensor_from_proto(&proto).map_err(|e| {
        Status::invalid_argument(format!("Could not construct tensor from proto: {}", e.message()))
    })
}

struct Deserialize(DataType);

impl Kernel for Deserialize {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.input(0);
        let Some((&last, outer)) = input.dims().split_last() else {
            return Err(Status::invalid_argument(format!(
                "Serialized sparse should have non-zero rank {}",
                input.shape()
            )));
        };
        if last != 3 {
            return Err(Status::invalid_argument(format!(
                "Serialized sparse should have 3 as the last dimension {}",
                input.shape()
            )));
        }
        if input.is_empty() {
            return Err(Status::invalid_argument(format!(
                "Serialized sparse should have at least 1 serialized tensor, but has a zero \
                 dimension {}",
                input.shape()
            )));
        }
        let tensors = if input.dtype() == DataType::Variant {
            variant_tensors(input)?
        } else {
            let strings = input.strings()?;
            CountedVec::build(strings.len(), |i| from_bytes(&strings[i]))?
        };
        let mut parts = CountedVec::with_capacity(tensors.len() / 3)?;
        let mut tensors = tensors.into_iter();
        while let (Some(indices), Some(values), Some(shape)) =
            (tensors.next(), tensors.next(), tensors.next())
        {
            let own = SparseParts { indices, values, shape };
            check(&own, parts.len(), self.0, "serialized_sparse")?;
            parts.push(own)?;
        }
        let output = match (&parts[..], outer) {
            ([only], []) => only.clone(),
            _ => stack(outer, &parts, self.0)?,
        };
        cx.set_output(0, output.indices);
        cx.set_output(1, output.values);
        cx.set_output(2, output.shape);
        Ok(())
    }
}

fn variant_tensors(input: &Tensor) -> Result<CountedVec<Tensor>> {
    let variants = input.variants()?;
    CountedVec::build(variants.len(), |i| match variants[i].get::<TensorVariant>() {
        Some(TensorVariant(tensor)) => Ok(tensor.clone()),
        None => Err(Status::invalid_argument(format!(
            "Could not get a tensor from serialized_sparse[{}, {}]",
            i / 3,
            i % 3
        ))),
    })
}

fn serialize_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    for (i, rank) in [(0, 2), (1, 1), (2, 1)] {
        cx.with_rank(i, rank)?;
    }
    let many = cx.node().op_name() == "SerializeManySparse";
    let three = PartialShape::vector(Some(3));
    cx.set_output(0, if many { PartialShape::vector(None).concat(&three) } else { three });
    Ok(())
}

fn deserialize_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let input = if cx.node().op_name() == "DeserializeManySparse" {
        &cx.with_rank(0, 2)?
    } else {
        cx.with_rank_at_least(0, 1)?
    };
    if let Some(rank) = input.rank() {
        cx.merge_dim(input.dim(rank - 1), Some(3))?;
    }
    cx.set_output(0, PartialShape::of_rank(2));
    cx.set_output(1, PartialShape::vector(None));
    cx.set_output(2, PartialShape::vector(None));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn serialize(op: &str, output: DataType) -> Tensor {
        OpTest::new(register, op)
            .input(Tensor::from_vec([3, 2], vec![0i64, 1, 2, 0, 2, 3]).unwrap())
            .input(
                Tensor::from_strings([3], ["a", "b", "c"].map(ByteString::from).to_vec()).unwrap(),
            )
            .input(Tensor::vector(&[3i64, 4]).unwrap())
            .attr("out_type", output)
            .run_one()
            .unwrap()
    }

    fn deserialize(input: Tensor, dtype: DataType) -> Result<Vec<Tensor>> {
        OpTest::new(register, "DeserializeSparse").input(input).attr("dtype", dtype).run()
    }

    #[test]
    fn rows_and_wholes_come_back() {
        for output in [DataType::String, DataType::Variant] {
            for op in ["SerializeSparse", "SerializeManySparse"] {
                let out = deserialize(serialize(op, output), DataType::String).unwrap();
                assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 1, 2, 0, 2, 3], "{op}");
                assert_eq!(out[1].strings().unwrap()[2], ByteString::from("c"));
                assert_eq!(out[2].as_slice::<i64>().unwrap(), &[3, 4]);
            }
        }
    }

    #[test]
    fn foreign_bytes_and_types_are_refused() {
        let nonsense =
            Tensor::from_strings([3], vec![ByteString::from_static(b"\xff\xff"); 3]).unwrap();
        assert!(deserialize(nonsense, DataType::Float).is_err());
        let good = serialize("SerializeSparse", DataType::String);
        let e = deserialize(good.clone(), DataType::Float).unwrap_err();
        assert!(e.message().contains("Requested SparseTensor of type float"), "{e}");
        assert!(deserialize(good.rows(0, 2).unwrap(), DataType::String).is_err());
        let empty = Tensor::new(DataType::Variant, [3]).unwrap();
        assert!(deserialize(empty, DataType::String).is_err());
        assert!(
            deserialize(Tensor::new(DataType::Variant, [0, 3]).unwrap(), DataType::String).is_err()
        );
    }
}
