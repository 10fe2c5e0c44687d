//! The page for browsers.
//!
//! A page with no server behind it asks a module (`respond`), compiled for `wasm32-wasip1`, which reads one
//! request from its input and writes a response. The same program, compiled for the machine at hand, puts the
//! module and the page into one file (`page`):
//!
//! ```text
//! cargo build --profile small --target wasm32-wasip1 -p alphorn-web
//! cargo run -p alphorn-web -- page target/wasm32-wasip1/small/alphorn-web.wasm alphorn.html
//! ```

pub mod examples;
pub mod page;
pub mod respond;
