//! Statuses as gRPC carries them.

use downpour_tensor::{Code, Status};

/// gRPC sends messages in a header, which peers limit to 8 KiB after escaping; the rest is in our log.
const MAX_MESSAGE: usize = 2_500;

/// How much of that is kept of a message's end, which names the node.
const TAIL: usize = 500;

pub fn to_grpc(status: Status) -> tonic::Status {
    tonic::Status::new(code(status.code()), shorten(status.message()))
}

/// A status that came by gRPC. One that our own side made because the connection broke or could not be
/// made is UNAVAILABLE and says why.
pub fn from_grpc(status: &tonic::Status) -> Status {
    use std::error::Error;
    let code = Code::from_i32(status.code() as i32);
    let Some(first) = status.source() else { return Status::new(code, status.message()) };
    let mut cause: &dyn Error = first;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let code = if code == Code::Unknown { Code::Unavailable } else { code };
    Status::new(code, format!("{}: {cause}", status.message()))
}

fn code(code: Code) -> tonic::Code {
    tonic::Code::from_i32(code as i32)
}

/// The message, without its middle if it is too long.
pub fn shorten(message: &str) -> String {
    if message.len() <= MAX_MESSAGE {
        return message.to_string();
    }
    let is_boundary = |i: &usize| message.is_char_boundary(*i);
    let head = (0..=MAX_MESSAGE - TAIL).rev().find(is_boundary).unwrap_or(0);
    let tail = (message.len() - TAIL..).find(is_boundary).unwrap_or(message.len());
    format!("{}... [truncated] ...{}", &message[..head], &message[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_keeps_both_ends() {
        assert_eq!(shorten("short"), "short");
        for filling in ["x", "\u{fffd}"] {
            let long = format!("attr is {} [[{{{{node n}}}}]]", filling.repeat(1 << 20));
            let short = shorten(&long);
            assert!(short.len() < MAX_MESSAGE + 50, "{}", short.len());
            assert!(short.starts_with("attr is ") && short.ends_with("[[{{node n}}]]"));
        }
    }
}
