//! How gradients change a server's variables: a graph, and where gradients enter it.

use bytes::Bytes;
use downpour_tensor::{Result, Status};
use prost::Message;

/// How gradients change a server's variables.
#[derive(Clone, PartialEq, prost::Message)]
pub struct UpdateProgram {
    /// A GraphDef.
    #[prost(bytes = "bytes", tag = "1")]
    pub graph: Bytes,
    /// Where each variable's gradient enters.
    #[prost(message, repeated, tag = "2")]
    pub inputs: Vec<GradientInput>,
    /// The operation that changes everything.
    #[prost(string, tag = "3")]
    pub apply: String,
    /// The variable that counts steps; the operation counts one.
    #[prost(string, tag = "4")]
    pub global_step: String,
    /// Every variable this server has: parameters, slots, places in the data.
    #[prost(string, repeated, tag = "5")]
    pub variables: Vec<String>,
    /// How gradients change variables that are not changed together with the others, but each time by themselves.
    /// Its variables are listed with the others; it counts no steps.
    #[prost(message, optional, boxed, tag = "6")]
    pub apart: Option<Box<UpdateProgram>>,
}

/// Where a variable's gradient enters: one placeholder for all of it, or two for some rows.
#[derive(Clone, PartialEq, prost::Message)]
pub struct GradientInput {
    /// The variable.
    #[prost(string, tag = "1")]
    pub variable: String,
    /// Takes the gradient, or its rows.
    #[prost(string, tag = "2")]
    pub values: String,
    /// Takes the rows' numbers; empty for a gradient as large as the variable.
    #[prost(string, tag = "3")]
    pub indices: String,
}

impl UpdateProgram {
    /// As the service takes it.
    pub fn to_bytes(&self) -> Bytes {
        Bytes::from(self.encode_to_vec())
    }

    pub(super) fn from_bytes(bytes: &Bytes) -> Result<UpdateProgram> {
        UpdateProgram::decode(bytes.clone()).map_err(|e| {
            Status::invalid_argument(format!("what is to be trained cannot be read: {e}"))
        })
    }
}
