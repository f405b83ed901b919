//! The attribute `#[entry]`: one declaration of a driver function, from which its exports and its rows of the function
//! table are made. The keys are described in `docs/ARCHITECTURE.md`.

mod naming;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Block, Error, FnArg, Ident, LitBool, LitInt, LitStr, Pat, Result, Signature, Token, Visibility};

/// Declares an entry point; see `docs/ARCHITECTURE.md`.
#[proc_macro_attribute]
pub fn entry(attr: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    syn::parse::<Keys>(attr)
        .and_then(|keys| expand(&keys, syn::parse::<Item>(item)?))
        .unwrap_or_else(Error::into_compile_error)
        .into()
}

/// The keys of the attribute.
#[derive(Default)]
struct Keys {
    since: Option<u32>,
    twin: Option<Ident>,
    twin_since: Option<u32>,
    twin_lookup: Option<bool>,
    needs: Option<Ident>,
    header: Option<bool>,
    lookup: Option<bool>,
    status: Option<String>,
    absent: Option<Ident>,
    forward: Option<Ident>,
    /// The enumeration whose values the parameter `flags` consists of.
    flags: Option<Ident>,
}

/// One of several words, written `word` or `"word"`; becomes the variant of the same name.
fn word(input: ParseStream, words: &[(&str, &str)]) -> Result<Ident> {
    let (text, span) = if input.peek(LitStr) {
        let lit: LitStr = input.parse()?;
        (lit.value(), lit.span())
    } else {
        let ident: Ident = input.parse()?;
        (ident.to_string(), ident.span())
    };
    match words.iter().find(|(name, _)| *name == text) {
        Some((_, variant)) => Ok(Ident::new(variant, span)),
        None => {
            let known: Vec<_> = words.iter().map(|(name, _)| *name).collect();
            Err(Error::new(span, format!("expected one of: {}", known.join(", "))))
        }
    }
}

