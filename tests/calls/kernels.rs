//! Device code for the calls: kernels that are over soon, whatever they are given. All take the same parameters: two
//! addresses, a number and a texture or surface.

/// Modules as text; the last two belong together and need linking.
pub const IMAGES: [&str; 5] = [WORKING, FAULTY, BROKEN, CALLER, CALLEE];

/// Names of kernels in all of them, and one that none has.
pub const KERNELS: [&str; 15] = [
    "store", "copy", "add", "text", "heap", "meet", "local", "sample", "image", "stop", "wild", "late", "tiny",
    "linked", "missing",
];

/// Names of variables, textures and surfaces.
pub const GLOBALS: [&str; 7] = ["number", "table", "fixed", "shared_by_all", "reference", "plane", "missing"];

pub const WORKING: &str = r#"
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.extern .func (.param .b64 r) malloc (.param .b64 n);
.extern .func free (.param .b64 p);
.visible .global .u32 number = 7;
.visible .global .align 8 .b8 table[4096];
.visible .const .u32 fixed[4] = {1, 2, 3, 4};
.visible .global .attribute(.managed) .u32 shared_by_all = 1;
.visible .global .texref reference;
.visible .global .surfref plane;
.global .align 1 .b8 words[8] = {110, 32, 37, 100, 10, 0, 0, 0};

.visible .entry store(.param .u64 p, .param .u64 q, .param .u64 n, .param .u64 t) {
    .reg .b64 %a, %o; .reg .b32 %i, %v;
    ld.param.u64 %a, [p]; ld.param.u32 %v, [n];
    mov.u32 %i, %tid.x; mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o;
    st.global.u32 [%a], %v; ret;
}
.visible .entry copy(.param .u64 p, .param .u64 q, .param .u64 n, .param .u64 t) {
    .reg .b64 %a, %b, %o; .reg .b32 %i, %v;
    ld.param.u64 %a, [p]; ld.param.u64 %b, [q];
    mov.u32 %i, %tid.x; mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o; add.u64 %b, %b, %o;
    ld.global.u32 %v, [%b]; ld.const.u32 %i, [fixed]; add.u32 %v, %v, %i; st.global.u32 [%a], %v; ret;
}
.visible .entry add(.param .u64 p, .param .u64 q, .param .u64 n, .param .u64 t) {
    .reg .b64 %a, %b; .reg .b32 %v;
    ld.param.u64 %a, [p]; atom.global.add.u32 %v, [%a], 1;
    mov.u64 %b, number; red.global.add.u32 [%b], 1; ret;
}
.visible .entry text(.param .u64 p, .param .u64 q, .param .u64 n, .param .u64 t) {
    .local .align 8 .b8 args[8]; .reg .b64 %a, %f; .reg .b32 %v, %i; .reg .pred %p;
    .param .b64 pf; .param .b64 pa; .param .b32 pr;
    mov.u32 %i, %tid.x; setp.ne.u32 %p, %i, 0; @%p ret;
    ld.param.u32 %v, [n]; mov.u64 %a, args; st.local.u32 [%a], %v; cvta.local.u64 %a, %a;
    mov.u64 %f, words; cvta.global.u64 %f, %f;
    st.param.b64 [pf], %f; st.param.b64 [pa], %a; call (pr), vprintf, (pf, pa); ret;
}
.visible .entry heap(.param .u64 p, .param .u64 q, .param .u64 n, .param .u64 t) {
    .reg .b64 %a, %m; .reg .pred %p; .param .b64 pn; .param .b64 pr;
    ld.param.u64 %m, [n]; and.b64 %m, %m, 65535; st.param.b64 [pn], %m; call (pr), malloc, (pn);
    ld.param.b64 %a, [pr]; setp.eq.u64 %p, %a, 0; @%p ret;
    st.param.b64 [pn], %a; call free, (pn); ret;
}
.visible .entry meet(.param .u64 p, .param .u64 q, .param .u64 n, .param .u64 t) {
    .shared .align 4 .b8 room[4096];
    .reg .b64 %a, %o; .reg .b32 %i, %s, %v;
    mov.u32 %i, %tid.x; shl.b32 %s, %i, 2; mov.u32 %v, room; add.u32 %s, %s, %v;
    st.shared.u32 [%s], %i; bar.sync 0; ld.shared.u32 %v, [%s];
    ld.param.u64 %a, [p]; mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o; st.global.u32 [%a], %v; ret;
}
.visible .entry local(.param .u64 p, .param .u64 q, .param .u64 n, .param .u64 t) {
    .local .align 4 .b8 room[1024]; .reg .b64 %a, %l; .reg .b32 %n, %v; .reg .pred %p;
    ld.param.u32 %n, [n]; and.b32 %n, %n, 255; mov.u64 %l, room; mov.u32 %v, 0;
again:
    st.local.u32 [%l], %v; add.u64 %l, %l, 4; add.u32 %v, %v, 1; setp.lt.u32 %p, %v, %n; @%p bra again;
    ld.param.u64 %a, [p]; st.global.u32 [%a], %v; ret;
}
.visible .entry sample(.param .u64 p, .param .u64 q, .param .u64 n, .param .u64 t) {
    .reg .b64 %a, %t; .reg .f32 %r<5>; .reg .b32 %i;
    ld.param.u64 %t, [t]; mov.u32 %i, %tid.x; cvt.rn.f32.u32 %r4, %i;
    tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%r4, %r4}];
    ld.param.u64 %a, [p]; st.global.f32 [%a], %r0; ret;
}
.visible .entry image(.param .u64 p, .param .u64 q, .param .u64 n, .param .u64 t) {
    .reg .b64 %t; .reg .b32 %x, %y, %v;
    ld.param.u64 %t, [t]; mov.u32 %x, %tid.x; mov.u32 %y, 0; mov.u32 %v, 5;
    sust.b.2d.b8.trap [%t, {%x, %y}], {%v}; ret;
}
"#;

