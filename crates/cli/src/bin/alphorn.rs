//! The binary `alphorn`.

fn main() {
    alphorn_cli::main(std::env::args_os())
}
