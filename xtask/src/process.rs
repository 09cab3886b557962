//! Running other programs and saying which step failed.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// The repository's root.
pub fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(PathBuf::from).unwrap_or(here)
}

/// Where cargo builds.
pub fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// A cargo command in the repository's root.
pub fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

pub fn heading(title: &str) {
    println!("\n==> {title}");
}

/// How long each stage of a check took.
#[derive(Default)]
pub struct Stages {
    taken: Vec<(String, Duration)>,
}

impl Stages {
    /// Runs one stage under a heading.
    pub fn run(
        &mut self,
        title: &str,
        stage: impl FnOnce() -> Result<(), String>,
    ) -> Result<(), String> {
        heading(title);
        let start = Instant::now();
        let result = stage();
        self.taken.push((title.to_string(), start.elapsed()));
        result
    }

    /// Runs cargo as a stage.
    pub fn cargo(&mut self, title: &str, args: &[&str]) -> Result<(), String> {
        self.run(title, || run(cargo(args)))
    }

    /// Prints the stages that have run, also when the last of them failed.
    pub fn print(&self) {
        heading("time by stage");
        for (title, taken) in &self.taken {
            println!("{:>7}  {title}", minutes(*taken));
        }
        println!("{:>7}  in all", minutes(self.taken.iter().map(|(_, taken)| taken).sum()));
    }
}

/// A time as minutes and seconds.
fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Runs a command under a heading.
pub fn step(title: &str, command: Command) -> Result<(), String> {
    heading(title);
    run(command)
}

pub fn run(mut command: Command) -> Result<(), String> {
    let shown = format!("{command:?}");
    let status = command.status().map_err(|e| format!("cannot start {shown}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{shown} failed: {status}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_that_fails_is_in_the_table_too() {
        let mut stages = Stages::default();
        assert!(stages.run("first", || Ok(())).is_ok());
        assert!(stages.run("second", || Err("why".into())).is_err_and(|why| why == "why"));
        let titles: Vec<&str> = stages.taken.iter().map(|(title, _)| title.as_str()).collect();
        assert_eq!(titles, ["first", "second"]);
        assert_eq!(minutes(Duration::from_secs(125)), "2:05");
    }
}
