//! Forms of arithmetic, logic, comparisons and conversions.

/// Integers.
pub const INTEGER: &str = "
add sub : sat? u8x4|s8x4 : t = t t @120f 9.2
min max : u8x4|s8x4 : t = t t @120f 9.2
min max : relu s8x4 : t = t t @120f 9.2
neg : s8x4 : t = t @120f 9.2
add sub : $int : t = t t
add sub : sat s32 : t = t t
add : u16x2|s16x2 : t = t t @90 8.0
add : sat u32|u16x2|s16x2 : t = t t @120f 9.2
mul : hi|lo! $int : t = t t
mul : wide! u16|s16|u32|s32 : w = t t
mad : hi|lo! $int : t = t t t
mad : wide! u16|s16|u32|s32 : w = t t w
mad : hi! sat s32 : t = t t t
mul24 : hi|lo! u32|s32 : t = t t
mad24 : hi|lo! u32|s32 : t = t t t
mad24 : hi! sat s32 : t = t t t
sad : $int : t = t t t
div rem min max : $int : t = t t
abs neg : s16|s32|s64 : t = t
min max : u16x2|s16x2 : t = t t @90 8.0
min max : relu s32|s16x2 : t = t t @90 8.0
popc clz : b32|b64 : u32 = t
bfind : shiftamt? u32|s32|u64|s64 : u32 = t
fns : b32 : b32 = b32 b32 s32 @30 6.0
brev : b32|b64 : t = t
bfe : u32|s32|u64|s64 : t = t u32 u32
bfi : b32|b64 : t = t t u32 u32
szext : clamp|wrap u32|s32 : t = t u32 @70 7.6
bmsk : clamp|wrap b32 : u32 = u32 u32 @70 7.6
dp4a : u32|s32 u32|s32 : u32 = u32 u32 u32 @61 5.0
dp2a : lo|hi u32|s32 u32|s32 : u32 = u32 u32 u32 @61 5.0
";

/// Chains of additions.
pub const CARRY: &str = "
add sub : cc u32|s32|u64|s64 : t = t t
addc subc : cc? u32|s32|u64|s64 : t = t t
mad : hi|lo! cc u32|s32|u64|s64 : t = t t t
madc : hi|lo! cc? u32|s32|u64|s64 : t = t t t
";

/// Bits.
pub const LOGIC: &str = "
and or xor : pred : pred = p p
and or xor : b16|b32|b64 : t = t t
not : pred : pred = p
not cnot : b16|b32|b64 : t = t
lop3 : b32 : b32 = b32 b32 b32 imm
lop3 : or|and b32 : b32|pred = b32 b32 b32 imm p @70 8.2
shf : l|r clamp|wrap b32 : b32 = b32 b32 u32
shl : b16|b32|b64 : t = t u32
shr : b16|b32|b64|$int : t = t u32
prmt : b32 f4e|b4e|rc8|ecl|ecr|rc16? : b32 = b32 b32 b32
";

