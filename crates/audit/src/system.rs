//! What is asked of the system, without the C library.

use crate::names;
use core::arch::asm;
use core::ffi::CStr;

/// Bytes of the longest path, with its NUL.
pub const PATH_MOST: usize = 4096;
/// The same for what is seldom needed: the loader may run on a small stack.
pub const SHORT_PATH: usize = 1024;

mod number {
    pub const READ: usize = 0;
    pub const WRITE: usize = 1;
    pub const OPEN: usize = 2;
    pub const CLOSE: usize = 3;
    pub const ACCESS: usize = 21;
    pub const GETCWD: usize = 79;
    pub const READLINK: usize = 89;
    #[cfg(not(test))]
    pub const EXIT_GROUP: usize = 231;
}

/// A call of the system. Errors are negative; `errno` is left alone.
///
/// # Safety
/// The call does what its number says with the arguments.
unsafe fn call(number: usize, arguments: [usize; 3]) -> isize {
    let result;
    // SAFETY: the system's convention; the caller says that the arguments suit the number.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number => result,
            in("rdi") arguments[0],
            in("rsi") arguments[1],
            in("rdx") arguments[2],
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    result
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum File {
    /// A shared library for this machine.
    Library,
    /// One that carries our mark.
    Doppel,
    /// Something else, or nothing.
    Other,
}

/// The mark: a note in the first page of the file.
const MARK: [u8; 20] = *b"\x07\0\0\0\x04\0\0\0\x01\0\0\0Doppel\0\0";
/// ELF, 64 bits, little endian.
const ELF: &[u8] = b"\x7fELF\x02\x01";
/// A shared object for x86-64: `e_type` and `e_machine`.
const SHARED: &[u8] = &[3, 0, 62, 0];
/// As much of a file as is looked at.
const PAGE: usize = 4096;

/// Finds out what a file is.
pub fn inspect(path: &CStr) -> File {
    let mut page = [0; PAGE];
    const READ_ONLY_CLOSE_ON_EXEC: usize = 0o2_000_000;
    // SAFETY: the path is a string; as much is read as there is room for; the descriptor is ours.
    let length = unsafe {
        let file = call(number::OPEN, [path.as_ptr() as usize, READ_ONLY_CLOSE_ON_EXEC, 0]);
        if file < 0 {
            return File::Other;
        }
        let length = call(number::READ, [file as usize, page.as_mut_ptr() as usize, PAGE]);
        call(number::CLOSE, [file as usize, 0, 0]);
        length
    };
    usize::try_from(length).ok().and_then(|length| page.get(..length)).map_or(File::Other, kind)
}

fn kind(page: &[u8]) -> File {
    if !page.starts_with(ELF) || page.get(16..20) != Some(SHARED) {
        File::Other
    } else if page.chunks_exact(4).enumerate().any(|(at, _)| page[at * 4..].starts_with(&MARK)) {
        File::Doppel
    } else {
        File::Library
    }
}

/// Whether a file is there.
pub fn exists(path: &CStr) -> bool {
    // SAFETY: the path is a string.
    unsafe { call(number::ACCESS, [path.as_ptr() as usize, 0, 0]) == 0 }
}

/// The version of a library whose name has none, out of the names that it is a link to.
pub fn version_behind_links(path: &CStr) -> Option<u8> {
    const MOST_LINKS: usize = 8;
    let mut current = [0; SHORT_PATH];
    join(&mut current, &[path.to_bytes()])?;
    for _ in 0..MOST_LINKS {
        let mut target = [0; SHORT_PATH];
        let here = CStr::from_bytes_until_nul(&current).ok()?;
        let room = target.as_mut_ptr() as usize;
        // SAFETY: the path is a string; the system writes no more than there is room for.
        let length = unsafe { call(number::READLINK, [here.as_ptr() as usize, room, SHORT_PATH - 1]) };
        let target = target.get(..usize::try_from(length).ok()?)?;
        if let Some(version) = names::read(target)?.version {
            return Some(version);
        }
        let mut next = [0; SHORT_PATH];
        let folder = here.to_bytes().iter().rposition(|&b| b == b'/').and_then(|at| here.to_bytes().get(..=at));
        let folder = folder.filter(|_| !target.starts_with(b"/")).unwrap_or_default();
        join(&mut next, &[folder, target])?;
        current = next;
    }
    None
}

/// The folder that relative paths begin at.
pub fn current_folder(buffer: &mut [u8; SHORT_PATH]) -> Option<&CStr> {
    // SAFETY: the system writes no more than there is room for.
    let length = unsafe { call(number::GETCWD, [buffer.as_mut_ptr() as usize, buffer.len(), 0]) };
    // What is outside of the process's root does not begin with a slash.
    CStr::from_bytes_until_nul(buffer).ok().filter(|folder| length > 0 && folder.to_bytes().starts_with(b"/"))
}

/// Puts a path together, with a NUL behind it.
pub fn join<'b>(buffer: &'b mut [u8], parts: &[&[u8]]) -> Option<&'b CStr> {
    let mut at = 0;
    for part in parts {
        let end = at + part.len();
        buffer.get_mut(at..end)?.copy_from_slice(part);
        at = end;
    }
    *buffer.get_mut(at)? = 0;
    CStr::from_bytes_until_nul(buffer).ok()
}

