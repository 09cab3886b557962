//! Serialised tf.Example and tf.SequenceExample messages, read without making messages of them.
//!
//! Example { features = 1: Features { feature = 1, repeated: { key = 1, value = 2: Feature } } };
//! Feature { bytes_list = 1 | float_list = 2 | int64_list = 3: each { value = 1, repeated } };
//! SequenceExample { context = 1: Features, feature_lists = 2: { feature_list = 1, repeated: { key = 1,
//! value = 2: FeatureList { feature = 1, repeated: Feature } } } }.
//!
//! There are two readers. [`for_each_feature`] and the lists take and refuse what the parser behind TensorFlow's
//! operations takes and refuses, which is not quite what protobuf does: it knows no fields besides these, a message that
//! is longer than what holds it ends there, and only the first part of a list that comes in parts counts. [`field`] reads
//! any message as protobuf does.

mod cursor;
mod field;
mod list;
mod walk;

pub use cursor::Cursor;
pub use field::{Field, field, varint};
pub use list::{Floats, Kind, List};
pub use walk::{for_each_entry, for_each_feature};
