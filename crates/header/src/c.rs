//! The C headers. The declarations are lowered to plain Rust of the kind that cbindgen knows, cbindgen writes C, and what it
//! cannot say is put right in its text: tags, unnamed members, opaque handles, alignment.

use crate::mapping::{self, CUDA_VERSION};
use declarations::{Api, Constant, Decl, Function, Kind};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use syn::{Expr, FnArg, Type};

type Failure = Box<dyn std::error::Error>;

/// One header file.
pub struct Header {
    name: &'static str,
    guard: &'static str,
    /// Guard of the header that this one replaces: whichever comes first, the other one then adds nothing.
    other_guard: &'static str,
    includes: &'static [&'static str],
    about: &'static str,
    /// Where its declarations are.
    source: &'static str,
    /// Files of `src/abi` whose functions it declares; empty for all the rest.
    files: &'static [&'static str],
    /// Before and behind the declarations.
    prelude: &'static str,
    epilogue: &'static str,
    /// Prefixes of the types and constants from `gl_egl_vdpau` and elsewhere that it declares.
    names: &'static [&'static str],
}

/// The headers of the driver.
pub const DRIVER: &[Header] = &[
    Header {
        name: "cuda.h",
        prelude: PRELUDE,
        epilogue: PER_THREAD_LOOKUP,
        guard: "DOPPEL_CUDA_H",
        other_guard: "__cuda_cuda_h__",
        includes: &["<stdint.h>", "<stdlib.h>"],
        about: "The CUDA driver API as Doppel provides it.",
        source: "src/abi",
        files: &[],
        names: &[],
    },
    Header {
        name: "cudaGL.h",
        prelude: "",
        epilogue: "",
        guard: "DOPPEL_CUDA_GL_H",
        other_guard: "CUDAGL_H",
        includes: &["\"cuda.h\"", "<GL/gl.h>"],
        about: "The CUDA driver API for OpenGL as Doppel provides it.",
        source: "src/abi",
        files: &["gl"],
        names: &["CUGL", "CU_GL_"],
    },
    Header {
        name: "cudaEGL.h",
        prelude: "",
        epilogue: "",
        guard: "DOPPEL_CUDA_EGL_H",
        other_guard: "CUDAEGL_H",
        includes: &["\"cuda.h\"", "<EGL/egl.h>", "<EGL/eglext.h>"],
        about: "The CUDA driver API for EGL as Doppel provides it.",
        source: "src/abi",
        files: &["egl"],
        names: &["CUegl", "CU_EGL_", "CUDA_EGL_", "MAX_PLANES"],
    },
    Header {
        name: "cudaVDPAU.h",
        prelude: "",
        epilogue: "",
        guard: "DOPPEL_CUDA_VDPAU_H",
        other_guard: "CUDAVDPAU_H",
        includes: &["\"cuda.h\"", "<vdpau/vdpau.h>"],
        about: "The CUDA driver API for VDPAU as Doppel provides it.",
        source: "src/abi",
        files: &["vdpau"],
        names: &[],
    },
    Header {
        name: "cudaProfiler.h",
        prelude: "",
        epilogue: "",
        guard: "DOPPEL_CUDA_PROFILER_H",
        other_guard: "CUDA_PROFILER_H",
        includes: &["\"cuda.h\""],
        about: "The profiler control of the CUDA driver API as Doppel provides it.",
        source: "src/abi",
        files: &["profiler"],
        names: &["CUoutput_mode"],
    },
];

/// The headers of the runtime. Types come with the first, functions with the second.
pub const RUNTIME: &[Header] = &[
    Header {
        name: "driver_types.h",
        prelude: TYPES_PRELUDE,
        epilogue: "",
        guard: "DOPPEL_DRIVER_TYPES_H",
        other_guard: "__DRIVER_TYPES_H__",
        includes: &["<stddef.h>", "<stdint.h>"],
        about: "The types of the CUDA runtime as Doppel provides it.",
        source: "crates/cudart/interface",
        files: &["types"],
        names: &[""],
    },
    Header {
        name: "cuda_runtime_api.h",
        prelude: RUNTIME_PRELUDE,
        epilogue: "",
        guard: "DOPPEL_CUDA_RUNTIME_API_H",
        other_guard: "__CUDA_RUNTIME_API_H__",
        includes: &["\"driver_types.h\""],
        about: "The CUDA runtime as Doppel provides it.",
        source: "crates/cudart/interface",
        files: &[],
        names: &["no type"],
    },
];