impl Parse for Keys {
    fn parse(input: ParseStream) -> Result<Self> {
        let mut keys = Keys::default();
        while !input.is_empty() {
            let key: Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            let number = |input: ParseStream| input.parse::<LitInt>()?.base10_parse::<u32>();
            let flag = |input: ParseStream| Ok::<_, Error>(input.parse::<LitBool>()?.value);
            match key.to_string().as_str() {
                "since" => keys.since = Some(number(input)?),
                "twin" => keys.twin = Some(word(input, &[("ptsz", "Ptsz"), ("ptds", "Ptds")])?),
                "twin_since" => keys.twin_since = Some(number(input)?),
                "twin_lookup" => keys.twin_lookup = Some(flag(input)?),
                "needs" => {
                    keys.needs = Some(word(
                        input,
                        &[("nothing", "Nothing"), ("init", "Init"), ("context", "Context"), ("late", "Late")],
                    )?)
                }
                "header" => keys.header = Some(flag(input)?),
                "lookup" => keys.lookup = Some(flag(input)?),
                "status" => keys.status = Some(input.parse::<LitStr>()?.value()),
                "absent" => keys.absent = Some(word(input, &[("run", "Run"), ("no_device", "NoDevice")])?),
                "forward" => keys.forward = Some(word(input, &[("run", "Run")])?),
                "flags" => keys.flags = Some(input.parse()?),
                _ => return Err(Error::new(key.span(), "unknown key")),
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        if keys.since.is_none() {
            return Err(Error::new(Span::call_site(), "`since = N` is missing"));
        }
        if keys.twin.is_none() && (keys.twin_since.is_some() || keys.twin_lookup.is_some()) {
            return Err(Error::new(Span::call_site(), "`twin_since` and `twin_lookup` need `twin`"));
        }
        Ok(keys)
    }
}

/// A function with or without a body.
struct Item {
    attrs: Vec<Attribute>,
    _vis: Visibility,
    sig: Signature,
    body: Option<Block>,
}

impl Parse for Item {
    fn parse(input: ParseStream) -> Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let sig = input.parse()?;
        let body = if input.peek(Token![;]) {
            input.parse::<Token![;]>()?;
            None
        } else {
            Some(input.parse()?)
        };
        Ok(Item { attrs, _vis: vis, sig, body })
    }
}

/// Source text of a type or parameter as a person would write it.
fn text(tokens: TokenStream) -> String {
    let mut out = tokens.to_string();
    for (from, to) in [
        (" < ", "<"),
        (" >", ">"),
        ("* mut", "*mut"),
        ("* const", "*const"),
        (" ,", ","),
        (" :", ":"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
    ] {
        out = out.replace(from, to);
    }
    out
}

/// The type as which an argument is shown: device addresses are no plain numbers, and characters no bytes.
fn shown_as(ty: TokenStream) -> TokenStream {
    let one = |token| match token {
        TokenTree::Ident(ident) if ident == "CUdeviceptr" => quote!(crate::show::Address),
        TokenTree::Ident(ident) if ident == "c_char" => quote!(crate::show::Char),
        TokenTree::Ident(ident) if ident == "CUmemGenericAllocationHandle" => quote!(crate::show::Token<0>),
        TokenTree::Ident(ident) if ident == "CUtexObject" => quote!(crate::show::Token<1>),
        TokenTree::Ident(ident) if ident == "CUsurfObject" => quote!(crate::show::Token<2>),
        TokenTree::Ident(ident) if ident == "CUgraphConditionalHandle" => quote!(crate::show::Token<3>),
        TokenTree::Group(group) => {
            let mut inner = proc_macro2::Group::new(group.delimiter(), shown_as(group.stream()));
            inner.set_span(group.span());
            quote!(#inner)
        }
        other => quote!(#other),
    };
    ty.into_iter().flat_map(one).collect()
}

/// The name without its version suffix: `cuMemAlloc` for `cuMemAlloc_v2`.
fn base(name: &str) -> String {
    match name.rsplit_once("_v") {
        Some((base, digits)) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => base.to_string(),
        _ => name.to_string(),
    }
}

/// True for the handle of a stream.
fn is_stream(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.is_ident("CUstream"))
}

fn expand(keys: &Keys, item: Item) -> Result<TokenStream> {
    let Item { attrs, sig, mut body, .. } = item;
    let name = &sig.ident;
    if !sig.generics.params.is_empty() || sig.variadic.is_some() || sig.unsafety.is_some() || sig.abi.is_some() {
        return Err(Error::new_spanned(&sig, "an entry point is a plain function: `pub fn name(args) -> Result<()>`"));
    }
    let mut names = Vec::new();
    let mut types = Vec::new();
    for arg in &sig.inputs {
        match arg {
            FnArg::Typed(arg) => match &*arg.pat {
                Pat::Ident(pat) => {
                    names.push(pat.ident.clone());
                    types.push(&*arg.ty);
                }
                other => {
                    return Err(Error::new_spanned(other, "a plain parameter name is expected"));
                }
            },
            FnArg::Receiver(this) => return Err(Error::new_spanned(this, "no `self` here")),
        }
    }
    let output = match &sig.output {
        syn::ReturnType::Type(_, ty) => quote!(#ty),
        syn::ReturnType::Default => {
            return Err(Error::new_spanned(&sig, "the return type is `Result<()>`"));
        }
    };
    let docs: Vec<_> = attrs.iter().filter(|a| a.path().is_ident("doc") || a.path().is_ident("cfg")).collect();
    let others: Vec<_> = attrs.iter().filter(|a| !a.path().is_ident("doc")).collect();

    let implemented = body.is_some();
    let body_name = format_ident!("body_{}", name);
    let twin_param = keys.twin.as_ref().map(|_| quote!(default_stream: crate::abi::DefaultStream,));
    if let Some(block) = &mut body {
        naming::name_arguments(&naming::parameters(&sig), block);
    }
    let body_fn = match &body {
        Some(block) => quote! {
            #(#others)*
            #[allow(non_snake_case, unused_variables, clippy::too_many_arguments)]
            fn #body_name(#twin_param #(#names: #types),*) -> #output #block
        },
        // Keeps the declared types in use, so that a file reads the same before and after it gets bodies.
        None => quote! {
            #[allow(clippy::type_complexity)]
            const _: Option<fn(#(#types),*) -> #output> = None;
        },
    };

    let base = base(&name.to_string());
    let since = keys.since.unwrap_or(0);
    let needs = keys.needs.clone().unwrap_or_else(|| Ident::new("Context", Span::call_site()));
    let lookup = keys.lookup.unwrap_or(true);
    let header = keys.header.unwrap_or(true);
    let status = keys.status.clone().unwrap_or_default();
    let absent = keys.absent.clone().unwrap_or_else(|| Ident::new("NotInitialized", Span::call_site()));
    let run_in_forward = keys.forward.is_some();
    // A call that names a stream needs the stream's context rather than the current one, unless it says otherwise.
    let by_stream = keys.needs.as_ref().is_none_or(|n| n == "Late");
    let stream = names.iter().zip(&types).find(|(_, t)| is_stream(t)).map(|(n, _)| n).filter(|_| by_stream);
    let route = match stream {
        Some(stream) => quote!(crate::dispatch::route_on(&ENTRY, #stream.0)),
        None => quote!(crate::dispatch::route(&ENTRY)),
    };
    // The dispatch answers with a number.
    let result = quote!(crate::abi::types::CUresult);
    let places: Vec<usize> = (0..names.len()).collect();
    let within = stream.map(|stream| {
        quote! {
            // SAFETY: our own caller's arguments.
            crate::dispatch::RouteKind::Within => crate::dispatch::within(#stream.0, || unsafe { slow(#(#names),*) }),
        }
    });
    // Never given to calls without a stream.
    let within = within.unwrap_or_else(
        || quote!(crate::dispatch::RouteKind::Within => #result(crate::dispatch::unreachable(&ENTRY)),),
    );
    let params: Vec<_> = names.iter().zip(&types).map(|(n, t)| format!("{n}: {}", text(quote!(#t)))).collect();
    let params = params.join(", ");
    let shown: Vec<_> = names
        .iter()
        .zip(&types)
        .map(|(name, ty)| {
            let (name, mut ty) = (name.to_string(), shown_as(quote!(#ty)));
            let name = name.strip_prefix("r#").unwrap_or(&name);
            if let Some(flags) = keys.flags.as_ref().filter(|_| name.eq_ignore_ascii_case("flags")) {
                ty = quote!(crate::show::Flags<crate::abi::types::#flags, #ty>);
            }
            let key = format!(",\"{name}\":\"");
            quote!(crate::show::Parameter::new::<#ty>(#key))
        })
        .collect();

    let mut exports = vec![(name.clone(), Ident::new("None", Span::call_site()), since, lookup, "Legacy")];
    if let Some(kind) = &keys.twin {
        let suffix = kind.to_string().to_lowercase();
        let since = keys.twin_since.unwrap_or(since.max(7000));
        let lookup = lookup && keys.twin_lookup.unwrap_or(true);
        exports.push((format_ident!("{}_{}", name, suffix), kind.clone(), since, lookup, "PerThread"));
    }
    let exports = exports.into_iter().map(|(export, twin, since, lookup, stream)| {
        let symbol = format!("{export}\0");
        let stream = Ident::new(stream, Span::call_site());
        let twin_doc = (twin != "None").then(|| {
            let line = format!("[`{name}`] with stream 0 as the per-thread default stream.");
            quote!(#[doc = #line])
        });
        let own_docs = if twin_doc.is_some() { quote!(#twin_doc) } else { quote!(#(#docs)*) };
        let stream_arg = keys.twin.as_ref().map(|_| quote!(crate::abi::DefaultStream::#stream,));
        let emulate = if implemented {
            let run = quote!(crate::dispatch::run(&ENTRY, || #body_name(#stream_arg #(#names),*)));
            quote!(crate::dispatch::RouteKind::Emulate => #result(#run),)
        } else {
            quote!(crate::dispatch::RouteKind::Emulate => #result(crate::dispatch::unreachable(&ENTRY)),)
        };
        quote! {
            #own_docs
            ///
            /// # Safety
            /// The arguments are what the driver manual demands.
            #[allow(non_snake_case, clippy::too_many_arguments)]
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn #export(#(#names: #types),*) -> #result {
                #[linkme::distributed_slice(crate::table::ENTRIES)]
                static ENTRY: crate::table::Entry = crate::table::Entry::new(crate::table::Row {
                    symbol: #symbol,
                    base: #base,
                    since: #since,
                    twin: crate::table::Twin::#twin,
                    needs: crate::table::Needs::#needs,
                    lookup: #lookup,
                    header: #header,
                    implemented: #implemented,
                    absent: crate::table::Absent::#absent,
                    run_in_forward: #run_in_forward,
                    status: #status,
                    params: #params,
                    parameters: &[#(#shown),*],
                    address: #export as *const (),
                    layered: layered as *const (),
                });
                #[allow(clippy::type_complexity)]
                type Real = unsafe extern "C" fn(#(#types),*) -> #result;
                // Everything but the forwarded call is out of line, so that this call is a load, a test and a jump.
                #[inline(never)]
                unsafe extern "C" fn slow(#(#names: #types),*) -> #result {
                    let route = if #implemented && crate::dispatch::is_ready(crate::table::Needs::#needs) {
                        crate::dispatch::Route::EMULATE
                    } else {
                        #route
                    };
                    match route.kind {
                        // SAFETY: as below.
                        crate::dispatch::RouteKind::Real => unsafe {
                            core::mem::transmute::<*mut (), Real>(route.value)(#(#names),*)
                        },
                        crate::dispatch::RouteKind::Answer => #result(route.code()),
                        #within
                        #emulate
                    }
                }
                // What the slot holds while a layer is on.
                unsafe extern "C" fn layered(#(#names: #types),*) -> #result {
                    let arguments: &[*const ()] = &[#((&raw const #names).cast()),*];
                    // SAFETY: pointers to the arguments in the order of the declaration, which `behind` takes.
                    #result(unsafe { crate::layers::around(&ENTRY, arguments, behind) })
                }
                // What is behind the layers.
                #[allow(unused_variables)]
                unsafe fn behind(arguments: *const *const ()) -> u32 {
                    let real = ENTRY.behind();
                    // SAFETY: the arguments of `layered`, for ourselves or the real driver's function of this name.
                    let result = unsafe {
                        #(let #names = (*arguments.add(#places)).cast::<#types>().read();)*
                        if real.is_null() {
                            slow(#(#names),*)
                        } else {
                            core::mem::transmute::<*mut (), Real>(real)(#(#names),*)
                        }
                    };
                    result.0
                }
                let real = ENTRY.slot();
                // SAFETY: the slot holds a function of this signature: the real driver's of this name, or the one above.
                unsafe {
                    if real.is_null() {
                        slow(#(#names),*)
                    } else {
                        core::mem::transmute::<*mut (), Real>(real)(#(#names),*)
                    }
                }
            }
        }
    });
    Ok(quote! { #body_fn #(#exports)* })
}
