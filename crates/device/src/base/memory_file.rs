//! Memory files: memory that can be mapped more than once, and by more than one process.

use error::{Error, Result, refuse};
use guard::mapping::{self, Advice, Rights};
use std::fs::File;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::sync::OnceLock;

/// A memory file, known by its inode: a program may close descriptors that it does not own.
pub struct MemoryFile {
    /// Its descriptor, while the program leaves that alone.
    pub file: File,
    /// Its identity on this machine, until it is gone.
    pub inode: u64,
}

/// The inode behind a descriptor; `None` if it is not open.
pub fn inode(fd: i32) -> Option<u64> {
    // SAFETY: fills in a structure of ours.
    unsafe {
        let mut stat: libc::stat = core::mem::zeroed();
        (libc::fstat(fd, &raw mut stat) == 0).then_some(stat.st_ino)
    }
}

/// A descriptor of our own for what `fd` is; `None` if it is nothing.
pub fn duplicate(fd: i32) -> Option<OwnedFd> {
    if fd < 0 || inode(fd).is_none() {
        return None;
    }
    // SAFETY: the descriptor was open a moment ago; should another thread have closed it, duplicating fails.
    unsafe { BorrowedFd::borrow_raw(fd) }.try_clone_to_owned().ok()
}

/// `struct udmabuf_create` of the kernel.
#[repr(C)]
struct DmaBufRequest {
    file: u32,
    flags: u32,
    offset: u64,
    size: u64,
}

/// `UDMABUF_CREATE`: `_IOW('u', 0x42, struct udmabuf_create)`.
const DMA_BUF_CREATE: libc::c_ulong =
    1 << 30 | (size_of::<DmaBufRequest>() as libc::c_ulong) << 16 | (b'u' as libc::c_ulong) << 8 | 0x42;

/// The device that makes dma-bufs of memory files.
const DMA_BUF_MAKER: &str = "/dev/udmabuf";

fn open_maker(path: &str) -> Result<File> {
    File::options()
        .read(true)
        .write(true)
        .open(path)
        .map_err(|_| refuse!(Error::NOT_SUPPORTED, "the system has no {}", path))
}

/// Whether this system makes dma-bufs of memory files, for this user.
pub fn makes_dma_bufs() -> bool {
    static KNOWN: OnceLock<bool> = OnceLock::new();
    *KNOWN.get_or_init(|| open_maker(DMA_BUF_MAKER).is_ok())
}

impl MemoryFile {
    /// A new file of `size` bytes, which take up memory once they are touched.
    pub fn create(size: u64) -> Result<MemoryFile> {
        let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
        // SAFETY: makes a new file; the descriptor is ours alone.
        let fd = unsafe { libc::memfd_create(c"doppel".as_ptr(), flags) };
        if fd < 0 {
            return Err(refuse!(Error::OUT_OF_MEMORY, "the system allows no more memory files"));
        }
        // SAFETY: as above.
        let file = unsafe { File::from_raw_fd(fd) };
        file.set_len(size).map_err(|_| Error::OUT_OF_MEMORY)?;
        let inode = inode(fd).ok_or(Error::OPERATING_SYSTEM)?;
        Ok(MemoryFile { file, inode })
    }

