//! The one error type that crosses every layer: a TensorFlow status code and a message for a person.

use std::fmt;

/// TensorFlow's (and gRPC's) canonical status codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Code {
    Ok = 0,
    Cancelled = 1,
    Unknown = 2,
    InvalidArgument = 3,
    DeadlineExceeded = 4,
    NotFound = 5,
    AlreadyExists = 6,
    PermissionDenied = 7,
    ResourceExhausted = 8,
    FailedPrecondition = 9,
    Aborted = 10,
    OutOfRange = 11,
    Unimplemented = 12,
    Internal = 13,
    Unavailable = 14,
    DataLoss = 15,
    Unauthenticated = 16,
}

impl Code {
    /// The code for its number on the wire; numbers nobody defined become `Unknown`.
    pub fn from_i32(number: i32) -> Code {
        use Code::*;
        const ALL: [Code; 17] = [
            Ok,
            Cancelled,
            Unknown,
            InvalidArgument,
            DeadlineExceeded,
            NotFound,
            AlreadyExists,
            PermissionDenied,
            ResourceExhausted,
            FailedPrecondition,
            Aborted,
            OutOfRange,
            Unimplemented,
            Internal,
            Unavailable,
            DataLoss,
            Unauthenticated,
        ];
        usize::try_from(number).ok().and_then(|i| ALL.get(i)).copied().unwrap_or(Unknown)
    }
}

/// What went wrong: a code programs act on and a message people read.
///
/// Boxed so that `Result<T, Status>` stays one word larger than `T` on hot paths.
#[derive(Clone, PartialEq, Eq)]
pub struct Status(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    code: Code,
    message: String,
    /// True once the failing node's name has been appended, so that outer layers do not repeat it.
    located: bool,
    /// True for errors that only follow from another one (a cancelled peer, a closed step).
    derived: bool,
}

pub type Result<T, E = Status> = std::result::Result<T, E>;

macro_rules! constructors {
    ($($name:ident => $code:ident),* $(,)?) => {$(
        #[doc = concat!("A status with code `", stringify!($code), "`.")]
        pub fn $name(message: impl Into<String>) -> Status {
            Status::new(Code::$code, message)
        }
    )*};
}

impl Status {
    pub fn new(code: Code, message: impl Into<String>) -> Status {
        Status(Box::new(Inner { code, message: message.into(), located: false, derived: false }))
    }

    constructors! {
        cancelled => Cancelled,
        unknown => Unknown,
        invalid_argument => InvalidArgument,
        deadline_exceeded => DeadlineExceeded,
        not_found => NotFound,
        already_exists => AlreadyExists,
        permission_denied => PermissionDenied,
        resource_exhausted => ResourceExhausted,
        failed_precondition => FailedPrecondition,
        aborted => Aborted,
        out_of_range => OutOfRange,
        unimplemented => Unimplemented,
        internal => Internal,
        unavailable => Unavailable,
        data_loss => DataLoss,
    }

    pub fn code(&self) -> Code {
        self.0.code
    }

    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Appends the node's name in the form TensorFlow's client parses, once.
    pub fn at_node(mut self, name: &str) -> Status {
        if !self.0.located {
            self.0.message.push_str(&format!("\n\t [[{{{{node {name}}}}}]]"));
            self.0.located = true;
        }
        self
    }

    /// Appends the node's name like `at_node`. Where memory was short, the operation is named too: the message says what
    /// was asked for, and by whom is what a person looks for next.
    pub fn at_operation(self, operation: &str, name: &str) -> Status {
        let unnamed = self.0.code == Code::ResourceExhausted
            && !self.0.located
            && !self.0.message.starts_with(operation);
        let status = if unnamed { self.context(operation) } else { self };
        status.at_node(name)
    }

    /// Prepends context ("while reading X") and keeps code and location.
    pub fn context(mut self, what: impl fmt::Display) -> Status {
        self.0.message = format!("{what}: {}", self.0.message);
        self
    }

    /// Marks an error that only follows from another one; a step reports the root instead.
    pub fn derived(mut self) -> Status {
        self.0.derived = true;
        self
    }

    pub fn is_derived(&self) -> bool {
        self.0.derived
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.0.code, self.0.message)
    }
}

impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Status {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_is_named_once_in_the_form_the_python_client_parses() {
        let s = Status::invalid_argument("bad").at_node("a/b").at_node("outer");
        assert_eq!(s.message(), "bad\n\t [[{{node a/b}}]]");
    }

    #[test]
    fn whoever_asked_for_too_much_memory_is_named_once() {
        let s =
            Status::resource_exhausted("OOM").at_operation("Tile", "a").at_operation("Call", "b");
        assert_eq!(s.message(), "Tile: OOM\n\t [[{{node a}}]]");
        let s = Status::invalid_argument("bad").at_operation("Tile", "a");
        assert_eq!(s.message(), "bad\n\t [[{{node a}}]]");
    }

    #[test]
    fn numbers_nobody_defined_are_unknown() {
        assert_eq!(Code::from_i32(99), Code::Unknown);
        assert_eq!(Code::from_i32(-1), Code::Unknown);
        assert_eq!(Code::from_i32(11), Code::OutOfRange);
    }
}
