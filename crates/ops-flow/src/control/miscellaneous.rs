//! Abort, Timestamp and FakeParam.

use std::time::SystemTime;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Abort() -> ()
                error_msg: string = ''
                exit_without_error: bool = false",
        )?
        .not_differentiable(),
        |build| {
            Ok(KernelBox::new(Abort {
                message: build.string("error_msg")?,
                succeed: build.bool("exit_without_error")?,
            }))
        },
    )?;
    registry.add(
        OpSpec::new("Timestamp() -> (ts: double) @stateful")?
            .shape(shapes::scalar)
            .not_differentiable(),
        |_| Ok(KernelBox::cheap(timestamp)),
    )?;
    registry.add(
        OpSpec::new(
            "FakeParam() -> (output: dtype)
                dtype: type
                shape: shape",
        )?,
        |build| Ok(KernelBox::new(FakeParam(build.dtype("dtype")?))),
    )
}

/// Fails the step. TensorFlow ends the process here, which would let one client's graph take the
/// server away from all others.
struct Abort {
    message: String,
    succeed: bool,
}

impl Kernel for Abort {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        if self.succeed {
            return Ok(());
        }
        Err(Status::aborted(format!("Abort '{}': {}", cx.node().name, self.message)))
    }
}

fn timestamp(cx: &mut OpContext<'_>) -> Result<()> {
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_err(|_| Status::internal("the clock stands before 1970"))?;
    cx.set_output(0, Tensor::scalar(now.as_secs_f64()));
    Ok(())
}

/// Stands for a value that the other branch of a conditional would have computed; nobody reads it.
struct FakeParam(DataType);

impl Kernel for FakeParam {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        cx.set_output(0, Tensor::zeros(self.0, Shape::scalar())?);
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

    #[test]
    fn abort_fails_the_step_only() {
        let error = OpTest::new(register, "Abort").attr("error_msg", "bye").run().unwrap_err();
        assert_eq!(error.code(), downpour_tensor::Code::Aborted);
        assert!(error.message().contains("bye"));
        assert!(OpTest::new(register, "Abort").attr("exit_without_error", true).run().is_ok());
    }

    #[test]
    fn time_passes() {
        let now = OpTest::new(register, "Timestamp").run_one().unwrap();
        assert!(now.to_scalar::<f64>().unwrap() > 1.6e9);
    }
}
