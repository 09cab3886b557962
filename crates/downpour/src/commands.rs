//! The commands that go on from a run.

use crate::record::Run;

/// Takes the run up again.
pub fn resume(run: &Run) -> String {
    format!("downpour train --resume {}", quoted(&run.folder.display().to_string()))
}

/// Shows its event files.
pub fn tensorboard(run: &Run) -> String {
    format!("tensorboard --logdir {}", inside(run, "events"))
}

/// Uses the model it exported.
pub fn predict(run: &Run) -> String {
    format!("downpour predict {} INPUT.csv", inside(run, "export"))
}

fn inside(run: &Run, name: &str) -> String {
    quoted(&run.folder.join(name).display().to_string())
}

/// A word for a shell.
fn quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+:@%=,".contains(letter);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_string(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_pasted() {
        assert_eq!(quoted("runs/mnist-1"), "runs/mnist-1");
        assert_eq!(quoted("my runs/it's"), "'my runs/it'\\''s'");
    }
}
