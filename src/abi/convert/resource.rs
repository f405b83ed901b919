//! What textures and surfaces read.

use crate::abi::ptr::Out;
use crate::abi::types::{
    CU_RESOURCE_TYPE_ARRAY, CU_RESOURCE_TYPE_LINEAR, CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, CU_RESOURCE_TYPE_PITCH2D,
    CUDA_RESOURCE_DESC, CUDA_RESOURCE_DESC_v1_res_array, CUDA_RESOURCE_DESC_v1_res_linear,
    CUDA_RESOURCE_DESC_v1_res_mipmap, CUDA_RESOURCE_DESC_v1_res_pitch2D, CUarray, CUarray_format, CUdeviceptr,
    CUmipmappedArray, CUresourcetype,
};
use core::ffi::c_uint;
use core::mem::offset_of;
use device::array::texture::Resource;
use device::array::{Array, MipmappedArray};
use error::{Error, Result, refuse, refuse_if};

/// What a texture or surface reads, from its description.
pub fn resource(desc: &CUDA_RESOURCE_DESC) -> Result<Resource> {
    refuse_if!(Error::INVALID_VALUE, desc.flags != 0, "pResDesc: flags {:#x} is not 0", desc.flags);
    // SAFETY: the members of the union are numbers only; the type says which of them are meant.
    let (array, mipmap, linear, pitch) =
        unsafe { (desc.res.array, desc.res.mipmap, desc.res.linear, desc.res.pitch2D) };
    match desc.resType {
        CU_RESOURCE_TYPE_ARRAY => Array::find(array.hArray.0)
            .map(Resource::Array)
            .map_err(|error| error.of("hArray").with_code(Error::INVALID_VALUE)),
        CU_RESOURCE_TYPE_MIPMAPPED_ARRAY => MipmappedArray::find(mipmap.hMipmappedArray.0)
            .map(Resource::Mipmapped)
            .map_err(|error| error.of("hMipmappedArray").with_code(Error::INVALID_VALUE)),
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
        _ => Err(refuse!(Error::INVALID_VALUE, "pResDesc: resType {:?} is not a CUresourcetype", desc.resType)),
    }
}

/// Writes the description of a resource: its type, the members that the type has, the flags.
pub fn set_resource(out: Out<CUDA_RESOURCE_DESC>, resource: &Resource) -> Result<()> {
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
