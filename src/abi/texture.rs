//! Texture Reference Management (deprecated) and Texture Object Management.

#![allow(non_snake_case)]

use super::ptr::{In, InMut, Out};
use super::types::{
    CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY_DESCRIPTOR_v1, CUDA_RESOURCE_DESC, CUDA_RESOURCE_VIEW_DESC, CUDA_TEXTURE_DESC,
    CUaddress_mode, CUarray, CUarray_format, CUdeviceptr, CUdeviceptr_v1, CUfilter_mode, CUmipmappedArray, CUtexObject,
    CUtexref,
};
use crate::error::Result;
use api_macro::entry;
use core::ffi::{c_int, c_uint};

/// Binds an array to a texture reference (deprecated).
#[entry(since = 2000)]
pub fn cuTexRefSetArray(hTexRef: CUtexref, hArray: CUarray, Flags: c_uint) -> Result<()>;

/// Binds a mipmapped array to a texture reference (deprecated).
#[entry(since = 5000)]
pub fn cuTexRefSetMipmappedArray(hTexRef: CUtexref, hMipmappedArray: CUmipmappedArray, Flags: c_uint) -> Result<()>;

/// Binds linear memory to a texture reference (deprecated).
#[entry(since = 3020)]
pub fn cuTexRefSetAddress_v2(ByteOffset: Out<usize>, hTexRef: CUtexref, dptr: CUdeviceptr, bytes: usize) -> Result<()>;

/// First-generation [`cuTexRefSetAddress_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuTexRefSetAddress(
    ByteOffset: Out<c_uint>,
    hTexRef: CUtexref,
    dptr: CUdeviceptr_v1,
    bytes: c_uint,
) -> Result<()>;

/// Binds pitched memory to a texture reference (deprecated).
#[entry(since = 4010)]
pub fn cuTexRefSetAddress2D_v3(
    hTexRef: CUtexref,
    desc: In<CUDA_ARRAY_DESCRIPTOR>,
    dptr: CUdeviceptr,
    Pitch: usize,
) -> Result<()>;

/// Binds pitched memory to a texture reference, with the rules of before CUDA 4.1 (deprecated).
#[entry(since = 3020)]
pub fn cuTexRefSetAddress2D_v2(
    hTexRef: CUtexref,
    desc: In<CUDA_ARRAY_DESCRIPTOR>,
    dptr: CUdeviceptr,
    Pitch: usize,
) -> Result<()>;

/// First-generation [`cuTexRefSetAddress2D_v3`]: addresses and sizes have 32 bits.
#[entry(since = 2020)]
pub fn cuTexRefSetAddress2D(
    hTexRef: CUtexref,
    desc: In<CUDA_ARRAY_DESCRIPTOR_v1>,
    dptr: CUdeviceptr_v1,
    Pitch: c_uint,
) -> Result<()>;

/// Sets element format and components of a texture reference (deprecated).
#[entry(since = 2000)]
pub fn cuTexRefSetFormat(hTexRef: CUtexref, fmt: CUarray_format, NumPackedComponents: c_int) -> Result<()>;

/// Sets what happens outside one dimension of a texture reference (deprecated).
#[entry(since = 2000)]
pub fn cuTexRefSetAddressMode(hTexRef: CUtexref, dim: c_int, am: CUaddress_mode) -> Result<()>;

/// Sets the filter of a texture reference (deprecated).
#[entry(since = 2000)]
pub fn cuTexRefSetFilterMode(hTexRef: CUtexref, fm: CUfilter_mode) -> Result<()>;

/// Sets the filter between mip levels of a texture reference (deprecated).
#[entry(since = 5000)]
pub fn cuTexRefSetMipmapFilterMode(hTexRef: CUtexref, fm: CUfilter_mode) -> Result<()>;

/// Sets the mip level bias of a texture reference (deprecated).
#[entry(since = 5000)]
pub fn cuTexRefSetMipmapLevelBias(hTexRef: CUtexref, bias: f32) -> Result<()>;

/// Sets the range of mip levels of a texture reference (deprecated).
#[entry(since = 5000)]
pub fn cuTexRefSetMipmapLevelClamp(hTexRef: CUtexref, minMipmapLevelClamp: f32, maxMipmapLevelClamp: f32)
-> Result<()>;

/// Sets the anisotropy limit of a texture reference (deprecated).
#[entry(since = 5000)]
pub fn cuTexRefSetMaxAnisotropy(hTexRef: CUtexref, maxAniso: c_uint) -> Result<()>;

/// Sets the border colour of a texture reference (deprecated).
#[entry(since = 8000)]
pub fn cuTexRefSetBorderColor(hTexRef: CUtexref, pBorderColor: InMut<f32>) -> Result<()>;

/// Sets the read flags of a texture reference (deprecated).
#[entry(since = 2000)]
pub fn cuTexRefSetFlags(hTexRef: CUtexref, Flags: c_uint) -> Result<()>;

