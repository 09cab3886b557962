//! The `downpour` command; everything is in the library beside it, where fuzz targets and tests reach it too.

fn main() -> std::process::ExitCode {
    downpour_cli::main()
}
