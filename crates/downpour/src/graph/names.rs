//! Names no two nodes or scopes share, numbered as TensorFlow numbers them.

use std::collections::HashMap;

use downpour_tensor::{Result, Status};

/// Names in use, without regard to case (event files and some file systems have none), each with the
/// number to try next.
#[derive(Default)]
pub(crate) struct Names(HashMap<String, u64>);

impl Names {
    /// `wanted`, or `wanted_1`, `wanted_2`, ... if it is taken; taken from now on.
    pub fn unique(&mut self, wanted: &str) -> String {
        let key = wanted.to_lowercase();
        let mut next = self.0.get(&key).copied().unwrap_or(0);
        if next == 0 {
            self.0.insert(key, 1);
            return wanted.to_string();
        }
        loop {
            let name = format!("{wanted}_{next}");
            next += 1;
            if !self.0.contains_key(&name.to_lowercase()) {
                self.0.insert(name.to_lowercase(), 1);
                self.0.insert(key, next);
                return name;
            }
        }
    }

    /// Remembers a name that was chosen elsewhere.
    pub fn take(&mut self, name: &str) {
        self.0.entry(name.to_lowercase()).or_insert(1);
    }
}

/// Refuses what TensorFlow would not read back as a node's or scope's name.
pub(crate) fn check(name: &str) -> Result<()> {
    let first = name.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'.');
    let all = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.\\-/>".contains(&b));
    if first && all {
        return Ok(());
    }
    Err(Status::invalid_argument(format!(
        "'{name}' is no name for a node or scope: it must begin with a letter, a digit or '.' and go on with \
         these, '_', '-', '/'"
    )))
}

/// A name from outside (of a column, say) as the name of a node or scope.
pub(crate) fn legal(name: &str) -> String {
    let good = |c: char| if c.is_ascii_alphanumeric() || "_.-/".contains(c) { c } else { '_' };
    let text: String = name.chars().map(good).collect();
    match text.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric()) {
        true => text,
        false => format!("column{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taken_names_are_numbered_without_regard_to_case() {
        let mut names = Names::default();
        assert_eq!(names.unique("a/MatMul"), "a/MatMul");
        assert_eq!(names.unique("a/matmul"), "a/matmul_1");
        assert_eq!(names.unique("a/MatMul"), "a/MatMul_2");
        assert_eq!(names.unique("a/MatMul_2"), "a/MatMul_2_1");
        assert_eq!(names.unique("a/MatMul"), "a/MatMul_3");
    }

    #[test]
    fn names_are_checked() {
        assert!(check("a/b_1.c-d").is_ok());
        assert_eq!(legal("hours per week"), "hours_per_week");
        assert_eq!(legal("_id"), "column_id");
        for bad in ["", "_a", "a b", "/a", "ä"] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }
}