/// Comparisons and choices.
pub const COMPARISON: &str = "
setp : eq|ne b16|b32|b64 : pred|pred? = t t
setp : $compare_u u16|u32|u64 : pred|pred? = t t
setp : $compare_s s16|s32|s64 : pred|pred? = t t
setp : $compare_f ftz? f32 : pred|pred? = t t
setp : $compare_f f64 : pred|pred? = t t
setp : $compare_f ftz? f16 : pred = t t @53 4.2
setp : $compare_f bf16 : pred = t t @90 7.8
setp : $compare_f ftz? f16x2 : pred|pred? = t t @53 4.2
setp : $compare_f bf16x2 : pred|pred? = t t @90 7.8
setp : eq|ne $bool b16|b32|b64 : pred|pred? = t t p
setp : $compare_u $bool u16|u32|u64 : pred|pred? = t t p
setp : $compare_s $bool s16|s32|s64 : pred|pred? = t t p
setp : $compare_f $bool ftz? f32 : pred|pred? = t t p
setp : $compare_f $bool f64 : pred|pred? = t t p
setp : $compare_f $bool ftz? f16 : pred = t t p @53 4.2
setp : $compare_f $bool bf16 : pred = t t p @90 7.8
setp : $compare_f $bool ftz? f16x2 : pred|pred? = t t p @53 4.2
setp : $compare_f $bool bf16x2 : pred|pred? = t t p @90 7.8
set : eq|ne u32|s32|f32 b16|b32|b64 : t1 = t2 t2
set : $compare_u u32|s32|f32 u16|u32|u64 : t1 = t2 t2
set : $compare_s u32|s32|f32 s16|s32|s64 : t1 = t2 t2
set : $compare_f ftz? u32|s32|f32 f32 : t1 = t2 t2
set : $compare_f u32|s32|f32 f64 : t1 = t2 t2
set : eq|ne $bool u32|s32|f32 b16|b32|b64 : t1 = t2 t2 p
set : $compare_u $bool u32|s32|f32 u16|u32|u64 : t1 = t2 t2 p
set : $compare_s $bool u32|s32|f32 s16|s32|s64 : t1 = t2 t2 p
set : $compare_f $bool ftz? u32|s32|f32 f32 : t1 = t2 t2 p
set : $compare_f $bool u32|s32|f32 f64 : t1 = t2 t2 p
set : $compare_f ftz? f16|u16|s16|u32|s32 f16 : t1 = t2 t2 @53 4.2
set : $compare_f ftz? f16x2|u32|s32 f16x2 : t1 = t2 t2 @53 4.2
set : $compare_f bf16|u16|s16|u32|s32 bf16 : t1 = t2 t2 @90 7.8
set : $compare_f bf16x2|u32|s32 bf16x2 : t1 = t2 t2 @90 7.8
set : $compare_f $bool ftz? f16|u16|s16|u32|s32 f16 : t1 = t2 t2 p @53 4.2
set : $compare_f $bool ftz? f16x2|u32|s32 f16x2 : t1 = t2 t2 p @53 4.2
set : $compare_f $bool bf16|u16|s16|u32|s32 bf16 : t1 = t2 t2 p @90 7.8
set : $compare_f $bool bf16x2|u32|s32 bf16x2 : t1 = t2 t2 p @90 7.8
set : eq|ne f16|bf16 b16|b32|b64 : t1 = t2 t2 @53 4.2
set : eq|ne $bool f16|bf16 b16|b32|b64 : t1 = t2 t2 p @53 4.2
set : $compare_u f16|bf16 u16|u32|u64 : t1 = t2 t2 @53 4.2
set : $compare_u $bool f16|bf16 u16|u32|u64 : t1 = t2 t2 p @53 4.2
set : $compare_s f16|bf16 s16|s32|s64 : t1 = t2 t2 @53 4.2
set : $compare_s $bool f16|bf16 s16|s32|s64 : t1 = t2 t2 p @53 4.2
set : $compare_f ftz? f16 f32 : t1 = t2 t2 @53 4.2
set : $compare_f $bool ftz? f16 f32 : t1 = t2 t2 p @53 4.2
set : $compare_f bf16 f32 : t1 = t2 t2 @53 4.2
set : $compare_f $bool bf16 f32 : t1 = t2 t2 p @53 4.2
set : $compare_f f16|bf16 f64 : t1 = t2 t2 @53 4.2
set : $compare_f $bool f16|bf16 f64 : t1 = t2 t2 p @53 4.2
selp : b16|b32|b64|$int|f32|f64 : t = t t p
slct : b16|b32|b64|$int|f32|f64 s32 : t1 = t1 t1 s32
slct : ftz? b16|b32|b64|$int|f32|f64 f32 : t1 = t1 t1 f32
";

