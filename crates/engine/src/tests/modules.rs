//! Whether modules are valid, against the verdicts of the real assembler: directives, declarations, initial values, operands
//! and special registers. `tests/ptx/forms.sh` asks the assembler again.

use super::forms::load;

/// A module a line, without its head: a verdict, a tab, the text.
const MODULES: &str = include_str!("../../../../tests/ptx/modules.txt");

#[test]
fn modules_are_judged_as_by_the_assembler() {
    let mut wrong = Vec::new();
    for line in MODULES.lines() {
        let (verdict, text) = line.split_once('\t').unwrap();
        let module = format!(".version 9.5\n.target sm_90\n.address_size 64\n{}\n", text.replace("\\n", "\n"));
        let ours = load(&module);
        if ours.is_ok() != (verdict == "yes") {
            wrong.push(format!("{line}: {}", ours.err().map_or("taken".to_owned(), |problem| problem.message)));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), MODULES.lines().count(), wrong.join("\n"));
}
