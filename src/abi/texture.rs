//! Texture Reference Management (deprecated) and Texture Object Management.

#![allow(non_snake_case)]

use super::ptr::{In, InMut, Out};
use super::types::{
    CU_RESOURCE_TYPE_ARRAY, CU_RESOURCE_TYPE_LINEAR, CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, CU_RESOURCE_TYPE_PITCH2D,
    CU_TRSA_OVERRIDE_FORMAT, CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY_DESCRIPTOR_v1, CUDA_RESOURCE_DESC,
    CUDA_RESOURCE_DESC_v1_res_array, CUDA_RESOURCE_DESC_v1_res_linear, CUDA_RESOURCE_DESC_v1_res_mipmap,
    CUDA_RESOURCE_DESC_v1_res_pitch2D, CUDA_RESOURCE_VIEW_DESC, CUDA_TEXTURE_DESC, CUaddress_mode, CUarray,
    CUarray_format, CUdeviceptr, CUdeviceptr_v1, CUfilter_mode, CUmipmappedArray, CUresourceViewFormat, CUresourcetype,
    CUtexObject, CUtexref,
};
use crate::device::array::texture::{
    Binding, REFERENCES, Reference, ReferenceState, Resource, Sampling, Texture, View,
};
use crate::device::array::{Array, MipmappedArray};
use crate::device::stream::{capture, context};
use crate::device::{Device, device};
use api_macro::entry;
use core::ffi::{c_int, c_uint};
use core::mem::offset_of;
use error::{Error, Result};

