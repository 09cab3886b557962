//! What failed, said so that the reader knows what to look at.

use std::fmt::Write;
use std::io::ErrorKind;
use std::time::Duration;

use super::process::End;

/// A process that failed.
pub struct Failure {
    pub name: String,
    pub program: String,
    pub what: What,
    /// How often it had been restarted before.
    pub restarts: u32,
    /// Since the run began.
    pub at: Duration,
    /// Since it was started.
    pub ran: Duration,
    /// The last lines.
    pub stderr: Vec<String>,
}

pub enum What {
    Ended(End),
    /// It could not be started, or not be waited for.
    Lost(std::io::Error),
}

impl Failure {
    pub fn headline(&self) -> String {
        match &self.what {
            What::Ended(end) => {
                format!("{} {end} after {:.1} s", self.name, self.ran.as_secs_f64())
            }
            What::Lost(e) => format!("{}: cannot run '{}': {e}", self.name, self.program),
        }
    }

    /// As a shell would give it: 127 if the program was not found, 126 if it could not be run.
    pub fn exit_code(&self) -> u8 {
        match &self.what {
            // A server that ends by itself has failed whatever it says.
            What::Ended(end) => end.exit_code().max(1),
            What::Lost(e) if e.kind() == ErrorKind::NotFound => 127,
            What::Lost(_) => 126,
        }
    }

    /// The whole report: this failure ended the run, `survived` came before and were answered with
    /// restarts.
    pub fn report(&self, survived: &[Failure]) -> String {
        let mut text = format!("error: {}", self.headline());
        if self.restarts > 0 {
            write!(text, ", restarted {} times before", self.restarts).ok();
        }
        text.push('\n');
        let others: Vec<_> = survived.iter().filter(|other| other.name != self.name).collect();
        for other in &others {
            let at = other.at.as_secs_f64();
            writeln!(text, "  before that, at {at:.1} s: {}", other.headline()).ok();
        }
        match (&self.what, self.stderr.is_empty()) {
            (What::Lost(_), _) => {}
            (_, true) => text.push_str("  it wrote nothing to stderr\n"),
            (_, false) => {
                text.push_str("  the end of its stderr:\n");
                for line in &self.stderr {
                    writeln!(text, "    {line}").ok();
                }
            }
        }
        if !others.is_empty() {
            text.push_str("hint: what failed first is often the cause of what failed later\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(name: &str, what: What, stderr: &[&str]) -> Failure {
        Failure {
            name: name.to_string(),
            program: "python".to_string(),
            what,
            restarts: 0,
            at: Duration::from_millis(1500),
            ran: Duration::from_millis(1250),
            stderr: stderr.iter().map(|line| line.to_string()).collect(),
        }
    }

    #[test]
    fn a_report_says_who_how_and_what_came_before() {
        let ps = failure("ps/0", What::Ended(End::Signal(9)), &[]);
        let mut worker = failure("worker/1", What::Ended(End::Code(3)), &["Traceback", "  boom"]);
        worker.restarts = 2;
        let expected =
            "error: worker/1 ended with exit code 3 after 1.2 s, restarted 2 times before
  before that, at 1.5 s: ps/0 was ended by signal 9 (SIGKILL; out of memory?) after 1.2 s
  the end of its stderr:
    Traceback
      boom
hint: what failed first is often the cause of what failed later
";
        assert_eq!(worker.report(&[ps]), expected);
        assert_eq!(worker.exit_code(), 3);
    }

    #[test]
    fn exit_codes_are_those_of_shells() {
        let code = |what| failure("worker/0", what, &[]).exit_code();
        assert_eq!(code(What::Ended(End::Signal(15))), 143);
        assert_eq!(code(What::Ended(End::Code(0))), 1);
        assert_eq!(code(What::Lost(ErrorKind::NotFound.into())), 127);
        assert_eq!(code(What::Lost(ErrorKind::PermissionDenied.into())), 126);
    }
}
