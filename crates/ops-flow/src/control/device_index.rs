//! DeviceIndex: which entry of a list names the type of the device that the node runs on.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Tensor};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "DeviceIndex() -> (index: int32) @stateful
                device_names: list(string)",
        )?
        .shape(shapes::scalar)
        .not_differentiable(),
        |build| {
            let names = build.strings("device_names")?;
            // Every device here is a CPU. A list without it gives its length.
            let index = names.iter().position(|name| name == "CPU").unwrap_or(names.len());
            Ok(KernelBox::new(DeviceIndex(index as i32)))
        },
    )
}

struct DeviceIndex(i32);

impl Kernel for DeviceIndex {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        cx.set_output(0, Tensor::scalar(self.0));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn only_the_type_counts() {
        let index = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
            let test = OpTest::new(register, "DeviceIndex").attr("device_names", names);
            test.run_one().unwrap().to_scalar::<i32>().unwrap()
        };
        assert_eq!(index(&["GPU", "CPU"]), 1);
        assert_eq!(index(&["GPU", "TPU_REPLICATED_CORE"]), 2);
        assert_eq!(index(&[]), 0);
    }
}
