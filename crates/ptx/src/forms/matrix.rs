//! Forms of matrix, texture and surface instructions.

/// Matrix products.
pub const MATRIX: &str = "
ldmatrix : sync aligned m8n8 x1|x2|x4 trans? shared|shared::cta? b16 : * @75 6.5
ldmatrix : sync aligned m16n16 x1|x2 trans shared|shared::cta? b8 : * @100f,110f,120f 8.6
ldmatrix : sync aligned m16n16 x1|x2 trans shared|shared::cta? b8x16 b6x16_p32|b4x16_p64 : * @100f,110f,120f 8.6
ldmatrix : sync aligned m8n16 x1|x2|x4 shared|shared::cta? b8x16 b6x16_p32|b4x16_p64 : * @100f,110f,120f 8.6
stmatrix : sync aligned m8n8 x1|x2|x4 trans? shared|shared::cta? b16 : * @90 7.8
stmatrix : sync aligned m16n8 x1|x2|x4 trans shared|shared::cta? b8 : * @100f,110f,120f 8.6
movmatrix : sync aligned m8n8 trans b16 : * @75 7.8
wmma : load a|b sync aligned row|col m16n16k16|m8n32k16|m32n8k16 $wmma_space? f16 : * @70 6.0
wmma : load a|b sync aligned row|col m16n16k16|m8n32k16|m32n8k16 $wmma_space? u8|s8 : * @72 6.3
wmma : load a|b sync aligned row|col m16n16k16|m8n32k16|m32n8k16 $wmma_space? bf16 : * @80 7.0
wmma : load a|b sync aligned row|col m16n16k8 $wmma_space? tf32 : * @80 7.0
wmma : load a|b sync aligned row|col m8n8k4 $wmma_space? f64 : * @80 7.0
wmma : load a sync aligned row m8n8k32 $wmma_space? u4|s4 : * @75 6.3
wmma : load b sync aligned col m8n8k32 $wmma_space? u4|s4 : * @75 6.3
wmma : load a sync aligned row m8n8k128 $wmma_space? b1 : * @75 6.3
wmma : load b sync aligned col m8n8k128 $wmma_space? b1 : * @75 6.3
wmma : load c sync aligned row|col m16n16k16|m8n32k16|m32n8k16 $wmma_space? f16|f32 : * @70 6.0
wmma : load c sync aligned row|col m16n16k16|m8n32k16|m32n8k16 $wmma_space? s32 : * @72 6.3
wmma : load c sync aligned row|col m16n16k8 $wmma_space? f32 : * @80 7.0
wmma : load c sync aligned row|col m8n8k32|m8n8k128 $wmma_space? f32|s32 : * @75 6.3
wmma : load c sync aligned row|col m8n8k4 $wmma_space? f64 : * @80 7.0
wmma : store d sync aligned row|col m16n16k16|m8n32k16|m32n8k16 $wmma_space? f16|f32 : * @70 6.0
wmma : store d sync aligned row|col m16n16k16|m8n32k16|m32n8k16 $wmma_space? s32 : * @72 6.3
wmma : store d sync aligned row|col m16n16k8 $wmma_space? f32 : * @80 7.0
wmma : store d sync aligned row|col m8n8k32|m8n8k128 $wmma_space? f32|s32 : * @75 6.3
wmma : store d sync aligned row|col m8n8k4 $wmma_space? f64 : * @80 7.0
wmma : mma sync aligned row|col row|col m16n16k16|m8n32k16|m32n8k16 f16|f32 f16|f32 satfinite? : * @70 6.0
wmma : mma sync aligned row|col row|col m16n16k16|m8n32k16|m32n8k16 f32 bf16 bf16 f32 : * @80 7.0
wmma : mma sync aligned row|col row|col m16n16k8 f32 tf32 tf32 f32 : * @80 7.0
wmma : mma sync aligned row|col row|col m8n8k4|m16n16k8|m16n16k16 $rnd? f64 f64 f64 f64 : * @80 7.0
wmma : mma sync aligned row|col row|col m16n16k16|m8n32k16|m32n8k16 s32 u8 u8 s32 satfinite? : * @72 6.3
wmma : mma sync aligned row|col row|col m16n16k16|m8n32k16|m32n8k16 s32 s8 s8 s32 satfinite? : * @72 6.3
wmma : mma sync aligned row col m8n8k32 s32 u4 u4 s32 satfinite? : * @75 6.3
wmma : mma sync aligned row col m8n8k32 s32 s4 s4 s32 satfinite? : * @75 6.3
wmma : mma xor|and popc sync aligned row col m8n8k128 s32 b1 b1 s32 : * @75 6.3
mma : sync aligned m8n8k4 row|col row|col f16 f16 f16 f16 : * @70 6.4
mma : sync aligned m8n8k4 row|col row|col f32 f16 f16 f16|f32 : * @70 6.4
mma : sync aligned m8n8k4 row col $rnd? f64 f64 f64 f64 : * @80 7.0
mma : sync aligned m16n8k8|m16n8k16 row col f16 f16 f16 f16 : * @75 6.5
mma : sync aligned m16n8k8|m16n8k16 row col f32 f16 f16 f32 : * @75 6.5
mma : sync aligned m16n8k4|m16n8k8 row col f32 tf32 tf32 f32 : * @80 7.0
mma : sync aligned m16n8k8|m16n8k16 row col f32 bf16 bf16 f32 : * @80 7.0
mma : sync aligned m16n8k16|m16n8k32 row col f16 e4m3|e5m2 e4m3|e5m2 f16 : * @89 8.7
mma : sync aligned m16n8k16 row col f32 e4m3|e5m2 e4m3|e5m2 f32 : * @89 8.7
mma : sync aligned m16n8k32 row col f32 e4m3|e5m2 e4m3|e5m2 f32 : * @89 8.4
mma : sync aligned m16n8k4|m16n8k8|m16n8k16 row col $rnd? f64 f64 f64 f64 : * @90 7.8
mma : sync aligned m8n8k16|m16n8k16|m16n8k32 row col satfinite? s32 u8|s8 u8|s8 s32 : * @75 6.5
mma : sync aligned m8n8k32|m16n8k32|m16n8k64 row col satfinite? s32 u4|s4 u4|s4 s32 : * @75 6.5
mma : sync aligned m8n8k128|m16n8k128|m16n8k256 row col s32 b1 b1 s32 xor|and popc : * @75 7.0
mma : sync aligned m16n8k16|m16n8k32 row col kind::f8f6f4 f16 e4m3|e5m2 e4m3|e5m2 f16 : * @100f,110f,120f 8.7
mma : sync aligned m16n8k16|m16n8k32 row col kind::f8f6f4 f32 e4m3|e5m2 e4m3|e5m2 f32 : * @100f,110f,120f 8.6
mma : sync aligned m16n8k32 row col kind::f8f6f4 f16 $f8f6f4 $f8f6f4 f16 : * @120f 8.7
mma : sync aligned m16n8k32 row col kind::f8f6f4 f32 $f8f6f4 $f8f6f4 f32 : * @120f 8.7
mma : sync aligned m16n8k32 row col kind::mxf8f6f4 block_scale scale_vec::1X? f32 $f8f6f4 $f8f6f4 f32 ue8m0 : * @120f 8.7
mma : sync aligned m16n8k64 row col kind::mxf4 block_scale scale_vec::2X? f32 e2m1 e2m1 f32 ue8m0 : * @120f 8.7
mma : sync aligned m16n8k64 row col kind::mxf4nvf4 block_scale scale_vec::2X f32 e2m1 e2m1 f32 ue8m0 : * @120f 8.7
mma : sync aligned m16n8k64 row col kind::mxf4nvf4 block_scale scale_vec::4X f32 e2m1 e2m1 f32 ue8m0 : * @120f 9.1
mma : sync aligned m16n8k64 row col kind::mxf4nvf4 block_scale scale_vec::4X f32 e2m1 e2m1 f32 ue4m3 : * @120f 8.7
mma : sp sync aligned m16n8k16|m16n8k32 row col f16 f16 f16 f16 : * @80 7.1
mma : sp::ordered_metadata sync aligned m16n8k16|m16n8k32 row col f16 f16 f16 f16 : * @80 8.5
mma : sp sync aligned m16n8k16|m16n8k32 row col f32 f16 f16 f32 : * @80 7.1
mma : sp::ordered_metadata sync aligned m16n8k16|m16n8k32 row col f32 f16 f16 f32 : * @80 8.5
mma : sp sync aligned m16n8k16|m16n8k32 row col f32 bf16 bf16 f32 : * @80 7.1
mma : sp::ordered_metadata sync aligned m16n8k16|m16n8k32 row col f32 bf16 bf16 f32 : * @80 8.5
mma : sp sync aligned m16n8k8|m16n8k16 row col f32 tf32 tf32 f32 : * @80 7.1
mma : sp::ordered_metadata sync aligned m16n8k8|m16n8k16 row col f32 tf32 tf32 f32 : * @80 8.5
mma : sp sync aligned m16n8k32|m16n8k64 row col satfinite? s32 u8|s8 u8|s8 s32 : * @80 7.1
mma : sp::ordered_metadata sync aligned m16n8k32|m16n8k64 row col satfinite? s32 u8|s8 u8|s8 s32 : * @80 8.5
mma : sp sync aligned m16n8k64|m16n8k128 row col satfinite? s32 u4|s4 u4|s4 s32 : * @80 7.1
mma : sp::ordered_metadata sync aligned m16n8k64|m16n8k128 row col satfinite? s32 u4|s4 u4|s4 s32 : * @80 8.5
mma : sp sync aligned m16n8k64 row col f32 e4m3|e5m2 e4m3|e5m2 f32 : * @89 8.4
mma : sp::ordered_metadata sync aligned m16n8k64 row col f32 e4m3|e5m2 e4m3|e5m2 f32 : * @89 8.5
mma : sp::ordered_metadata sync aligned m16n8k64 row col f16 e4m3|e5m2 e4m3|e5m2 f16 : * @120f 8.7
mma : sp::ordered_metadata sync aligned m16n8k64 row col kind::f8f6f4 f32 e4m3|e5m2 e4m3|e5m2 f32 : * @100f,110f,120f 8.6
mma : sp::ordered_metadata sync aligned m16n8k64 row col kind::f8f6f4 f16 $f8f6f4 $f8f6f4 f16 : * @120f 8.7
mma : sp::ordered_metadata sync aligned m16n8k64 row col kind::f8f6f4 f32 $f8f6f4 $f8f6f4 f32 : * @120f 8.7
mma : sp::ordered_metadata sync aligned m16n8k64 row col kind::mxf8f6f4 block_scale scale_vec::1X? f32 $f8f6f4 $f8f6f4 f32 ue8m0 : * @120f 8.7
mma : sp::ordered_metadata sync aligned m16n8k128 row col kind::mxf4 block_scale scale_vec::2X? f32 e2m1 e2m1 f32 ue8m0 : * @120a,121a 8.7
mma : sp::ordered_metadata sync aligned m16n8k128 row col kind::mxf4nvf4 block_scale scale_vec::2X f32 e2m1 e2m1 f32 ue8m0 : * @120a,121a 8.7
mma : sp::ordered_metadata sync aligned m16n8k128 row col kind::mxf4nvf4 block_scale scale_vec::4X f32 e2m1 e2m1 f32 ue8m0 : * @120a,121a 9.1
mma : sp::ordered_metadata sync aligned m16n8k128 row col kind::mxf4nvf4 block_scale scale_vec::4X f32 e2m1 e2m1 f32 ue4m3 : * @120a,121a 8.7
wgmma : mma_async sp? sync aligned $wgmma_shape f16|f32 f16 f16 : * @90a 8.0
wgmma : mma_async sp? sync aligned $wgmma_shape f32 bf16 bf16 : * @90a 8.0
wgmma : mma_async sp? sync aligned $wgmma_shape f32 tf32 tf32 : * @90a 8.0
wgmma : mma_async sp? sync aligned $wgmma_shape f16|f32 e4m3|e5m2 e4m3|e5m2 : * @90a 8.0
wgmma : mma_async sp? sync aligned $wgmma_shape s32 s8|u8 s8|u8 satfinite? : * @90a 8.0
wgmma : mma_async sync aligned $wgmma_shape s32 b1 b1 and popc : * @90a 8.0
wgmma : fence|commit_group sync aligned : = @90a 8.0
wgmma : wait_group sync aligned : = imm @90a 8.0
tcgen05 : $any : * @100f,110f 8.6
";

