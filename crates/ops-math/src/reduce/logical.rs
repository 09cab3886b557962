//! All and Any.

use downpour_graph::OpSpec;
use downpour_runtime::{KernelFactory, Registry};
use downpour_tensor::Result;

use super::fold::Fold;
use super::{axes, kernel, reduce};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let ops: [(&str, KernelFactory); 2] = [
        ("All", |b| kernel(b, true, reduce::<bool, All>)),
        ("Any", |b| kernel(b, true, reduce::<bool, Any>)),
    ];
    for (name, factory) in ops {
        let signature = format!(
            "{name}(input: bool, reduction_indices: Tidx) -> (output: bool)
                keep_dims: bool = false
                Tidx: {{int32, int64}} = int32"
        );
        registry.add(OpSpec::new(&signature)?.shape(axes::shape).not_differentiable(), factory)?;
    }
    Ok(())
}

macro_rules! logical {
    ($($name:ident, $identity:literal, $combine:expr;)*) => {$(
        struct $name;
        impl Fold<bool> for $name {
            type State = bool;
            #[inline(always)] fn identity() -> bool { $identity }
            #[inline(always)] fn load(value: bool) -> bool { value }
            #[inline(always)] fn combine(a: bool, b: bool) -> bool { $combine(a, b) }
            #[inline(always)] fn finish(state: bool, _: usize) -> bool { state }
        }
    )*};
}
logical! {
    All, true, |a, b| a & b;
    Any, false, |a, b| a | b;
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn rows_of_truths() {
        let x = Tensor::from_vec([2, 2], vec![true, false, true, true]).unwrap();
        let run = |op: &str| {
            let axes = Tensor::vector(&[1i32]).unwrap();
            OpTest::new(register, op).input(x.clone()).input(axes).run_one().unwrap()
        };
        assert_eq!(run("All").as_slice::<bool>().unwrap(), &[false, true]);
        assert_eq!(run("Any").as_slice::<bool>().unwrap(), &[true, true]);
    }
}
