//! Tests of folding and the ways back.