/// Textures and surfaces.
pub const TEXTURE: &str = "
tex : base|level|grad? 1d|2d|3d|a1d|a2d v4 u32|s32|f16|f32 s32|f32 : *
tex : base|level|grad? 1d|2d|3d|a1d|a2d v2 f16x2 s32|f32 : *
tex : base|level|grad? cube|acube v4 u32|s32|f16|f32 f32 : *
tex : base|level|grad? cube|acube v2 f16x2 f32 : *
tex : base? 2dms|a2dms v4 u32|s32|f16|f32 s32 : *
tex : base? 2dms|a2dms v2 f16x2 s32 : *
tld4 : r|g|b|a 2d|a2d|cube|acube v4 u32|s32|f32 f32 : *
txq : width|height|depth|channel_data_type|channel_order|normalized_coords|array_size|num_mipmap_levels|num_samples|force_unnormalized_coords|filter_mode|addr_mode_0|addr_mode_1|addr_mode_2 b32 : b32 = []
txq : level width|height|depth b32 : b32 = [] any
suld : b 1d|2d|3d|a1d|a2d ca|cg|cs|cv? v2? b8|b16|b32|b64 trap|clamp|zero : *
suld : b 1d|2d|3d|a1d|a2d ca|cg|cs|cv? v4 b8|b16|b32 trap|clamp|zero : *
sust : b 1d|2d|3d|a1d|a2d wb|cg|cs|wt? v2? b8|b16|b32|b64 trap|clamp|zero : *
sust : b 1d|2d|3d|a1d|a2d wb|cg|cs|wt? v4 b8|b16|b32 trap|clamp|zero : *
sust : p 1d|2d|3d|a1d|a2d v2|v4? b32 trap|clamp|zero : *
sured : b add 1d|2d|3d u32|s32|u64 trap|clamp|zero : *
sured : b min|max 1d|2d|3d u32|s32|u64|s64 trap|clamp|zero : *
sured : b and|or 1d|2d|3d b32 trap|clamp|zero : *
sured : p add|and|or 1d|2d|3d b32 trap|clamp|zero : *
sured : p min|max 1d|2d|3d b32|b64 trap|clamp|zero : *
suq : width|height|depth|channel_data_type|channel_order|array_size|memory_layout b32 : b32 = []
";
