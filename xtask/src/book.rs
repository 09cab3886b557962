//! The book in `docs/`: checked, and rendered to `target/book`.
//!
//! It has mdBook's layout, so `mdbook build docs` renders it too. Here it is done in a moment, and more is checked:
//! that includes, anchors and links lead somewhere, that no chapter is forgotten, and that all Rust in it is included
//! from the examples, which the tests run.

mod include;
mod page;
mod summary;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::process::{root, target_dir};
use page::{Chapter, Links};

/// Renders the book; the error names everything that is wrong with it.
pub fn build() -> Result<(), String> {
    let folder = root().join("docs/src");
    let (book, mut wrong) = read(&folder)?;
    let links = Links::new(&folder, &book);
    let pages: Vec<String> =
        book.iter().map(|chapter| page::render(chapter, &book, &links, &mut wrong)).collect();
    if !wrong.is_empty() {
        return Err(format!("the book in docs/ has mistakes:\n  {}", wrong.join("\n  ")));
    }
    let target = target_dir().join("book");
    let failed = |e: std::io::Error| format!("cannot write {}: {e}", target.display());
    std::fs::create_dir_all(&target).map_err(failed)?;
    for (number, (chapter, html)) in book.iter().zip(&pages).enumerate() {
        std::fs::write(target.join(page::html_name(&chapter.file)), html).map_err(failed)?;
        if number == 0 {
            std::fs::write(target.join("index.html"), html).map_err(failed)?;
        }
    }
    println!("{} chapters: {}", book.len(), target.join("index.html").display());
    Ok(())
}

/// The chapters in their order, with their includes resolved, and what is wrong so far.
fn read(folder: &Path) -> Result<(Vec<Chapter>, Vec<String>), String> {
    let text = |path: &Path| {
        std::fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
    };
    let mut wrong = Vec::new();
    let mut book = Vec::new();
    for (title, file) in summary::parse(&text(&folder.join("SUMMARY.md"))?)? {
        match text(&folder.join(&file)) {
            Ok(source) => {
                wrong.extend(include::unchecked_rust(&source).map(|line| format!("{file}:{line}")));
                let source = include::expand(&source, &mut |path| text(&folder.join(path)))
                    .map_err(|why| wrong.push(format!("{file}:{why}")));
                book.push(Chapter { title, file, source: source.unwrap_or_default() });
            }
            Err(why) => wrong.push(format!("SUMMARY.md: {why}")),
        }
    }
    let named: BTreeMap<&str, ()> = book.iter().map(|c| (c.file.as_str(), ())).collect();
    let files = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let forgotten = files.flatten().map(|entry| PathBuf::from(entry.file_name()));
    for file in forgotten.filter(|file| file.extension().is_some_and(|end| end == "md")) {
        let file = file.to_string_lossy();
        if file != "SUMMARY.md" && !named.contains_key(&*file) {
            wrong.push(format!("{file} is in no line of SUMMARY.md"));
        }
    }
    Ok((book, wrong))
}