/// What a texture or surface reads, from its description.
pub(super) fn resource(desc: &CUDA_RESOURCE_DESC) -> Result<Resource> {
    if desc.flags != 0 {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: the members of the union are numbers only; the type says which of them are meant.
    let (array, mipmap, linear, pitch) =
        unsafe { (desc.res.array, desc.res.mipmap, desc.res.linear, desc.res.pitch2D) };
    match desc.resType {
        CU_RESOURCE_TYPE_ARRAY => Array::find(array.hArray.0).map(Resource::Array).map_err(|_| Error::INVALID_VALUE),
        CU_RESOURCE_TYPE_MIPMAPPED_ARRAY => {
            MipmappedArray::find(mipmap.hMipmappedArray.0).map(Resource::Mipmapped).map_err(|_| Error::INVALID_VALUE)
        }
        CU_RESOURCE_TYPE_LINEAR => Ok(Resource::Linear {
            address: linear.devPtr as usize,
            format: linear.format.0,
            channels: linear.numChannels,
            bytes: linear.sizeInBytes,
        }),
        CU_RESOURCE_TYPE_PITCH2D => Ok(Resource::Pitched {
            address: pitch.devPtr as usize,
            format: pitch.format.0,
            channels: pitch.numChannels,
            width: pitch.width,
            height: pitch.height,
            pitch: pitch.pitchInBytes,
        }),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// Writes the description of a resource: its type, the members that the type has, the flags.
pub(super) fn set_resource(out: Out<CUDA_RESOURCE_DESC>, resource: &Resource) -> Result<()> {
    out.check()?;
    let members = offset_of!(CUDA_RESOURCE_DESC, res);
    let kind = match *resource {
        Resource::Array(ref array) => {
            out.member(members).set(CUDA_RESOURCE_DESC_v1_res_array { hArray: CUarray(array.handle) })?;
            CU_RESOURCE_TYPE_ARRAY
        }
        Resource::Mipmapped(ref mipmapped) => {
            let handle = CUmipmappedArray(mipmapped.handle);
            out.member(members).set(CUDA_RESOURCE_DESC_v1_res_mipmap { hMipmappedArray: handle })?;
            CU_RESOURCE_TYPE_MIPMAPPED_ARRAY
        }
        Resource::Linear { address, format, channels, bytes } => {
            out.member(members).set(CUDA_RESOURCE_DESC_v1_res_linear {
                devPtr: address as CUdeviceptr,
                format: CUarray_format(format),
                numChannels: channels,
                sizeInBytes: bytes,
            })?;
            CU_RESOURCE_TYPE_LINEAR
        }
        Resource::Pitched { address, format, channels, width, height, pitch } => {
            out.member(members).set(CUDA_RESOURCE_DESC_v1_res_pitch2D {
                devPtr: address as CUdeviceptr,
                format: CUarray_format(format),
                numChannels: channels,
                width,
                height,
                pitchInBytes: pitch,
            })?;
            CU_RESOURCE_TYPE_PITCH2D
        }
    };
    out.member::<CUresourcetype>(offset_of!(CUDA_RESOURCE_DESC, resType)).set(kind)?;
    out.member::<c_uint>(offset_of!(CUDA_RESOURCE_DESC, flags)).set(0)
}

fn sampling(desc: &CUDA_TEXTURE_DESC) -> Result<Sampling> {
    if desc.reserved.iter().any(|&n| n != 0) {
        return Err(Error::INVALID_VALUE);
    }
    Ok(Sampling {
        address_modes: desc.addressMode.map(|mode| mode.0),
        filter: desc.filterMode.0,
        flags: desc.flags,
        anisotropy: desc.maxAnisotropy,
        level_filter: desc.mipmapFilterMode.0,
        level_bias: desc.mipmapLevelBias,
        level_clamp: [desc.minMipmapLevelClamp, desc.maxMipmapLevelClamp],
        border: desc.borderColor,
    })
}

fn view(desc: &CUDA_RESOURCE_VIEW_DESC) -> Result<View> {
    if desc.reserved.iter().any(|&n| n != 0) {
        return Err(Error::INVALID_VALUE);
    }
    Ok(View {
        format: desc.format.0,
        extent: [desc.width, desc.height, desc.depth],
        levels: [desc.firstMipmapLevel, desc.lastMipmapLevel],
        layers: [desc.firstLayer, desc.lastLayer],
    })
}

/// The settings of a texture reference.
fn state(reference: CUtexref) -> Result<ReferenceState> {
    Ok(Reference::find(reference.0)?.state.lock().clone())
}

/// Binds an array to a texture reference (deprecated).
///
/// The reference takes the array's format over. `Flags` is 0 or `CU_TRSA_OVERRIDE_FORMAT`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`; `CUDA_ERROR_INVALID_HANDLE` for the reference and the array.
#[entry(since = 2000, needs = init)]
pub fn cuTexRefSetArray(hTexRef: CUtexref, hArray: CUarray, Flags: c_uint) -> Result<()> {
    if Flags & !CU_TRSA_OVERRIDE_FORMAT != 0 {
        return Err(Error::INVALID_VALUE);
    }
    Reference::find(hTexRef.0)?.bind_array(hArray.0)
}

/// Binds a mipmapped array to a texture reference (deprecated).
///
/// As [`cuTexRefSetArray`].
#[entry(since = 5000, needs = init)]
pub fn cuTexRefSetMipmappedArray(hTexRef: CUtexref, hMipmappedArray: CUmipmappedArray, Flags: c_uint) -> Result<()> {
    if Flags & !CU_TRSA_OVERRIDE_FORMAT != 0 {
        return Err(Error::INVALID_VALUE);
    }
    Reference::find(hTexRef.0)?.bind_mipmapped(hMipmappedArray.0)
}

/// Binds linear memory to a texture reference (deprecated).
///
/// Textures begin at multiples of the device's texture alignment: the nearest address below `dptr` is bound, and the
/// distance to `dptr` comes back in `*ByteOffset`. Address and size are not looked at further.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` without `ByteOffset` if the distance is not 0.
#[entry(since = 3020, needs = init)]
pub fn cuTexRefSetAddress_v2(ByteOffset: Out<usize>, hTexRef: CUtexref, dptr: CUdeviceptr, bytes: usize) -> Result<()> {
    let reference = Reference::find(hTexRef.0)?;
    let device = reference_device()?;
    let offset = reference.bind_address(device, dptr as usize, bytes, !ByteOffset.is_null())?;
    ByteOffset.set_opt(offset)
}

/// First-generation [`cuTexRefSetAddress_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000, needs = init)]
pub fn cuTexRefSetAddress(
    ByteOffset: Out<c_uint>,
    hTexRef: CUtexref,
    dptr: CUdeviceptr_v1,
    bytes: c_uint,
) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Binds pitched memory to a texture reference (deprecated).
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for an address that is not a multiple of the device's texture alignment.
#[entry(since = 4010, needs = init)]
pub fn cuTexRefSetAddress2D_v3(
    hTexRef: CUtexref,
    desc: In<CUDA_ARRAY_DESCRIPTOR>,
    dptr: CUdeviceptr,
    Pitch: usize,
) -> Result<()> {
    bind_rows(hTexRef, desc, dptr, Pitch)
}

/// Binds pitched memory to a texture reference, with the rules of before CUDA 4.1 (deprecated).
#[entry(since = 3020, needs = init)]
pub fn cuTexRefSetAddress2D_v2(
    hTexRef: CUtexref,
    desc: In<CUDA_ARRAY_DESCRIPTOR>,
    dptr: CUdeviceptr,
    Pitch: usize,
) -> Result<()> {
    bind_rows(hTexRef, desc, dptr, Pitch)
}

/// The device whose limits hold for a reference, which needs no context.
fn reference_device() -> Result<&'static Device> {
    device(context::top_device().unwrap_or(0) as c_int).map(|d| &**d)
}

/// Binds pitched memory: the pitch is not checked.
fn bind_rows(reference: CUtexref, desc: In<CUDA_ARRAY_DESCRIPTOR>, address: CUdeviceptr, pitch: usize) -> Result<()> {
    let desc = desc.get()?;
    let reference = Reference::find(reference.0)?;
    let device = reference_device()?;
    reference.set_format(desc.Format.0, desc.NumChannels)?;
    reference.bind_rows(device, address as usize, [desc.Width, desc.Height], pitch)
}

/// First-generation [`cuTexRefSetAddress2D_v3`]: addresses and sizes have 32 bits.
#[entry(since = 2020, needs = init)]
pub fn cuTexRefSetAddress2D(
    hTexRef: CUtexref,
    desc: In<CUDA_ARRAY_DESCRIPTOR_v1>,
    dptr: CUdeviceptr_v1,
    Pitch: c_uint,
) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Sets element format and components of a texture reference (deprecated).
///
/// One, two or four components; the format is not looked at.
#[entry(since = 2000, needs = init)]
pub fn cuTexRefSetFormat(hTexRef: CUtexref, fmt: CUarray_format, NumPackedComponents: c_int) -> Result<()> {
    let channels = c_uint::try_from(NumPackedComponents).map_err(|_| Error::INVALID_VALUE)?;
    Reference::find(hTexRef.0)?.set_format(fmt.0, channels)
}

/// Sets what happens outside one dimension of a texture reference (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefSetAddressMode(hTexRef: CUtexref, dim: c_int, am: CUaddress_mode) -> Result<()> {
    let reference = Reference::find(hTexRef.0)?;
    let mut state = reference.state.lock();
    // A dimension that does not exist is ignored.
    if let Some(mode) = usize::try_from(dim).ok().and_then(|d| state.sampling.address_modes.get_mut(d)) {
        *mode = am.0;
    }
    Ok(())
}

/// Sets the filter of a texture reference (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefSetFilterMode(hTexRef: CUtexref, fm: CUfilter_mode) -> Result<()> {
    let reference = Reference::find(hTexRef.0)?;
    reference.state.lock().sampling.filter = fm.0;
    Ok(())
}

