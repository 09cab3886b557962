//! Mistakes in a job's file, shown where they are.

use std::ops::Range;

use downpour_tensor::Status;

/// The text of a file, for pointing at its lines.
pub struct Text<'a> {
    pub text: &'a str,
    pub file: &'a str,
}

impl Text<'_> {
    /// What the parser found wrong.
    pub fn broken(&self, error: &toml::de::Error) -> Status {
        self.at(error.span().unwrap_or(0..0), "", error.message())
    }

    /// What is wrong inside of a table: in the line of the key the message names, else in the table's.
    pub fn in_table(&self, table: Range<usize>, error: &toml::de::Error) -> Status {
        let key = error.message().split('`').nth(1).unwrap_or_default();
        self.at(table, key, error.message())
    }

    /// What is wrong with a key of the file.
    pub fn at_key(&self, key: &str, why: &str) -> Status {
        self.at(0..self.text.len(), key, &format!("{key} {why}"))
    }

    /// Points at the line of `key` inside of `span`, or at the span's first line.
    pub fn at(&self, span: Range<usize>, key: &str, why: &str) -> Status {
        let start = self.key_in(&span, key).unwrap_or(span.start.min(self.text.len()));
        let before = self.text.get(..start).unwrap_or_default();
        let number = before.matches('\n').count() + 1;
        let line = self.text.lines().nth(number - 1).unwrap_or_default();
        if line.is_empty() {
            return Status::invalid_argument(format!("{}: {why}", self.file));
        }
        let column = start - before.rfind('\n').map_or(0, |at| at + 1);
        let width = number.to_string().len();
        Status::invalid_argument(format!(
            "{why}\n{:width$}--> {}:{number}\n{:width$} |\n{number} | {line}\n{:width$} | {:column$}^",
            "", self.file, "", "", ""
        ))
    }

    /// Where the line begins that sets `key`.
    fn key_in(&self, span: &Range<usize>, key: &str) -> Option<usize> {
        if key.is_empty() {
            return None;
        }
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            let trimmed = line.trim_start();
            let inside = start >= span.start && start < span.end.max(span.start + 1);
            let sets =
                trimmed.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='));
            // A table's span may be its header alone: what follows it counts too.
            if sets && (inside || start > span.start) {
                return Some(start + (line.len() - trimmed.len()));
            }
            start += line.len();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_shown() {
        let text = "name = \"x\"\n[model]\nkind = \"mlp\"\nhiden = [3]\n";
        let place = Text { text, file: "job.toml" };
        let status = place.at(11..18, "hiden", "unknown field `hiden`");
        let expected = "unknown field `hiden`\n --> job.toml:4\n  |\n4 | hiden = [3]\n  | ^";
        assert_eq!(status.message(), expected);
        assert_eq!(place.at(11..18, "nothing", "no").message().lines().nth(3), Some("2 | [model]"));
        assert_eq!(Text { text: "", file: "f" }.at_key("a", "is bad").message(), "f: a is bad");
    }
}