/// Writes a line to stderr.
pub fn tell(parts: &[&[u8]]) {
    let mut line = [0; SHORT_PATH];
    const STDERR: usize = 2;
    if let Some(line) = join(&mut line, parts) {
        // SAFETY: the bytes are there.
        unsafe { call(number::WRITE, [STDERR, line.as_ptr() as usize, line.to_bytes().len()]) };
    }
}

/// Ends the process.
#[cfg(not(test))]
pub fn exit(status: usize) -> ! {
    loop {
        // SAFETY: does not return.
        unsafe { call(number::EXIT_GROUP, [status, 0, 0]) };
    }
}

// What the compiler calls for slices, and what `core` names for unwinding, which does not happen here. Hidden: the C
// library of the program has its own.
#[cfg(not(test))]
core::arch::global_asm!(
    ".globl memcpy, memmove, memset, memcmp, bcmp, strlen, rust_eh_personality",
    ".hidden memcpy, memmove, memset, memcmp, bcmp, strlen, rust_eh_personality",
    "rust_eh_personality:",
    "    ud2",
    "memcpy:",
    "    mov rax, rdi",
    "    mov rcx, rdx",
    "    rep movsb",
    "    ret",
    // Backwards where the destination begins inside the source.
    "memmove:",
    "    mov rax, rdi",
    "    mov rcx, rdx",
    "    mov r8, rdi",
    "    sub r8, rsi",
    "    cmp r8, rdx",
    "    jb 2f",
    "    rep movsb",
    "    ret",
    "2:  lea rdi, [rdi + rcx - 1]",
    "    lea rsi, [rsi + rcx - 1]",
    "    std",
    "    rep movsb",
    "    cld",
    "    ret",
    "memset:",
    "    mov r8, rdi",
    "    mov eax, esi",
    "    mov rcx, rdx",
    "    rep stosb",
    "    mov rax, r8",
    "    ret",
    "bcmp:",
    "memcmp:",
    "    xor eax, eax",
    "    mov rcx, rdx",
    "    test rcx, rcx",
    "    jz 3f",
    "    repe cmpsb",
    "    movzx eax, byte ptr [rdi - 1]",
    "    movzx ecx, byte ptr [rsi - 1]",
    "    sub ecx, eax",
    "    mov eax, ecx",
    "3:  ret",
    "strlen:",
    "    xor eax, eax",
    "4:  cmp byte ptr [rdi + rax], 0",
    "    je 5f",
    "    inc rax",
    "    jmp 4b",
    "5:  ret",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files() {
        let mut page = ELF.to_vec();
        page.resize(16, 0);
        page.extend(SHARED);
        page.resize(1024, 0);
        assert_eq!(kind(&page), File::Library);
        page.extend(MARK);
        assert_eq!(kind(&page), File::Doppel);
        for bytes in [&b""[..], b"\x7fELF", b"\x7fELF\x01\x01", &page[..17], b"#!/bin/sh"] {
            assert_eq!(kind(bytes), File::Other);
        }
        assert_eq!(inspect(c"/nowhere"), File::Other);
        assert_eq!(inspect(c"/"), File::Other);
        let folder = std::env::current_dir().unwrap();
        assert_eq!(current_folder(&mut [0; SHORT_PATH]).unwrap().to_str().ok(), folder.to_str());
        assert!(exists(c"/") && !exists(c"/nowhere"));
    }

    #[test]
    fn paths() {
        let mut buffer = [7; PATH_MOST];
        assert_eq!(join(&mut buffer, &[b"/a", b"/", b"b"]), Some(c"/a/b"));
        assert_eq!(join(&mut buffer, &[]), Some(c""));
        assert!(join(&mut buffer, &[&[b'a'; PATH_MOST - 1]]).is_some());
        assert!(join(&mut buffer, &[&[b'a'; PATH_MOST]]).is_none());
    }

    #[test]
    fn links() {
        use std::os::unix::fs::symlink;
        let folder = std::env::temp_dir().join(format!("doppel-audit-{}", std::process::id()));
        std::fs::create_dir(&folder).unwrap();
        let of = |name: &str| {
            let path = std::ffi::CString::new(folder.join(name).to_str().unwrap()).unwrap();
            version_behind_links(&path)
        };
        symlink("libcudart.so.13", folder.join("libcudart.so")).unwrap();
        symlink(folder.join("libnvrtc-123456.so"), folder.join("libnvrtc.so")).unwrap();
        symlink("libnvrtc.so.12.9", folder.join("libnvrtc-123456.so")).unwrap();
        symlink("libcuda.so", folder.join("libcuda.so")).unwrap();
        assert_eq!(of("libcudart.so"), Some(13));
        assert_eq!(of("libnvrtc.so"), Some(12));
        assert_eq!(of("libcuda.so"), None);
        assert_eq!(of("nothing"), None);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
