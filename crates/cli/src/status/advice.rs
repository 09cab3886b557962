//! What to do about a task that does not answer.

use downpour_cluster::{NoAnswer, TaskAddress};
use downpour_tensor::Code;

/// A sentence that says what to look at.
pub fn advice(answer: &NoAnswer, task: Option<&TaskAddress>) -> String {
    let message = answer.status.message().to_ascii_lowercase();
    let start = match task {
        Some(task) => {
            format!(" (downpour serve --cluster ... --job {} --task {})", task.job, task.task)
        }
        None => " (downpour serve)".to_string(),
    };
    match answer.status.code() {
        Code::InvalidArgument => "give host:port or grpc://host:port".to_string(),
        Code::DeadlineExceeded => {
            "the machine is down, a firewall drops the call, or the task is stuck; --timeout waits longer"
                .to_string()
        }
        _ if message.contains("refused") => {
            format!("nothing listens there: start the task{start}, or correct its address")
        }
        _ if message.contains("lookup") || message.contains("name") => {
            "the host's name is not known here: correct the address, or ask from a machine that knows it"
                .to_string()
        }
        Code::Unavailable => "is the task running, and can this machine reach it?".to_string(),
        _ => "is it a TensorFlow or Downpour task that listens there?".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use downpour_tensor::Status;

    use super::*;

    #[test]
    fn each_reason_has_its_advice() {
        let of = |status| advice(&NoAnswer { status, waited: Duration::ZERO }, None);
        assert!(of(Status::unavailable("Connection refused (os error 111)")).contains("start"));
        assert!(of(Status::deadline_exceeded("no answer within 3.0 s")).contains("--timeout"));
        assert!(of(Status::unavailable("failed to lookup address information")).contains("name"));
        let task = TaskAddress { job: "ps".into(), task: 3, address: "a:1".into() };
        let status = Status::unavailable("connection refused");
        let told = advice(&NoAnswer { status, waited: Duration::ZERO }, Some(&task));
        assert!(told.contains("--job ps --task 3"), "{told}");
    }
}
