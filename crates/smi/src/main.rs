//! `nvidia-smi`, which stands for NVIDIA's in our folder of tools.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(smi::run(std::env::args().skip(1).collect(), None))
}