/// Sets the filter between mip levels of a texture reference (deprecated).
#[entry(since = 5000, needs = init)]
pub fn cuTexRefSetMipmapFilterMode(hTexRef: CUtexref, fm: CUfilter_mode) -> Result<()> {
    let reference = Reference::find(hTexRef.0)?;
    reference.state.lock().sampling.level_filter = fm.0;
    Ok(())
}

/// Sets the mip level bias of a texture reference (deprecated).
#[entry(since = 5000, needs = init)]
pub fn cuTexRefSetMipmapLevelBias(hTexRef: CUtexref, bias: f32) -> Result<()> {
    let reference = Reference::find(hTexRef.0)?;
    reference.state.lock().sampling.level_bias = bias;
    Ok(())
}

/// Sets the range of mip levels of a texture reference (deprecated).
#[entry(since = 5000, needs = init)]
pub fn cuTexRefSetMipmapLevelClamp(
    hTexRef: CUtexref,
    minMipmapLevelClamp: f32,
    maxMipmapLevelClamp: f32,
) -> Result<()> {
    let reference = Reference::find(hTexRef.0)?;
    reference.state.lock().sampling.level_clamp = [minMipmapLevelClamp, maxMipmapLevelClamp];
    Ok(())
}

/// Sets the anisotropy limit of a texture reference (deprecated).
#[entry(since = 5000, needs = init)]
pub fn cuTexRefSetMaxAnisotropy(hTexRef: CUtexref, maxAniso: c_uint) -> Result<()> {
    let reference = Reference::find(hTexRef.0)?;
    reference.state.lock().sampling.anisotropy = maxAniso;
    Ok(())
}

