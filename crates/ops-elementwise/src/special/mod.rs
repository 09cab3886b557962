//! Special functions in double precision.
