//! Texture Reference Management (deprecated) and Texture Object Management.

#![allow(non_snake_case)]

use super::convert::resource::{resource, set_resource};
use super::ptr::{In, InMut, Out};
use super::types::{
    CU_TRSA_OVERRIDE_FORMAT, CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY_DESCRIPTOR_v1, CUDA_RESOURCE_DESC,
    CUDA_RESOURCE_VIEW_DESC, CUDA_TEXTURE_DESC, CUaddress_mode, CUarray, CUarray_format, CUdeviceptr, CUdeviceptr_v1,
    CUfilter_mode, CUmipmappedArray, CUresourceViewFormat, CUtexObject, CUtexref,
};
use api_macro::entry;
use core::ffi::{c_int, c_uint};
use core::mem::offset_of;
use device::array::reference::{Binding, REFERENCES, ReferenceState, TextureReference};
use device::array::texture::{Sampling, Texture, View};
use device::stream::{capture, context};
use device::{Device, device};
use error::{Error, Result, refuse, refuse_if};

fn sampling(desc: &CUDA_TEXTURE_DESC) -> Result<Sampling> {
    refuse_if!(Error::INVALID_VALUE, desc.reserved.iter().any(|&n| n != 0), "pTexDesc: reserved is not 0");
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
    refuse_if!(Error::INVALID_VALUE, desc.reserved.iter().any(|&n| n != 0), "pResViewDesc: reserved is not 0");
    Ok(View {
        format: desc.format.0,
        extent: [desc.width, desc.height, desc.depth],
        levels: [desc.firstMipmapLevel, desc.lastMipmapLevel],
        layers: [desc.firstLayer, desc.lastLayer],
    })
}

/// The settings of a texture reference.
fn state(reference: CUtexref) -> Result<ReferenceState> {
    Ok(TextureReference::find(reference.0)?.state.lock().clone())
}

/// Binds an array to a texture reference (deprecated).
///
/// The reference takes the array's format over.
///
/// - `hTexRef`: the reference.
/// - `hArray`: the array.
/// - `Flags`: 0 or `CU_TRSA_OVERRIDE_FORMAT`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a flag is unknown; `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference or
/// `hArray` no array.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefSetArray(hTexRef: CUtexref, hArray: CUarray, Flags: c_uint) -> Result<()> {
    refuse_if!(
        Error::INVALID_VALUE,
        Flags & !CU_TRSA_OVERRIDE_FORMAT != 0,
        "Flags {:#x} has bits other than CU_TRSA_OVERRIDE_FORMAT",
        Flags
    );
    TextureReference::find(hTexRef.0)?.bind_array(hArray.0)
}

/// Binds a mipmapped array to a texture reference (deprecated).
///
/// The reference takes the array's format over.
///
/// - `hTexRef`: the reference.
/// - `hMipmappedArray`: the array.
/// - `Flags`: 0 or `CU_TRSA_OVERRIDE_FORMAT`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a flag is unknown; `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference or
/// `hMipmappedArray` no array.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 5000, needs = init)]
pub fn cuTexRefSetMipmappedArray(hTexRef: CUtexref, hMipmappedArray: CUmipmappedArray, Flags: c_uint) -> Result<()> {
    refuse_if!(
        Error::INVALID_VALUE,
        Flags & !CU_TRSA_OVERRIDE_FORMAT != 0,
        "Flags {:#x} has bits other than CU_TRSA_OVERRIDE_FORMAT",
        Flags
    );
    TextureReference::find(hTexRef.0)?.bind_mipmapped(hMipmappedArray.0)
}

