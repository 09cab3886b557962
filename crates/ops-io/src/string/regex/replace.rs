//! RegexReplace and StaticRegexReplace: the first or every match rewritten.

use std::sync::Arc;

use downpour_graph::{OpSpec, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{ByteString, Result, StringWriter, Tensor};
use regex::bytes::{Captures, Regex};

use super::pattern::{Cache, Cover, compile, scalar};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "StaticRegexReplace(input: string) -> (output: string)
                pattern: string
                rewrite: string
                replace_global: bool = true",
        )?
        .shape(downpour_graph::shapes::unchanged)
        .not_differentiable(),
        |build| {
            let regex = Arc::new(compile(&build.bytes("pattern")?, Cover::Anywhere)?);
            let rewrite = Rewrite::parse(&build.bytes("rewrite")?);
            Ok(KernelBox::new(Static { regex, rewrite, global: build.bool("replace_global")? }))
        },
    )?;
    registry.add(
        OpSpec::new(
            "RegexReplace(input: string, pattern: string, rewrite: string) -> (output: string)
                replace_global: bool = true",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| {
            let cache = Cache::new(Cover::Anywhere);
            Ok(KernelBox::new(Dynamic { cache, global: build.bool("replace_global")? }))
        },
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(1, 0)?;
    cx.with_rank(2, 0)?;
    cx.set_output(0, cx.input(0).clone());
    Ok(())
}

struct Static {
    regex: Arc<Regex>,
    rewrite: Rewrite,
    global: bool,
}

impl Kernel for Static {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        replace_all(cx, &self.regex, &self.rewrite, self.global)
    }
}

struct Dynamic {
    cache: Cache,
    global: bool,
}

impl Kernel for Dynamic {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let regex = self.cache.input(cx, 1)?;
        let rewrite = Rewrite::parse(scalar(cx, 2, "Rewrite")?);
        replace_all(cx, &regex, &rewrite, self.global)
    }
}

fn replace_all(
    cx: &mut OpContext<'_>,
    regex: &Regex,
    rewrite: &Rewrite,
    global: bool,
) -> Result<()> {
    let texts = cx.input(0).strings()?;
    // A rewrite that names a group the pattern does not have leaves the text alone, as does a
    // malformed one where only one match is replaced.
    let fits = rewrite.highest_group < regex.captures_len() && (global || rewrite.well_formed);
    let out = Tensor::build_strings(cx.input(0).shape(), |i| {
        let text = &texts[i];
        if !fits {
            return Ok(text.clone());
        }
        let check = || cx.check_cancelled();
        Ok(replace(text, regex, rewrite, global, &check)?.unwrap_or_else(|| text.clone()))
    })?;
    cx.set_output(0, out);
    Ok(())
}

/// A replacement text in which `\0` to `\9` stand for groups.
struct Rewrite {
    parts: Vec<Part>,
    highest_group: usize,
    well_formed: bool,
}

enum Part {
    Literal(Vec<u8>),
    Group(usize),
}

impl Rewrite {
    /// Reads up to the first malformed escape.
    fn parse(text: &[u8]) -> Rewrite {
        let mut rewrite = Rewrite { parts: Vec::new(), highest_group: 0, well_formed: true };
        let mut literal = Vec::new();
        let mut bytes = text.iter();
        while let Some(&byte) = bytes.next() {
            if byte != b'\\' {
                literal.push(byte);
                continue;
            }
            match bytes.next() {
                Some(b'\\') => literal.push(b'\\'),
                Some(digit @ b'0'..=b'9') => {
                    let group = (digit - b'0') as usize;
                    rewrite.parts.push(Part::Literal(std::mem::take(&mut literal)));
                    rewrite.parts.push(Part::Group(group));
                    rewrite.highest_group = rewrite.highest_group.max(group);
                }
                _ => {
                    rewrite.well_formed = false;
                    break;
                }
            }
        }
        rewrite.parts.push(Part::Literal(literal));
        rewrite
    }

