//! Readers, engines and the checker recurse in places (terms, values): the module's own stack has room for
//! that. The host's stack is the host's, and a browser ends a module that is too deep for it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo:rustc-link-arg-bins=-zstack-size=16777216");
    }
}
