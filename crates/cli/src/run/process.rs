//! One process of the run: how it is started, signalled and waited for.

use std::fmt;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, Command};
use tokio::task::JoinSet;

use super::output::{Label, Stream, Tail, forward};
use super::plan::Unit;

/// How long the output of a process that has ended is waited for: a grandchild that left its group may
/// hold the pipes open for ever.
const OUTPUT_LIMIT: Duration = Duration::from_secs(1);

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Code(u8),
    Signal(i32),
}

impl End {
    fn of(status: ExitStatus) -> End {
        match (status.code(), status.signal()) {
            (Some(code), _) => End::Code(code as u8),
            (None, signal) => End::Signal(signal.unwrap_or(0)),
        }
    }

    /// As shells give it.
    pub fn exit_code(self) -> u8 {
        match self {
            End::Code(code) => code,
            End::Signal(signal) => 128u8.saturating_add(signal as u8),
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            End::Code(code) => write!(f, "ended with exit code {code}"),
            End::Signal(number) => match name(number) {
                Some(name) => write!(f, "was ended by signal {number} ({name})"),
                None => write!(f, "was ended by signal {number}"),
            },
        }
    }
}

fn name(signal: i32) -> Option<&'static str> {
    Some(match Signal::from_named_raw(signal)? {
        Signal::HUP => "SIGHUP",
        Signal::INT => "SIGINT",
        Signal::QUIT => "SIGQUIT",
        Signal::ILL => "SIGILL",
        Signal::ABORT => "SIGABRT",
        Signal::BUS => "SIGBUS",
        Signal::FPE => "SIGFPE",
        Signal::KILL => "SIGKILL; out of memory?",
        Signal::SEGV => "SIGSEGV",
        Signal::PIPE => "SIGPIPE",
        Signal::TERM => "SIGTERM",
        _ => return None,
    })
}

/// A process that was started.
pub struct Process {
    pub group: Pid,
    child: Child,
    readers: JoinSet<()>,
}

impl Process {
    /// Starts a unit in a process group of its own, so that a signal reaches what it has started in turn
    /// and the terminal's Ctrl-C reaches only us.
    pub fn start(unit: &Unit, restarts: u32, label: &Label, tail: &Tail) -> io::Result<Process> {
        let mut command = Command::new(&unit.program);
        command
            .args(&unit.arguments)
            // Ours may be a task of another run.
            .env_remove("DOWNPOUR_TARGET")
            .envs(unit.environment.iter().map(|(name, value)| (name, value)))
            .env("DOWNPOUR_RESTARTS", restarts.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        die_with_us(&mut command);
        let mut child = command.spawn()?;
        let pid = child.id().and_then(|id| Pid::from_raw(id as i32));
        let group = pid.ok_or_else(|| io::Error::other("it ended before it could be watched"))?;
        let mut readers = JoinSet::new();
        if let Some(out) = child.stdout.take() {
            readers.spawn(forward(out, label.clone(), Stream::Out, None));
        }
        if let Some(err) = child.stderr.take() {
            readers.spawn(forward(err, label.clone(), Stream::Err, Some(tail.clone())));
        }
        Ok(Process { group, child, readers })
    }

    /// Waits for its end and for the last of its output.
    pub async fn wait(mut self) -> io::Result<End> {
        let status = self.child.wait().await?;
        // What it has left behind would be in the way of its successor.
        signal(self.group, Signal::KILL);
        let read_out = async { while self.readers.join_next().await.is_some() {} };
        // Later output is of nobody's concern.
        drop(tokio::time::timeout(OUTPUT_LIMIT, read_out).await);
        Ok(End::of(status))
    }
}

/// Signals all processes of a group; one that has ended already is none.
pub fn signal(group: Pid, signal: Signal) {
    kill_process_group(group, signal).ok();
}

/// True if a process is stopped (SIGSTOP), which only whoever continues it can end; never where that cannot be told.
pub fn is_stopped(process: Pid) -> bool {
    let file = format!("/proc/{}/stat", process.as_raw_pid());
    std::fs::read_to_string(file).is_ok_and(|stat| state_of(&stat) == Some('T'))
}

/// The state in a line of `/proc/PID/stat`: it follows the program's name, which may contain anything.
fn state_of(stat: &str) -> Option<char> {
    stat.rsplit_once(") ")?.1.chars().next()
}

/// Has the system end the process when we die, however that happens.
#[cfg(target_os = "linux")]
fn die_with_us(command: &mut Command) {
    let us = rustix::process::getpid();
    // SAFETY: the closure runs in the new process between fork and exec, where only what is safe in a
    // signal handler may be done: it makes two system calls and allocates nothing.
    unsafe {
        command.pre_exec(move || {
            rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
            // We may have died before the call above.
            if rustix::process::getppid() != Some(us) {
                return Err(io::Error::from_raw_os_error(rustix::io::Errno::SRCH.raw_os_error()));
            }
            Ok(())
        });
    }
}

/// Other systems leave it to the guard.
#[cfg(not(target_os = "linux"))]
fn die_with_us(_: &mut Command) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopped_process_is_known_by_its_state() {
        assert_eq!(state_of("12 (a ) R b) T 1 2"), Some('T'));
        assert_eq!(state_of("12 (downpour) S 1 2"), Some('S'));
        assert_eq!(state_of(""), None);
        assert!(!is_stopped(rustix::process::getpid()));
    }
}