/// Binds linear memory to a texture reference (deprecated).
///
/// Textures begin at multiples of the device's texture alignment: the nearest one below `dptr` is bound. Address and
/// size are not checked further.
///
/// - `ByteOffset`: receives the bytes from there to `dptr`; may be NULL if there are none.
/// - `hTexRef`: the reference.
/// - `dptr`: first byte, NULL to bind nothing.
/// - `bytes`: size in bytes.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference; `CUDA_ERROR_INVALID_VALUE` without `ByteOffset` if
/// the distance is not 0.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 3020, needs = init)]
pub fn cuTexRefSetAddress_v2(ByteOffset: Out<usize>, hTexRef: CUtexref, dptr: CUdeviceptr, bytes: usize) -> Result<()> {
    let reference = TextureReference::find(hTexRef.0)?;
    let device = reference_device()?;
    let offset = reference.bind_address(device, dptr as usize, bytes, !ByteOffset.is_null())?;
    ByteOffset.set_opt(offset)
}

/// First-generation [`cuTexRefSetAddress_v2`]: addresses and sizes have 32 bits.
///
/// - `ByteOffset`: receives the bytes from there to `dptr`; may be NULL if there are none.
/// - `hTexRef`: the reference.
/// - `dptr`: first byte, NULL to bind nothing.
/// - `bytes`: size in bytes.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, needs = init, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuTexRefSetAddress(
    ByteOffset: Out<c_uint>,
    hTexRef: CUtexref,
    dptr: CUdeviceptr_v1,
    bytes: c_uint,
) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Binds pitched memory to a texture reference (deprecated).
///
/// - `hTexRef`: the reference.
/// - `desc`: width and height in elements, format and components (1, 2 or 4).
/// - `dptr`: first byte, a multiple of the device's texture alignment; NULL to bind nothing.
/// - `Pitch`: bytes from row to row; not checked.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `desc` is NULL, if the number of components is any other, or if the address is
/// not aligned; `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 4010, needs = init)]
pub fn cuTexRefSetAddress2D_v3(
    hTexRef: CUtexref,
    desc: In<CUDA_ARRAY_DESCRIPTOR>,
    dptr: CUdeviceptr,
    Pitch: usize,
) -> Result<()> {
    bind_rows(hTexRef, desc, dptr, Pitch)
}

/// Binds pitched memory to a texture reference, in the form of before CUDA 4.1 (deprecated).
///
/// The same as [`cuTexRefSetAddress2D_v3`].
///
/// - `hTexRef`: the reference.
/// - `desc`: width and height in elements, format and components (1, 2 or 4).
/// - `dptr`: first byte, a multiple of the device's texture alignment; NULL to bind nothing.
/// - `Pitch`: bytes from row to row; not checked.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `desc` is NULL, if the number of components is any other, or if the address is
/// not aligned; `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference.
///
/// Manual: none, replaced in CUDA 4.1.
#[entry(since = 3020, needs = init)]
pub fn cuTexRefSetAddress2D_v2(
    hTexRef: CUtexref,
    desc: In<CUDA_ARRAY_DESCRIPTOR>,
    dptr: CUdeviceptr,
    Pitch: usize,
) -> Result<()> {
    bind_rows(hTexRef, desc, dptr, Pitch)
}

/// The device whose limits hold for references: the current context's, or the first one without a context.
fn reference_device() -> Result<&'static Device> {
    device(context::top_device().unwrap_or(0) as c_int).map(|d| &**d)
}

/// Binds pitched memory: the pitch is not checked.
fn bind_rows(reference: CUtexref, desc: In<CUDA_ARRAY_DESCRIPTOR>, address: CUdeviceptr, pitch: usize) -> Result<()> {
    let desc = desc.get()?;
    let reference = TextureReference::find(reference.0)?;
    let device = reference_device()?;
    reference.set_format(desc.Format.0, desc.NumChannels)?;
    reference.bind_rows(device, address as usize, [desc.Width, desc.Height], pitch)
}

