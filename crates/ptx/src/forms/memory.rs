//! Forms of moves and accesses to memory.

/// Moves and addresses.
pub const MOVE: &str = "
mov : pred|b16|b32|b64|$int|f32|f64 : any = any
mov : v2|v4 b16|b32|u16|s16|u32|s32|f32 : any = any
mov : v2 b64|u64|s64|f64 : any = any
mov : b128 : any = any @70 8.3
cvta : to? const|global|local|shared|shared::cta|shared::cluster|param|param::entry u64 : t = any
cvta : to? const|global|local|shared|shared::cta|param|param::entry u32 : t = any @<90
isspacep : const|global|local|shared|shared::cta|shared::cluster|param|param::entry : pred = any
istypep : texref|samplerref|surfref : pred = any
mapa : shared::cluster? u32|u64 : t = any u32 @90 7.8
getctarank : shared::cluster? u32|u64 : u32 = any @90 7.8
alloca : u32|u64 : t = t imm? @52 7.3
stacksave : u32|u64 : t = @52 7.3
stackrestore : u32|u64 : = t @52 7.3
";

/// Loads and stores.
pub const ACCESS: &str = "
ld : weak? $space_ld? ca|cg|cs|lu|cv? $vector : v+ = []
ld : weak? global? ca|cg|cs|lu|cv? $hint? $fetch? $vector : v+ = [] policy?
ld : weak? global? $keep1? $hint? $fetch? $vector : v+ = [] policy? @70 7.4
ld : weak? global? $keep1? $keep2 $hint? $fetch? $vector256 : v+ = [] policy? @100 8.8
ld : volatile $space_sync? $vector : v+ = []
ld : volatile local $vector : v+ = [] @0 9.1
ld : volatile global? $fetch $vector : v+ = []
ld : relaxed|acquire $scope $space_sync? $vector : v+ = [] @70 6.0
ld : relaxed|acquire $scope global? $keep1? $hint? $fetch? $vector : v+ = [] policy? @70 7.4
ld : relaxed|acquire $scope global? $keep1? $keep2 $hint? $fetch? $vector256 : v+ = [] policy? @100 8.8
ld : mmio relaxed sys global? $scalar|b128 : v+ = [] @70 8.2
ld : global ca|cg|cs? nc $hint? $fetch? $vector : v+ = [] policy?
ld : global nc $keep1? $hint? $fetch? $vector : v+ = [] policy? @70 7.4
ld : global nc $keep1? $keep2 $hint? $fetch? $vector256 : v+ = [] policy? @100 8.8
ldu : global? $scalar : v+ = []
ldu : global? v2|v4 $narrow : v+ = []
ldu : global? v2 b64|u64|s64|f64 : v+ = []
ldu : global? b128 : v+ = [] @70 8.3
st : weak? $space_st? wb|cg|cs|wt? $vector : = [] v+
st : weak? global? wb|cg|cs|wt? $hint? $vector : = [] v+ policy?
st : weak? global? $keep1? $hint? $vector : = [] v+ policy? @70 7.4
st : weak? global? $keep1? $keep2 $hint? $vector256 : = [] v+ policy? @100 8.8
st : volatile $space_sync? $vector : = [] v+
st : volatile local $vector : = [] v+ @0 9.1
st : relaxed|release $scope $space_sync? $vector : = [] v+ @70 6.0
st : relaxed|release $scope global? $keep1? $hint? $vector : = [] v+ policy? @70 7.4
st : relaxed|release $scope global? $keep1? $keep2 $hint? $vector256 : = [] v+ policy? @100 8.8
st : mmio relaxed sys global? $scalar|b128 : = [] v+ @70 8.2
st : async weak? mbarrier::complete_tx::bytes shared::cluster? v2? b32|b64|u32|u64|s32|s64|f32|f64 : * @90 8.1
st : async weak? mbarrier::complete_tx::bytes shared::cluster? v4 b32|u32|s32|f32 : * @90 8.1
st : async mmio? release gpu|sys global? b8|u8|s8|b16|u16|s16|b32|b64|u32|u64|s32|s64|f32|f64 : * @100 8.7
st : bulk weak? shared::cta? : * @100 8.6
prefetch : global|local? L1|L2 : = []
prefetch : global? L2::evict_last|L2::evict_normal : = [] @80 7.4
prefetch : const|param? tensormap : = [] @90 8.0
prefetchu : L1 : = []
applypriority : global? L2::evict_normal : = [] imm @80 7.4
discard : global? L2 : = [] imm @80 7.4
createpolicy : range! global? $keep2|L2::evict_unchanged L2::evict_first|L2::evict_unchanged? b64 : b64 = [] u32 u32 @80 7.4
createpolicy : fractional! $keep2|L2::evict_unchanged L2::evict_first|L2::evict_unchanged? b64 : b64 = f32? @80 7.4
createpolicy : cvt L2 b64 : b64 = b64 @80 7.4
";

