//! Reads the declarations of the driver API: `src/abi`, its types, and the error codes. The C headers, `docs/STATUS.md` and
//! the fuzzer of calls come from what this reads.

pub mod docs;

use proc_macro2::TokenStream;
use quote::ToTokens;
use std::fs;
use std::path::Path;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Expr, Ident, Item, LitBool, LitInt, LitStr, Signature, Token, Type, Visibility, braced};

/// Everything that `cuda.h` and `docs/STATUS.md` say.
#[derive(Default)]
pub struct Api {
    pub types: Vec<Decl>,
    pub constants: Vec<Constant>,
    pub functions: Vec<Function>,
    /// File stem and first line of the file, in the order of the files.
    pub sections: Vec<(String, String)>,
}

/// A type.
pub struct Decl {
    pub name: String,
    pub docs: Vec<String>,
    pub kind: Kind,
}

pub enum Kind {
    Enum { tag: String, enumerators: Vec<(String, String)> },
    Handle { tag: String },
    Struct { tag: String, union: bool, align: Option<u32>, fields: Vec<(Ident, Type)> },
    Alias(Box<Type>),
}

pub struct Constant {
    pub name: String,
    pub docs: Vec<String>,
    pub ty: Type,
    pub value: Expr,
}

/// An entry point.
pub struct Function {
    pub file: String,
    pub name: String,
    pub docs: Vec<String>,
    pub sig: Signature,
    pub keys: Keys,
    pub implemented: bool,
}

/// What the attribute says, as far as it matters here.
#[derive(Default)]
pub struct Keys {
    pub since: u32,
    pub twin: Option<String>,
    pub twin_since: Option<u32>,
    pub header: bool,
    pub status: Option<String>,
    pub absent: Option<String>,
    pub forward: Option<String>,
}

impl Function {
    /// The name without version suffix.
    pub fn base(&self) -> &str {
        match self.name.rsplit_once("_v") {
            Some((base, digits)) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => base,
            _ => &self.name,
        }
    }

    /// The exported name of the twin.
    pub fn twin(&self) -> Option<String> {
        self.keys.twin.as_ref().map(|twin| format!("{}_{twin}", self.name))
    }
}

impl Parse for Keys {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut keys = Keys { header: true, ..Keys::default() };
        while !input.is_empty() {
            let key = input.call(Ident::parse_any)?;
            input.parse::<Token![=]>()?;
            let word = |input: ParseStream| -> syn::Result<String> {
                if input.peek(LitStr) {
                    Ok(input.parse::<LitStr>()?.value())
                } else {
                    Ok(input.call(Ident::parse_any)?.to_string())
                }
            };
            match key.to_string().as_str() {
                "since" => keys.since = input.parse::<LitInt>()?.base10_parse()?,
                "twin" => keys.twin = Some(word(input)?),
                "twin_since" => keys.twin_since = Some(input.parse::<LitInt>()?.base10_parse()?),
                "header" => keys.header = input.parse::<LitBool>()?.value,
                "status" => keys.status = Some(word(input)?),
                "absent" => keys.absent = Some(word(input)?),
                "forward" => keys.forward = Some(word(input)?),
                // Keys that change neither the header nor the status list.
                _ => drop(input.parse::<Expr>()?),
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(keys)
    }
}

/// A function whose body, if any, does not matter.
struct Bodiless {
    attrs: Vec<Attribute>,
    sig: Signature,
}

impl Parse for Bodiless {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        input.parse::<Visibility>()?;
        let sig = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok(Bodiless { attrs, sig })
    }
}

/// The contents of `c_enum!`, `c_struct!` or `c_handle!`.
struct Declared {
    name: String,
    docs: Vec<String>,
    kind: Kind,
}

fn tag(input: ParseStream) -> syn::Result<String> {
    if input.peek(Token![_]) {
        input.parse::<Token![_]>()?;
        Ok("_".to_string())
    } else {
        Ok(input.parse::<Ident>()?.to_string())
    }
}