/// `f32` and `f64`.
pub const FLOAT: &str = "
testp : finite|infinite|number|notanumber|normal|subnormal f32|f64 : pred = t
copysign : f32|f64 : t = t t
add sub mul : $rnd? ftz? sat? f32 : t = t t
add sub mul : $rnd? f64 : t = t t
add sub mul : $rnd? ftz? f32x2 : t = t t @100 8.6
add sub : $rnd? sat? f32 f16|bf16 : f32 = t2 f32 @100 8.6
fma : $rnd ftz? sat? f32 : t = t t t
fma : $rnd f64 : t = t t t
fma : $rnd ftz? f32x2 : t = t t t @100 8.6
fma : $rnd sat? f32 f16|bf16 : f32 = t2 t2 f32 @100 8.6
mad : $rnd ftz? sat? f32 : t = t t t
mad : $rnd f64 : t = t t t
div : approx ftz? f32 : t = t t
div : full! ftz? f32 : t = t t
div : $rnd ftz? f32 : t = t t
div : $rnd f64 : t = t t
abs neg : ftz? f32 : t = t
abs neg : f64 : t = t
min max : ftz? NaN? f32 : t = t t
min max : ftz? NaN? xorsign abs f32 : t = t t @86 7.2
min max : ftz? NaN? abs? f32 : t = t t t @100 8.8
min max : f64 : t = t t
rcp sqrt : approx|$rnd ftz? f32 : t = t
rcp : $rnd ftz? f64 : t = t
sqrt : $rnd f64 : t = t
rcp : approx ftz f64 : t = t
rsqrt : approx ftz? f32|f64 : t = t
sin cos lg2 ex2 : approx ftz? f32 : t = t
tanh : approx f32 : t = t @75 7.0
";

/// Half precision, also packed.
pub const HALF: &str = "
add sub mul : rn? ftz? sat? f16|f16x2 : t = t t @53 4.2
add sub mul : rn? bf16|bf16x2 : t = t t @90 7.8
fma : rn ftz? sat? f16|f16x2 : t = t t t @53 4.2
fma : rn ftz? relu f16|f16x2 : t = t t t @80 7.0
fma : rn relu? bf16|bf16x2 : t = t t t @80 7.0
fma : rn oob relu? f16|f16x2|bf16|bf16x2 : t = t t t @90 8.1
fma : rn oob sat f16|f16x2 : t = t t t @90 8.1
abs neg : ftz? f16|f16x2 : t = t @53 6.0
abs neg : bf16|bf16x2 : t = t @80 7.0
min max : ftz? NaN? f16|f16x2 : t = t t @80 7.0
min max : ftz? NaN? xorsign abs f16|f16x2 : t = t t @86 7.2
min max : NaN? bf16|bf16x2 : t = t t @80 7.0
min max : NaN? xorsign abs bf16|bf16x2 : t = t t @86 7.2
tanh : approx f16|f16x2 : t = t @75 7.0
tanh : approx bf16|bf16x2 : t = t @90 7.8
ex2 : approx f16|f16x2 : t = t @75 7.0
ex2 : approx ftz bf16|bf16x2 : t = t @90 7.8
";

