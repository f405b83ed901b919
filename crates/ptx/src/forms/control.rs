//! Forms of control flow, synchronisation and asynchronous copies.

/// Control flow.
pub const CONTROL: &str = "
bra : uni? : = label
brx : idx uni? : = u32 any
call : uni? : *
ret : uni? : =
exit : : =
trap brkpt : : =
nanosleep : u32 : = u32 @70 6.3
pmevent : : = imm
pmevent : mask : = imm
setmaxnreg : inc|dec sync aligned u32 : = imm @90a,100f,110f,120f 8.0
griddepcontrol : launch_dependents|wait : = @90 7.8
clusterlaunchcontrol : try_cancel async shared::cta? mbarrier::complete_tx::bytes b128 : = [] [] @100 8.6
clusterlaunchcontrol : try_cancel async shared::cta? mbarrier::complete_tx::bytes multicast::cluster::all b128 : = [] [] @100f,110f,120f 8.6
clusterlaunchcontrol : query_cancel is_canceled pred b128 : pred = t @100 8.6
clusterlaunchcontrol : query_cancel get_first_ctaid::x|get_first_ctaid::y|get_first_ctaid::z b32 b128 : b32 = t @100 8.6
clusterlaunchcontrol : query_cancel get_first_ctaid v4 b32 b128 : * @100 8.6
";

/// Fences and barriers.
pub const BARRIER: &str = "
membar : cta|gl|sys : =
membar : proxy! alias : = @70 7.5
membar : proxy! async : = @90 8.0
fence : sc|acq_rel? $scope : = @70 6.0
fence : acquire|release $scope : = @90 8.6
fence : acquire sync_restrict::shared::cluster cluster : = @90 8.6
fence : release sync_restrict::shared::cta cluster : = @90 8.6
fence : mbarrier_init release cluster : = @90 8.0
fence : proxy! alias : = @70 7.5
fence : proxy! async global|shared::cta|shared::cluster? : = @90 8.0
fence : proxy! tensormap::generic release $scope : = @90 8.3
fence : proxy! tensormap::generic acquire $scope : = [] imm @90 8.3
fence : proxy! async::generic acquire sync_restrict::shared::cluster cluster : = @90 8.6
fence : proxy! async::generic release sync_restrict::shared::cta cluster : = @90 8.6
bar : cta? sync! : = u32 u32?
bar : cta? arrive! : = u32 u32
bar : cta? red! popc u32 : u32 = u32 p
bar : cta? red! popc u32 : u32 = u32 u32 p
bar : cta? red! and|or pred : pred = u32 p
bar : cta? red! and|or pred : pred = u32 u32 p
bar : warp sync : = b32 @30 6.0
barrier : cta!? sync aligned? : = u32 u32?
barrier : cta!? arrive! aligned? : = u32 u32
barrier : cta!? red! popc aligned? u32 : u32 = u32 p
barrier : cta!? red! popc aligned? u32 : u32 = u32 u32 p
barrier : cta!? red! and|or aligned? pred : pred = u32 p
barrier : cta!? red! and|or aligned? pred : pred = u32 u32 p
barrier : cluster! arrive! release|relaxed? aligned? : = @90 7.8
barrier : cluster! wait! acquire? aligned? : = @90 7.8
mbarrier : init|inval shared|shared::cta? b64 : * @80 7.0
mbarrier : expect_tx|complete_tx shared::cta|shared::cluster|shared? b64 : * @90 8.0
mbarrier : expect_tx|complete_tx relaxed cta|cluster shared::cta|shared::cluster|shared? b64 : * @90 8.0
mbarrier : arrive|arrive_drop shared|shared::cta? b64 : * @80 7.0
mbarrier : arrive|arrive_drop expect_tx? shared|shared::cta|shared::cluster? b64 : * @90 8.0
mbarrier : arrive|arrive_drop expect_tx? release|relaxed cta|cluster shared|shared::cta|shared::cluster? b64 : * @90 8.0
mbarrier : arrive|arrive_drop noComplete shared|shared::cta? b64 : * @80 7.0
mbarrier : arrive|arrive_drop noComplete release cta shared|shared::cta? b64 : * @80 7.0
mbarrier : test_wait parity? shared|shared::cta? b64 : * @80 7.0
mbarrier : try_wait parity? shared|shared::cta? b64 : * @90 7.8
mbarrier : test_wait|try_wait parity? acquire|relaxed cta|cluster shared|shared::cta? b64 : * @90 8.0
mbarrier : pending_count b64 : * @80 7.0
";

