//! RegexFullMatch and StaticRegexFullMatch: whether a pattern covers each string.

use std::sync::Arc;

use downpour_graph::{OpSpec, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Tensor};
use regex::bytes::Regex;

use super::pattern::{Cache, Cover, compile};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "StaticRegexFullMatch(input: string) -> (output: bool)
                pattern: string",
        )?
        .shape(downpour_graph::shapes::unchanged)
        .not_differentiable(),
        |build| {
            let regex = compile(&build.bytes("pattern")?, Cover::Whole)?;
            Ok(KernelBox::new(FullMatch::Static(Arc::new(regex))))
        },
    )?;
    registry.add(
        OpSpec::new("RegexFullMatch(input: string, pattern: string) -> (output: bool)")?
            .shape(shape)
            .not_differentiable(),
        |_| Ok(KernelBox::new(FullMatch::Input(Cache::new(Cover::Whole)))),
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(1, 0)?;
    cx.set_output(0, cx.input(0).clone());
    Ok(())
}

enum FullMatch {
    Static(Arc<Regex>),
    Input(Cache),
}

impl Kernel for FullMatch {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let regex = match self {
            FullMatch::Static(regex) => regex.clone(),
            FullMatch::Input(cache) => cache.input(cx, 1)?,
        };
        let texts = cx.input(0).strings()?;
        let out = Tensor::build(cx.input(0).shape(), |out: &mut [bool]| {
            for (out, text) in out.iter_mut().zip(texts) {
                *out = regex.is_match(text);
            }
        })?;
        cx.set_output(0, out);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn words() -> Tensor {
        Tensor::from_strings([3], vec!["abaaba".into(), "abcdabcde".into(), "".into()]).unwrap()
    }

    #[test]
    fn the_whole_string_must_match() {
        let out = OpTest::new(register, "StaticRegexFullMatch")
            .attr("pattern", "a.*a|")
            .input(words())
            .run_one()
            .unwrap();
        assert_eq!(out.as_slice::<bool>().unwrap(), &[true, false, true]);
        let out = OpTest::new(register, "RegexFullMatch")
            .input(words())
            .input(Tensor::string("a.*e"))
            .run_one()
            .unwrap();
        assert_eq!(out.as_slice::<bool>().unwrap(), &[false, true, false]);
    }

    #[test]
    fn bad_patterns_are_refused() {
        let test =
            OpTest::new(register, "StaticRegexFullMatch").attr("pattern", "A[").input(words());
        assert!(test.run_one().unwrap_err().message().contains("Invalid pattern"));
        let test = OpTest::new(register, "RegexFullMatch").input(words()).input(words());
        assert!(test.run_values().is_err());
    }
}
