//! Rust names from TensorFlow's.

use std::collections::HashSet;

/// `MatMul` as `mat_mul`, `Conv2D` as `conv2d`, `TopKV2` as `top_kv2`: as TensorFlow's own clients do.
pub fn snake(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (i, &c) in chars.iter().enumerate() {
        let lower_after = chars.get(i + 1).is_some_and(|n| n.is_ascii_lowercase());
        let starts_word = i > 0
            && c.is_ascii_uppercase()
            && chars[i - 1] != '_'
            && (chars[i - 1].is_ascii_lowercase() || lower_after);
        if starts_word {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    plain(out)
}

/// Not a word of the language.
fn plain(name: String) -> String {
    const WORDS: &[&str] = &[
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
        "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
        "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
        "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type",
        "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
    ];
    if WORDS.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// Names already given in one place.
pub struct Taken(HashSet<String>);

impl Taken {
    pub fn new(reserved: &[&str]) -> Taken {
        Taken(reserved.iter().map(|name| name.to_string()).collect())
    }

    /// A name for an argument or method, different from all before.
    pub fn name(&mut self, name: &str) -> String {
        let mut name = snake(name);
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}
