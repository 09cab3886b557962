//! MatchingFiles: the paths that match a pattern.

use std::path::{Path, PathBuf};

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{ByteString, Charge, Result, Tensor};

use super::{path, stop_if_cancelled};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("MatchingFiles(pattern: string) -> (filenames: string)")?
            .shape(vector)
            .not_differentiable(),
        |_| Ok(KernelBox::blocking_function(compute)),
    )
}

fn vector(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.set_output(0, PartialShape::vector(None));
    Ok(())
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let mut found = Paths { cx, looked_at: 0, charge: Charge::default() };
    let mut names = Vec::new();
    for pattern in cx.input(0).strings()? {
        names.extend(expand(&path(pattern)?, &mut found)?);
    }
    names.sort();
    names.dedup();
    let names = Tensor::build_strings([names.len()], |i| {
        ByteString::copy_from(names[i].as_os_str().as_encoded_bytes())
    })?;
    cx.set_output(0, names);
    Ok(())
}

/// After so many looks at the disk a search asks whether anybody still waits: often enough for a slow disk.
const LOOKS_BETWEEN_QUESTIONS: usize = 100;

/// What a search has done so far: a pattern like `/*/*/*/*` must neither fill the memory nor go on when nobody waits,
/// whether it finds something or not.
struct Paths<'a, 'b> {
    cx: &'a OpContext<'b>,
    looked_at: usize,
    charge: Charge,
}

impl Paths<'_, '_> {
    /// Before each look at the disk.
    fn look(&mut self) -> Result<()> {
        self.looked_at += 1;
        if self.looked_at.is_multiple_of(LOOKS_BETWEEN_QUESTIONS) {
            stop_if_cancelled(self.cx)?;
        }
        Ok(())
    }

    fn found(&mut self, path: &Path) -> Result<()> {
        self.charge.grow(size_of::<PathBuf>() + path.as_os_str().len())
    }
}

/// All existing paths that match a pattern with `*`, `?` and `[..]` in any of its parts.
fn expand(pattern: &Path, paths: &mut Paths<'_, '_>) -> Result<Vec<PathBuf>> {
    if pattern.as_os_str().is_empty() {
        return Ok(Vec::new());
    }
    let mut found = vec![PathBuf::new()];
    for part in pattern.components() {
        let text = part.as_os_str().to_string_lossy();
        if !text.contains(['*', '?', '[']) {
            let mut next = Vec::new();
            for path in found.into_iter().map(|p| p.join(part)) {
                paths.look()?;
                if path.exists() {
                    next.push(path);
                }
            }
            found = next;
            continue;
        }
        let mut next = Vec::new();
        for folder in &found {
            paths.look()?;
            let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            // A folder that cannot be read holds no match.
            for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
                paths.look()?;
                let name = entry.file_name();
                if matches(text.as_bytes(), name.to_string_lossy().as_bytes()) {
                    let path = folder.join(name);
                    paths.found(&path)?;
                    next.push(path);
                }
            }
        }
        found = next;
    }
    Ok(found)
}

/// Shell-style matching of one path part. When the rest does not fit, only the last `*` may take one more character: an
/// earlier one could only take what the last one can. So it takes at most the product of both lengths.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut read) = (0, 0);
    // Where the last `*` is, and what it does not take.
    let mut star: Option<(usize, usize)> = None;
    loop {
        if pattern.get(at) == Some(&b'*') {
            star = Some((at, read));
            at += 1;
        } else if at == pattern.len() && read == name.len() {
            return true;
        } else if let Some(width) = name.get(read).and_then(|c| one(&pattern[at..], *c)) {
            (at, read) = (at + width, read + 1);
        } else if let Some((place, taken)) = star.filter(|(_, taken)| *taken < name.len()) {
            star = Some((place, taken + 1));
            (at, read) = (place + 1, taken + 1);
        } else {
            return false;
        }
    }
}

/// The length of the pattern's first part, if that fits a character.
fn one(pattern: &[u8], c: u8) -> Option<usize> {
    match pattern.first()? {
        b'?' => Some(1),
        b'[' => match pattern.iter().position(|&b| b == b']') {
            Some(end) => in_set(&pattern[1..end], c).then_some(end + 1),
            None => (c == b'[').then_some(1),
        },
        p => (*p == c).then_some(1),
    }
}

fn in_set(set: &[u8], c: u8) -> bool {
    let (inverted, set) = match set.first() {
        Some(b'^' | b'!') => (true, &set[1..]),
        _ => (false, set),
    };
    let mut i = 0;
    let mut found = false;
    while i < set.len() {
        if i + 2 < set.len() && set[i + 1] == b'-' {
            found |= (set[i]..=set[i + 2]).contains(&c);
            i += 3;
        } else {
            found |= set[i] == c;
            i += 1;
        }
    }
    found != inverted
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn an_empty_pattern_matches_nothing() {
        let pattern = Tensor::build_strings([1], |_| ByteString::copy_from("")).unwrap();
        let found = OpTest::new(register, "MatchingFiles").input(pattern).run_one().unwrap();
        assert_eq!(found.dims(), &[0]);
    }

    #[test]
    fn patterns_match_as_a_shell_does() {
        let fits = |pattern: &str, name: &str| matches(pattern.as_bytes(), name.as_bytes());
        for (pattern, name) in
            [("*", ""), ("*.txt", "a.txt"), ("a*b*c", "aXbYbZc"), ("?[a-c]*", "xb"), ("[", "[")]
        {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("", "a"), ("*.txt", "a.txt2"), ("a*b*c", "aXcYb"), ("?", ""), ("[!a]", "a")]
        {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn many_stars_take_no_longer_than_one_for_each_character() {
        let pattern = "*a".repeat(100) + "*b";
        assert!(!matches(pattern.as_bytes(), "a".repeat(10_000).as_bytes()));
        assert!(matches(pattern.as_bytes(), ("a".repeat(10_000) + "b").as_bytes()));
    }
}