const FAULTY: &str = r#"
.version 7.0
.target sm_70
.address_size 64
.visible .entry stop(.param .u64 p, .param .u64 q, .param .u64 n, .param .u64 t) { trap; ret; }
.visible .entry wild(.param .u64 p, .param .u64 q, .param .u64 n, .param .u64 t) {
    .reg .b64 %a; mov.u64 %a, 0x1234567890; st.global.u32 [%a], 1; ret;
}
.visible .entry late(.param .u64 p, .param .u64 q, .param .u64 n, .param .u64 t) {
    .reg .b64 %a; .reg .b32 %i; .reg .pred %p;
    mov.u32 %i, %tid.x; setp.ne.u32 %p, %i, 31; @%p ret;
    ld.param.u64 %a, [p]; ld.global.u32 %i, [%a]; bar.sync 0; ret;
}
.visible .entry tiny(.param .u64 p, .param .u64 q, .param .u64 n, .param .u64 t) { ret; }
"#;

const BROKEN: &str = ".version 7.0\n.target sm_70\n.address_size 64\n.entry broken() { add.u32 %x, %y; }";

pub const CALLER: &str = r#"
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b32 r) twice (.param .b32 a);
.visible .entry linked(.param .u64 p, .param .u64 q, .param .u64 n, .param .u64 t) {
    .reg .b64 %a; .reg .b32 %v; .param .b32 pa; .param .b32 pr;
    ld.param.u32 %v, [n]; st.param.b32 [pa], %v; call (pr), twice, (pa); ld.param.b32 %v, [pr];
    ld.param.u64 %a, [p]; st.global.u32 [%a], %v; ret;
}
"#;

pub const CALLEE: &str = r#"
.version 7.0
.target sm_70
.address_size 64
.visible .func (.param .b32 r) twice (.param .b32 a) {
    .reg .b32 %v; ld.param.b32 %v, [a]; add.u32 %v, %v, %v; st.param.b32 [r], %v; ret;
}
"#;
