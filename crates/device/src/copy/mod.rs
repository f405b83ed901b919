//! Copies: linear ones, boxes of arrays and pitched memory, batches, decompression.
//!
//! It may use arrays, memory, streams, the address space and what lies below.

pub mod box_copy;
pub mod copy_batch;
pub mod decompress;
pub mod timing;
pub mod transfer;