    /// Takes a file that came from elsewhere, if it is a memory file with at least these seals (`F_SEAL_*`).
    pub fn adopt(file: File, seals: i32) -> Option<MemoryFile> {
        let inode = inode(file.as_raw_fd())?;
        // SAFETY: a plain query; other files than memory files answer with an error.
        let has = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GET_SEALS) };
        (has >= 0 && has & seals == seals).then_some(MemoryFile { file, inode })
    }

    /// Opens the file that another process of the same user has as `descriptor`; the system refuses everybody else.
    pub fn open_from(process: u32, descriptor: i32, inode: u64, seals: i32) -> Option<MemoryFile> {
        // The number may mean something else by now, a device for example, that does something when it is opened: so
        // what it means is looked at first.
        let path = format!("/proc/{process}/fd/{descriptor}");
        let seen = File::options().read(true).custom_flags(libc::O_PATH).open(path).ok()?;
        if self::inode(seen.as_raw_fd()) != Some(inode) || !seen.metadata().ok()?.is_file() {
            return None;
        }
        let path = format!("/proc/self/fd/{}", seen.as_raw_fd());
        let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
        let file = File::options().read(true).write(true).custom_flags(flags).open(path).ok()?;
        MemoryFile::adopt(file, seals).filter(|f| f.inode == inode)
    }

    /// Forbids changes of the file: `F_SEAL_*`.
    pub fn seal(&self, seals: i32) -> Result<()> {
        // SAFETY: a plain operation on a descriptor.
        let failed = unsafe { libc::fcntl(self.descriptor()?, libc::F_ADD_SEALS, seals) } != 0;
        if failed { Err(Error::OPERATING_SYSTEM) } else { Ok(()) }
    }

    /// The descriptor, if it still is the one that we opened.
    pub fn descriptor(&self) -> Result<i32> {
        let fd = self.file.as_raw_fd();
        if inode(fd) == Some(self.inode) { Ok(fd) } else { Err(Error::OPERATING_SYSTEM) }
    }

    /// Bytes.
    pub fn length(&self) -> Result<u64> {
        self.descriptor()?;
        Ok(self.file.metadata().map_err(|_| Error::OPERATING_SYSTEM)?.len())
    }

    /// Changes the size.
    pub fn set_length(&self, length: u64) -> Result<()> {
        self.descriptor()?;
        self.file.set_len(length).map_err(|_| Error::OUT_OF_MEMORY)
    }

    /// A dma-buf of `size` bytes from `offset`, both multiples of the page size, if the system can make one. Else
    /// [`Error::NOT_SUPPORTED`].
    pub fn dma_buf(&self, offset: u64, size: usize) -> Result<OwnedFd> {
        self.dma_buf_of(DMA_BUF_MAKER, offset, size)
    }

    fn dma_buf_of(&self, maker: &str, offset: u64, size: usize) -> Result<OwnedFd> {
        let maker = open_maker(maker)?;
        let request = self.dma_buf_request(offset, size)?;
        // SAFETY: the kernel reads the structure and returns a new descriptor.
        let fd = unsafe { libc::ioctl(maker.as_raw_fd(), DMA_BUF_CREATE, &raw const request) };
        // SAFETY: as above, the descriptor is ours.
        if fd < 0 { Err(Error::NOT_SUPPORTED) } else { Ok(unsafe { OwnedFd::from_raw_fd(fd) }) }
    }

    /// What the kernel is asked. It wants a file that never shrinks, which none of ours does.
    fn dma_buf_request(&self, offset: u64, size: usize) -> Result<DmaBufRequest> {
        const CLOSE_ON_EXEC: u32 = 1;
        let file = self.descriptor()?;
        // SAFETY: a plain operation on our own descriptor. A file whose seals are sealed has this one.
        unsafe { libc::fcntl(file, libc::F_ADD_SEALS, libc::F_SEAL_SHRINK) };
        Ok(DmaBufRequest { file: file as u32, flags: CLOSE_ON_EXEC, offset, size: size as u64 })
    }

    /// Maps `size` bytes from `offset` at `addr`, over what was there; all are multiples of the page size.
    ///
    /// # Safety
    /// The caller owns the addresses.
    pub unsafe fn map(&self, addr: usize, offset: u64, size: usize, rights: Rights) -> Result<()> {
        let fd = self.descriptor()?;
        let offset = i64::try_from(offset).map_err(|_| Error::INVALID_VALUE)?;
        // SAFETY: as the caller promises.
        if !unsafe { mapping::replace_by_file(addr, size, fd, offset, rights) } {
            return Err(Error::OUT_OF_MEMORY);
        }
        mapping::advise(addr, size, Advice::Huge);
        mapping::advise(addr, size, Advice::NoDump);
        Ok(())
    }

    /// Gives the pages of a part back to the system: it reads as zero again.
    pub fn clear(&self, offset: u64, size: usize) {
        if let Ok(fd) = self.descriptor() {
            let mode = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
            // SAFETY: a plain operation on a descriptor.
            unsafe { libc::fallocate(fd, mode, offset as i64, size as i64) };
        }
    }

    /// Writes bytes at `offset`.
    pub fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.file.write_all_at(bytes, offset).map_err(|_| Error::OUT_OF_MEMORY)
    }

    /// Writes words at `offset`.
    pub fn write_words(&self, offset: u64, words: &[u64]) -> Result<()> {
        self.descriptor()?;
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        self.file.write_all_at(&bytes, offset).map_err(|_| Error::OUT_OF_MEMORY)
    }

    /// Reads words at `offset`.
    pub fn read_words<const N: usize>(&self, offset: u64) -> Option<[u64; N]> {
        self.descriptor().ok()?;
        let mut words = [0; N];
        for (i, word) in words.iter_mut().enumerate() {
            let mut bytes = [0; 8];
            self.file.read_exact_at(&mut bytes, offset.checked_add(i as u64 * 8)?).ok()?;
            *word = u64::from_le_bytes(bytes);
        }
        Some(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What can be known of a dma-buf without a kernel that makes them.
    #[test]
    fn a_dma_buf_is_asked_for_as_the_kernel_wants_it() {
        const SIZE: usize = 1 << 20;
        assert_eq!(DMA_BUF_CREATE, 0x4018_7542, "as in the kernel's header");
        assert_eq!(core::mem::offset_of!(DmaBufRequest, offset), 8);
        let file = MemoryFile::create(2 * SIZE as u64).unwrap();
        let request = file.dma_buf_request(4096, SIZE).unwrap();
        assert_eq!((request.offset, request.size), (4096, SIZE as u64));
        assert_eq!((request.file as i32, request.flags), (file.descriptor().unwrap(), 1));
        // SAFETY: a plain query.
        let seals = unsafe { libc::fcntl(request.file as i32, libc::F_GET_SEALS) };
        assert_eq!(seals & (libc::F_SEAL_SHRINK | libc::F_SEAL_WRITE), libc::F_SEAL_SHRINK);
        // Neither a kernel without the device nor another device makes one.
        for maker in ["/dev/none", "/dev/null"] {
            assert_eq!(file.dma_buf_of(maker, 0, SIZE).err(), Some(Error::NOT_SUPPORTED));
        }
        assert_eq!(file.dma_buf(0, SIZE).is_ok(), makes_dma_bufs());
    }

    #[test]
    fn files_of_others_are_looked_at_before_they_are_opened() {
        let file = MemoryFile::create(4096).unwrap();
        // SAFETY: a plain query.
        let thread = unsafe { libc::gettid() } as u32;
        let fd = file.descriptor().unwrap();
        assert!(MemoryFile::open_from(thread, fd, file.inode, 0).is_some());
        assert!(MemoryFile::open_from(thread, fd, file.inode + 1, 0).is_none());
        // A terminal or a device must not even be opened; an ordinary file has no seals.
        let device = File::open("/dev/null").unwrap();
        let inode = inode(device.as_raw_fd()).unwrap();
        assert!(MemoryFile::open_from(thread, device.as_raw_fd(), inode, 0).is_none());
    }
}