impl Parse for Declared {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let docs = docs(&attrs);
        if !input.peek(Token![pub]) {
            let name = input.parse::<Ident>()?.to_string();
            input.parse::<Token![=]>()?;
            let tag = tag(input)?;
            input.parse::<Token![;]>()?;
            return Ok(Declared { name, docs, kind: Kind::Handle { tag } });
        }
        input.parse::<Token![pub]>()?;
        let word = input.call(Ident::parse_any)?.to_string();
        let name = input.parse::<Ident>()?.to_string();
        input.parse::<Token![:]>()?;
        let tag = tag(input)?;
        if input.peek(Token![as]) {
            input.parse::<Token![as]>()?;
            input.parse::<Ident>()?;
        }
        let body;
        braced!(body in input);
        let kind = if word == "enum" {
            let mut enumerators = Vec::new();
            while !body.is_empty() {
                let name = body.parse::<Ident>()?.to_string();
                body.parse::<Token![=]>()?;
                enumerators.push((name, body.parse::<Expr>()?.to_token_stream().to_string().replace("- ", "-")));
                body.parse::<Token![,]>()?;
            }
            Kind::Enum { tag, enumerators }
        } else {
            let mut fields = Vec::new();
            while !body.is_empty() {
                body.parse::<Token![pub]>()?;
                let field = body.call(Ident::parse_any)?;
                body.parse::<Token![:]>()?;
                fields.push((field, body.parse()?));
                body.parse::<Token![,]>()?;
            }
            Kind::Struct { tag, union: word == "union", align: align(&attrs)?, fields }
        };
        Ok(Declared { name, docs, kind })
    }
}

/// `#[repr(align(N))]`.
fn align(attrs: &[Attribute]) -> syn::Result<Option<u32>> {
    let mut found = None;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("repr")) {
        attr.parse_nested_meta(|meta| {
            let content;
            syn::parenthesized!(content in meta.input);
            found = Some(content.parse::<LitInt>()?.base10_parse()?);
            Ok(())
        })?;
    }
    Ok(found)
}

/// One code of `errors!`.
struct Code {
    name: String,
    number: LitInt,
}

impl Parse for Code {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        input.call(Attribute::parse_outer)?;
        input.parse::<Ident>()?;
        input.parse::<Token![=]>()?;
        let number = input.parse()?;
        input.parse::<Token![,]>()?;
        let name = input.parse::<LitStr>()?.value();
        input.parse::<Token![,]>()?;
        // The text, or a word.
        input.parse::<proc_macro2::TokenTree>()?;
        input.parse::<Token![;]>()?;
        Ok(Code { name, number })
    }
}

struct Codes(Vec<Code>);

impl Parse for Codes {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut codes = Vec::new();
        while !input.is_empty() {
            codes.push(input.parse()?);
        }
        Ok(Codes(codes))
    }
}

/// The lines of a doc comment, less the blank that each begins with.
fn docs(attrs: &[Attribute]) -> Vec<String> {
    let mut lines = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("doc")) {
        if let syn::Meta::NameValue(value) = &attr.meta
            && let Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &value.value
        {
            let text = text.value();
            lines.push(text.strip_prefix(' ').unwrap_or(&text).trim_end().to_string());
        }
    }
    lines
}

type Failure = Box<dyn std::error::Error>;

/// Reads the crate whose root is `root`.
pub fn read(root: &Path) -> Result<Api, Failure> {
    let mut api = Api::default();
    result_codes(&mut api, &root.join("crates/error/src/code.rs"))?;
    for path in sources(&root.join("src/abi/types"))? {
        let file = stem(&path);
        if file != "mod" && file != "macros" {
            types(&mut api, &file, &parse(&path)?)?;
        }
    }
    for path in sources(&root.join("src/abi"))? {
        let source = parse(&path)?;
        let before = api.functions.len();
        functions(&mut api, &stem(&path), &source)?;
        if api.functions.len() > before {
            let title = docs(&source.attrs).first().cloned().unwrap_or_default();
            api.sections.push((stem(&path), title.trim_end_matches('.').to_string()));
        }
    }
    Ok(api)
}

