//! Assert: fails the step when its condition is false.

use downpour_graph::OpSpec;
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use crate::bounded_text::BoundedText;
use crate::summarize::summarize_into;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Assert(condition: bool, data: T) -> () @stateful
                T: list(type) >= 1
                summarize: int = 3",
        )?
        .not_differentiable(),
        |build| Ok(KernelBox::new(Assert { summarize: build.int("summarize")? })),
    )
}

struct Assert {
    summarize: i64,
}

impl Kernel for Assert {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let condition = cx.input(0);
        if condition.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "In[0] should be a scalar: {}",
                condition.shape()
            )));
        }
        if condition.to_scalar::<bool>()? {
            return Ok(());
        }
        let mut text = BoundedText::new();
        text.push("assertion failed: ");
        for i in 1..cx.inputs_len() {
            text.push(if i > 1 { " [" } else { "[" });
            summarize_into(cx.input(i), self.summarize, &mut text);
            text.push("]");
        }
        Err(Status::invalid_argument(text.finish()))
    }

    fn expensive(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn data_is_shown_only_on_failure() {
        let run = |condition: Tensor| {
            OpTest::new(register, "Assert")
                .input(condition)
                .input(Tensor::string("x must be"))
                .input(Tensor::vector(&[1i32, 2, 3, 4]).unwrap())
                .run()
        };
        assert!(run(Tensor::scalar(true)).unwrap().is_empty());
        let error = run(Tensor::scalar(false)).unwrap_err();
        assert_eq!(error.message(), "assertion failed: [x must be] [1 2 3...]");
        assert!(run(Tensor::vector(&[true]).unwrap()).is_err());
    }
}
