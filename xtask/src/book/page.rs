//! A chapter as a page of HTML, and where its links lead.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// A chapter whose includes are resolved.
pub struct Chapter {
    pub title: String,
    pub file: String,
    pub source: String,
}

/// What links may lead to: chapters with their headings, and files beside them.
pub struct Links {
    folder: PathBuf,
    headings: HashMap<String, HashSet<String>>,
}

impl Links {
    pub fn new(folder: &Path, book: &[Chapter]) -> Links {
        let headings =
            |c: &Chapter| (c.file.clone(), heading_names(&c.source).into_iter().collect());
        Links { folder: folder.to_path_buf(), headings: book.iter().map(headings).collect() }
    }

    /// Where a link of a chapter leads in the rendered book; an error if nowhere.
    fn resolve(&self, chapter: &str, link: &str) -> Result<String, String> {
        if link.starts_with("https://") || link.starts_with("http://") {
            return Ok(link.to_string());
        }
        let (file, heading) = link.split_once('#').unwrap_or((link, ""));
        let known = self.headings.get(if file.is_empty() { chapter } else { file });
        let shown = if file.is_empty() { String::new() } else { html_name(file) };
        match known {
            Some(_) if heading.is_empty() => Ok(shown),
            Some(names) if names.contains(heading) => Ok(format!("{shown}#{heading}")),
            Some(_) => Err(format!("{chapter}: the link '{link}' leads to no heading")),
            None if !file.contains("..") && self.folder.join(file).is_file() => {
                Ok(link.to_string())
            }
            None => Err(format!("{chapter}: the link '{link}' leads nowhere in the book")),
        }
    }
}

pub fn html_name(file: &str) -> String {
    file.strip_suffix(".md").map_or_else(|| file.to_string(), |name| format!("{name}.html"))
}

fn events(source: &str) -> impl Iterator<Item = Event<'_>> {
    Parser::new_ext(source, Options::ENABLE_TABLES)
}

/// The names of headings, as mdBook makes them of their text.
fn heading_names(source: &str) -> Vec<String> {
    let (mut names, mut inside) = (Vec::new(), None::<String>);
    for event in events(source) {
        match (event, &mut inside) {
            (Event::Start(Tag::Heading { .. }), _) => inside = Some(String::new()),
            (Event::End(TagEnd::Heading(_)), Some(text)) => {
                let plain = |c: char| match c {
                    ' ' => Some('-'),
                    c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
                    _ => None,
                };
                names.push(text.to_lowercase().chars().filter_map(plain).collect());
                inside = None;
            }
            (Event::Text(part) | Event::Code(part), Some(text)) => text.push_str(&part),
            _ => {}
        }
    }
    names
}

/// The page of a chapter; links that lead nowhere are added to `wrong`.
pub fn render(
    chapter: &Chapter,
    book: &[Chapter],
    links: &Links,
    wrong: &mut Vec<String>,
) -> String {
    let mut names = heading_names(&chapter.source).into_iter();
    let mut resolve = |link: CowStr<'_>| match links.resolve(&chapter.file, &link) {
        Ok(shown) => shown,
        Err(why) => {
            wrong.push(why);
            String::new()
        }
    };
    let changed = events(&chapter.source).map(|event| match event {
        Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
            let id = names.next().map(CowStr::from);
            Event::Start(Tag::Heading { level, id, classes, attrs })
        }
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let dest_url = resolve(dest_url).into();
            Event::Start(Tag::Link { link_type, dest_url, title, id })
        }
        other => other,
    });
    let mut body = String::new();
    html::push_html(&mut body, changed);
    let item = |other: &Chapter| {
        let here = if other.file == chapter.file { " aria-current=\"page\"" } else { "" };
        format!(
            "<li><a href=\"{}\"{here}>{}</a></li>",
            html_name(&other.file),
            escaped(&other.title)
        )
    };
    let list: String = book.iter().map(item).collect();
    let place = book.iter().position(|other| other.file == chapter.file).unwrap_or(0);
    let next = book.get(place + 1).map(|next| {
        format!("<a href=\"{}\">Next: {}</a>", html_name(&next.file), escaped(&next.title))
    });
    include_str!("page.html")
        .replace("TITLE", &escaped(&chapter.title))
        .replace("CHAPTERS", &list)
        .replace("NEXT", &next.unwrap_or_default())
        .replace("BODY", &body)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chapter(file: &str, source: &str) -> Chapter {
        Chapter { title: file.to_string(), file: file.to_string(), source: source.to_string() }
    }

    #[test]
    fn links_lead_to_chapters_and_headings_or_are_mistakes() {
        let first = "# One\n[two](b.md#the-second-part), [up](#one), [out](https://x.org)\n";
        let book = [
            chapter("a.md", first),
            chapter("b.md", "## The `second` part\n[a](c.md) [b](a.md#x)"),
        ];
        let links = Links::new(Path::new("/nowhere"), &book);
        let mut wrong = Vec::new();
        let page = render(&book[0], &book, &links, &mut wrong);
        assert!(
            page.contains("href=\"b.html#the-second-part\"") && page.contains("href=\"#one\""),
            "{page}"
        );
        assert!(page.contains("<h1 id=\"one\">") && page.contains("Next: b.md"), "{page}");
        assert_eq!(wrong, Vec::<String>::new());
        render(&book[1], &book, &links, &mut wrong);
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert!(
            wrong[0].contains("c.md' leads nowhere") && wrong[1].contains("no heading"),
            "{wrong:?}"
        );
    }
}
