//! Code of the examples in the book's text: `{{#include ../../examples/x.rs:anchor}}`.

const BEGIN: &str = "{{#include ";

/// The text with every include replaced by what it names; `read` gives a file by its path in the book's folder.
pub fn expand(
    text: &str,
    read: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<String, String> {
    let mut expanded = String::new();
    for (number, line) in text.lines().enumerate() {
        let at = |why: String| format!("{}: {why}", number + 1);
        match line.trim().strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix("}}")) {
            Some(what) => {
                let (path, anchor) = match what.trim().split_once(':') {
                    Some((path, anchor)) => (path, Some(anchor)),
                    None => (what.trim(), None),
                };
                let file = read(path).map_err(at)?;
                let part = part_of(&file, anchor).ok_or_else(|| {
                    at(format!("{path} has no anchor '{}'", anchor.unwrap_or("")))
                })?;
                expanded.push_str(&part);
            }
            None if line.contains("{{#") => {
                return Err(at(format!(
                    "only a line of its own with {BEGIN}...}}}} is understood"
                )));
            }
            None => {
                expanded.push_str(line);
                expanded.push('\n');
            }
        }
    }
    Ok(expanded)
}

/// The lines between an anchor's two marks, or all, without marks and without the indentation they share.
fn part_of(file: &str, anchor: Option<&str>) -> Option<String> {
    let is_mark = |line: &str, kind: &str, name: &str| {
        line.split_once(kind).is_some_and(|(_, rest)| rest.trim() == name)
    };
    let mut lines: Vec<&str> = match anchor {
        None => file.lines().collect(),
        Some(name) => {
            let begin = file.lines().position(|line| is_mark(line, "ANCHOR: ", name))?;
            let rest: Vec<&str> = file.lines().skip(begin + 1).collect();
            let end = rest.iter().position(|line| is_mark(line, "ANCHOR_END: ", name))?;
            rest[..end].to_vec()
        }
    };
    lines.retain(|line| !line.contains("ANCHOR: ") && !line.contains("ANCHOR_END: "));
    let depth = |line: &&str| line.len() - line.trim_start().len();
    let indentation = lines.iter().filter(|line| !line.trim().is_empty()).map(depth).min();
    let cut = |line: &&str| line.get(indentation.unwrap_or(0)..).unwrap_or("").to_string() + "\n";
    Some(lines.iter().map(cut).collect())
}

/// Rust blocks that are not an include: nothing would notice when they stop being true.
pub fn unchecked_rust(text: &str) -> impl Iterator<Item = String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut found = Vec::new();
    for (number, pair) in lines.windows(2).enumerate() {
        if pair[0].starts_with("```rust") && !pair[1].starts_with(BEGIN) {
            found.push(format!("{}: Rust in the book is included from examples/", number + 1));
        }
    }
    found.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "fn main() {\n    // ANCHOR: a\n    let x = 1;\n    if x > 0 {\n        go();\n    }\n    \
                        // ANCHOR_END: a\n}\n";

    fn expanded(text: &str) -> Result<String, String> {
        let file = |path: &str| match path {
            "x.rs" => Ok(FILE.to_string()),
            other => Err(format!("no {other}")),
        };
        expand(text, &mut { file })
    }

    #[test]
    fn includes_are_replaced_by_what_they_name() {
        let found = expanded("```rust\n{{#include x.rs:a}}\n```\n").unwrap();
        assert_eq!(found, "```rust\nlet x = 1;\nif x > 0 {\n    go();\n}\n```\n");
        let found = expanded("{{#include x.rs}}").unwrap();
        assert!(
            found.starts_with("fn main() {\n    let x") && !found.contains("ANCHOR"),
            "{found}"
        );
    }

    #[test]
    fn what_does_not_exist_is_named_with_its_line() {
        assert_eq!(expanded("\n{{#include x.rs:b}}").unwrap_err(), "2: x.rs has no anchor 'b'");
        assert_eq!(expanded("{{#include y.rs}}").unwrap_err(), "1: no y.rs");
        assert!(expanded("see {{#include x.rs}}").is_err());
    }

    #[test]
    fn rust_that_is_not_included_is_found() {
        let text = "```rust\n{{#include x.rs:a}}\n```\n```rust\nlet y = 2;\n```\n";
        let found: Vec<String> = unchecked_rust(text).collect();
        assert_eq!(found, ["4: Rust in the book is included from examples/"]);
    }
}