/// Reads the address bound to a texture reference (deprecated).
#[entry(since = 3020)]
pub fn cuTexRefGetAddress_v2(pdptr: Out<CUdeviceptr>, hTexRef: CUtexref) -> Result<()>;

/// First-generation [`cuTexRefGetAddress_v2`]: addresses and sizes have 32 bits.
#[entry(since = 2000)]
pub fn cuTexRefGetAddress(pdptr: Out<CUdeviceptr_v1>, hTexRef: CUtexref) -> Result<()>;

/// Reads the array bound to a texture reference (deprecated).
#[entry(since = 2000)]
pub fn cuTexRefGetArray(phArray: Out<CUarray>, hTexRef: CUtexref) -> Result<()>;

/// Reads the mipmapped array bound to a texture reference (deprecated).
#[entry(since = 5000)]
pub fn cuTexRefGetMipmappedArray(phMipmappedArray: Out<CUmipmappedArray>, hTexRef: CUtexref) -> Result<()>;

/// Reads what happens outside one dimension of a texture reference (deprecated).
#[entry(since = 2000)]
pub fn cuTexRefGetAddressMode(pam: Out<CUaddress_mode>, hTexRef: CUtexref, dim: c_int) -> Result<()>;

/// Reads the filter of a texture reference (deprecated).
#[entry(since = 2000)]
pub fn cuTexRefGetFilterMode(pfm: Out<CUfilter_mode>, hTexRef: CUtexref) -> Result<()>;

/// Reads element format and components of a texture reference (deprecated).
#[entry(since = 2000)]
pub fn cuTexRefGetFormat(pFormat: Out<CUarray_format>, pNumChannels: Out<c_int>, hTexRef: CUtexref) -> Result<()>;

/// Reads the filter between mip levels of a texture reference (deprecated).
#[entry(since = 5000)]
pub fn cuTexRefGetMipmapFilterMode(pfm: Out<CUfilter_mode>, hTexRef: CUtexref) -> Result<()>;

/// Reads the mip level bias of a texture reference (deprecated).
#[entry(since = 5000)]
pub fn cuTexRefGetMipmapLevelBias(pbias: Out<f32>, hTexRef: CUtexref) -> Result<()>;

/// Reads the range of mip levels of a texture reference (deprecated).
#[entry(since = 5000)]
pub fn cuTexRefGetMipmapLevelClamp(
    pminMipmapLevelClamp: Out<f32>,
    pmaxMipmapLevelClamp: Out<f32>,
    hTexRef: CUtexref,
) -> Result<()>;

/// Reads the anisotropy limit of a texture reference (deprecated).
#[entry(since = 5000)]
pub fn cuTexRefGetMaxAnisotropy(pmaxAniso: Out<c_int>, hTexRef: CUtexref) -> Result<()>;

/// Reads the border colour of a texture reference (deprecated).
#[entry(since = 8000)]
pub fn cuTexRefGetBorderColor(pBorderColor: Out<f32>, hTexRef: CUtexref) -> Result<()>;

/// Reads the read flags of a texture reference (deprecated).
#[entry(since = 2000)]
pub fn cuTexRefGetFlags(pFlags: Out<c_uint>, hTexRef: CUtexref) -> Result<()>;

/// Creates a texture reference that belongs to no module (deprecated).
#[entry(since = 2000)]
pub fn cuTexRefCreate(pTexRef: Out<CUtexref>) -> Result<()>;

/// Destroys a texture reference (deprecated).
#[entry(since = 2000)]
pub fn cuTexRefDestroy(hTexRef: CUtexref) -> Result<()>;

/// Creates a texture object over an array or linear memory.
#[entry(since = 5000)]
pub fn cuTexObjectCreate(
    pTexObject: Out<CUtexObject>,
    pResDesc: In<CUDA_RESOURCE_DESC>,
    pTexDesc: In<CUDA_TEXTURE_DESC>,
    pResViewDesc: In<CUDA_RESOURCE_VIEW_DESC>,
) -> Result<()>;

/// Destroys a texture object.
#[entry(since = 5000)]
pub fn cuTexObjectDestroy(texObject: CUtexObject) -> Result<()>;

/// Reads the resource of a texture object.
#[entry(since = 5000)]
pub fn cuTexObjectGetResourceDesc(pResDesc: Out<CUDA_RESOURCE_DESC>, texObject: CUtexObject) -> Result<()>;

/// Reads the sampling parameters of a texture object.
#[entry(since = 5000)]
pub fn cuTexObjectGetTextureDesc(pTexDesc: Out<CUDA_TEXTURE_DESC>, texObject: CUtexObject) -> Result<()>;

/// Reads the resource view of a texture object.
#[entry(since = 5000)]
pub fn cuTexObjectGetResourceViewDesc(pResViewDesc: Out<CUDA_RESOURCE_VIEW_DESC>, texObject: CUtexObject)
-> Result<()>;
