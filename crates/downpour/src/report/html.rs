//! Text that comes from elsewhere, made harmless in HTML; and tables.

use std::fmt::Write;

/// Names and reasons come from job files and error messages: none of them may become markup.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // Control characters have no place in HTML; line ends do.
            '\n' | '\t' => safe.push(letter),
            letter if letter.is_control() => safe.push('\u{FFFD}'),
            letter => safe.push(letter),
        }
    }
    safe
}

/// Units that stay on the line of their number.
const UNITS: [&str; 12] =
    ["%", "ms", "s", "min", "h", "d", "B", "KB", "MB", "GB", "TB", "examples/s"];

/// Sentences from elsewhere: harmless, and without line ends between a number and its unit.
pub fn prose(text: &str) -> String {
    let mut words = text.split(' ').peekable();
    let mut joined = String::with_capacity(text.len());
    while let Some(word) = words.next() {
        joined.push_str(word);
        let unit = |next: &&str| UNITS.contains(&next.trim_end_matches(['.', ',', ';', ':', ')']));
        match words.peek() {
            Some(next) if word.ends_with(|last: char| last.is_ascii_digit()) && unit(next) => {
                joined.push('\u{A0}');
            }
            Some(_) => joined.push(' '),
            None => {}
        }
    }
    escape(&joined)
}

/// A table whose cells are HTML; columns named with a leading `#` hold numbers and stand to the right.
pub struct Table {
    head: Vec<(String, bool)>,
    rows: String,
}

impl Table {
    pub fn new(columns: &[&str]) -> Table {
        let column = |name: &&str| match name.strip_prefix('#') {
            Some(name) => (escape(name), true),
            None => (escape(name), false),
        };
        Table { head: columns.iter().map(column).collect(), rows: String::new() }
    }

    /// Adds a row of HTML cells, with a class for the row (or none).
    pub fn row(&mut self, class: &str, cells: &[String]) {
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let _ = write!(self.rows, "<tr{class}>");
        for (cell, (_, number)) in cells.iter().zip(&self.head) {
            let class = if *number { " class=\"number\"" } else { "" };
            let _ = write!(self.rows, "<td{class}>{cell}</td>");
        }
        self.rows.push_str("</tr>\n");
    }

    pub fn html(&self) -> String {
        let cell = |(name, number): &(String, bool)| {
            let class = if *number { " class=\"number\"" } else { "" };
            format!("<th scope=\"col\"{class}>{name}</th>")
        };
        let head: String = self.head.iter().map(cell).collect();
        let rows = &self.rows;
        format!(
            "<div class=\"scroll\"><table><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
        )
    }
}

/// Something a reader opens when it is wanted.
pub fn details(summary: &str, inside: &str) -> String {
    format!("<details><summary>{}</summary>{inside}</details>\n", escape(summary))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_become_markup() {
        assert_eq!(
            escape("<script>\"a\" & 'b'</script>\u{7}\n"),
            "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/script&gt;\u{FFFD}\n"
        );
    }

    #[test]
    fn numbers_keep_their_units() {
        assert_eq!(
            prose("took 12 %: 3 min 5 s, <2 days"),
            "took 12\u{A0}%: 3\u{A0}min 5\u{A0}s, &lt;2 days"
        );
        assert_eq!((prose(""), prose("a  b ")), (String::new(), "a  b ".into()));
    }

    #[test]
    fn numbers_stand_to_the_right() {
        let mut table = Table::new(&["task", "#bytes"]);
        table.row("", &["ps/0".into(), "12".into()]);
        assert!(table.html().contains("<td>ps/0</td><td class=\"number\">12</td>"));
    }
}
