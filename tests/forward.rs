//! Forward mode where programs are rough: many threads at once, forks, missing functions, a second `dlopen`.

mod stage;

use stage::{Answers, run};

const REAL: (&str, &str) = ("DOPPEL_REAL_LIBCUDA", "@/fake/libcuda.so.1");

fn forward(what: &str, more: &[(&str, &str)]) -> Answers {
    let mut vars = vec![("DOPPEL_MODE", "forward"), ("DOPPEL_LOG", "info"), REAL];
    vars.extend(more);
    run("forward_probe", &["@/ours/libcuda.so.1", what], &vars)
}

/// How often a process said which real driver it uses.
fn decisions(answers: &Answers) -> usize {
    answers.stderr.matches("real driver /").count()
}

#[test]
fn the_first_calls_of_many_threads() {
    for mode in ["forward", "auto"] {
        for _ in 0..20 {
            let answers = forward("threads", &[("DOPPEL_MODE", mode)]);
            answers.expect(&[("threads", "32")]);
            assert_eq!(decisions(&answers), 1, "{}", answers.stderr);
        }
    }
}

#[test]
fn a_child_of_a_process_that_has_not_called_decides_for_itself() {
    for mode in ["forward", "auto"] {
        let answers = forward("fork_before", &[("DOPPEL_MODE", mode)]);
        answers.expect(&[("child", "1"), ("parent", "1")]);
        assert_eq!(decisions(&answers), 2, "{}", answers.stderr);
    }
}

#[test]
fn a_child_goes_on_with_the_decision_of_its_parent() {
    for mode in ["forward", "auto"] {
        let answers = forward("fork_after", &[("DOPPEL_MODE", mode)]);
        answers.expect(&[("parent", "1"), ("children", "20")]);
        assert_eq!(decisions(&answers), 1, "{}", answers.stderr);
    }
}

#[test]
fn no_signal_handler() {
    forward("signals", &[]).expect(&[("right", "1"), ("handlers_untouched", "1")]);
}

#[test]
fn closed_and_opened_again() {
    let answers = forward("reload", &[]);
    answers.expect(&[("first", "1"), ("second", "1")]);
    assert_eq!(decisions(&answers), 1, "{}", answers.stderr);
}

#[test]
fn functions_that_the_real_driver_lacks() {
    let answers = forward("missing", &[("DOPPEL_LOG", "warn")]);
    answers.expect(&[("refused", "9 of 9"), ("right", "1")]);
    // Each is mentioned once.
    assert_eq!(answers.stderr.lines().count(), 7, "{}", answers.stderr);
    assert!(answers.stderr.contains("the real driver has no cuStreamSynchronize_ptsz: "), "{}", answers.stderr);
}

#[test]
fn a_real_driver_whose_init_fails() {
    let vars = [REAL, ("FAKE_INIT", "999"), ("DOPPEL_LOG", "info")];
    let answers = run("probe", &["@/ours/libcuda.so.1"], &[&vars[..], &[("DOPPEL_MODE", "auto")]].concat());
    answers.expect(&[("version", "0,13000")]);
    assert!(answers.stderr.contains("its cuInit failed with error 999"), "{}", answers.stderr);
    // Forward mode hands the error on.
    let answers = run("probe", &["@/ours/libcuda.so.1"], &[&vars[..], &[("DOPPEL_MODE", "forward")]].concat());
    answers.expect(&[("version", "0,12345"), ("init", "999")]);
}

#[test]
fn the_real_driver_sees_what_the_program_sets_before_init() {
    let answers = forward("environment", &[]);
    answers.expect(&[("version", "0"), ("init", "0")]);
    assert!(answers.stderr.contains("fake driver: set by the program"), "{}", answers.stderr);
}

#[test]
fn a_refused_init_does_not_initialise() {
    let answers = forward("environment", &[("DOPPEL_MODE", "auto")]);
    answers.expect(&[("refused", "1"), ("count", "3"), ("init", "0")]);
}