/// First-generation [`cuTexRefSetAddress2D_v3`]: addresses and sizes have 32 bits.
///
/// - `hTexRef`: the reference.
/// - `desc`: width and height in elements, format and components (1, 2 or 4).
/// - `dptr`: first byte, a multiple of the device's texture alignment; NULL to bind nothing.
/// - `Pitch`: bytes from row to row; not checked.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2020, needs = init, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuTexRefSetAddress2D(
    hTexRef: CUtexref,
    desc: In<CUDA_ARRAY_DESCRIPTOR_v1>,
    dptr: CUdeviceptr_v1,
    Pitch: c_uint,
) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Sets format and number of components of a texture reference (deprecated).
///
/// - `hTexRef`: the reference.
/// - `fmt`: `CU_AD_FORMAT_*`; ignored.
/// - `NumPackedComponents`: 1, 2 or 4.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` for another number of components; `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no
/// reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefSetFormat(hTexRef: CUtexref, fmt: CUarray_format, NumPackedComponents: c_int) -> Result<()> {
    let channels = c_uint::try_from(NumPackedComponents)
        .map_err(|_| refuse!(Error::INVALID_VALUE, "NumPackedComponents {} is negative", NumPackedComponents))?;
    TextureReference::find(hTexRef.0)?.set_format(fmt.0, channels)
}

/// Sets what a texture reference reads outside of one dimension (deprecated).
///
/// - `hTexRef`: the reference.
/// - `dim`: the dimension, 0 to 2; any other does nothing.
/// - `am`: `CU_TR_ADDRESS_MODE_*`.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefSetAddressMode(hTexRef: CUtexref, dim: c_int, am: CUaddress_mode) -> Result<()> {
    let reference = TextureReference::find(hTexRef.0)?;
    let mut state = reference.state.lock();
    // A dimension that does not exist is ignored.
    if let Some(mode) = usize::try_from(dim).ok().and_then(|d| state.sampling.address_modes.get_mut(d)) {
        *mode = am.0;
    }
    Ok(())
}

/// Sets the filter of a texture reference (deprecated).
///
/// - `hTexRef`: the reference.
/// - `fm`: `CU_TR_FILTER_MODE_*`.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefSetFilterMode(hTexRef: CUtexref, fm: CUfilter_mode) -> Result<()> {
    let reference = TextureReference::find(hTexRef.0)?;
    reference.state.lock().sampling.filter = fm.0;
    Ok(())
}

/// Sets the filter between mip levels of a texture reference (deprecated).
///
/// - `hTexRef`: the reference.
/// - `fm`: `CU_TR_FILTER_MODE_*`.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 5000, needs = init)]
pub fn cuTexRefSetMipmapFilterMode(hTexRef: CUtexref, fm: CUfilter_mode) -> Result<()> {
    let reference = TextureReference::find(hTexRef.0)?;
    reference.state.lock().sampling.level_filter = fm.0;
    Ok(())
}

/// Sets the mip level bias of a texture reference (deprecated).
///
/// - `hTexRef`: the reference.
/// - `bias`: added to the level.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 5000, needs = init)]
pub fn cuTexRefSetMipmapLevelBias(hTexRef: CUtexref, bias: f32) -> Result<()> {
    let reference = TextureReference::find(hTexRef.0)?;
    reference.state.lock().sampling.level_bias = bias;
    Ok(())
}

/// Sets the range of mip levels of a texture reference (deprecated).
///
/// - `hTexRef`: the reference.
/// - `minMipmapLevelClamp`: lowest level.
/// - `maxMipmapLevelClamp`: highest level.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 5000, needs = init)]
pub fn cuTexRefSetMipmapLevelClamp(
    hTexRef: CUtexref,
    minMipmapLevelClamp: f32,
    maxMipmapLevelClamp: f32,
) -> Result<()> {
    let reference = TextureReference::find(hTexRef.0)?;
    reference.state.lock().sampling.level_clamp = [minMipmapLevelClamp, maxMipmapLevelClamp];
    Ok(())
}

/// Sets the anisotropy limit of a texture reference (deprecated).
///
/// - `hTexRef`: the reference.
/// - `maxAniso`: the largest ratio.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 5000, needs = init)]
pub fn cuTexRefSetMaxAnisotropy(hTexRef: CUtexref, maxAniso: c_uint) -> Result<()> {
    let reference = TextureReference::find(hTexRef.0)?;
    reference.state.lock().sampling.anisotropy = maxAniso;
    Ok(())
}

