//! Why a JPEG file was not decoded.

use downpour_tensor::Status;

/// A reason to give up on a file.
#[derive(Debug)]
pub(super) enum Failure {
    /// The file breaks the rules of its format, or uses a part of it that TensorFlow does not read.
    Invalid(&'static str),
    /// The file ends too early.
    Truncated,
    /// Something else: no memory, a cancelled step.
    Other(Status),
}

pub(super) type Outcome<T> = std::result::Result<T, Failure>;

impl From<Status> for Failure {
    fn from(status: Status) -> Failure {
        Failure::Other(status)
    }
}

impl Failure {
    /// Returns the status for this failure of what begins with `message`.
    pub fn into_status(self, message: &str) -> Status {
        match self {
            Failure::Invalid(why) => Status::invalid_argument(format!("{message} ({why})")),
            Failure::Truncated => {
                Status::invalid_argument(format!("{message} (the data end too early)"))
            }
            Failure::Other(status) => status,
        }
    }
}
