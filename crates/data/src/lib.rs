//! Datasets: sources, transformations, and iterators whose position can be saved and resumed exactly.
//!
//! A [`Dataset`] describes a pipeline and costs nothing until it is iterated. Its elements are small
//! groups of named tensors ([`Element`]). Everything is bounded: data larger than memory streams
//! through.
//!
//! ```
//! use downpour_data::{Dataset, Remainder};
//! use downpour_tensor::Tensor;
//!
//! let x = Tensor::from_vec([10, 2], (0..20).map(|v| v as f32).collect()).unwrap();
//! let y = Tensor::from_vec([10], (0..10).map(i64::from).collect()).unwrap();
//! let data = Dataset::from_tensors([("x", x), ("y", y)]).unwrap()
//!     .shuffle(10, 42).unwrap()
//!     .repeat()
//!     .batch(4, Remainder::Drop).unwrap()
//!     .prefetch(2);
//!
//! let mut iterator = data.iterate().unwrap();
//! let batch = iterator.next().unwrap().unwrap();
//! assert_eq!(batch.get("x").unwrap().dims(), [4, 2]);
//!
//! // The position goes into a checkpoint; from it the same elements follow.
//! let saved = iterator.position().to_bytes();
//! let expected = iterator.next().unwrap().unwrap();
//! let position = downpour_data::Position::from_bytes(&saved).unwrap();
//! let resumed = data.iterate_from(&position).unwrap().next().unwrap().unwrap();
//! assert_eq!(resumed.get("y").unwrap().bytes(), expected.get("y").unwrap().bytes());
//! ```
//!
//! # How a position is exact
//!
//! Elements travel in [`Block`]s, but only their sequence counts. Every stage states the input's
//! state at a moment and how many items it has passed on since; nothing that lies in a buffer is
//! saved, it is read again. The rules are written at [`Stage`] and [`Cursor`].

#![warn(missing_docs)]

mod addressed;
mod backlog;
mod block;
mod chunk;
mod context;
mod dataset;
mod decoder;
mod element;
pub mod example;
pub mod image;
mod iterator;
mod position;
mod random;
pub mod random_access;
mod rows;
mod selection;
pub mod source;
mod stage;
pub mod storage;
pub mod transform;
mod tuning;

pub use addressed::Addressed;
pub use block::Block;
pub use context::{Cancel, Context, Wake};
pub use dataset::Dataset;
pub use element::{Element, Names};
pub use example::{ExampleParser, Feature};
pub use image::{AugmentImage, LoadImage};
pub use iterator::DatasetIterator;
pub use position::{Position, State};
pub use random_access::{Lookup, RandomAccess};
pub use selection::Selection;
pub use source::csv::Csv;
pub use source::csv_records::{ChosenColumns, CsvColumn, CsvRecords};
pub use source::fixed_length::FixedLength;
pub use source::images::ImageFolder;
pub use source::parquet::{Nulls, Parquet};
pub use stage::{Cursor, Field, Length, Schema, Stage, identify_tensor, replay};
pub use storage::Compression;
pub use transform::batch::{Batch, OnError, Remainder};
pub use transform::cache::CacheMemory;
pub use transform::group::reducer::Reducer;
pub use transform::ignore_errors::IgnoredErrors;
pub use transform::interleave::{Interleave, ReadAhead};
pub use transform::map::MapFunction;
pub use transform::padding::Padding;
pub use transform::parallel::Parallel;
pub use transform::window::Window;