/// Types that come from the headers of other APIs.
const FOREIGN: &[&str] = &["GL", "EGL", "Vdp"];

impl Header {
    fn has_name(&self, name: &str, all: &[Header]) -> bool {
        let claimed = |header: &Header| header.names.iter().any(|prefix| name.starts_with(prefix));
        if FOREIGN.iter().any(|prefix| name.starts_with(prefix)) {
            false
        } else if self.files.is_empty() {
            !all.iter().any(claimed)
        } else {
            claimed(self)
        }
    }

    fn has_function(&self, function: &Function, all: &[Header]) -> bool {
        let file = function.file.as_str();
        if self.files.is_empty() {
            !all.iter().any(|header| header.files.contains(&file))
        } else {
            self.files.contains(&file)
        }
    }
}

/// Every header with its text.
pub fn headers(api: &Api, all: &[Header], root: &Path) -> Result<Vec<(&'static str, String)>, Failure> {
    all.iter().map(|header| Ok((header.name, write(header, all, api, root)?))).collect()
}

/// `Out<T>` and its like become the pointers that they are.
fn lower(ty: &Type) -> TokenStream {
    if let Type::Path(path) = ty
        && let Some(last) = path.path.segments.last()
        && let syn::PathArguments::AngleBracketed(args) = &last.arguments
        && let Some(syn::GenericArgument::Type(inner)) = args.args.first()
    {
        match last.ident.to_string().as_str() {
            "Out" | "InOut" | "InMut" => return quote!(*mut #inner),
            "In" => return quote!(*const #inner),
            _ => {}
        }
    }
    quote!(#ty)
}

/// A doc comment.
fn comment(lines: &[String]) -> TokenStream {
    let lines = lines.iter().map(|line| if line.is_empty() { String::new() } else { format!(" {line}") });
    quote!(#(#[doc = #lines])*)
}

/// The doc comment of a function: its parameters are marked as documentation of C marks them.
fn function_comment(lines: &[String]) -> TokenStream {
    let marked = |line: &String| match declarations::docs::parameter(line) {
        Some((name, text)) => format!("@param {name} {text}"),
        None => line.replacen("  ", "    ", usize::from(line.starts_with(' '))),
    };
    comment(&lines.iter().map(marked).collect::<Vec<_>>())
}

/// Plain Rust for cbindgen.
fn lowered(types: &[&Decl], functions: &[&Function]) -> TokenStream {
    let mut out = TokenStream::new();
    for decl in types {
        let name = format_ident!("{}", decl.name);
        let docs = comment(&decl.docs);
        out.extend(match &decl.kind {
            Kind::Enum { enumerators, .. } => {
                let names = enumerators.iter().map(|(name, _)| format_ident!("{name}"));
                let values = enumerators.iter().map(|(_, value)| syn::parse_str::<Expr>(value).expect("read as one"));
                quote!(#docs #[repr(C)] pub enum #name { #(#names = #values),* })
            }
            Kind::Handle { tag } => {
                let tag = format_ident!("{tag}");
                quote!(pub struct #tag { hidden: u8 } #docs pub type #name = *mut #tag;)
            }
            Kind::Struct { union, fields, .. } => {
                let (names, types): (Vec<_>, Vec<_>) = fields.iter().map(|(name, ty)| (name, ty)).unzip();
                let word = if *union { quote!(union) } else { quote!(struct) };
                quote!(#docs #[repr(C)] pub #word #name { #(pub #names: #types),* })
            }
            Kind::Alias(ty) => quote!(#docs pub type #name = #ty;),
        });
    }
    for function in functions {
        let docs = function_comment(&function.docs);
        let (mut names, mut types) = (Vec::new(), Vec::new());
        for arg in &function.sig.inputs {
            if let FnArg::Typed(arg) = arg {
                names.push(&arg.pat);
                types.push(lower(&arg.ty));
            }
        }
        let name = &function.sig.ident;
        // Bodies of the driver's functions answer with a `Result`.
        let result = match &function.sig.output {
            syn::ReturnType::Type(_, ty) if !quote!(#ty).to_string().starts_with("Result") => quote!(#ty),
            _ => quote!(CUresult),
        };
        out.extend(quote! {
            #docs
            #[unsafe(no_mangle)]
            pub extern "C" fn #name(#(#names: #types),*) -> #result { loop {} }
        });
        if let Some(twin) = function.twin() {
            let doc = format!(" `{name}` with stream 0 as the per-thread default stream.");
            let twin = format_ident!("{twin}");
            out.extend(quote! {
                #[doc = #doc]
                #[unsafe(no_mangle)]
                pub extern "C" fn #twin(#(#names: #types),*) -> #result { loop {} }
            });
        }
    }
    out
}

/// What cbindgen makes of it.
fn bindgen(source: &TokenStream, types: &[&Decl], header: &Header, root: &Path) -> Result<String, Failure> {
    let mut config = cbindgen::Config::from_file(root.join("cbindgen.toml"))?;
    for decl in types {
        config.export.include.push(decl.name.clone());
        if let Kind::Handle { tag } = &decl.kind {
            config.export.include.push(tag.clone());
        }
    }
    let path = std::env::temp_dir().join(format!("doppel-header-{}-{}.rs", std::process::id(), header.guard));
    std::fs::write(&path, source.to_string())?;
    let bindings = cbindgen::Builder::new().with_config(config).with_src(&path).generate();
    std::fs::remove_file(&path)?;
    let mut text = Vec::new();
    bindings?.write(&mut text);
    Ok(String::from_utf8(text)?)
}

/// A declaration in cbindgen's text, with its comment.
fn blocks(text: &str) -> BTreeMap<String, String> {
    let mut blocks = BTreeMap::new();
    for block in text.split("\n\n").map(|block| block.trim_matches('\n')).filter(|block| !block.is_empty()) {
        if let Some(name) = declared(block) {
            blocks.insert(name, block.to_string());
        }
    }
    blocks
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The text of a block without its comment.
fn code(block: &str) -> &str {
    if block.starts_with("/**") { block.split_once("*/").map_or("", |(_, rest)| rest.trim_start()) } else { block }
}

/// The name that a block declares.
fn declared(block: &str) -> Option<String> {
    let code = code(block);
    let name = if let Some(end) = code.strip_suffix(';').and_then(|code| code.rsplit_once("} ")) {
        end.1
    } else if let Some(rest) = code.split_once("(*").filter(|_| code.starts_with("typedef")) {
        rest.1.split(')').next()?
    } else if code.starts_with("typedef") {
        code.trim_end_matches(';').rsplit(|c| !is_word(c)).next()?
    } else {
        code.split('(').next()?.rsplit(|c| !is_word(c)).next()?
    };
    Some(name.to_string())
}

/// Rust's comments use marks that mean nothing in C.
fn unmarked(comment: &str) -> String {
    comment.replace("[`", "").replace("`]", "").replace('`', "")
}

/// A block with a C comment, on one line if it fits.
fn plain_comment(block: &str) -> String {
    let code = code(block);
    let comment = unmarked(&block[..block.len() - code.len()]);
    let lines: Vec<&str> = comment.trim().lines().collect();
    match lines[..] {
        ["/**", line, " */"] => format!("/** {} */\n{code}", line.trim_start_matches([' ', '*'])),
        _ => format!("{comment}{code}"),
    }
}

/// Replaces a whole word.
fn replace_word(line: &str, word: &str, by: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(word) {
        let end = at + word.len();
        let whole = !rest[..at].ends_with(is_word) && !rest[end..].starts_with(is_word);
        out.push_str(&rest[..at]);
        out.push_str(if whole { by } else { word });
        rest = &rest[end..];
    }
    out + rest
}

/// Structures that C knows by their tag only.
fn is_tag_only(decl: &Decl) -> bool {
    matches!(&decl.kind, Kind::Struct { tag, .. } if *tag == decl.name && tag.ends_with("_st"))
}

/// Puts a type right. `unnamed` holds the bodies of the types without a tag that came before.
fn type_text(decl: &Decl, block: &str, tag_only: &[&str], unnamed: &mut BTreeMap<String, String>) -> Option<String> {
    let block = plain_comment(block);
    let (comment, code) = block.split_at(block.len() - code(&block).len());
    match &decl.kind {
        Kind::Alias(_) => Some(block),
        Kind::Handle { tag } => {
            // Arrays that are only read.
            let word = if decl.name.ends_with("_const_t") { "const struct" } else { "struct" };
            Some(format!("{comment}typedef {word} {tag} *{};", decl.name))
        }
        Kind::Enum { tag, enumerators } => {
            let tag = if tag == "_" { String::new() } else { format!("{tag} ") };
            let mut text = format!("{comment}typedef enum {tag}{{\n");
            let (open, close) = (code.find('{')?, code.rfind('}')?);
            // The values as they are written in the declaration, hexadecimal or not.
            for (line, (name, value)) in code[open + 1..close].trim().lines().zip(enumerators) {
                debug_assert!(line.trim().starts_with(name.as_str()));
                // C has no literal for the smallest `int`.
                let value = if value == "-0x80000000" { "-0x7fffffff - 1" } else { value };
                let _ = writeln!(text, "    {name} = {value},");
            }
            text.truncate(text.len() - 2);
            let _ = write!(text, "\n}} {};", decl.name);
            Some(text)
        }
        Kind::Struct { tag, union, align, fields } => {
            let word = if *union { "union" } else { "struct" };
            let (open, close) = (code.find('{')?, code.rfind('}')?);
            let mut body = String::new();
            for line in code[open + 1..close].trim_matches('\n').lines() {
                let used = unnamed.iter().find(|(name, _)| line.trim_start().starts_with(&format!("{name} ")));
                match used {
                    Some((name, inner)) => {
                        let field = line.trim_start()[name.len()..].trim();
                        let field = if field.starts_with("anon") { ";" } else { &format!(" {field}") };
                        for line in inner.lines() {
                            let _ = writeln!(body, "    {line}");
                        }
                        body.truncate(body.len() - 1);
                        let _ = writeln!(body, "{field}");
                    }
                    None => {
                        // A structure that points to itself has no typedef yet; some never have one.
                        let mut line = replace_word(line, &decl.name, &format!("{word} {tag}"));
                        for name in tag_only {
                            line = replace_word(&line, name, &format!("struct {name}"));
                        }
                        let _ = writeln!(body, "{line}");
                    }
                }
            }
            debug_assert!(!fields.is_empty());
            if tag == "_" {
                unnamed.insert(decl.name.clone(), format!("{word} {{\n{body}}}"));
                return None;
            }
            let align = align.map(|bytes| format!("CU_DOPPEL_ALIGN({bytes}) ")).unwrap_or_default();
            if is_tag_only(decl) {
                return Some(format!("{comment}{word} {align}{tag} {{\n{body}}};"));
            }
            Some(format!("{comment}typedef {word} {align}{tag} {{\n{body}}} {};", decl.name))
        }
    }
}

/// Types so that each comes after what it uses, otherwise in the order of the sources.
fn ordered<'a>(types: &[&'a Decl], blocks: &BTreeMap<String, String>) -> Vec<&'a Decl> {
    fn visit<'a>(
        at: usize,
        types: &[&'a Decl],
        blocks: &BTreeMap<String, String>,
        places: &BTreeMap<&str, usize>,
        seen: &mut BTreeSet<usize>,
        out: &mut Vec<&'a Decl>,
    ) {
        if !seen.insert(at) {
            return;
        }
        let text = blocks.get(&types[at].name).map_or("", |block| code(block));
        for word in text.split(|c| !is_word(c)) {
            if let Some(&used) = places.get(word) {
                visit(used, types, blocks, places, seen, out);
            }
        }
        out.push(types[at]);
    }
    let places = types.iter().enumerate().map(|(at, decl)| (decl.name.as_str(), at)).collect();
    let (mut seen, mut out) = (BTreeSet::new(), Vec::new());
    for at in 0..types.len() {
        visit(at, types, blocks, &places, &mut seen, &mut out);
    }
    out
}

fn constant(constant: &Constant) -> String {
    let value = &constant.value;
    let ty = &constant.ty;
    let ty = quote!(#ty).to_string();
    let text = match value {
        Expr::Call(call) => {
            let (name, arg) = (&call.func, &call.args);
            format!("(({}){})", quote!(#name), quote!(#arg))
        }
        Expr::Cast(cast) => {
            let inner = &cast.expr;
            format!("((void *){})", quote!(#inner))
        }
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Not(_)) => {
            let inner = &unary.expr;
            format!("(~{}u)", quote!(#inner))
        }
        other => quote!(#other).to_string().replace("- ", "-"),
    };
    let text = if ty == "CUdevice" { format!("(({ty}){text})") } else { text };
    let docs = unmarked(&constant.docs.join(" "));
    format!("/** {docs} */\n#define {} {text}\n", constant.name)
}

fn write(header: &Header, all: &[Header], api: &Api, root: &Path) -> Result<String, Failure> {
    let types: Vec<&Decl> = api.types.iter().filter(|decl| header.has_name(&decl.name, all)).collect();
    let functions: Vec<&Function> =
        api.functions.iter().filter(|function| function.keys.header && header.has_function(function, all)).collect();
    let text = bindgen(&lowered(&types, &functions), &types, header, root)?;
    let blocks = blocks(&text);

    let mut out = format!(
        "/*\n * {}\n * Written by doppel-header from the declarations in {}. Do not edit.\n */\n\n",
        header.about, header.source
    );
    if header.source != "src/abi" {
        // NVIDIA's compiler needs its own, which says what is on the device.
        let _ = write!(
            out,
            "#if defined(__CUDACC__) && defined(__has_include_next)\n#if __has_include_next(<{0}>)\n#include_next <{0}>\n#define {1}\n\
             #endif\n#endif\n\n",
            header.name, header.guard
        );
    }
    let _ = write!(
        out,
        "#if !defined({0}) && !defined({1})\n#define {0}\n#define {1}\n\n",
        header.guard, header.other_guard
    );
    for include in header.includes {
        let _ = writeln!(out, "#include {include}");
    }
    // Types without a name inside of others came with C11, and for C++ are an extension.
    out.push_str(
        "\n#if defined(__GNUC__)\n#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wpedantic\"\n#endif\n",
    );
    out.push_str(&header.prelude.replace("@VERSION@", &CUDA_VERSION.to_string()));
    out.push_str("\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    let tag_only: Vec<&str> = types.iter().filter(|decl| is_tag_only(decl)).map(|decl| decl.name.as_str()).collect();
    let mut unnamed = BTreeMap::new();
    for decl in ordered(&types, &blocks) {
        let block = blocks.get(&decl.name).ok_or_else(|| format!("cbindgen did not write {}", decl.name))?;
        if let Some(text) = type_text(decl, block, &tag_only, &mut unnamed) {
            if decl.name == "CUuuid" {
                // The headers of the CUDA runtime declare it too.
                let _ = write!(
                    out,
                    "\n#ifndef CU_UUID_HAS_BEEN_DEFINED\n#define CU_UUID_HAS_BEEN_DEFINED\n{text}\n#endif\n"
                );
            } else {
                let _ = write!(out, "\n{text}\n");
            }
        }
    }
    for constant_ in api.constants.iter().filter(|constant| header.has_name(&constant.name, all)) {
        let _ = write!(out, "\n{}", constant(constant_));
    }
    for (file, title) in &api.sections {
        let mut own = functions.iter().filter(|function| function.file == *file).peekable();
        if own.peek().is_some() {
            let _ = write!(out, "\n/* {title} */\n");
        }
        for function in own {
            for name in std::iter::once(function.name.clone()).chain(function.twin()) {
                let block = blocks.get(&name).ok_or_else(|| format!("cbindgen did not write {name}"))?;
                let text = plain_comment(block);
                let (comment, code) = text.split_at(text.len() - code(&text).len());
                // Parameters on lines of their own move with the opening parenthesis.
                let code = match code.strip_prefix("CUresult ") {
                    Some(rest) => format!("CUresult CUDAAPI {}", rest.replace("\n ", "\n         ")),
                    None => code.to_string(),
                };
                let _ = write!(out, "\n{comment}{code}\n");
            }
        }
    }
    let macros = mapping::macros(api, |function| header.has_function(function, all));
    out.push_str(header.epilogue);
    if !macros.is_empty() {
        let _ = write!(
            out,
            "\n/* What the plain names mean. */\n#if !defined(__CUDA_API_VERSION_INTERNAL)\n{}#endif\n",
            macros.trim_start()
        );
    }
    out.push_str("\n#ifdef __cplusplus\n}\n#endif\n\n#if defined(__GNUC__)\n#pragma GCC diagnostic pop\n#endif\n");
    let _ = write!(out, "\n#endif /* {} */\n", header.guard);
    Ok(out)
}

/// Before the declarations of `driver_types.h`: `dim3` has constructors in C++. Compilers of NVIDIA's get NVIDIA's.
const TYPES_PRELUDE: &str = r#"
#ifndef CUDART_CB
#define CUDART_CB
#endif
#ifndef CUDARTAPI
#define CUDARTAPI
#endif

/* Alignment of a type, as far as the language version knows of it. */
#ifndef CU_DOPPEL_ALIGN
#if (defined(__cplusplus) && __cplusplus >= 201103L) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L)
#define CU_DOPPEL_ALIGN(bytes) __attribute__((aligned(bytes)))
#else
#define CU_DOPPEL_ALIGN(bytes)
#endif
#endif

#ifndef __VECTOR_TYPES_H__
/** The size of a grid, a block or a cluster. */
struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
#endif
};
typedef struct dim3 dim3;
#endif
"#;

/// Before the declarations of `cuda_runtime_api.h`.
const RUNTIME_PRELUDE: &str = r#"
/* The version whose interface this is; what of it the library has not is not declared. */
#define CUDART_VERSION 13050

/* With CUDA_API_PER_THREAD_DEFAULT_STREAM the plain names take stream 0 for the calling thread's default stream. */
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) && !defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define __CUDA_API_PER_THREAD_DEFAULT_STREAM
#endif
#ifndef __CUDA_API_PTDS
#if defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define __CUDA_API_PTDS(api) api##_ptds
#define __CUDA_API_PTSZ(api) api##_ptsz
#else
#define __CUDA_API_PTDS(api) api
#define __CUDA_API_PTSZ(api) api
#endif
#endif
"#;

/// Before the declarations of `cuda.h`.
const PRELUDE: &str = r#"
/*
 * The version whose meaning the plain names have and whose behaviour the library follows. Functions and types that came
 * later are declared as well; the library answers CUDA_ERROR_NOT_SUPPORTED for such functions unless it says otherwise.
 */
#define CUDA_VERSION @VERSION@

#ifndef CUDAAPI
#define CUDAAPI
#endif
#ifndef CUDA_CB
#define CUDA_CB
#endif

/* With CUDA_API_PER_THREAD_DEFAULT_STREAM the plain names take stream 0 for the calling thread's default stream. */
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) && !defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define __CUDA_API_PER_THREAD_DEFAULT_STREAM
#endif
#if defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define __CUDA_API_PTDS(api) api##_ptds
#define __CUDA_API_PTSZ(api) api##_ptsz
#else
#define __CUDA_API_PTDS(api) api
#define __CUDA_API_PTSZ(api) api
#endif

/* Alignment of a type, as far as the language version knows of it. */
#if (defined(__cplusplus) && __cplusplus >= 201103L) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L)
#define CU_DOPPEL_ALIGN(bytes) __attribute__((aligned(bytes)))
#else
#define CU_DOPPEL_ALIGN(bytes)
#endif
"#;

/// After the functions of `cuda.h`: a look-up that prefers per-thread twins where the program was compiled for them.
const PER_THREAD_LOOKUP: &str = r#"
#if defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM) && !defined(__CUDA_API_VERSION_INTERNAL)
/** cuGetProcAddress_v2 that prefers per-thread twins unless the flags say which kind is wanted. */
static inline CUresult cuGetProcAddress_v2_ptsz(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
                                                CUdriverProcAddressQueryResult *symbolStatus)
{
    if (!(flags & (CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)))
        flags |= CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    return cuGetProcAddress_v2(symbol, pfn, cudaVersion, flags, symbolStatus);
}
#define cuGetProcAddress_v2 cuGetProcAddress_v2_ptsz
#endif
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_know_what_they_declare() {
        let text = "/**\n * Text (more).\n */\ntypedef struct {\n    int a;\n} A;\n\ntypedef void (*F)(int);\n\ntypedef int B;\n\nCUresult f(int (*g)(void),\n           int h);\n";
        assert_eq!(blocks(text).into_keys().collect::<Vec<_>>(), ["A", "B", "F", "f"]);
    }

    #[test]
    fn words_are_replaced_whole() {
        assert_eq!(replace_word("A *A_v1, A", "A", "struct T"), "struct T *A_v1, struct T");
    }

    #[test]
    fn short_comments_take_one_line() {
        assert_eq!(plain_comment("/**\n * See [`x`].\n */\nint x;"), "/** See x. */\nint x;");
        assert_eq!(plain_comment("/**\n * A\n * B\n */\nint x;"), "/**\n * A\n * B\n */\nint x;");
    }
}
