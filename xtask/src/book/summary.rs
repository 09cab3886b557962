//! The list of chapters, as mdBook writes it.

/// Titles and files, in their order.
pub fn parse(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut chapters = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let link = line.trim_start_matches("- ").strip_prefix('[');
        let parts = link.and_then(|link| link.strip_suffix(')')?.split_once("]("));
        let Some((title, file)) = parts else {
            return Err(format!("SUMMARY.md:{}: expected [TITLE](FILE.md): {line}", number + 1));
        };
        chapters.push((title.to_string(), file.to_string()));
    }
    Ok(chapters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chapters_are_links_with_or_without_a_bullet() {
        let found = parse("# Summary\n\n[First](a.md)\n\n- [Second](b.md)\n  - [Third](c.md)\n");
        let found: Vec<String> =
            found.unwrap().into_iter().map(|(t, f)| format!("{t}={f}")).collect();
        assert_eq!(found, ["First=a.md", "Second=b.md", "Third=c.md"]);
        assert!(parse("- Second").unwrap_err().contains("SUMMARY.md:1"));
    }
}