/// Lanes of a warp that see each other.
pub const WARP: &str = "
shfl : up|down|bfly|idx b32 : b32|pred? = b32 b32 b32 @<70
shfl : sync up|down|bfly|idx b32 : b32|pred? = b32 b32 b32 b32 @30 6.0
vote : all|any|uni pred : pred = p @<70
vote : ballot b32 : b32 = p @<70
vote : sync all|any|uni pred : pred = p b32 @30 6.0
vote : sync ballot b32 : b32 = p b32 @30 6.0
match : any sync b32|b64 : b32 = t b32 @70 6.0
match : all sync b32|b64 : b32|pred? = t b32 @70 6.0
activemask : b32 : b32 = @30 6.2
redux : sync add|min|max u32|s32 : t = t b32 @80 7.0
redux : sync and|or|xor b32 : t = t b32 @80 7.0
redux : sync min|max abs? NaN? f32 : t = t b32 @100f 8.6
elect : sync : b32|pred = b32 @90 8.0
";

/// Asynchronous copies.
pub const COPY: &str = "
cp : async ca|cg shared|shared::cta global $hint? $fetch? : * @80 7.0
cp : async commit_group : = @80 7.0
cp : async wait_group : = imm @80 7.0
cp : async wait_all : = @80 7.0
cp : async mbarrier arrive noinc? shared|shared::cta? b64 : * @80 7.0
cp : async bulk shared::cluster global mbarrier::complete_tx::bytes multicast::cluster? $hint? : * @90 8.0
cp : async bulk shared::cta global mbarrier::complete_tx::bytes $hint? : * @90 8.6
cp : async bulk shared::cta global mbarrier::complete_tx::bytes ignore_oob $hint? : * @90 9.2
cp : async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes : * @90 8.0
cp : async bulk global shared::cta bulk_group $hint? : * @90 8.0
cp : async bulk global shared::cta bulk_group $hint? cp_mask : * @100 8.6
cp : async bulk prefetch L2 global $hint? : * @90 8.0
cp : async bulk commit_group : = @90 8.0
cp : async bulk wait_group read? : = imm @90 8.0
cp : async bulk tensor $dim shared::cluster|shared::cta global tile|im2col? mbarrier::complete_tx::bytes multicast::cluster? $hint? : * @90 8.0
cp : async bulk tensor $dim shared::cluster|shared::cta global tile::gather4|im2col::w mbarrier::complete_tx::bytes multicast::cluster? $hint? : * @100 8.6
cp : async bulk tensor $dim shared::cluster|shared::cta global im2col::w::128 mbarrier::complete_tx::bytes multicast::cluster? $hint? : * @100f,110f 8.6
cp : async bulk tensor $dim shared::cluster|shared::cta global tile|tile::gather4|im2col|im2col::w|im2col::w::128? mbarrier::complete_tx::bytes multicast::cluster? cta_group::1|cta_group::2 $hint? : * @100f,110f 8.6
cp : async bulk tensor $dim global shared::cta tile|im2col_no_offs? bulk_group $hint? : * @90 8.0
cp : async bulk tensor $dim global shared::cta tile::scatter4 bulk_group $hint? : * @100f,110f 8.6
cp : async bulk prefetch tensor $dim L2 global tile|im2col? $hint? : * @90 8.0
cp : async bulk prefetch tensor $dim L2 global tile::gather4|im2col::w|im2col::w::128 $hint? : * @100f,110f 8.6
cp : reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes and|or|xor b32 : * @90 8.0
cp : reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes add u32|s32|u64 : * @90 8.0
cp : reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes inc|dec u32 : * @90 8.0
cp : reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes min|max u32|s32 : * @90 8.0
cp : reduce async bulk global shared::cta bulk_group $hint? and|or|xor b32|b64 : * @90 8.0
cp : reduce async bulk global shared::cta bulk_group $hint? add u32|s32|u64|f32|f64 : * @90 8.0
cp : reduce async bulk global shared::cta bulk_group $hint? add noftz f16|bf16 : * @90 8.0
cp : reduce async bulk global shared::cta bulk_group $hint? add noftz f32 : * @90 9.4
cp : reduce async bulk global shared::cta bulk_group $hint? inc|dec u32 : * @90 8.0
cp : reduce async bulk global shared::cta bulk_group $hint? min|max u32|s32|u64|s64|f16|bf16 : * @90 8.0
cp : reduce async bulk tensor $dim global shared::cta add|min|max|inc|dec|and|or|xor tile|im2col_no_offs? bulk_group $hint? : * @90 8.0
tensormap : replace tile global_address|rank|box_dim|global_dim|global_stride|element_stride|elemtype|interleave_layout|swizzle_mode|fill_mode global|shared::cta? b1024 b32|b64 : * @90 8.3
tensormap : replace tile swizzle_atomicity global|shared::cta? b1024 b32 : * @100f,110f,120f 8.6
tensormap : cp_fenceproxy global shared::cta tensormap::generic release $scope sync aligned : * @90 8.3
";
