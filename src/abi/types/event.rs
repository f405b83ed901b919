//! Events.

c_handle! {
    /// An event.
    CUevent = CUevent_st;
}

c_enum! {
    /// How a host thread waits for an event shared with OpenCL.
    pub enum CUevent_sched_flags: CUevent_sched_flags_enum {
        CU_EVENT_SCHED_AUTO = 0x00,
        CU_EVENT_SCHED_SPIN = 0x01,
        CU_EVENT_SCHED_YIELD = 0x02,
        CU_EVENT_SCHED_BLOCKING_SYNC = 0x04,
    }
}

c_enum! {
    /// Flags of an OpenCL event that shares with CUDA.
    pub enum cl_event_flags: cl_event_flags_enum {
        NVCL_EVENT_SCHED_AUTO = 0x00,
        NVCL_EVENT_SCHED_SPIN = 0x01,
        NVCL_EVENT_SCHED_YIELD = 0x02,
        NVCL_EVENT_SCHED_BLOCKING_SYNC = 0x04,
    }
}

c_enum! {
    /// Flags of an event.
    pub enum CUevent_flags: CUevent_flags_enum {
        CU_EVENT_DEFAULT = 0x0,
        CU_EVENT_BLOCKING_SYNC = 0x1,
        CU_EVENT_DISABLE_TIMING = 0x2,
        CU_EVENT_INTERPROCESS = 0x4,
    }
}

c_enum! {
    /// Flags of recording an event.
    pub enum CUevent_record_flags: CUevent_record_flags_enum {
        CU_EVENT_RECORD_DEFAULT = 0x0,
        CU_EVENT_RECORD_EXTERNAL = 0x1,
    }
}

c_enum! {
    /// Flags of waiting for an event.
    pub enum CUevent_wait_flags: CUevent_wait_flags_enum {
        CU_EVENT_WAIT_DEFAULT = 0x0,
        CU_EVENT_WAIT_EXTERNAL = 0x1,
    }
}
