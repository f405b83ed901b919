//! The primary context of a device: shared by everybody in the process who retains it.

use crate::base::devices::{Device, devices};
use crate::stream::context::{Context, flag};
use error::{Error, Result, refuse, refuse_if};
use parking_lot::Mutex;
use std::sync::{Arc, OnceLock};

/// A device's primary context and how many hold it.
#[derive(Default)]
struct Primary {
    /// Retained and not released. A reset does not change it.
    references: u32,
    /// Those of them that green contexts have.
    greens: u32,
    /// A release was refused because only green contexts were left: it took what they hold, which nobody can give back then.
    lost: bool,
    /// Flags for the next activation. They go with the context.
    flags: u32,
    /// The live context.
    context: Option<Arc<Context>>,
    /// The handle, once there was one: the next context gets it again.
    handle: Option<usize>,
}

/// The primary contexts of all devices, in order.
static PRIMARIES: OnceLock<Box<[Mutex<Primary>]>> = OnceLock::new();

fn primary_of(device: &Device) -> &'static Mutex<Primary> {
    let all = PRIMARIES.get_or_init(|| devices().iter().map(|_| Mutex::default()).collect());
    &all[device.ordinal as usize]
}

impl Device {
    /// Takes a reference on the primary context, which comes to life with the first one, or with the next one after a
    /// reset.
    pub fn retain_primary(self: &Arc<Self>) -> Result<Arc<Context>> {
        let mut primary = primary_of(self).lock();
        let references = primary
            .references
            .checked_add(1)
            .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "dev: the primary context is retained too often"))?;
        let context = match &primary.context {
            Some(context) => context.clone(),
            None => Context::create_primary(self, primary.handle, primary.flags)?,
        };
        primary.references = references;
        primary.handle = Some(context.handle);
        primary.context = Some(context.clone());
        Ok(context)
    }

    /// Gives a reference back; the last one ends the context.
    pub fn release_primary(&self) -> Result<()> {
        let ended = {
            let mut primary = primary_of(self).lock();
            if primary.greens > 0 && primary.references == primary.greens {
                return Err(if core::mem::replace(&mut primary.lost, true) {
                    refuse!(Error::INVALID_CONTEXT, "dev: the primary context is not retained")
                } else {
                    refuse!(Error::NOT_PERMITTED, "dev: only green contexts hold the primary context")
                });
            }
            primary.references = primary
                .references
                .checked_sub(1)
                .ok_or_else(|| refuse!(Error::INVALID_CONTEXT, "dev: the primary context is not retained"))?;
            if primary.references == 0 {
                primary.flags = 0;
                primary.context.take()
            } else {
                None
            }
        };
        // Without the lock: the end waits for the context's work.
        if let Some(context) = ended {
            context.destroy();
        }
        Ok(())
    }

    /// Ends the context, whoever holds it. The references stay unless they are to be forgotten, and the next one that is
    /// taken revives it. Refused while green contexts hold it.
    pub fn reset_primary(&self, forget: bool) -> Result<()> {
        let mut primary = primary_of(self).lock();
        refuse_if!(Error::NOT_PERMITTED, primary.greens > 0, "dev: green contexts hold the primary context");
        let ended = primary.context.take();
        primary.flags = 0;
        if forget {
            primary.references = 0;
        }
        drop(primary);
        if let Some(context) = ended {
            context.destroy();
        }
        Ok(())
    }

    /// Takes a reference for a green context.
    pub(super) fn retain_green(self: &Arc<Self>) -> Result<Arc<Context>> {
        let context = self.retain_primary()?;
        primary_of(self).lock().greens += 1;
        Ok(context)
    }

    /// Gives it back.
    pub(super) fn release_green(&self) {
        {
            let mut primary = primary_of(self).lock();
            // As on the real driver, where the context stays alive then.
            if primary.lost {
                return;
            }
            primary.greens -= 1;
        }
        // There is this reference at least.
        let _ = self.release_primary();
    }

    /// The flags, and whether the context is alive.
    pub fn primary_state(&self) -> (u32, bool) {
        let primary = primary_of(self).lock();
        (primary.flags, primary.context.is_some())
    }

    /// Sets the flags, of the live context too.
    pub fn set_primary_flags(&self, flags: u32) -> Result<()> {
        // Mapped host memory is always on and cannot be asked for.
        refuse_if!(
            Error::INVALID_VALUE,
            !flag::valid(flags),
            "flags {:#x} has unknown bits, or two ways of scheduling",
            flags
        );
        refuse_if!(Error::INVALID_VALUE, flags & flag::MAP_HOST != 0, "flags {:#x} has CU_CTX_MAP_HOST", flags);
        let mut primary = primary_of(self).lock();
        primary.flags = flags;
        if let Some(context) = &primary.context {
            context.set_flags(flags)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    /// A device that no other test touches.
    fn idle_device() -> &'static Arc<Device> {
        testing::devices();
        crate::base::devices::device(1).unwrap()
    }

    #[test]
    fn references_resets_and_revivals_under_threads() {
        let device = idle_device();
        assert_eq!(device.release_primary(), Err(Error::INVALID_CONTEXT));
        let first = device.retain_primary().unwrap();
        device.reset_primary(false).unwrap();
        assert!(!first.is_alive());
        assert!(!device.primary_state().1);
        let second = device.retain_primary().unwrap();
        assert_eq!(first.handle, second.handle);
        assert_ne!(first.id, second.id);
        device.set_primary_flags(flag::SYNC_MEMOPS).unwrap();
        assert_eq!(device.release_primary(), Ok(()));
        assert!(second.is_alive());
        assert_eq!(device.primary_state(), (flag::SYNC_MEMOPS, true));
        assert_eq!(device.release_primary(), Ok(()));
        assert!(!second.is_alive());
        assert_eq!(device.primary_state(), (0, false));
        device.set_primary_flags(flag::SYNC_MEMOPS).unwrap();
        device.reset_primary(false).unwrap();
        assert_eq!(device.primary_state(), (0, false));

        std::thread::scope(|scope| {
            for number in 0..4 {
                scope.spawn(move || {
                    for round in 0..200 {
                        let context = device.retain_primary().unwrap();
                        context.synchronize().unwrap();
                        if (round + number) % 7 == 0 {
                            device.reset_primary(false).unwrap();
                        }
                        device.release_primary().unwrap();
                    }
                });
            }
        });
        assert_eq!(device.primary_state(), (0, false));
        assert_eq!(device.release_primary(), Err(Error::INVALID_CONTEXT));
    }
}
