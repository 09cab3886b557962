//! TensorFlow's messages and gRPC services, as TensorFlow 2.21 has them on the wire and on disk.
//!
//! The `.proto` files under `proto/` are our own text with TensorFlow's names and numbers;
//! `tests/oracle/check_protos.py` compares them with a real TensorFlow. The messages are in
//! [`proto`]; the clients and servers of `MasterService` and `WorkerService` stand beside them
//! with the feature `grpc`. What only Downpour's tasks have is in [`task`].
//!
//! ```
//! use downpour_wire::Message;
//! use downpour_wire::proto::{AttrValue, DataType, NodeDef, attr_value::Value};
//!
//! let dtype = AttrValue { value: Some(Value::Type(DataType::DtFloat.into())) };
//! let node = NodeDef {
//!     name: "x".into(),
//!     op: "Placeholder".into(),
//!     attr: [("dtype".into(), dtype)].into(),
//!     ..NodeDef::default()
//! };
//! let bytes = node.encode_to_vec();
//! assert_eq!(NodeDef::decode(&bytes[..]), Ok(node));
//! ```

mod any;
mod byte_string;
mod dataset_options;
mod expansion;
mod graph;
mod object;
pub mod proto;
mod shape;
pub mod task;
mod tensor_proto;

// By this name the generated code of other packages finds TensorFlow's messages.
use proto as tensorflow;

pub use any::{Any, UnpackError};
pub use byte_string::encode_string;
pub use dataset_options::{DatasetOptions, DistributeOptions};
pub use expansion::{Countable, decode_counted};
pub use graph::decode_graph;
pub use object::{
    decode_handle, decode_variant, encode_handle, encode_variant, register_variant_decoder,
};
pub use prost::{DecodeError, EncodeError, Message, Name};
pub use shape::{Malformed, Scan, Shape, request_shape};
pub use tensor_proto::{
    counted_proto, shape_to_proto, tensor_from_proto, tensor_to_proto, whole_tensor_from_proto,
};
