//! ListDataset: elements that are given one by one, component by component.

use downpour_data::{Block, Dataset, Element, Names};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use crate::component::Signature;
use crate::dataset::GraphDataset;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ListDataset(tensors: Tinput_types) -> (handle: variant) @stateful
                Tinput_types: list(type) >= 1
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(list)),
    )
}

fn list(cx: &mut OpContext<'_>) -> Result<()> {
    let signature = Signature::of(cx.node())?;
    let (given, components) = (cx.inputs_len(), signature.types.len());
    if given % components != 0 {
        return Err(Status::invalid_argument(format!(
            "{given} tensors are not whole elements of {components} components each"
        )));
    }
    let names = Names::numbered(components);
    let mut elements = Vec::with_capacity(given / components);
    for first in (0..given).step_by(components) {
        let tensors: Vec<_> = (first..first + components).map(|i| cx.input(i).clone()).collect();
        signature.check_element(&tensors)?;
        elements.push(Element::from_parts(names.clone(), tensors)?);
    }
    let rows = Dataset::from_block(Block::from_elements(elements)?);
    let made = GraphDataset::with_signature(signature, rows, &[])?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{DataType, Tensor};

    fn list(count: i64) -> Result<Tensor> {
        let mut test = OpTest::new(register, "ListDataset")
            .attr("Tinput_types", vec![DataType::Int64; count as usize])
            .attr("output_types", vec![DataType::Int64; 2])
            .attr("output_shapes", vec![downpour_graph::PartialShape::scalar(); 2]);
        for number in 0..count {
            test = test.input(Tensor::scalar(number));
        }
        test.run_one()
    }

    #[test]
    fn elements_come_as_they_were_given_and_are_found_by_number() {
        let made = list(6).unwrap();
        let pipeline = &dataset::from_tensor(&made).unwrap().pipeline;
        let firsts = pipeline.iterate().unwrap().map(|e| e.unwrap()[0].to_scalar::<i64>().unwrap());
        assert_eq!(firsts.collect::<Vec<_>>(), [0, 2, 4]);
        let last = pipeline.lookup().unwrap().element(2).unwrap();
        assert_eq!(last[1].to_scalar::<i64>().unwrap(), 5);
    }

    #[test]
    fn half_an_element_is_refused() {
        assert!(list(5).unwrap_err().message().contains("not whole elements"));
    }
}
