//! RE2's pattern language on top of the regex crate, whose syntax is almost the same.

use std::fmt::Write;
use std::sync::{Arc, Mutex};

use downpour_runtime::OpContext;
use downpour_tensor::{ByteString, Charge, Result, Status, excerpt};
use regex::bytes::{Regex, RegexBuilder};

/// Whether a pattern must cover the whole string.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Cover {
    Whole,
    Anywhere,
}

/// The longest pattern. The program of a longer one would be above RE2's own limit, too, but it is parsed first, and a
/// parsed pattern takes hundreds of times its length.
const LONGEST_PATTERN: usize = 256 << 10;
/// What a byte of a pattern takes while it is parsed and compiled: measured with patterns of one-letter classes.
const BYTES_PER_PATTERN_BYTE: usize = 512;
/// The largest compiled pattern: RE2 allows 8 MiB.
const LARGEST_PROGRAM: usize = 10 << 20;

/// Compiles an RE2 pattern.
pub(super) fn compile(pattern: &[u8], cover: Cover) -> Result<Regex> {
    let invalid = |why: &str| {
        Status::invalid_argument(format!("Invalid pattern: {}, error: {why}", excerpt(pattern)))
    };
    if pattern.len() > LONGEST_PATTERN {
        return Err(invalid(&format!("it is longer than {LONGEST_PATTERN} bytes; match in steps")));
    }
    let _parsed = Charge::new(pattern.len() * BYTES_PER_PATTERN_BYTE)?;
    let text = std::str::from_utf8(pattern).map_err(|_| invalid("invalid UTF-8"))?;
    let translated = translate(text);
    // The pattern on its own first: an unbalanced parenthesis must not pair with the group around it.
    let alone = build(&translated).map_err(|e| invalid(&e.to_string()))?;
    match cover {
        Cover::Anywhere => Ok(alone),
        Cover::Whole => {
            build(&format!(r"\A(?:{translated})\z")).map_err(|e| invalid(&e.to_string()))
        }
    }
}

fn build(pattern: &str) -> std::result::Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).size_limit(LARGEST_PROGRAM).build()
}

/// Rewrites what the two languages read differently: the classes `\d \s \w` and word boundaries are
/// ASCII in RE2, `\C` is any byte, `\Q...\E` quotes, brackets do not nest, and a brace that starts
/// no repetition is itself.
fn translate(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern;
    // The position in a bracket class: None outside, else whether a `]` here would be a literal.
    let mut class: Option<bool> = None;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        if c == '\\' {
            rest = escape(after, class.is_some(), &mut out);
            class = class.map(|_| false);
            continue;
        }
        rest = after;
        match (class, c) {
            (None, '[') => {
                out.push('[');
                if let Some(inside) = after.strip_prefix('^') {
                    out.push('^');
                    rest = inside;
                }
                class = Some(true);
            }
            (None, '{') if !is_repetition(after) => out.push_str(r"\{"),
            (Some(true), ']') => {
                out.push_str(r"\]");
                class = Some(false);
            }
            (Some(false), ']') => {
                out.push(']');
                class = None;
            }
            (Some(_), '[') => {
                class = Some(false);
                match after.starts_with(':').then(|| after.find(":]")).flatten() {
                    Some(end) => {
                        out.push('[');
                        out.push_str(&after[..end + 2]);
                        rest = &after[end + 2..];
                    }
                    None => out.push_str(r"\["),
                }
            }
            // `&&` and `~~` are set operations in the regex crate.
            (Some(_), '&' | '~') => {
                out.push('\\');
                out.push(c);
                class = Some(false);
            }
            (_, c) => {
                out.push(c);
                class = class.map(|_| false);
            }
        }
    }
    out
}

