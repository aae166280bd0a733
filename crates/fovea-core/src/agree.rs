//! The five kinds of agreement a test can claim, each with the helper that enforces it.
