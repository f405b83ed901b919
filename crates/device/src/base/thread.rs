//! Threads of our own.

/// Starts a thread of ours with every signal blocked: signals of the program are for the program's threads. Those that
/// an access of the thread itself raises stay as they are.
pub fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> bool {
    // SAFETY: plain mask manipulation of the calling thread, restored below.
    unsafe {
        let mut all: libc::sigset_t = core::mem::zeroed();
        let mut old: libc::sigset_t = core::mem::zeroed();
        libc::sigfillset(&mut all);
        for fault in [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL] {
            libc::sigdelset(&mut all, fault);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut old);
        let spawned = std::thread::Builder::new().name(name.into()).spawn(run).is_ok();
        libc::pthread_sigmask(libc::SIG_SETMASK, &old, core::ptr::null_mut());
        spawned
    }
}
