//! Gradients and ids in fewer bytes: casts, quantization, sparsification and low rank with error feedback, and lossless codecs.
#![warn(missing_docs)]
