//! MergeSummary: the values of several summaries in one; a tag may stand only once.

use std::collections::HashSet;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Charge, Result, Status, Tensor};
use downpour_wire::proto::Summary;
use downpour_wire::{decode_counted, encode_string};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "MergeSummary(inputs: N * string) -> (summary: string)
                N: int >= 1",
        )?
        .shape(shapes::scalar)
        .not_differentiable(),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let mut merged = Summary::default();
    let mut tags = HashSet::new();
    // Of the messages as long as they are merged; a tag's copy is counted with them.
    let mut charges = Charge::default();
    for i in 0..cx.inputs_len() {
        for bytes in cx.input(i).strings()? {
            let what = "Could not parse one of the summary inputs";
            let (one, charge) = decode_counted::<Summary>(bytes.to_bytes(), what)?;
            charges.join(charge);
            for value in one.value {
                if !value.tag.is_empty() && !tags.insert(value.tag.clone()) {
                    return Err(Status::invalid_argument(format!(
                        "Duplicate tag {} found in summary inputs",
                        value.tag
                    )));
                }
                merged.value.push(value);
            }
        }
    }
    cx.set_output(0, Tensor::string(encode_string(&merged)?));
    Ok(())
}
