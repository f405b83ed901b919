//! Tools for the tests and for those who work on them: `cargo xtask TOOL ARGUMENT...`.

mod compile;
mod corpus;
mod coverage;
mod examples;
mod instructions;
mod plot;
mod random;

use engine::state::warp::Program;
use std::collections::HashMap;
use std::process::ExitCode;

/// Why a tool gave up.
type Failure = Box<dyn std::error::Error>;

const USAGE: &str = "\
usage: cargo xtask TOOL ARGUMENT...

  coverage [--check]             writes the table of coverage in docs/PTX.md; or fails if it is stale
  load FILE...                   whether each file of PTX loads, and why not
  compile FILE...                how long files of PTX take to load, and their kernels to compile
  compile --hostile              the same of kernels that are made to take long; fails if they do
  plot RESULTS FOLDER            pictures of what benches/run.sh printed, or of docs/BENCHMARKS.md: kernels.svg, suites.svg
  form-examples FILE             every form of the table as an instruction, with what it needs
  form-versions FILE             examples in modules of the version that they need and of the one before, with our verdict
  form-targets FILE              what newer devices have, for each of their targets, with our verdict
  form-mutants FILE              instructions that are nearly forms, with our verdict
  kernels FOLDER                 forms.all, kernels of one instruction each; variants.txt, every way to write a form
  keep-kernels FOLDER            of forms.all, more.all and newer.all what loads: .ptx, .txt; and why not the rest: .refused
  textures FOLDER                textures.txt, every texture and surface instruction
  matrix-taken LINES FILE        of the instructions in LINES those that load
  random-kernels FOLDER A..B     random kernels of seeds A to B-1: a module for each decade, and a list beside it
    --lengths [STEP]             instead, a kernel for each number of its parts
    --trace                      instead, kernels whose parts write their registers down
    --damaged                    instead, kernels with a few tokens changed that still load
  corpus FOLDER FILE...          the kernels of PTX, images, objects, programs and records: modules, and a list beside each
  random-forms                   tests/ptx/random-forms.txt anew, after which a device has to run the random kernels again
";

/// Whether the library takes a module; its variables have addresses that nothing may touch.
fn load(text: &str) -> Result<Program, ptx::Diagnostic> {
    let module = ptx::parse(text)?;
    let addresses: HashMap<String, u64> = module
        .variables
        .iter()
        .filter(|v| v.space != ptx::Space::Shared)
        .enumerate()
        .map(|(n, v)| (v.name.to_owned(), 0x1000 * (n as u64 + 1)))
        .collect();
    Program::build(&module, &addresses)
}

fn run(arguments: &[&str]) -> Result<(), Failure> {
    match *arguments {
        ["load", ref files @ ..] if !files.is_empty() => {
            let mut refused = 0;
            for name in files {
                match load(&std::fs::read_to_string(name)?) {
                    Ok(_) => println!("{name}: loads"),
                    Err(problem) => {
                        refused += 1;
                        println!("{name}: {problem}");
                    }
                }
            }
            if refused == 0 { Ok(()) } else { Err(format!("{refused} do not load").into()) }
        }
        ["compile", "--hostile"] => compile::hostile(),
        ["compile", ref files @ ..] if !files.is_empty() => compile::files(files),
        ["plot", results, folder] => plot::files(results, folder),
        ["coverage"] => coverage::write(false),
        ["coverage", "--check"] => coverage::write(true),
        ["form-examples", file] => examples::examples(file),
        ["form-versions", file] => examples::versions(file),
        ["form-targets", file] => examples::targets(file),
        ["form-mutants", file] => examples::mutants(file),
        ["kernels", folder] => instructions::kernels(folder).and_then(|()| instructions::variants_of_forms(folder)),
        ["keep-kernels", folder] => instructions::keep_loadable(folder),
        ["textures", folder] => instructions::textures(folder),
        ["matrix-taken", lines, file] => instructions::taken(lines, file),
        ["corpus", folder, ref files @ ..] if !files.is_empty() => corpus::write(folder, files),
        ["random-forms"] => random::write_forms(),
        ["random-kernels", folder, seeds, ref how @ ..] => {
            let (from, to) = seeds.split_once("..").ok_or("seeds are A..B")?;
            let what = match *how {
                [] => random::What::Whole,
                ["--trace"] => random::What::Trace,
                ["--damaged"] => random::What::Damaged,
                ["--lengths"] => random::What::Lengths(1),
                ["--lengths", step] => random::What::Lengths(step.parse::<usize>()?.max(1)),
                _ => return Err(USAGE.into()),
            };
            random::write(folder, from.parse()?, to.parse()?, what)
        }
        _ => Err(USAGE.into()),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["--help" | "help"] = arguments[..] {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}
