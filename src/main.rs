//! The `oncepress` command: everything is in the library; this sets the exit status.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(oncepress::cli::main().code())
}
