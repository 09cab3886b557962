//! The typed functions of the library (`crates/downpour/src/ops`) are those of the operations we have.
//!
//! `UPDATE_OPS=1 cargo test -p downpour-ops --test ops library` (or `cargo xtask generate-ops`) writes them
//! anew; without it the test fails when one of the files is stale.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use downpour_ops::{FAMILIES, Registry};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../downpour/src/ops")
}

/// Every file with its contents.
fn files() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for (family, register) in FAMILIES {
        let mut registry = Registry::new();
        register(&mut registry).expect("a family registers by itself");
        let all = registry.ops();
        let specs = all.names().into_iter().filter_map(|name| all.get(name));
        files.extend(crate::generate::family(family, specs));
    }
    files
}

/// Text as far as formatting does not change it.
fn essence(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != ',').collect()
}

/// Files of families that no operation stands for.
fn left_over(files: &BTreeMap<String, String>) -> Vec<PathBuf> {
    let there = FAMILIES.iter().filter_map(|(family, _)| {
        let entries = std::fs::read_dir(folder().join(family)).ok()?;
        let name = |entry: std::fs::DirEntry| {
            format!("{family}/{}", entry.file_name().to_string_lossy().into_owned())
        };
        Some(entries.filter_map(|entry| entry.ok().map(name)).collect::<Vec<_>>())
    });
    let unknown = there.flatten().filter(|name| !files.contains_key(name));
    unknown.map(|name| folder().join(name)).collect()
}

#[test]
fn the_functions_of_the_library_are_up_to_date() {
    let update = std::env::var_os("UPDATE_OPS").is_some();
    let files = files();
    for (name, text) in &files {
        let path = folder().join(name);
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        if essence(&there) == essence(text) {
            continue;
        }
        let failed = |e| panic!("{}: {e}", path.display());
        assert!(update, "{} is stale; run `cargo xtask generate-ops`", path.display());
        std::fs::create_dir_all(path.parent().unwrap_or(&path)).unwrap_or_else(failed);
        std::fs::write(&path, text).unwrap_or_else(failed);
    }
    for path in left_over(&files) {
        assert!(update, "{} is of no operation; run `cargo xtask generate-ops`", path.display());
        std::fs::remove_file(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
}
