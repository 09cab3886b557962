//! Operations that make and delete generators of seeds, and that stand where a program has none.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::Result;

use super::SeedGenerator;
use crate::anonymous;
use crate::dataset::{scalar_bool, scalar_i64};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for (name, argument) in
        [("AnonymousSeedGenerator", ", reshuffle: bool"), ("AnonymousRandomSeedGenerator", "")]
    {
        let signature = format!(
            "{name}(seed: int64, seed2: int64{argument}) -> (handle: resource, deleter: variant) @stateful"
        );
        let spec = OpSpec::new(&signature)?.shape(anonymous::two_scalars);
        registry.add(spec, |_| Ok(KernelBox::cheap(create)))?;
    }
    for name in ["DeleteSeedGenerator", "DeleteRandomSeedGenerator"] {
        let signature = format!("{name}(handle: resource, deleter: variant) -> () @stateful");
        registry.add(OpSpec::new(&signature)?, |_| Ok(KernelBox::cheap(anonymous::delete)))?;
    }
    registry.add(
        OpSpec::new("DummyIterationCounter() -> (handle: resource) @stateful")?
            .shape(shapes::scalar),
        |_| {
            Ok(KernelBox::cheap(|cx| {
                cx.set_output(0, anonymous::dummy_handle::<SeedGenerator>(cx));
                Ok(())
            }))
        },
    )
}

fn create(cx: &mut OpContext<'_>) -> Result<()> {
    let (seed, seed2) = (scalar_i64(cx, 0, "seed")?, scalar_i64(cx, 1, "seed2")?);
    let renews = cx.inputs_len() < 3 || scalar_bool(cx, 2, "reshuffle")?;
    anonymous::create(cx, "seed_generator", SeedGenerator::new(seed, seed2, renews))
}

#[cfg(test)]
mod tests {
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Code, Tensor};

    #[test]
    fn generators_are_made_with_and_without_the_choice() {
        for (name, inputs) in [("AnonymousSeedGenerator", 3), ("AnonymousRandomSeedGenerator", 2)] {
            let mut test = OpTest::new(super::register, name)
                .input(Tensor::scalar(1i64))
                .input(Tensor::scalar(2i64));
            if inputs == 3 {
                test = test.input(Tensor::scalar(false));
            }
            let made = test.run().unwrap();
            assert_eq!(made.len(), 2);
            assert_eq!(made[0].handles().unwrap().len(), 1);
        }
    }

    #[test]
    fn generators_are_deleted_with_their_step_or_before() {
        let made = OpTest::new(super::register, "AnonymousRandomSeedGenerator")
            .input(Tensor::scalar(1i64))
            .input(Tensor::scalar(2i64))
            .run()
            .unwrap();
        let counter = OpTest::new(super::register, "DummyIterationCounter").run_one().unwrap();
        for name in ["DeleteSeedGenerator", "DeleteRandomSeedGenerator"] {
            let delete = |handle: &Tensor| {
                let test = OpTest::new(super::register, name).input(handle.clone());
                test.input(made[1].clone()).run()
            };
            delete(&made[0]).unwrap();
            assert_eq!(delete(&counter).unwrap_err().code(), Code::NotFound);
        }
    }

    #[test]
    fn seeds_are_scalars() {
        let refused = OpTest::new(super::register, "AnonymousSeedGenerator")
            .input(Tensor::vector(&[1i64, 2]).unwrap())
            .input(Tensor::scalar(2i64))
            .input(Tensor::scalar(true))
            .run();
        assert!(refused.unwrap_err().message().contains("seed must be a scalar"));
    }
}
