//! CompressElement and UncompressElement: an element of a dataset as one compressed variant, and back.

use std::any::Any;

use downpour_formats::compressed_element::{compress_element, uncompress_element};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Charge, DataType, Result, Status, Tensor, Variant, VariantValue};
use downpour_wire::proto::data::CompressedElement;
use downpour_wire::{Message, decode_counted};

use crate::iterator::element_shapes;

const TYPE_NAME: &str = "tensorflow.data.CompressedElement";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    downpour_wire::register_variant_decoder(TYPE_NAME, |bytes, _| {
        let bytes = bytes.to_vec().into();
        let (element, charge) = decode_counted::<CompressedElement>(bytes, "CompressedElement")?;
        CompressedVariant::variant(element, charge)
    });
    registry.add(
        OpSpec::new(
            "CompressElement(components: input_types) -> (compressed: variant)
                input_types: list(type) >= 1",
        )?
        .shape(shapes::scalar)
        .not_differentiable(),
        |_| Ok(KernelBox::function(compress)),
    )?;
    registry.add(
        OpSpec::new(
            "UncompressElement(compressed: variant) -> (components: output_types)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1",
        )?
        .shape(element_shapes)
        .not_differentiable(),
        |_| Ok(KernelBox::function(uncompress)),
    )
}

#[derive(Debug)]
struct CompressedVariant {
    element: CompressedElement,
    /// Counts the message.
    _charge: Charge,
}

impl CompressedVariant {
    fn variant(element: CompressedElement, mut charge: Charge) -> Result<Variant> {
        charge.grow(element.data.len())?;
        Variant::new(CompressedVariant { element, _charge: charge })
    }
}

impl VariantValue for CompressedVariant {
    fn type_name(&self) -> &str {
        TYPE_NAME
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn inner_depth(&self) -> usize {
        0
    }

    fn encode(&self) -> Result<(Vec<u8>, Vec<Tensor>)> {
        Ok((self.element.encode_to_vec(), Vec::new()))
    }
}

fn compress(cx: &mut OpContext<'_>) -> Result<()> {
    let components: Vec<Tensor> = (0..cx.inputs_len()).map(|i| cx.input(i).clone()).collect();
    let strings = components.iter().filter(|c| c.dtype() == DataType::String);
    // The length of each string is a number of the message.
    let charge = Charge::scratch::<u64>(strings.map(Tensor::len).sum())?;
    let variant = CompressedVariant::variant(compress_element(&components)?, charge)?;
    cx.set_output(0, variant.into_tensor());
    Ok(())
}

fn uncompress(cx: &mut OpContext<'_>) -> Result<()> {
    let compressed = cx.input(0);
    if compressed.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "UncompressElement requires its input to be a scalar, but encountered an input with {} dimensions.",
            compressed.rank()
        )));
    }
    let variant = compressed.variants()?.first().and_then(Variant::get::<CompressedVariant>);
    let variant = variant
        .ok_or_else(|| Status::invalid_argument("Input does not contain a compressed element."))?;
    let components = uncompress_element(&variant.element)?;
    let types = cx.node().dtypes("output_types")?;
    if components.len() != types.len() {
        return Err(Status::failed_precondition(format!(
            "Expected {} outputs from uncompress, but got {}",
            types.len(),
            components.len()
        )));
    }
    for (i, (component, dtype)) in components.into_iter().zip(types).enumerate() {
        if component.dtype() != dtype {
            return Err(Status::failed_precondition(format!(
                "Expected a tensor of type {dtype} but got a tensor of type {}",
                component.dtype()
            )));
        }
        cx.set_output(i, component);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use downpour_graph::PartialShape;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Code;

    use super::*;

    fn back(compressed: Tensor, types: Vec<DataType>) -> Result<Vec<Tensor>> {
        OpTest::new(register, "UncompressElement")
            .attr("output_shapes", vec![PartialShape::unknown(); types.len()])
            .attr("output_types", types)
            .input(compressed)
            .run()
    }

    #[test]
    fn elements_come_back_also_from_the_wire() {
        let types = vec![DataType::Int64, DataType::String];
        let compressed = OpTest::new(register, "CompressElement")
            .attr("input_types", types.clone())
            .input(Tensor::vector(&[7i64; 1000]).unwrap())
            .input(Tensor::string("word"))
            .run_one()
            .unwrap();
        let sent = downpour_wire::tensor_to_proto(&compressed).unwrap();
        assert!(sent.encoded_len() < 1000);
        for tensor in [compressed, downpour_wire::tensor_from_proto(&sent).unwrap()] {
            let components = back(tensor.clone(), types.clone()).unwrap();
            assert_eq!(components[0].as_slice::<i64>().unwrap(), [7; 1000]);
            assert_eq!(components[1].strings().unwrap(), ["word"]);
            let other = back(tensor.clone(), vec![DataType::Int64, DataType::Float]).unwrap_err();
            assert_eq!(other.code(), Code::FailedPrecondition);
            assert!(back(tensor, vec![DataType::Int64]).is_err());
        }
    }

    #[test]
    fn what_is_no_compressed_element_is_refused() {
        let other = back(Variant::default().into_tensor(), vec![DataType::Int64]).unwrap_err();
        assert!(other.message().contains("does not contain a compressed element"), "{other}");
        let two = Tensor::from_variants([2], vec![Variant::default(); 2]).unwrap();
        assert!(back(two, vec![DataType::Int64]).is_err());
    }
}
