//! Texture and surface objects.

use crate::array::{channel_format, driver_format};
use crate::driver as drv;
use crate::error::{Error, Result};
use crate::types::{
    ChannelFormat, DriverResourceDesc, DriverResourceViewDesc, DriverTextureDesc, ResourceDesc, ResourceViewDesc,
    TextureDesc,
};
use crate::user;
use core::ffi::c_int;

/// `cudaResourceType`, `CUresourcetype`
const LINEAR: c_int = 2;
const PITCH_2D: c_int = 3;
/// `CU_TRSF_...`
const READ_AS_INTEGER: u32 = 0x01;
const NORMALIZED_COORDINATES: u32 = 0x02;
const SRGB: u32 = 0x10;
const DISABLE_TRILINEAR_OPTIMIZATION: u32 = 0x20;
const SEAMLESS_CUBEMAP: u32 = 0x40;
/// `cudaReadModeElementType`
const ELEMENT_TYPE: c_int = 0;

const fn low(word: u64) -> c_int {
    word as u32 as c_int
}

const fn high(word: u64) -> c_int {
    (word >> 32) as u32 as c_int
}

const fn word(low: c_int, high: c_int) -> u64 {
    low as u32 as u64 | (high as u32 as u64) << 32
}

/// The driver's description of what a texture reads. The unions differ in the channel description alone: 20 bytes in
/// the runtime's, format and number of channels in the driver's.
fn to_driver(desc: &ResourceDesc) -> Result<DriverResourceDesc> {
    let mut d = DriverResourceDesc::zero();
    d.kind = desc.kind;
    #[cfg(cudart = "13")]
    {
        d.flags = desc.flags;
    }
    d.res[0] = desc.res[0];
    if desc.kind == LINEAR || desc.kind == PITCH_2D {
        let r = &desc.res;
        let format = ChannelFormat { x: low(r[1]), y: high(r[1]), z: low(r[2]), w: high(r[2]), kind: low(r[3]) };
        let (format, channels) = driver_format(format)?;
        d.res[1] = word(format as c_int, channels as c_int);
        let rest = if desc.kind == LINEAR { 1 } else { 3 };
        d.res[2..2 + rest].copy_from_slice(&r[4..4 + rest]);
    } else if !(0..=PITCH_2D).contains(&desc.kind) {
        return Err(Error::INVALID_VALUE);
    }
    Ok(d)
}

fn from_driver(d: &DriverResourceDesc) -> Result<ResourceDesc> {
    let mut desc = ResourceDesc::zero();
    desc.kind = d.kind;
    #[cfg(cudart = "13")]
    {
        desc.flags = d.flags;
    }
    desc.res[0] = d.res[0];
    if d.kind == LINEAR || d.kind == PITCH_2D {
        let f = channel_format(low(d.res[1]) as u32, high(d.res[1]) as u32)?;
        (desc.res[1], desc.res[2], desc.res[3]) = (word(f.x, f.y), word(f.z, f.w), word(f.kind, 0));
        let rest = if d.kind == LINEAR { 1 } else { 3 };
        desc.res[4..4 + rest].copy_from_slice(&d.res[2..2 + rest]);
    }
    Ok(desc)
}

fn texture_to_driver(t: &TextureDesc) -> DriverTextureDesc {
    let mut d = DriverTextureDesc::zero();
    d.address_mode = t.address_mode;
    d.filter_mode = t.filter_mode;
    let flag = |on: bool, flag: u32| if on { flag } else { 0 };
    d.flags = flag(t.read_mode == ELEMENT_TYPE, READ_AS_INTEGER)
        | flag(t.normalized_coords != 0, NORMALIZED_COORDINATES)
        | flag(t.srgb != 0, SRGB)
        | flag(t.disable_trilinear_optimization != 0, DISABLE_TRILINEAR_OPTIMIZATION)
        | flag(t.seamless_cubemap != 0, SEAMLESS_CUBEMAP);
    d.max_anisotropy = t.max_anisotropy;
    d.mipmap_filter_mode = t.mipmap_filter_mode;
    d.mipmap_level_bias = t.mipmap_level_bias;
    d.min_mipmap_level_clamp = t.min_mipmap_level_clamp;
    d.max_mipmap_level_clamp = t.max_mipmap_level_clamp;
    d.border_color = t.border_color;
    d
}

