//! Patterns for paths: `*`, `?` and sets like `[a-c]`.

/// Returns whether a name fits a pattern, as a shell matches one part of a path.
///
/// When the rest does not fit, only the last `*` may take one more character: an earlier one could only take what the
/// last one can. So it takes at most the product of both lengths.
pub fn matches(pattern: &[u8], name: &[u8]) -> bool {
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
