//! DestroyResourceOp: removes what a handle names; those who hold it keep it until they are done.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry, STEP_CONTAINER};
use downpour_tensor::{Code, Result};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "DestroyResourceOp(resource: resource) -> () @stateful
                ignore_lookup_error: bool = true",
        )?
        .shape(shapes::unknown)
        .not_differentiable(),
        |build| Ok(KernelBox::new(Destroy { ignore_missing: build.bool("ignore_lookup_error")? })),
    )
}

struct Destroy {
    ignore_missing: bool,
}

impl Kernel for Destroy {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let handle = cx.handle(0)?;
        let removed = if handle.container == STEP_CONTAINER {
            cx.step().local().delete_handle(handle)
        } else {
            cx.resources().delete_handle(handle)
        };
        match removed {
            Err(status) if self.ignore_missing && status.code() == Code::NotFound => Ok(()),
            result => result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::handles::testing::stored;
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn a_second_time_there_is_nothing_left() {
        let (resources, _, handle) = stored(Tensor::scalar(1i32));
        let destroy = |ignore: bool| {
            OpTest::new(register, "DestroyResourceOp")
                .resources(&resources)
                .input(handle.clone())
                .attr("ignore_lookup_error", ignore)
                .run()
        };
        destroy(false).unwrap();
        destroy(true).unwrap();
        let missing = destroy(false).unwrap_err();
        assert_eq!(missing.code(), Code::NotFound);
        assert!(missing.message().contains("does not exist"));
    }
}