/// Sets the border colour of a texture reference (deprecated).
///
/// - `hTexRef`: the reference.
/// - `pBorderColor`: array of 4 components.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pBorderColor` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no
/// reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 8000, needs = init)]
pub fn cuTexRefSetBorderColor(hTexRef: CUtexref, pBorderColor: InMut<f32>) -> Result<()> {
    let color = pBorderColor.slice(4)?;
    let reference = TextureReference::find(hTexRef.0)?;
    reference.state.lock().sampling.border.copy_from_slice(&color);
    Ok(())
}

/// Sets the read flags of a texture reference (deprecated).
///
/// - `hTexRef`: the reference.
/// - `Flags`: `CU_TRSF_*` bits other than `CU_TRSF_SEAMLESS_CUBEMAP`.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a flag is unknown; `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefSetFlags(hTexRef: CUtexref, Flags: c_uint) -> Result<()> {
    TextureReference::find(hTexRef.0)?.set_flags(Flags)
}

/// Reads the address bound to a texture reference (deprecated).
///
/// - `pdptr`: receives the address; 0 if none is bound.
/// - `hTexRef`: the reference.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pdptr` is NULL or no address is bound; `CUDA_ERROR_INVALID_HANDLE` if
/// `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 3020, needs = init)]
pub fn cuTexRefGetAddress_v2(pdptr: Out<CUdeviceptr>, hTexRef: CUtexref) -> Result<()> {
    let binding = state(hTexRef)?.binding;
    let address = binding.address().unwrap_or(0);
    pdptr.set(address as CUdeviceptr)?;
    if address == 0 { Err(refuse!(Error::INVALID_VALUE, "hTexRef has no address")) } else { Ok(()) }
}

/// First-generation [`cuTexRefGetAddress_v2`]: addresses have 32 bits.
///
/// - `pdptr`: receives the address; 0 if none is bound.
/// - `hTexRef`: the reference.
///
/// Errors: `CUDA_ERROR_INVALID_CONTEXT` always: there is no memory with addresses of 32 bits.
///
/// Manual: none, first generation.
#[entry(since = 2000, needs = init, status = "refused: there are no contexts with 32-bit addresses, here or with driver 580")]
pub fn cuTexRefGetAddress(pdptr: Out<CUdeviceptr_v1>, hTexRef: CUtexref) -> Result<()> {
    Err(super::no_32_bit_context())
}

/// Reads the array bound to a texture reference (deprecated).
///
/// - `phArray`: receives the array.
/// - `hTexRef`: the reference.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phArray` is NULL or no array is bound; `CUDA_ERROR_INVALID_HANDLE` if
/// `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefGetArray(phArray: Out<CUarray>, hTexRef: CUtexref) -> Result<()> {
    match state(hTexRef)?.binding {
        Binding::Array(array) => phArray.set(CUarray(array.handle)),
        _ => Err(refuse!(Error::INVALID_VALUE, "hTexRef has no array")),
    }
}

/// Reads the mipmapped array bound to a texture reference (deprecated).
///
/// - `phMipmappedArray`: receives the array.
/// - `hTexRef`: the reference.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `phMipmappedArray` is NULL or no mipmapped array is bound;
/// `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 5000, needs = init)]
pub fn cuTexRefGetMipmappedArray(phMipmappedArray: Out<CUmipmappedArray>, hTexRef: CUtexref) -> Result<()> {
    match state(hTexRef)?.binding {
        Binding::Mipmapped(mipmapped) => phMipmappedArray.set(CUmipmappedArray(mipmapped.handle)),
        _ => Err(refuse!(Error::INVALID_VALUE, "hTexRef has no mipmapped array")),
    }
}