/// Translates what follows a backslash and returns what is left.
fn escape<'a>(after: &'a str, in_class: bool, out: &mut String) -> &'a str {
    let Some(c) = after.chars().next() else {
        out.push('\\');
        return after;
    };
    let rest = &after[c.len_utf8()..];
    let replacement = match c {
        'd' => "[0-9]",
        'D' => "[^0-9]",
        's' => r"[\t\n\x0c\r ]",
        'S' => r"[^\t\n\x0c\r ]",
        'w' => "[0-9A-Za-z_]",
        'W' => "[^0-9A-Za-z_]",
        'b' if !in_class => r"(?-u:\b)",
        'B' if !in_class => r"(?-u:\B)",
        'C' if !in_class => "(?s-u:.)",
        'Q' if !in_class => {
            let (quoted, rest) = rest.split_once(r"\E").unwrap_or((rest, ""));
            out.push_str(&regex::escape(quoted));
            return rest;
        }
        _ if c.is_ascii() && !c.is_ascii_alphanumeric() => {
            // A hexadecimal escape is a literal everywhere; the crate knows fewer escaped signs.
            let _ = write!(out, r"\x{:02x}", c as u32);
            return rest;
        }
        _ => {
            out.push('\\');
            out.push(c);
            return rest;
        }
    };
    out.push_str(replacement);
    rest
}

/// Whether the text after a brace is `n}`, `n,}` or `n,m}`.
fn is_repetition(after: &str) -> bool {
    let Some((inside, _)) = after.split_once('}') else { return false };
    let number = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    match inside.split_once(',') {
        None => number(inside),
        Some((low, high)) => number(low) && (high.is_empty() || number(high)),
    }
}

/// The last pattern of an operation that gets it as an input: it rarely changes.
pub(super) struct Cache {
    cover: Cover,
    last: Mutex<Option<(ByteString, Arc<Regex>)>>,
}

impl Cache {
    pub(super) fn new(cover: Cover) -> Cache {
        Cache { cover, last: Mutex::new(None) }
    }

    /// The pattern in input `i`.
    pub(super) fn input(&self, cx: &OpContext<'_>, i: usize) -> Result<Arc<Regex>> {
        let pattern = scalar(cx, i, "Pattern")?;
        let mut last = self.last.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some((text, regex)) = &*last
            && text == pattern
        {
            return Ok(regex.clone());
        }
        let regex = Arc::new(compile(pattern, self.cover)?);
        *last = Some((pattern.clone(), regex.clone()));
        Ok(regex)
    }
}

/// Input `i`, a single string.
pub(super) fn scalar<'a>(cx: &'a OpContext<'_>, i: usize, name: &str) -> Result<&'a ByteString> {
    match (cx.input(i).rank(), cx.input(i).strings()?) {
        (0, [text]) => Ok(text),
        _ => Err(Status::invalid_argument(format!(
            "{name} must be scalar, but received {}",
            cx.input(i).shape()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        compile(pattern.as_bytes(), Cover::Whole).unwrap().is_match(text.as_bytes())
    }

    #[test]
    fn re2_syntax_is_understood() {
        assert!(matches(r"\w+@[\w.]+", "me@a.b"));
        assert!(!matches(r"\w", "é"));
        assert!(matches(".", "é"));
        assert!(matches(r"[]a[&&]+", "]a[&&"));
        assert!(matches(r"[[:alpha:]]+{x", "ab{x"));
        assert!(matches(r"\Qa.b\E+", "a.bb"));
        assert!(matches("(?i)ABC|d", "abc"));
        assert!(matches(r"a{2}\-\/", "aa-/"));
        assert!(matches(r"\C\C", "é"));
    }

    #[test]
    fn bad_patterns_are_refused() {
        for bad in ["a)(b", "[", r"\", "A[", "*", r"(a)\1"] {
            let error = compile(bad.as_bytes(), Cover::Whole).unwrap_err();
            assert!(error.message().contains("Invalid pattern: "), "{bad}");
        }
        assert!(compile(b"\xff", Cover::Anywhere).is_err());
        let long = b"[a]".repeat(LONGEST_PATTERN);
        let error = compile(&long, Cover::Anywhere).unwrap_err();
        assert!(error.message().contains("longer than") && error.message().len() < 1000);
    }
}
