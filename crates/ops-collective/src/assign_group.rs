//! `CollectiveAssignGroupV2`: which group a device belongs to, of those that rows of device numbers describe.

use downpour_graph::{OpSpec, PartialShape};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use crate::call::one;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let spec = OpSpec::new(
        "CollectiveAssignGroupV2(group_assignment: int32, device_index: int32, base_key: int32) -> (group_size: int32, group_key: int32) @stateful @distributed",
    )?
    .shape(|cx| {
        cx.set_output(0, PartialShape::scalar());
        cx.set_output(1, PartialShape::scalar());
        Ok(())
    });
    registry.add(spec.not_differentiable(), |_| Ok(KernelBox::cheap(assign)))
}

fn assign(cx: &mut OpContext<'_>) -> Result<()> {
    let (groups, device) = (cx.input(0), one(cx.input(1), "device_index")?);
    let base = one(cx.input(2), "base_key")?;
    let row = row_of(groups, device)?.ok_or_else(|| {
        Status::invalid_argument(format!(
            "device_index {device} is not found in group_assignment of shape {}",
            groups.shape()
        ))
    })?;
    let size = groups.dims()[1];
    let key = i64::try_from(row).ok().and_then(|row| base.checked_add(row));
    let key = key.and_then(|key| i32::try_from(key).ok());
    let key = key.ok_or_else(|| {
        Status::invalid_argument(format!("base_key {base} leaves no key for group {row}"))
    })?;
    cx.set_output(0, Tensor::scalar(size as i32));
    cx.set_output(1, Tensor::scalar(key));
    Ok(())
}

/// The first row of a matrix in which a number is.
pub(crate) fn row_of(groups: &Tensor, device: i64) -> Result<Option<usize>> {
    let [_, columns] = groups.dims() else {
        return Err(Status::invalid_argument(format!(
            "group_assignment must be a 2-d Tensor, but received tensor of shape: {}",
            groups.shape()
        )));
    };
    let at = groups.to_i64_vec()?.iter().position(|&number| number == device);
    Ok(at.map(|at| at / columns))
}
