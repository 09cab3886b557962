//! A small process that ends the run's processes when the launcher itself is killed.
//!
//! The system can end a launcher's children with it, but not theirs: `sh train.sh` would die and leave its
//! python behind. The guard reads from a pipe whose other end only the launcher holds: `+GROUP` when a
//! process group comes to be, `-GROUP` when it has ended. The pipe's end is the launcher's end, and what is
//! listed then is killed.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::process::{Child, Command, ExitCode, Stdio};

use clap::Args;
use downpour_tensor::{Result, Status};
use rustix::process::{Pid, Signal};

use super::process::signal;

#[derive(Args)]
pub struct GuardArgs {}

/// The guard's side.
pub fn run(_: GuardArgs) -> Result<ExitCode> {
    for group in left(std::io::stdin().lock()) {
        signal(group, Signal::KILL);
    }
    Ok(ExitCode::SUCCESS)
}

/// The groups that are listed when the launcher's end of the pipe closes.
fn left(source: impl BufRead) -> Vec<Pid> {
    let mut groups = BTreeSet::new();
    for line in source.lines().map_while(io::Result::ok) {
        let Some((sign, number)) = line.split_at_checked(1) else { continue };
        // A line cut short by the launcher's death may name another group: it has no end mark.
        let Some(number) = number.strip_suffix('.').and_then(|n| n.parse::<i32>().ok()) else {
            continue;
        };
        match sign {
            "+" => groups.insert(number),
            _ => groups.remove(&number),
        };
    }
    groups.into_iter().filter_map(Pid::from_raw).collect()
}

/// The launcher's side.
pub struct Guard(Child);

impl Guard {
    pub fn start() -> Result<Guard> {
        use std::os::unix::process::CommandExt;
        let failed = |e: io::Error| Status::internal(format!("cannot start the guard: {e}"));
        let mut command = Command::new(std::env::current_exe().map_err(failed)?);
        command
            .arg("run-guard")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Ctrl-C is for the launcher.
            .process_group(0);
        Ok(Guard(command.spawn().map_err(failed)?))
    }

    pub fn watch(&mut self, group: Pid) {
        self.tell('+', group);
    }

    pub fn forget(&mut self, group: Pid) {
        self.tell('-', group);
    }

    fn tell(&mut self, sign: char, group: Pid) {
        let line = format!("{sign}{}.\n", group.as_raw_pid());
        // Without a guard the run goes on; on Linux children still die with us.
        if let Some(pipe) = &mut self.0.stdin {
            drop(pipe.write_all(line.as_bytes()));
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        drop(self.0.wait());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_not_ended_is_left() {
        let groups = left(&b"+12.\n+13.\n-12.\n+14.\nnonsense\n+1"[..]);
        assert_eq!(groups.iter().map(|g| g.as_raw_pid()).collect::<Vec<_>>(), [13, 14]);
    }
}