/// Sets the border colour of a texture reference (deprecated).
#[entry(since = 8000, needs = init)]
pub fn cuTexRefSetBorderColor(hTexRef: CUtexref, pBorderColor: InMut<f32>) -> Result<()> {
    let color = pBorderColor.slice(4)?;
    let reference = Reference::find(hTexRef.0)?;
    reference.state.lock().sampling.border.copy_from_slice(&color);
    Ok(())
}

/// Sets the read flags of a texture reference (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefSetFlags(hTexRef: CUtexref, Flags: c_uint) -> Result<()> {
    Reference::find(hTexRef.0)?.set_flags(Flags)
}

/// Reads the address bound to a texture reference (deprecated).
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` where no address is bound; `*pdptr` becomes 0 then.
#[entry(since = 3020, needs = init)]
pub fn cuTexRefGetAddress_v2(pdptr: Out<CUdeviceptr>, hTexRef: CUtexref) -> Result<()> {
    let binding = state(hTexRef)?.binding;
    let address = binding.address().unwrap_or(0);
    pdptr.set(address as CUdeviceptr)?;
    if address == 0 { Err(Error::INVALID_VALUE) } else { Ok(()) }
}

/// First-generation [`cuTexRefGetAddress_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000, needs = init)]
pub fn cuTexRefGetAddress(pdptr: Out<CUdeviceptr_v1>, hTexRef: CUtexref) -> Result<()> {
    Err(Error::INVALID_CONTEXT)
}

