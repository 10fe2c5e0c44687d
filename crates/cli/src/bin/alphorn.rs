//! The binary `alphorn`.

/// The allocator of static binaries: that of musl has one lock for all threads.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    alphorn_cli::main(std::env::args_os())
}
