//! Copies: linear ones, boxes of arrays and pitched memory, batches, decompression.
//!
//! It may use arrays, memory, streams, the address space and what lies below.

pub mod batch;
pub mod box_copy;
pub mod decompress;
pub mod linear;
pub mod memset;
pub mod timing;
