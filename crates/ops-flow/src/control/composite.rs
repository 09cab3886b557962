//! Composite tensors in variants: the parts of a ragged or sparse tensor (or any of `tf.ExtensionType`) with its type.
//!
//! The type is a message that the client has made. Only its class is compared, as TensorFlow does.

use std::any::Any;

use downpour_graph::{Node, OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{ByteString, DataType, Result, Status, Tensor, Variant, VariantValue};
use downpour_wire::Message;
use downpour_wire::proto::TypeSpecProto;
use downpour_wire::proto::type_spec_proto::TypeSpecClass;

/// The name under which TensorFlow encodes such values.
const TYPE_NAME: &str = "CompositeTensorVariant";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    downpour_wire::register_variant_decoder(TYPE_NAME, |metadata, components| {
        Variant::new(Composite::new(metadata, components)?)
    });
    let encode =
        "CompositeTensorVariantFromComponents(components: Tcomponents) -> (encoded: variant)
        metadata: string
        Tcomponents: list(type) >= 0";
    registry.add(OpSpec::new(encode)?.shape(shapes::scalar).not_differentiable(), |build| {
        // Metadata that cannot be read is refused before a step begins.
        let metadata = metadata(build)?;
        Composite::new(&metadata, Vec::new())?;
        Ok(KernelBox::new(Encode { metadata }))
    })?;
    let decode = "CompositeTensorVariantToComponents(encoded: variant) -> (components: Tcomponents)
        metadata: string
        Tcomponents: list(type) >= 0";
    registry.add(OpSpec::new(decode)?.not_differentiable(), |build| {
        Ok(KernelBox::new(Decode::new(build)?))
    })
}

fn metadata(node: &Node) -> Result<ByteString> {
    ByteString::copy_from(node.bytes("metadata")?)
}

#[derive(Clone, Debug)]
struct Composite {
    metadata: ByteString,
    class: TypeSpecClass,
    components: Vec<Tensor>,
}

impl Composite {
    fn new(metadata: &[u8], components: Vec<Tensor>) -> Result<Composite> {
        Ok(Composite {
            metadata: ByteString::copy_from(metadata)?,
            class: class(metadata)?,
            components,
        })
    }
}

/// The class in a `CompositeTensorVariantMetadata`, whose only field is a `TypeSpecProto`, number 1.
fn class(metadata: &[u8]) -> Result<TypeSpecClass> {
    const FIELD_1: u8 = 1 << 3 | 2;
    let wrong = || Status::invalid_argument("Error parsing `metadata`");
    let spec = match metadata.split_first() {
        None => return Ok(TypeSpecClass::Unknown),
        Some((&FIELD_1, rest)) => {
            TypeSpecProto::decode_length_delimited(rest).map_err(|_| wrong())?
        }
        Some(_) => return Err(wrong()),
    };
    TypeSpecClass::try_from(spec.type_spec_class).map_err(|_| wrong())
}

impl VariantValue for Composite {
    fn type_name(&self) -> &str {
        TYPE_NAME
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn inner_depth(&self) -> usize {
        self.components.iter().map(Tensor::variant_depth).max().unwrap_or(0)
    }

    fn encode(&self) -> Result<(Vec<u8>, Vec<Tensor>)> {
        Ok((self.metadata.to_vec(), self.components.clone()))
    }
}

struct Encode {
    metadata: ByteString,
}

impl Kernel for Encode {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let components = (0..cx.inputs_len()).map(|i| cx.take(i)).collect();
        let composite = Composite::new(&self.metadata, components)?;
        cx.set_output(0, Variant::new(composite)?.into_tensor());
        Ok(())
    }

    fn expensive(&self) -> bool {
        false
    }
}

struct Decode {
    class: TypeSpecClass,
    dtypes: Vec<DataType>,
}

impl Decode {
    fn new(build: &KernelBuild<'_>) -> Result<Decode> {
        let class = class(&metadata(build)?)?;
        Ok(Decode { class, dtypes: build.dtypes("Tcomponents")? })
    }
}

