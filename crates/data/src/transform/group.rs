//! Elements brought together by a key.

pub mod reducer;
mod window;