/// Reads what a texture reference reads outside of one dimension (deprecated).
///
/// - `pam`: receives `CU_TR_ADDRESS_MODE_*`.
/// - `hTexRef`: the reference.
/// - `dim`: the dimension, 0 to 2.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pam` is NULL or for another dimension; `CUDA_ERROR_INVALID_HANDLE` if
/// `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefGetAddressMode(pam: Out<CUaddress_mode>, hTexRef: CUtexref, dim: c_int) -> Result<()> {
    let modes = state(hTexRef)?.sampling.address_modes;
    let mode = usize::try_from(dim)
        .ok()
        .and_then(|d| modes.get(d))
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "dim {} is not 0, 1 or 2", dim))?;
    pam.set(CUaddress_mode(*mode))
}

/// Reads the filter of a texture reference (deprecated).
///
/// - `pfm`: receives `CU_TR_FILTER_MODE_*`.
/// - `hTexRef`: the reference.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pfm` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefGetFilterMode(pfm: Out<CUfilter_mode>, hTexRef: CUtexref) -> Result<()> {
    pfm.set(CUfilter_mode(state(hTexRef)?.sampling.filter))
}

/// Reads format and number of components of a texture reference (deprecated).
///
/// - `pFormat`: receives `CU_AD_FORMAT_*`; may be NULL.
/// - `pNumChannels`: receives the number of components; may be NULL.
/// - `hTexRef`: the reference.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefGetFormat(pFormat: Out<CUarray_format>, pNumChannels: Out<c_int>, hTexRef: CUtexref) -> Result<()> {
    let state = state(hTexRef)?;
    pFormat.set_opt(CUarray_format(state.format))?;
    pNumChannels.set_opt(state.channels as c_int)
}

/// Reads the filter between mip levels of a texture reference (deprecated).
///
/// - `pfm`: receives `CU_TR_FILTER_MODE_*`.
/// - `hTexRef`: the reference.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pfm` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 5000, needs = init)]
pub fn cuTexRefGetMipmapFilterMode(pfm: Out<CUfilter_mode>, hTexRef: CUtexref) -> Result<()> {
    pfm.set(CUfilter_mode(state(hTexRef)?.sampling.level_filter))
}

/// Reads the mip level bias of a texture reference (deprecated).
///
/// - `pbias`: receives what is added to the level.
/// - `hTexRef`: the reference.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pbias` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 5000, needs = init)]
pub fn cuTexRefGetMipmapLevelBias(pbias: Out<f32>, hTexRef: CUtexref) -> Result<()> {
    pbias.set(state(hTexRef)?.sampling.level_bias)
}

/// Reads the range of mip levels of a texture reference (deprecated).
///
/// - `pminMipmapLevelClamp`: receives the lowest level.
/// - `pmaxMipmapLevelClamp`: receives the highest level.
/// - `hTexRef`: the reference.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if a result is NULL; `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
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
///
/// - `pmaxAniso`: receives the largest ratio.
/// - `hTexRef`: the reference.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pmaxAniso` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 5000, needs = init)]
pub fn cuTexRefGetMaxAnisotropy(pmaxAniso: Out<c_int>, hTexRef: CUtexref) -> Result<()> {
    pmaxAniso.set(state(hTexRef)?.sampling.anisotropy as c_int)
}

/// Reads the border colour of a texture reference (deprecated).
///
/// - `pBorderColor`: receives 4 components.
/// - `hTexRef`: the reference.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pBorderColor` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no
/// reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 8000, needs = init)]
pub fn cuTexRefGetBorderColor(pBorderColor: Out<f32>, hTexRef: CUtexref) -> Result<()> {
    let border = state(hTexRef)?.sampling.border;
    border.into_iter().enumerate().try_for_each(|(i, color)| pBorderColor.set_at(i, color))
}

/// Reads the read flags of a texture reference (deprecated).
///
/// - `pFlags`: receives `CU_TRSF_*` bits.
/// - `hTexRef`: the reference.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pFlags` is NULL; `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefGetFlags(pFlags: Out<c_uint>, hTexRef: CUtexref) -> Result<()> {
    pFlags.set(state(hTexRef)?.sampling.flags)
}