fn texture_from_driver(d: &DriverTextureDesc) -> TextureDesc {
    let mut t = TextureDesc::zero();
    let has = |flag: u32| c_int::from(d.flags & flag != 0);
    t.address_mode = d.address_mode;
    t.filter_mode = d.filter_mode;
    t.read_mode = 1 - has(READ_AS_INTEGER);
    t.srgb = has(SRGB);
    t.border_color = d.border_color;
    t.normalized_coords = has(NORMALIZED_COORDINATES);
    t.max_anisotropy = d.max_anisotropy;
    t.mipmap_filter_mode = d.mipmap_filter_mode;
    t.mipmap_level_bias = d.mipmap_level_bias;
    t.min_mipmap_level_clamp = d.min_mipmap_level_clamp;
    t.max_mipmap_level_clamp = d.max_mipmap_level_clamp;
    t.disable_trilinear_optimization = has(DISABLE_TRILINEAR_OPTIMIZATION);
    t.seamless_cubemap = has(SEAMLESS_CUBEMAP);
    t
}

fn view_to_driver(v: &ResourceViewDesc) -> DriverResourceViewDesc {
    let mut d = DriverResourceViewDesc::zero();
    (d.format, d.width, d.height, d.depth) = (v.format, v.width, v.height, v.depth);
    (d.first_level, d.last_level) = (v.first_level, v.last_level);
    (d.first_layer, d.last_layer) = (v.first_layer, v.last_layer);
    d
}

fn view_from_driver(d: &DriverResourceViewDesc) -> ResourceViewDesc {
    let mut v = ResourceViewDesc::zero();
    (v.format, v.width, v.height, v.depth) = (d.format, d.width, d.height, d.depth);
    (v.first_level, v.last_level) = (d.first_level, d.last_level);
    (v.first_layer, v.last_layer) = (d.first_layer, d.last_layer);
    v
}

api! {
    /// Makes a texture object.
    fn cudaCreateTextureObject(
        object: *mut u64, resource: *const ResourceDesc, texture: *const TextureDesc, view: *const ResourceViewDesc,
    ) {
        if object.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        let resource = to_driver(&user::read(resource)?)?;
        let texture = texture_to_driver(&user::read(texture)?);
        let view = if view.is_null() { None } else { Some(view_to_driver(&user::read(view)?)) };
        if resource.kind == 0 && resource.res[0] != 0 {
            // What NVIDIA's runtime asks, too.
            let mut desc = crate::types::ArrayDescriptor::zero();
            drv::cuArray3DGetDescriptor_v2(&raw mut desc, crate::types::handle_of(resource.res[0] as usize))?;
        }
        let view = view.as_ref().map_or(core::ptr::null(), |view| &raw const *view);
        drv::cuTexObjectCreate(object, &raw const resource, &raw const texture, view)
    }

    /// Destroys a texture object.
    fn cudaDestroyTextureObject(object: u64) {
        drv::cuTexObjectDestroy(object)
    }

    /// What a texture object reads.
    fn cudaGetTextureObjectResourceDesc(desc: *mut ResourceDesc, object: u64) {
        let mut d = DriverResourceDesc::zero();
        drv::cuTexObjectGetResourceDesc(&raw mut d, object)?;
        user::write(desc, from_driver(&d)?)
    }

    /// How a texture object reads.
    fn cudaGetTextureObjectTextureDesc(desc: *mut TextureDesc, object: u64) {
        let mut d = DriverTextureDesc::zero();
        drv::cuTexObjectGetTextureDesc(&raw mut d, object)?;
        user::write(desc, texture_from_driver(&d))
    }

    /// Which part a texture object reads.
    fn cudaGetTextureObjectResourceViewDesc(desc: *mut ResourceViewDesc, object: u64) {
        let mut d = DriverResourceViewDesc::zero();
        drv::cuTexObjectGetResourceViewDesc(&raw mut d, object)?;
        user::write(desc, view_from_driver(&d))
    }

    /// Makes a surface object.
    fn cudaCreateSurfaceObject(object: *mut u64, resource: *const ResourceDesc) {
        if object.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        let resource = to_driver(&user::read(resource)?)?;
        drv::cuSurfObjectCreate(object, &raw const resource)
    }

    /// Destroys a surface object.
    fn cudaDestroySurfaceObject(object: u64) {
        drv::cuSurfObjectDestroy(object)
    }

    /// What a surface object accesses.
    fn cudaGetSurfaceObjectResourceDesc(desc: *mut ResourceDesc, object: u64) {
        let mut d = DriverResourceDesc::zero();
        drv::cuSurfObjectGetResourceDesc(&raw mut d, object)?;
        user::write(desc, from_driver(&d)?)
    }
}
