//! MatchingFiles: the paths that match a pattern.

use std::path::{Path, PathBuf};

use downpour_formats::path_pattern::matches;
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

/// Returns the existing paths that a pattern matches, in no order.
pub(crate) fn matching_files(cx: &OpContext<'_>, pattern: &Path) -> Result<Vec<PathBuf>> {
    expand(pattern, &mut Paths { cx, looked_at: 0, charge: Charge::default() })
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
}