/// Atomic operations.
pub const ATOMIC: &str = "
atom : $sem_atom? $scope? $space_atom? and|or|xor b32|b64 : t = [] t
atom : $sem_atom? $scope? global? and|or|xor $hint b32|b64 : t = [] t policy?
atom : $sem_atom? $scope? $space_atom? exch b32|b64 : t = [] t
atom : $sem_atom? $scope? global? exch $hint b32|b64 : t = [] t policy?
atom : $sem_atom? $scope? $space_atom? cas b32|b64 : t = [] t t
atom : $sem_atom? $scope? $space_atom? add u32|s32|u64|f64 : t = [] t
atom : $sem_atom? $scope? $space_atom? add f32 : t = [] t
atom : $sem_atom? $scope? $space_atom? add noftz f32 : t = [] t @90 9.4
atom : $sem_atom? $scope? global? add $hint u32|s32|u64|f64 : t = [] t policy?
atom : $sem_atom? $scope? global? add $hint f32 : t = [] t policy?
atom : $sem_atom? $scope? global? add noftz $hint f32 : t = [] t policy? @90 9.4
atom : $sem_atom? $scope? $space_atom? inc|dec u32 : t = [] t
atom : $sem_atom? $scope? global? inc|dec $hint u32 : t = [] t policy?
atom : $sem_atom? $scope? $space_atom? min|max u32|s32|u64|s64 : t = [] t
atom : $sem_atom? $scope? global? min|max $hint u32|s32|u64|s64 : t = [] t policy?
atom : $sem_atom? $scope? $space_atom? cas b16 : t = [] t t @70 6.3
atom : $sem_atom? $scope? $space_atom? cas b128 : t = [] t t @90 8.3
atom : $sem_atom? $scope? $space_atom? exch b128 : t = [] t @90 8.3
atom : $sem_atom? $scope? global? exch $hint b128 : t = [] t policy? @90 8.3
atom : $sem_atom? $scope? $space_atom? add noftz f16x2 : t = [] t @60 6.2
atom : $sem_atom? $scope? global? add noftz $hint f16x2 : t = [] t policy? @60 6.2
atom : $sem_atom? $scope? $space_atom? add noftz f16 : t = [] t @70 6.3
atom : $sem_atom? $scope? global? add noftz $hint f16 : t = [] t policy? @70 6.3
atom : $sem_atom? $scope? $space_atom? add noftz bf16|bf16x2 : t = [] t @90 7.8
atom : $sem_atom? $scope? global? add noftz $hint bf16|bf16x2 : t = [] t policy? @90 7.8
atom : $sem_atom? $scope? global? add $hint? v2|v4 f32 : v = [] v policy? @90 8.1
atom : $sem_atom? $scope? global? add noftz $hint? v2|v4 f32 : v = [] v policy? @90 9.4
atom : $sem_atom? $scope? global? add|min|max noftz $hint? v2|v4|v8 f16|bf16 : v = [] v policy? @90 8.1
atom : $sem_atom? $scope? global? add|min|max noftz $hint? v2|v4 f16x2|bf16x2 : v = [] v policy? @90 8.1
red : relaxed|release? $scope? $space_atom? and|or|xor b32|b64 : = [] t
red : relaxed|release? $scope? global? and|or|xor $hint b32|b64 : = [] t policy?
red : relaxed|release? $scope? $space_atom? add u32|s32|u64|f64 : = [] t
red : relaxed|release? $scope? $space_atom? add f32 : = [] t
red : relaxed|release? $scope? $space_atom? add noftz f32 : = [] t @90 9.4
red : relaxed|release? $scope? global? add $hint u32|s32|u64|f64 : = [] t policy?
red : relaxed|release? $scope? global? add $hint f32 : = [] t policy?
red : relaxed|release? $scope? global? add noftz $hint f32 : = [] t policy? @90 9.4
red : relaxed|release? $scope? $space_atom? inc|dec u32 : = [] t
red : relaxed|release? $scope? global? inc|dec $hint u32 : = [] t policy?
red : relaxed|release? $scope? $space_atom? min|max u32|s32|u64|s64 : = [] t
red : relaxed|release? $scope? global? min|max $hint u32|s32|u64|s64 : = [] t policy?
red : relaxed|release? $scope? $space_atom? add noftz f16x2 : = [] t @60 6.2
red : relaxed|release? $scope? global? add noftz $hint f16x2 : = [] t policy? @60 6.2
red : relaxed|release? $scope? $space_atom? add noftz f16 : = [] t @70 6.3
red : relaxed|release? $scope? global? add noftz $hint f16 : = [] t policy? @70 6.3
red : relaxed|release? $scope? $space_atom? add noftz bf16|bf16x2 : = [] t @90 7.8
red : relaxed|release? $scope? global? add noftz $hint bf16|bf16x2 : = [] t policy? @90 7.8
red : relaxed|release? $scope? global? add $hint? v2|v4 f32 : = [] v policy? @90 8.1
red : relaxed|release? $scope? global? add noftz $hint? v2|v4 f32 : = [] v policy? @90 9.4
red : relaxed|release? $scope? global? add|min|max noftz $hint? v2|v4|v8 f16|bf16 : = [] v policy? @90 8.1
red : relaxed|release? $scope? global? add|min|max noftz $hint? v2|v4 f16x2|bf16x2 : = [] v policy? @90 8.1
red : async relaxed cluster add shared::cluster? mbarrier::complete_tx::bytes u32|s32|u64|s64 : * @90 8.1
red : async relaxed cluster min|max shared::cluster? mbarrier::complete_tx::bytes u32|s32 : * @90 8.1
red : async relaxed cluster inc|dec shared::cluster? mbarrier::complete_tx::bytes u32 : * @90 8.1
red : async relaxed cluster and|or|xor shared::cluster? mbarrier::complete_tx::bytes b32 : * @90 8.1
red : async mmio? release gpu|sys global? inc|dec|min|max|add|and|or|xor u32|s32|b32|u64|s64|b64 : * @100 8.7
multimem : ld_reduce! weak? global? and|or|xor b32|b64 : t = [] @90 8.1
multimem : ld_reduce! weak? global? min|max|add u32|s32|u64 : t = [] @90 8.1
multimem : ld_reduce! weak? global? min|max s64 : t = [] @90 8.1
multimem : ld_reduce! weak? global? add f32|f64 : t = [] @90 8.1
multimem : ld_reduce! weak? global? min|max|add f16x2|bf16x2 : t = [] @90 8.1
multimem : ld_reduce! weak? global? add acc::f32 f16x2|bf16x2 : t = [] @90 8.2
multimem : ld_reduce! weak? global? add v2|v4 f32 : v = [] @90 8.1
multimem : ld_reduce! weak? global? min|max|add v2|v4|v8 f16|bf16 : v = [] @90 8.1
multimem : ld_reduce! weak? global? add acc::f32 v2|v4|v8 f16|bf16 : v = [] @90 8.2
multimem : ld_reduce! weak? global? min|max|add v2|v4 f16x2|bf16x2 : v = [] @90 8.1
multimem : ld_reduce! weak? global? add acc::f32 v2|v4 f16x2|bf16x2 : v = [] @90 8.2
multimem : ld_reduce! weak? global? min|max|add e5m2x4|e4m3x4 : t = [] @100f,110f,120a,121a 8.6
multimem : ld_reduce! weak? global? add acc::f16 e5m2x4|e4m3x4 : t = [] @100f,110f,120a,121a 8.6
multimem : ld_reduce! weak? global? min|max|add v2|v4 e5m2x4|e4m3x4 : v = [] @100f,110f,120a,121a 8.6
multimem : ld_reduce! weak? global? add acc::f16 v2|v4 e5m2x4|e4m3x4 : v = [] @100f,110f,120a,121a 8.6
multimem : ld_reduce! weak? global? min|max|add v2|v4|v8 e5m2x2|e4m3x2 : v = [] @100f,110f,120a,121a 8.6
multimem : ld_reduce! weak? global? add acc::f16 v2|v4|v8 e5m2x2|e4m3x2 : v = [] @100f,110f,120a,121a 8.6
multimem : ld_reduce! weak? global? min|max|add v4|v8 e5m2|e4m3 : v = [] @100f,110f,120a,121a 8.6
multimem : ld_reduce! weak? global? add acc::f16 v4|v8 e5m2|e4m3 : v = [] @100f,110f,120a,121a 8.6
multimem : ld_reduce! relaxed|acquire $scope global? and|or|xor b32|b64 : t = [] @90 8.1
multimem : ld_reduce! relaxed|acquire $scope global? min|max|add u32|s32|u64 : t = [] @90 8.1
multimem : ld_reduce! relaxed|acquire $scope global? min|max s64 : t = [] @90 8.1
multimem : ld_reduce! relaxed|acquire $scope global? add f32|f64 : t = [] @90 8.1
multimem : ld_reduce! relaxed|acquire $scope global? min|max|add f16x2|bf16x2 : t = [] @90 8.1
multimem : ld_reduce! relaxed|acquire $scope global? add acc::f32 f16x2|bf16x2 : t = [] @90 8.2
multimem : ld_reduce! relaxed|acquire $scope global? add v2|v4 f32 : v = [] @90 8.1
multimem : ld_reduce! relaxed|acquire $scope global? min|max|add v2|v4|v8 f16|bf16 : v = [] @90 8.1
multimem : ld_reduce! relaxed|acquire $scope global? add acc::f32 v2|v4|v8 f16|bf16 : v = [] @90 8.2
multimem : ld_reduce! relaxed|acquire $scope global? min|max|add v2|v4 f16x2|bf16x2 : v = [] @90 8.1
multimem : ld_reduce! relaxed|acquire $scope global? add acc::f32 v2|v4 f16x2|bf16x2 : v = [] @90 8.2
multimem : ld_reduce! relaxed|acquire $scope global? min|max|add e5m2x4|e4m3x4 : t = [] @100f,110f,120a,121a 8.6
multimem : ld_reduce! relaxed|acquire $scope global? add acc::f16 e5m2x4|e4m3x4 : t = [] @100f,110f,120a,121a 8.6
multimem : ld_reduce! relaxed|acquire $scope global? min|max|add v2|v4 e5m2x4|e4m3x4 : v = [] @100f,110f,120a,121a 8.6
multimem : ld_reduce! relaxed|acquire $scope global? add acc::f16 v2|v4 e5m2x4|e4m3x4 : v = [] @100f,110f,120a,121a 8.6
multimem : ld_reduce! relaxed|acquire $scope global? min|max|add v2|v4|v8 e5m2x2|e4m3x2 : v = [] @100f,110f,120a,121a 8.6
multimem : ld_reduce! relaxed|acquire $scope global? add acc::f16 v2|v4|v8 e5m2x2|e4m3x2 : v = [] @100f,110f,120a,121a 8.6
multimem : ld_reduce! relaxed|acquire $scope global? min|max|add v4|v8 e5m2|e4m3 : v = [] @100f,110f,120a,121a 8.6
multimem : ld_reduce! relaxed|acquire $scope global? add acc::f16 v4|v8 e5m2|e4m3 : v = [] @100f,110f,120a,121a 8.6
multimem : st! weak? global? b32|b64|u32|s32|u64|s64|f32|f64|f16x2|bf16x2 : = [] t @90 8.1
multimem : st! weak? global? v2|v4 f32|f16x2|bf16x2 : = [] v @90 8.1
multimem : st! weak? global? v2|v4|v8 f16|bf16 : = [] v @90 8.1
multimem : st! weak? global? e5m2x4|e4m3x4 : = [] t @100f,110f,120a,121a 8.6
multimem : st! weak? global? v2|v4 e5m2x4|e4m3x4 : = [] v @100f,110f,120a,121a 8.6
multimem : st! weak? global? v2|v4|v8 e5m2x2|e4m3x2 : = [] v @100f,110f,120a,121a 8.6
multimem : st! weak? global? v4|v8 e5m2|e4m3 : = [] v @100f,110f,120a,121a 8.6
multimem : st! relaxed|release $scope global? b32|b64|u32|s32|u64|s64|f32|f64|f16x2|bf16x2 : = [] t @90 8.1
multimem : st! relaxed|release $scope global? v2|v4 f32|f16x2|bf16x2 : = [] v @90 8.1
multimem : st! relaxed|release $scope global? v2|v4|v8 f16|bf16 : = [] v @90 8.1
multimem : st! relaxed|release $scope global? e5m2x4|e4m3x4 : = [] t @100f,110f,120a,121a 8.6
multimem : st! relaxed|release $scope global? v2|v4 e5m2x4|e4m3x4 : = [] v @100f,110f,120a,121a 8.6
multimem : st! relaxed|release $scope global? v2|v4|v8 e5m2x2|e4m3x2 : = [] v @100f,110f,120a,121a 8.6
multimem : st! relaxed|release $scope global? v4|v8 e5m2|e4m3 : = [] v @100f,110f,120a,121a 8.6
multimem : red! global? and|or|xor b32|b64 : = [] t @90 8.1
multimem : red! global? min|max|add u32|s32|u64 : = [] t @90 8.1
multimem : red! global? min|max s64 : = [] t @90 8.1
multimem : red! global? add f32|f64|f16x2|bf16x2 : = [] t @90 8.1
multimem : red! global? add v2|v4 f32 : = [] v @90 8.1
multimem : red! global? min|max|add v2|v4|v8 f16|bf16 : = [] v @90 8.1
multimem : red! global? min|max|add v2|v4 f16x2|bf16x2 : = [] v @90 8.1
multimem : red! relaxed|release $scope global? and|or|xor b32|b64 : = [] t @90 8.1
multimem : red! relaxed|release $scope global? min|max|add u32|s32|u64 : = [] t @90 8.1
multimem : red! relaxed|release $scope global? min|max s64 : = [] t @90 8.1
multimem : red! relaxed|release $scope global? add f32|f64|f16x2|bf16x2 : = [] t @90 8.1
multimem : red! relaxed|release $scope global? add v2|v4 f32 : = [] v @90 8.1
multimem : red! relaxed|release $scope global? min|max|add v2|v4|v8 f16|bf16 : = [] v @90 8.1
multimem : red! relaxed|release $scope global? min|max|add v2|v4 f16x2|bf16x2 : = [] v @90 8.1
multimem : cp! async! bulk! global shared::cta bulk_group : = [] [] u32 @90 9.1
multimem : cp! async! bulk! global shared::cta bulk_group cp_mask : = [] [] u32 b16 @100 9.1
multimem : cp! reduce! async! bulk! global shared::cta bulk_group min|max f16|bf16|u32|s32|u64|s64 : = [] [] u32 @90 9.1
multimem : cp! reduce! async! bulk! global shared::cta bulk_group add u32|s32|u64|f32|f64 : = [] [] u32 @90 9.1
multimem : cp! reduce! async! bulk! global shared::cta bulk_group add noftz f16|bf16 : = [] [] u32 @90 9.1
multimem : cp! reduce! async! bulk! global shared::cta bulk_group add noftz f32 : = [] [] u32 @90 9.4
multimem : cp! reduce! async! bulk! global shared::cta bulk_group and|or|xor b32|b64 : = [] [] u32 @90 9.1
multimem : cp! reduce! async! bulk! global shared::cta bulk_group inc|dec u32 : = [] [] u32 @90 9.1
";