/// Creates a texture reference that belongs to no module (deprecated).
///
/// It reads single 32-bit floats, takes the nearest element, clamps coordinates, and is bound to nothing.
///
/// - `pTexRef`: receives the reference.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pTexRef` is NULL.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 2000)]
pub fn cuTexRefCreate(pTexRef: Out<CUtexref>) -> Result<()> {
    pTexRef.check()?;
    let reference = TextureReference::create(&*context::current()?)?;
    pTexRef.set(CUtexref(reference.handle))
}

/// Destroys a texture reference (deprecated).
///
/// - `hTexRef`: the reference.
///
/// Errors: `CUDA_ERROR_INVALID_HANDLE` if `hTexRef` is no reference.
///
/// Manual: Texture Reference Management (deprecated).
#[entry(since = 2000, needs = init)]
pub fn cuTexRefDestroy(hTexRef: CUtexref) -> Result<()> {
    REFERENCES.remove(hTexRef.0).map(drop).ok_or_else(|| REFERENCES.stale(Error::INVALID_HANDLE, hTexRef.0))
}

/// Creates a texture object over an array or linear memory.
///
/// Memory has to be aligned and of a plain format, but need not exist. Address modes are checked for the dimensions
/// that the resource has.
///
/// - `pTexObject`: receives the object; on failure 0 if the view is refused because it has no format, otherwise
///   untouched.
/// - `pResDesc`: the resource: an array, a mipmapped array, linear memory (size in bytes) or pitched memory (pitch in
///   bytes).
/// - `pTexDesc`: how to sample: address modes, filters, `CU_TRSF_*` flags, mip levels, border colour.
/// - `pResViewDesc`: a view of an array in another format, whose elements have the size of the array's, or are
///   compressed blocks in place of two or four 32-bit integers; may be NULL.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if another pointer is NULL, if flags or reserved bytes are not 0, if the resource
/// does not exist, is not aligned or is too large, if a mode, filter, flag or format is unknown, or if the view does
/// not suit the array; `CUDA_ERROR_PEER_ACCESS_NOT_ENABLED` for an array of another context;
/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Texture Object Management.
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
        // The only error that writes the result.
        pTexObject.set(0)?;
        return Err(refuse!(Error::INVALID_VALUE, "pResViewDesc: format is 0"));
    }
    let texture = Texture::create(&*context::current()?, resource, sampling(&texture)?, view)?;
    pTexObject.set(texture.handle as CUtexObject)
}

/// Destroys a texture object.
///
/// Kernels that were launched before still read through it.
///
/// - `texObject`: the object; anything else does nothing.
///
/// Errors: `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED` while a capture forbids the call.
///
/// Manual: Texture Object Management.
#[entry(since = 5000)]
pub fn cuTexObjectDestroy(texObject: CUtexObject) -> Result<()> {
    capture::check_call()?;
    Texture::destroy(texObject as usize);
    Ok(())
}

/// Reads the resource of a texture object.
///
/// Pitched memory with a height of 0 is reported as linear memory.
///
/// - `pResDesc`: receives type, members of that type and flags; the rest stays untouched.
/// - `texObject`: the object.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pResDesc` is NULL or `texObject` is no object of the current context.
///
/// Manual: Texture Object Management.
#[entry(since = 5000)]
pub fn cuTexObjectGetResourceDesc(pResDesc: Out<CUDA_RESOURCE_DESC>, texObject: CUtexObject) -> Result<()> {
    let texture = Texture::find(texObject as usize)?;
    set_resource(pResDesc, &texture.resource)
}

/// Reads the sampling parameters of a texture object.
///
/// - `pTexDesc`: receives the parameters, but not the border colour, as with the real driver.
/// - `texObject`: the object.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pTexDesc` is NULL or `texObject` is no object of the current context.
///
/// Manual: Texture Object Management.
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
/// - `pResViewDesc`: receives the view; stays untouched if the object has none.
/// - `texObject`: the object.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `pResViewDesc` is NULL or `texObject` is no object of the current context.
///
/// Manual: Texture Object Management.
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