/// Conversions.
pub const CONVERSION: &str = "
cvt : $integer $integer : t1+ = t2+
cvt : sat u8 s8|u16|s16|u32|s32|u64|s64 : t1+ = t2+
cvt : sat s8 u8|u16|s16|u32|s32|u64|s64 : t1+ = t2+
cvt : sat u16 s8|s16|u32|s32|u64|s64 : t1+ = t2+
cvt : sat s16 u16|u32|s32|u64|s64 : t1+ = t2+
cvt : sat u32 s8|s16|s32|u64|s64 : t1+ = t2+
cvt : sat s32 u32|u64|s64 : t1+ = t2+
cvt : sat u64 s8|s16|s32|s64 : t1+ = t2+
cvt : sat s64 u64 : t1+ = t2+
cvt : $rnd ftz? sat? f32 $integer : t1+ = t2+
cvt : $rnd sat? f64 $integer : t1+ = t2+
cvt : $rnd sat? f16 $integer : t1+ = t2+ @53 4.2
cvt : $rnd bf16 $int : t1 = t2 @90 7.8
cvt : $rnd bf16 u8|s8 : t1+ = t2 @90 7.8
cvt : $rndi ftz? sat? $integer f32 : t1+ = t2+
cvt : $rndi sat? $integer f16|f64 : t1+ = t2+
cvt : $rndi $int bf16 : t1 = t2 @90 7.8
cvt : $rndi u8|s8 bf16 : t1 = t2+ @90 7.8
cvt : $rndi? ftz? sat? f32 f32 : t1+ = t2+
cvt : $rndi? sat? f64 f64 : t1+ = t2+
cvt : $rndi? sat? f16 f16 : t1+ = t2+ @53 4.2
cvt : $rndi? bf16 bf16 : t1+ = t2+ @90 7.8
cvt : $rnd ftz? sat? f32 f64 : t1+ = t2+
cvt : ftz? sat? f64 f32 : t1+ = t2+
cvt : ftz? sat? f32 f16 : t1+ = t2+
cvt : sat? f64 f16 : t1+ = t2+
cvt : f32 bf16 : t1+ = t2+ @80 7.1
cvt : f64 bf16 : t1+ = t2+ @90 7.8
cvt : $rnd? ftz? f32 bf16 : t1+ = t2+ @90 7.8
cvt : $rnd f64 bf16 : t1+ = t2+ @90 7.8
cvt : $rnd? f16 bf16 : t1+ = t2+ @90 7.8
cvt : $rnd ftz? sat? f16 f32 : t1+ = t2+
cvt : $rnd sat? f16 f64 : t1+ = t2+
cvt : rm|rp bf16 f32 : t1+ = t2+ @90 7.8
cvt : $rnd ftz bf16 f32 : t1+ = t2+ @90 7.8
cvt : $rnd bf16 f64 : t1+ = t2+ @90 7.8
cvt : $rnd? bf16 f16 : t1+ = t2+ @90 7.8
cvt : rn|rz relu? f16 f32 : t1+ = t2+ @80 7.0
cvt : rn|rz relu? satfinite f16 f32 : t1+ = t2+ @80 8.1
cvt : rn|rz relu? bf16 f32 : t1 = t2 @80 7.0
cvt : rn|rz relu? satfinite bf16 f32 : t1 = t2 @80 8.1
cvt : rn|rz relu? f16x2|bf16x2 f32 : t1 = f32 f32 @80 7.0
cvt : rn|rz relu? satfinite f16x2|bf16x2 f32 : t1 = f32 f32 @80 8.1
cvt : rs relu? satfinite? f16x2|bf16x2 f32 : t1 = f32 f32 b32 @100a,103a 8.7
cvt : rna tf32 f32 : b32 = f32 @80 7.0
cvt : rna satfinite tf32 f32 : b32 = f32 @80 8.1
cvt : rn|rz relu? tf32 f32 : b32 = f32 @90 7.8
cvt : rn|rz satfinite relu? tf32 f32 : b32 = f32 @100 8.6
cvt : rn satfinite relu? e4m3x2|e5m2x2 f32 : b16 = f32 f32 @89 7.8
cvt : rn satfinite relu? e4m3x2|e5m2x2 f16x2 : b16 = b32 @89 7.8
cvt : rn relu? f16x2 e4m3x2|e5m2x2 : b32 = b16 @89 7.8
cvt : rs relu? satfinite e4m3x4|e5m2x4|e2m3x4|e3m2x4|e2m1x4 f32 : t1 = four b32 @100a,103a 8.7
cvt : rn satfinite relu? e2m1x2|e2m3x2|e3m2x2 f32 : t1 = f32 f32 @100f,110f,120f 8.6
cvt : rn relu? f16x2 e2m1x2|e2m3x2|e3m2x2 : b32 = t2 @100f,110f,120f 8.6
cvt : rn satfinite relu? e2m1x2|e2m3x2|e3m2x2 f16x2 : t1 = b32 @100f,110f,120f 9.1
cvt : rn satfinite relu? e4m3x2|e5m2x2|e2m1x2|e2m3x2|e3m2x2 bf16x2 : t1 = b32 @100f,110f,120f 9.1
cvt : rn satfinite? relu? bf16x2 e4m3x2|e5m2x2|e2m1x2|e2m3x2|e3m2x2 : b32 = t2 @100f,110f,120f 9.2
cvt : rn satfinite? relu? scaled::n2::ue8m0 bf16x2 e4m3x2|e5m2x2|e2m1x2|e2m3x2|e3m2x2 : b32 = t2 b16 @100f,110f,120f 9.2
cvt : rn satfinite? relu? bf16x2 s2f6x2 : b32 = t2 @100a,103a,110a,120a,121a 9.1
cvt : rn satfinite? relu? scaled::n2::ue8m0 bf16x2 s2f6x2 : b32 = t2 b16 @100a,103a,110a,120a,121a 9.1
cvt : rn satfinite relu? s2f6x2 f32 : t1 = f32 f32 @100a,103a,110a,120a,121a 9.1
cvt : rn satfinite relu? s2f6x2 bf16x2 : t1 = b32 @100a,103a,110a,120a,121a 9.1
cvt : rn satfinite relu? scaled::n2::ue8m0 s2f6x2 f32 : t1 = f32 f32 b16 @100a,103a,110a,120a,121a 9.1
cvt : rn satfinite relu? scaled::n2::ue8m0 s2f6x2 bf16x2 : t1 = b32 b16 @100a,103a,110a,120a,121a 9.1
cvt : rz|rp satfinite? ue8m0x2 f32 : t1 = f32 f32 @100f,110f,120f 8.6
cvt : rz|rp satfinite? ue8m0x2 bf16x2 : t1 = b32 @100f,110f,120f 8.6
cvt : rn bf16x2 ue8m0x2 : b32 = t2 @100f,110f,120f 8.6
cvt : pack! sat u16|s16 s32 : b32 = b32 b32 @72 6.5
cvt : pack! sat u2|s2|u4|s4|u8|s8 s32 b32 : b32 = b32 b32 b32 @72 6.5
";