/// Reads the array bound to a texture reference (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefGetArray(phArray: Out<CUarray>, hTexRef: CUtexref) -> Result<()> {
    match state(hTexRef)?.binding {
        Binding::Array(array) => phArray.set(CUarray(array.handle)),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// Reads the mipmapped array bound to a texture reference (deprecated).
#[entry(since = 5000, needs = init)]
pub fn cuTexRefGetMipmappedArray(phMipmappedArray: Out<CUmipmappedArray>, hTexRef: CUtexref) -> Result<()> {
    match state(hTexRef)?.binding {
        Binding::Mipmapped(mipmapped) => phMipmappedArray.set(CUmipmappedArray(mipmapped.handle)),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// Reads what happens outside one dimension of a texture reference (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefGetAddressMode(pam: Out<CUaddress_mode>, hTexRef: CUtexref, dim: c_int) -> Result<()> {
    let modes = state(hTexRef)?.sampling.address_modes;
    let mode = usize::try_from(dim).ok().and_then(|d| modes.get(d)).ok_or(Error::INVALID_VALUE)?;
    pam.set(CUaddress_mode(*mode))
}

/// Reads the filter of a texture reference (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefGetFilterMode(pfm: Out<CUfilter_mode>, hTexRef: CUtexref) -> Result<()> {
    pfm.set(CUfilter_mode(state(hTexRef)?.sampling.filter))
}

/// Reads element format and components of a texture reference (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefGetFormat(pFormat: Out<CUarray_format>, pNumChannels: Out<c_int>, hTexRef: CUtexref) -> Result<()> {
    let state = state(hTexRef)?;
    pFormat.set_opt(CUarray_format(state.format))?;
    pNumChannels.set_opt(state.channels as c_int)
}

/// Reads the filter between mip levels of a texture reference (deprecated).
#[entry(since = 5000, needs = init)]
pub fn cuTexRefGetMipmapFilterMode(pfm: Out<CUfilter_mode>, hTexRef: CUtexref) -> Result<()> {
    pfm.set(CUfilter_mode(state(hTexRef)?.sampling.level_filter))
}

/// Reads the mip level bias of a texture reference (deprecated).
#[entry(since = 5000, needs = init)]
pub fn cuTexRefGetMipmapLevelBias(pbias: Out<f32>, hTexRef: CUtexref) -> Result<()> {
    pbias.set(state(hTexRef)?.sampling.level_bias)
}

/// Reads the range of mip levels of a texture reference (deprecated).
#[entry(since = 5000, needs = init)]
pub fn cuTexRefGetMipmapLevelClamp(
    pminMipmapLevelClamp: Out<f32>,
    pmaxMipmapLevelClamp: Out<f32>,
    hTexRef: CUtexref,
) -> Result<()> {
    let [lowest, highest] = state(hTexRef)?.sampling.level_clamp;
    pminMipmapLevelClamp.set(lowest)?;
    pmaxMipmapLevelClamp.set(highest)
}

/// Reads the anisotropy limit of a texture reference (deprecated).
#[entry(since = 5000, needs = init)]
pub fn cuTexRefGetMaxAnisotropy(pmaxAniso: Out<c_int>, hTexRef: CUtexref) -> Result<()> {
    pmaxAniso.set(state(hTexRef)?.sampling.anisotropy as c_int)
}

/// Reads the border colour of a texture reference (deprecated).
#[entry(since = 8000, needs = init)]
pub fn cuTexRefGetBorderColor(pBorderColor: Out<f32>, hTexRef: CUtexref) -> Result<()> {
    let border = state(hTexRef)?.sampling.border;
    border.into_iter().enumerate().try_for_each(|(i, color)| pBorderColor.set_at(i, color))
}

/// Reads the read flags of a texture reference (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefGetFlags(pFlags: Out<c_uint>, hTexRef: CUtexref) -> Result<()> {
    pFlags.set(state(hTexRef)?.sampling.flags)
}

/// Creates a texture reference that belongs to no module (deprecated).
///
/// It reads single floats, takes the nearest element, clamps coordinates, and is bound to nothing.
#[entry(since = 2000)]
pub fn cuTexRefCreate(pTexRef: Out<CUtexref>) -> Result<()> {
    pTexRef.check()?;
    let reference = Reference::create(&*context::current()?)?;
    pTexRef.set(CUtexref(reference.handle))
}

/// Destroys a texture reference (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefDestroy(hTexRef: CUtexref) -> Result<()> {
    REFERENCES.remove(hTexRef.0).map(drop).ok_or(Error::INVALID_HANDLE)
}

