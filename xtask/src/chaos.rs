//! `cargo xtask chaos`: runs of every strategy under faults, by `tests/chaos`.

use std::path::PathBuf;
use std::process::Command;

use crate::process::{cargo, root, run as run_process, target_dir};
use crate::python::python;

/// Builds the program, unless `--binary` names one, and runs chaos with the other arguments.
pub fn run(args: &[String]) -> Result<(), String> {
    let Options { profile, binary, rest } = Options::parse(args)?;
    let mut command = Command::new(python()?);
    command.arg(root().join("tests/chaos/main.py")).arg("--target").arg(target_dir());
    let only_text = rest.iter().any(|word| matches!(word.as_str(), "--help" | "-h" | "--list"));
    match binary {
        Some(path) => command.arg("--given").arg("--binary").arg(path),
        None if only_text => &mut command,
        None => command.arg("--binary").arg(build(&profile)?),
    };
    command.args(rest);
    run_process(command)
}

fn build(profile: &str) -> Result<PathBuf, String> {
    run_process(cargo(&["build", "--package", "downpour-cli", "--profile", profile]))?;
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(target_dir().join(folder).join("downpour"))
}

/// The arguments that are not for the script.
#[derive(Debug, PartialEq)]
struct Options {
    profile: String,
    binary: Option<String>,
    rest: Vec<String>,
}

impl Options {
    fn parse(args: &[String]) -> Result<Options, String> {
        let mut options =
            Options { profile: "release".to_string(), binary: None, rest: Vec::new() };
        let mut args = args.iter();
        while let Some(word) = args.next() {
            let (name, given) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value.to_string())),
                None => (word.as_str(), None),
            };
            if !matches!(name, "--profile" | "--binary") {
                options.rest.push(word.clone());
                continue;
            }
            let value = given.or_else(|| args.next().cloned());
            let value = value.ok_or_else(|| format!("{name} needs a value"))?;
            match name {
                "--profile" => options.profile = value,
                _ => options.binary = Some(value),
            }
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Options, String> {
        Options::parse(&text.split_whitespace().map(str::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn only_profile_and_binary_are_for_us() {
        let options = parse("--seed 7 --profile dev --binary=a/b --minutes=2").unwrap();
        assert_eq!((options.profile.as_str(), options.binary.as_deref()), ("dev", Some("a/b")));
        assert_eq!(options.rest, ["--seed", "7", "--minutes=2"]);
        assert_eq!(parse("--run 3").unwrap().profile, "release");
        assert!(parse("--binary").is_err_and(|why| why.contains("--binary needs a value")));
    }
}