    fn apply(&self, captures: &Captures<'_>, out: &mut StringWriter) -> Result<()> {
        for part in &self.parts {
            match part {
                Part::Literal(text) => out.push(text)?,
                Part::Group(i) => out.push(captures.get(*i).map_or(&[], |m| m.as_bytes()))?,
            }
        }
        Ok(())
    }
}

/// The rewritten text, or None if nothing matched. A single match may have to read the whole text, so `check` is asked
/// before each (it is one load, where a match is a hundred) whether anybody still waits.
fn replace(
    text: &[u8],
    regex: &Regex,
    rewrite: &Rewrite,
    global: bool,
    check: &dyn Fn() -> Result<()>,
) -> Result<Option<ByteString>> {
    let mut out = StringWriter::new();
    let mut at = 0;
    let mut last_end = None;
    while at <= text.len() {
        check()?;
        let Some(captures) = regex.captures_at(text, at) else { break };
        let found = captures.get_match();
        out.push(&text[at..found.start()])?;
        if found.is_empty() && last_end == Some(found.start()) {
            // An empty match right after the last one does not count: go on by one character.
            let next = found.start() + character_length(&text[found.start()..]);
            out.push(&text[found.start()..next.min(text.len())])?;
            at = next;
            continue;
        }
        rewrite.apply(&captures, &mut out)?;
        at = found.end();
        last_end = Some(at);
        if !global {
            break;
        }
    }
    if last_end.is_none() {
        return Ok(None);
    }
    out.push(text.get(at..).unwrap_or(&[]))?;
    Ok(Some(out.finish()))
}

/// Bytes of the first character; a byte that starts none counts alone.
fn character_length(text: &[u8]) -> usize {
    let longest = text.len().min(4);
    (1..=longest).find(|&n| std::str::from_utf8(&text[..n]).is_ok()).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn static_replace(
        pattern: &'static str,
        rewrite: &'static str,
        global: bool,
        text: &str,
    ) -> String {
        let out = OpTest::new(register, "StaticRegexReplace")
            .attr("pattern", pattern)
            .attr("rewrite", rewrite)
            .attr("replace_global", global)
            .input(Tensor::from_string(text).unwrap())
            .run_one()
            .unwrap();
        String::from_utf8(out.strings().unwrap()[0].to_vec()).unwrap()
    }

    #[test]
    fn groups_and_empty_matches_follow_re2() {
        assert_eq!(static_replace("^(a*)(.)", r"\2-\1\\\0", true, "aabc"), r"b-aa\aabc");
        assert_eq!(static_replace("ab", "", false, "abcab"), "cab");
        assert_eq!(static_replace("x*", "-", true, "aéxb"), "-a-é-b-");
        assert_eq!(static_replace("a", r"\1", true, "aa"), "aa");
        assert_eq!(static_replace("a", r"x\q", true, "ab"), "xb");
        assert_eq!(static_replace("a", r"x\q", false, "ab"), "ab");
    }

    #[test]
    fn a_cancelled_step_is_not_worked_for() {
        let status = OpTest::new(register, "StaticRegexReplace")
            .attr("pattern", "a(.*z)?")
            .attr("rewrite", "a")
            .input(Tensor::string("aaaa"))
            .cancelled()
            .run_one()
            .unwrap_err();
        assert_eq!(status.code(), downpour_tensor::Code::Cancelled);
    }

    #[test]
    fn the_pattern_may_be_an_input() {
        let words = Tensor::from_strings([2], vec!["xax".into(), "b".into()]).unwrap();
        let out = OpTest::new(register, "RegexReplace")
            .input(words.clone())
            .input(Tensor::string("x"))
            .input(Tensor::string("yy"))
            .run_one()
            .unwrap();
        assert_eq!(out.strings().unwrap(), &["yyayy", "b"]);
        let bad = OpTest::new(register, "RegexReplace")
            .input(words.clone())
            .input(words)
            .input(Tensor::string(""));
        assert!(bad.run_one().unwrap_err().message().contains("Pattern must be scalar"));
    }
}
