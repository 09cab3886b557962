//! ReadFile, WriteFile and MatchingFiles.

use std::path::{Path, PathBuf};

use downpour_formats::AtomicFile;
use downpour_graph::{OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("ReadFile(filename: string) -> (contents: string)")?
            .shape(shapes::scalar)
            .not_differentiable(),
        |_| Ok(KernelBox::function(read)),
    )?;
    registry.add(
        OpSpec::new("WriteFile(filename: string, contents: string) -> () @stateful")?
            .shape(shapes::unknown)
            .not_differentiable(),
        |_| Ok(KernelBox::function(write)),
    )?;
    registry.add(
        OpSpec::new("MatchingFiles(pattern: string) -> (filenames: string)")?
            .shape(vector)
            .not_differentiable(),
        |_| Ok(KernelBox::function(matching)),
    )
}

fn vector(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.set_output(0, PartialShape::vector(None));
    Ok(())
}

fn path(bytes: &[u8]) -> Result<PathBuf> {
    std::str::from_utf8(bytes)
        .map(PathBuf::from)
        .map_err(|_| Status::invalid_argument("a file name is not valid UTF-8"))
}

pub(crate) fn failed(what: &str, path: &Path, error: &std::io::Error) -> Status {
    let text = format!("cannot {what} {}: {error}", path.display());
    match error.kind() {
        std::io::ErrorKind::NotFound => Status::not_found(text),
        std::io::ErrorKind::PermissionDenied => Status::permission_denied(text),
        std::io::ErrorKind::IsADirectory => Status::failed_precondition(text),
        _ => Status::unknown(text),
    }
}

fn read(cx: &mut OpContext<'_>) -> Result<()> {
    let path = path(&cx.scalar_input(0)?.strings()?[0])?;
    let contents = std::fs::read(&path).map_err(|e| failed("read", &path, &e))?;
    cx.set_output(0, Tensor::string(contents));
    Ok(())
}

fn write(cx: &mut OpContext<'_>) -> Result<()> {
    let path = path(&cx.scalar_input(0)?.strings()?[0])?;
    let contents = cx.scalar_input(1)?.strings()?[0].clone();
    let mut file = AtomicFile::create(&path)?;
    file.write(&contents)?;
    file.commit()
}

fn matching(cx: &mut OpContext<'_>) -> Result<()> {
    let mut found = Vec::new();
    for pattern in cx.input(0).strings()? {
        let pattern = path(pattern)?;
        found.extend(expand(&pattern));
    }
    found.sort();
    found.dedup();
    let names =
        found.into_iter().map(|p| p.to_string_lossy().into_owned().into()).collect::<Vec<_>>();
    cx.set_output(0, Tensor::from_strings([names.len()], names)?);
    Ok(())
}

/// All existing paths that match a pattern with `*`, `?` and `[..]` in any of its parts.
fn expand(pattern: &Path) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    for part in pattern.components() {
        let text = part.as_os_str().to_string_lossy();
        if !text.contains(['*', '?', '[']) {
            found = found.into_iter().map(|p| p.join(part)).filter(|p| p.exists()).collect();
            continue;
        }
        let mut next = Vec::new();
        for folder in &found {
            let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            // A folder that cannot be read holds no match.
            for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
                let name = entry.file_name();
                if matches(text.as_bytes(), name.to_string_lossy().as_bytes()) {
                    next.push(folder.join(name));
                }
            }
        }
        found = next;
    }
    found
}

/// Shell-style matching of one path part.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.first(), name.first()) {
        (None, None) => true,
        (Some(b'*'), _) => {
            matches(&pattern[1..], name) || (!name.is_empty() && matches(pattern, &name[1..]))
        }
        (Some(b'?'), Some(_)) => matches(&pattern[1..], &name[1..]),
        (Some(b'['), Some(&c)) => match pattern.iter().position(|&b| b == b']') {
            Some(end) => in_set(&pattern[1..end], c) && matches(&pattern[end + 1..], &name[1..]),
            None => c == b'[' && matches(&pattern[1..], &name[1..]),
        },
        (Some(p), Some(c)) => p == c && matches(&pattern[1..], &name[1..]),
        _ => false,
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
    fn files_are_written_read_and_found() {
        let folder = tempfile::tempdir().unwrap();
        let name = |n: &str| Tensor::string(folder.path().join(n).to_string_lossy().into_owned());
        for n in ["a-1.txt", "a-2.txt", "b.txt"] {
            OpTest::new(register, "WriteFile")
                .input(name(n))
                .input(Tensor::string(n.to_string()))
                .run()
                .unwrap();
        }
        let read = OpTest::new(register, "ReadFile").input(name("b.txt")).run_one().unwrap();
        assert_eq!(&read.strings().unwrap()[0][..], b"b.txt");
        let found =
            OpTest::new(register, "MatchingFiles").input(name("a-[0-1]*.t?t")).run_one().unwrap();
        assert_eq!(found.len(), 1);
        let missing = OpTest::new(register, "ReadFile").input(name("none")).run_one().unwrap_err();
        assert_eq!(missing.code(), downpour_tensor::Code::NotFound);
    }
}