/// Reads what C programs see of the CUDA runtime, in the crate whose root is `root`.
pub fn read_runtime(root: &Path) -> Result<Api, Failure> {
    let mut api = Api::default();
    for path in sources(&root.join("crates/cudart/interface"))? {
        let (file, source) = (stem(&path), parse(&path)?);
        if file == "types" || file == "constants" {
            types(&mut api, &file, &source)?;
            continue;
        }
        functions(&mut api, &file, &source)?;
        let title = docs(&source.attrs).first().cloned().unwrap_or_default();
        api.sections.push((file, title.trim_end_matches('.').to_string()));
    }
    Ok(api)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn sources(dir: &Path) -> Result<Vec<std::path::PathBuf>, Failure> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn parse(path: &Path) -> Result<syn::File, Failure> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(syn::parse_file(&text).map_err(|error| located(path, &error))?)
}

fn located(path: &Path, error: &syn::Error) -> String {
    format!("{}:{}: {error}", path.display(), error.span().start().line)
}

fn result_codes(api: &mut Api, path: &Path) -> Result<(), Failure> {
    for item in parse(path)?.items {
        if let Item::Macro(item) = item
            && item.mac.path.is_ident("errors")
        {
            let codes: Codes = item.mac.parse_body().map_err(|error| located(path, &error))?;
            let mut enumerators = vec![("CUDA_SUCCESS".to_string(), "0".to_string())];
            let docs = vec!["The result of every function.".to_string()];
            for code in codes.0 {
                enumerators.push((code.name, code.number.to_string()));
            }
            let kind = Kind::Enum { tag: "cudaError_enum".to_string(), enumerators };
            api.types.push(Decl { name: "CUresult".to_string(), docs, kind });
        }
    }
    Ok(())
}

fn types(api: &mut Api, file: &str, source: &syn::File) -> Result<(), Failure> {
    for item in &source.items {
        match item {
            Item::Macro(item) if ["c_enum", "c_struct", "c_handle"].iter().any(|name| item.mac.path.is_ident(name)) => {
                let declared: Declared = item.mac.parse_body().map_err(|error| format!("{file}: {error}"))?;
                let Declared { name, docs, kind } = declared;
                api.types.push(Decl { name, docs, kind });
            }
            Item::Type(item) => api.types.push(Decl {
                name: item.ident.to_string(),
                docs: docs(&item.attrs),
                kind: Kind::Alias(item.ty.clone()),
            }),
            Item::Const(item) if file == "constants" => api.constants.push(Constant {
                name: item.ident.to_string(),
                docs: docs(&item.attrs),
                ty: (*item.ty).clone(),
                value: (*item.expr).clone(),
            }),
            _ => {}
        }
    }
    Ok(())
}

fn functions(api: &mut Api, file: &str, source: &syn::File) -> Result<(), Failure> {
    for item in &source.items {
        let (attrs, sig, implemented) = match item {
            Item::Fn(item) => (item.attrs.clone(), item.sig.clone(), true),
            Item::Verbatim(tokens) => match bodiless(tokens.clone()) {
                Ok(item) => (item.attrs, item.sig, false),
                Err(error) => return Err(format!("{file}: {error}").into()),
            },
            _ => continue,
        };
        let Some(attr) = attrs.iter().find(|attr| attr.path().is_ident("entry")) else { continue };
        let keys: Keys = attr.parse_args().map_err(|error| format!("{file}: {}: {error}", sig.ident))?;
        api.functions.push(Function {
            file: file.to_string(),
            name: sig.ident.to_string(),
            docs: docs(&attrs),
            sig,
            keys,
            implemented,
        });
    }
    Ok(())
}

fn bodiless(tokens: TokenStream) -> syn::Result<Bodiless> {
    syn::parse2(tokens)
}
