//! A layout as servers keep it, and what goes from where to where.

use std::collections::BTreeMap;
use std::ops::Range;

use downpour_tensor::{Bytes, Result, Status};
use serde::{Deserialize, Serialize};

use super::Part;

/// A place, and the first row and the one after the last if it has not all.
type WrittenPart = (usize, Option<(usize, usize)>);

/// Where variables are, and why.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Layout {
    /// Of each variable.
    parts: BTreeMap<String, Vec<WrittenPart>>,
    /// What was measured, and what was moved.
    pub why: String,
    pub moved: Vec<String>,
}

impl Layout {
    pub fn new(parts: BTreeMap<String, Vec<Part>>, why: String, moved: Vec<String>) -> Layout {
        let written = |part: Part| (part.place, part.rows.map(|rows| (rows.start, rows.end)));
        let parts = parts.into_iter();
        let parts = parts.map(|(name, parts)| (name, parts.into_iter().map(written).collect()));
        Layout { parts: parts.collect(), why, moved }
    }

    pub fn to_bytes(&self) -> Result<Bytes> {
        let bytes = serde_json::to_vec(self);
        bytes.map(Bytes::from).map_err(|e| Status::internal(format!("a layout: {e}")))
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Layout> {
        serde_json::from_slice(bytes).map_err(|e| {
            Status::invalid_argument(format!(
                "the parameter servers' layout cannot be read: {e}; do all tasks run the same version?"
            ))
        })
    }

    /// The parts of a variable with so many rows.
    pub fn parts_of(&self, name: &str, rows: usize, places: usize) -> Result<Vec<Part>> {
        let odd = || {
            Status::failed_precondition(format!(
                "the parameter servers' layout has no place for '{name}' with {rows} rows: all workers must be given the \
                 same model"
            ))
        };
        let written = self.parts.get(name).ok_or_else(odd)?;
        let part = |(place, rows): &WrittenPart| Part {
            place: *place,
            rows: rows.map(|(start, end)| start..end),
        };
        let parts: Vec<Part> = written.iter().map(part).collect();
        let mut next = 0;
        for part in &parts {
            let range = part.rows.clone().unwrap_or(0..rows);
            if range.start != next || range.end < next || part.place >= places {
                return Err(odd());
            }
            next = range.end;
        }
        let ordered = parts.is_sorted_by(|a, b| a.place < b.place);
        if next == rows && ordered && !parts.is_empty() { Ok(parts) } else { Err(odd()) }
    }
}

/// Rows that go from one place to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub from: usize,
    pub to: usize,
    pub rows: Range<usize>,
}

/// Where the rows of each new part come from, in their order; those that stay among them.
pub(crate) fn ways(before: &[Part], after: &[Part], rows: usize) -> Vec<Way> {
    let range = |part: &Part| part.rows.clone().unwrap_or(0..rows);
    let mut ways = Vec::new();
    for new in after {
        for old in before {
            let (a, b) = (range(old), range(new));
            let rows = a.start.max(b.start)..a.end.min(b.end);
            if !rows.is_empty() || (a.is_empty() && b.is_empty()) {
                ways.push(Way { from: old.place, to: new.place, rows });
            }
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(place: usize, rows: Range<usize>) -> Part {
        Part { place, rows: Some(rows) }
    }

    #[test]
    fn layouts_come_back_and_others_are_refused() {
        let parts = BTreeMap::from([
            ("table".to_string(), vec![part(0, 0..3), part(2, 3..9)]),
            ("w".to_string(), vec![Part { place: 1, rows: None }]),
        ]);
        let layout = Layout::new(parts.clone(), "because".to_string(), Vec::new());
        let again = Layout::from_bytes(&layout.to_bytes().unwrap()).unwrap();
        assert_eq!(again, layout);
        assert_eq!(again.parts_of("table", 9, 3).unwrap(), parts["table"]);
        assert_eq!(again.parts_of("w", 5, 3).unwrap(), parts["w"]);
        for refused in [
            again.parts_of("table", 10, 3),
            again.parts_of("table", 9, 2),
            again.parts_of("v", 1, 3),
        ] {
            assert!(refused.is_err());
        }
        assert!(Layout::from_bytes(b"{}x").is_err());
    }

    #[test]
    fn rows_go_where_they_are_to_be() {
        let before = [part(0, 0..6), part(1, 6..9)];
        let after = [part(0, 0..2), part(1, 2..7), part(2, 7..9)];
        let way = |from, to, rows| Way { from, to, rows };
        let expected = [way(0, 0, 0..2), way(0, 1, 2..6), way(1, 1, 6..7), way(1, 2, 7..9)];
        assert_eq!(ways(&before, &after, 9), expected);
    }
}