/// Video instructions.
pub const VIDEO: &str = "
vadd vsub vabsdiff vmin vmax : u32|s32 u32|s32 u32|s32 sat? : part = part part
vadd vsub vabsdiff vmin vmax : u32|s32 u32|s32 u32|s32 sat? : part = part part u32
vadd vsub vabsdiff vmin vmax : u32|s32 u32|s32 u32|s32 sat? add|min|max : part = part part u32
vshl vshr : u32|s32 u32|s32 u32 sat? clamp|wrap : part = part part
vshl vshr : u32|s32 u32|s32 u32 sat? clamp|wrap : part = part part u32
vshl vshr : u32|s32 u32|s32 u32 sat? clamp|wrap add|min|max : part = part part u32
vset : u32|s32 u32|s32 $compare_s : part = part part
vset : u32|s32 u32|s32 $compare_s : part = part part u32
vset : u32|s32 u32|s32 $compare_s add|min|max : part = part part u32
vmad : u32|s32 u32|s32 u32|s32 po? sat? shr7|shr15? : u32 = part part part
vadd2 vsub2 vavrg2 vabsdiff2 vmin2 vmax2 vadd4 vsub4 vavrg4 vabsdiff4 vmin4 vmax4 : u32|s32 u32|s32 u32|s32 sat? : part = part part u32
vadd2 vsub2 vavrg2 vabsdiff2 vmin2 vmax2 vadd4 vsub4 vavrg4 vabsdiff4 vmin4 vmax4 : u32|s32 u32|s32 u32|s32 add : part = part part u32
vset2 vset4 : u32|s32 u32|s32 $compare_s add? : part = part part u32
";