impl Kernel for Decode {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let refused = |what: String| Err(Status::invalid_argument(what));
        let encoded = cx.input(0);
        let Some(variant) = encoded.variants()?.first() else {
            return refused(format!(
                "Input `encoded` must not be an empty variant tensor, but got shape {}",
                encoded.shape()
            ));
        };
        let Some(composite) = variant.get::<Composite>() else {
            return refused(format!(
                "The input `encoded` is not a valid CompositeTensorVariant tensor, got {variant:?}"
            ));
        };
        if composite.class != self.class {
            return refused(format!(
                "Expected a {} (based on `type_spec`), but `encoded` contains a {}",
                self.class.as_str_name(),
                composite.class.as_str_name()
            ));
        }
        let components = composite.components.clone();
        if components.len() != self.dtypes.len() {
            return refused(format!(
                "Encoded value has {} tensor components; expected {} components based on type_spec",
                components.len(),
                self.dtypes.len()
            ));
        }
        for (i, (component, dtype)) in components.into_iter().zip(&self.dtypes).enumerate() {
            if component.dtype() != *dtype {
                return refused(format!(
                    "Tensor component {i} had dtype {}; expected dtype {dtype}",
                    component.dtype()
                ));
            }
            cx.set_output(i, component);
        }
        Ok(())
    }

    fn expensive(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Bytes;

    fn spec(class: TypeSpecClass) -> Vec<u8> {
        let spec = TypeSpecProto { type_spec_class: class.into(), ..Default::default() };
        let mut bytes = vec![0x0a];
        bytes.extend(spec.encode_length_delimited_to_vec());
        bytes
    }

    fn encoded(metadata: Vec<u8>) -> Result<Tensor> {
        OpTest::new(register, "CompositeTensorVariantFromComponents")
            .attr("metadata", Bytes::from(metadata))
            .input(Tensor::scalar(1i32))
            .input(Tensor::string("two"))
            .run_one()
    }

    fn decoded(encoded: Tensor, class: TypeSpecClass, types: &[DataType]) -> Result<Vec<Tensor>> {
        OpTest::new(register, "CompositeTensorVariantToComponents")
            .attr("metadata", Bytes::from(spec(class)))
            .attr("Tcomponents", types.to_vec())
            .input(encoded)
            .run()
    }

    #[test]
    fn components_come_back_through_the_wire_too() {
        let ragged = TypeSpecClass::RaggedTensorSpec;
        let types = [DataType::Int32, DataType::String];
        let here = encoded(spec(ragged)).unwrap();
        let there = downpour_wire::tensor_to_proto(&here).unwrap();
        let back = downpour_wire::tensor_from_proto(&there).unwrap();
        for encoded in [here, back] {
            let out = decoded(encoded, ragged, &types).unwrap();
            assert_eq!(out[0].to_scalar::<i32>().unwrap(), 1);
            assert_eq!(out[1].strings().unwrap()[0], "two");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        use TypeSpecClass::{RaggedTensorSpec, SparseTensorSpec};
        let ragged = || encoded(spec(RaggedTensorSpec)).unwrap();
        let message = |result: Result<Vec<Tensor>>| result.unwrap_err().message().to_owned();
        let other = message(decoded(ragged(), SparseTensorSpec, &[]));
        assert!(other.contains("Expected a SPARSE_TENSOR_SPEC"), "{other}");
        let fewer = message(decoded(ragged(), RaggedTensorSpec, &[DataType::Int32]));
        assert!(fewer.contains("has 2 tensor components; expected 1"), "{fewer}");
        let types = [DataType::Float, DataType::String];
        assert!(message(decoded(ragged(), RaggedTensorSpec, &types)).contains("component 0"));
        assert!(decoded(Variant::default().into_tensor(), RaggedTensorSpec, &types).is_err());
        assert!(encoded(vec![0x0a, 9]).is_err());
        assert!(encoded(vec![7]).is_err());
    }
}