/// Creates a texture object over an array or linear memory.
///
/// Memory has to be aligned and of a plain format, but need not exist. A view is for arrays; its elements have the size of
/// the array's, or are compressed blocks in place of two or four 32-bit integers. Address modes are checked for the
/// dimensions that the resource has.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`.
#[entry(since = 5000)]
pub fn cuTexObjectCreate(
    pTexObject: Out<CUtexObject>,
    pResDesc: In<CUDA_RESOURCE_DESC>,
    pTexDesc: In<CUDA_TEXTURE_DESC>,
    pResViewDesc: In<CUDA_RESOURCE_VIEW_DESC>,
) -> Result<()> {
    capture::check_call()?;
    pTexObject.check()?;
    let (resource, texture) = (resource(&pResDesc.get()?)?, pTexDesc.get()?);
    let view = if pResViewDesc.is_null() { None } else { Some(view(&pResViewDesc.get()?)?) };
    if view.as_ref().is_some_and(|v| v.format == 0) {
        // The only refusal that writes the result.
        pTexObject.set(0)?;
        return Err(Error::INVALID_VALUE);
    }
    let texture = Texture::create(&*context::current()?, resource, sampling(&texture)?, view)?;
    pTexObject.set(texture.handle as CUtexObject)
}

/// Destroys a texture object. Kernels that were launched before still read through it.
///
/// An unknown object is no error.
#[entry(since = 5000)]
pub fn cuTexObjectDestroy(texObject: CUtexObject) -> Result<()> {
    capture::check_call()?;
    Texture::destroy(texObject as usize);
    Ok(())
}

/// Reads the resource of a texture object.
///
/// Only what the type of the resource has is written. Pitched memory without rows has become linear.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`, also for an unknown object.
#[entry(since = 5000)]
pub fn cuTexObjectGetResourceDesc(pResDesc: Out<CUDA_RESOURCE_DESC>, texObject: CUtexObject) -> Result<()> {
    let texture = Texture::find(texObject as usize)?;
    set_resource(pResDesc, &texture.resource)
}

/// Reads the sampling parameters of a texture object.
///
/// The border colour is not written, as with the real driver.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`, also for an unknown object.
#[entry(since = 5000)]
pub fn cuTexObjectGetTextureDesc(pTexDesc: Out<CUDA_TEXTURE_DESC>, texObject: CUtexObject) -> Result<()> {
    let texture = Texture::find(texObject as usize)?;
    let s = &texture.sampling;
    let desc = CUDA_TEXTURE_DESC {
        addressMode: s.address_modes.map(CUaddress_mode),
        filterMode: CUfilter_mode(s.filter),
        flags: s.flags,
        maxAnisotropy: s.anisotropy,
        mipmapFilterMode: CUfilter_mode(s.level_filter),
        mipmapLevelBias: s.level_bias,
        minMipmapLevelClamp: s.level_clamp[0],
        maxMipmapLevelClamp: s.level_clamp[1],
        ..Default::default()
    };
    pTexDesc.set_prefix(desc, offset_of!(CUDA_TEXTURE_DESC, borderColor))
}

/// Reads the resource view of a texture object.
///
/// Succeeds and writes nothing for an object without a view.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE`, also for an unknown object.
#[entry(since = 5000)]
pub fn cuTexObjectGetResourceViewDesc(
    pResViewDesc: Out<CUDA_RESOURCE_VIEW_DESC>,
    texObject: CUtexObject,
) -> Result<()> {
    let texture = Texture::find(texObject as usize)?;
    pResViewDesc.check()?;
    let Some(view) = &texture.view else {
        return Ok(());
    };
    let ([width, height, depth], [first_level, last_level], [first, last]) = (view.extent, view.levels, view.layers);
    pResViewDesc.set_zeroed(|desc| {
        desc.format = CUresourceViewFormat(view.format);
        (desc.width, desc.height, desc.depth) = (width, height, depth);
        (desc.firstMipmapLevel, desc.lastMipmapLevel) = (first_level, last_level);
        (desc.firstLayer, desc.lastLayer) = (first, last);
    })
}
