//! Handles of things that emulated devices do not have.

/// Declares handles of things that do not exist: each is refused.
macro_rules! no_handle {
    ($($(#[doc = $d:expr])* $name:ident)*) => { $(
        $(#[doc = $d])*
        #[repr(transparent)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name(#[allow(dead_code)] usize);

        // SAFETY: a number.
        unsafe impl crate::api::Plain for $name {}

        impl crate::api::Argument for $name {
            fn check(&self) -> crate::code::Result {
                Err(crate::code::Code::INVALID_ARGUMENT)
            }
        }
    )* };
}

/// The number of a kind of virtual device. There are none.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct VgpuType(#[allow(dead_code)] u32);

impl crate::api::Argument for VgpuType {
    fn check(&self) -> crate::code::Result {
        Err(crate::code::Code::INVALID_ARGUMENT)
    }
}

/// The number of a virtual device. There are none.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct VgpuInstance(u32);

impl crate::api::Argument for VgpuInstance {
    fn check(&self) -> crate::code::Result {
        Err(if self.0 == 0 { crate::code::Code::INVALID_ARGUMENT } else { crate::code::Code::NOT_FOUND })
    }
}

no_handle! {
    /// A part of a device. There are none.
    GpuInstance
    /// A part of a part of a device. There are none.
    ComputeInstance
    /// A sample of metrics. There are none.
    GpmSample
    /// A unit of several boards. There are none.
    Unit
}
