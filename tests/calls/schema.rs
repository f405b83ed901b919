//! The types of the driver API as the declarations have them, with sizes and offsets of C.

use declarations::{Api, Kind as Declared};
use quote::ToTokens;
use std::collections::HashMap;
use syn::{Expr, GenericArgument, Lit, PathArguments};

/// A type, by its place in [`Schema::types`].
pub type Id = usize;

pub enum Shape {
    Int,
    Float,
    /// A handle, or a number that stands for an object, by the place of its kind in [`Schema::kinds`].
    Object(usize),
    /// The values that the enum lists.
    Enum(Vec<u64>),
    Struct(Vec<Field>),
    Union(Vec<Field>),
    Array(Id, usize),
    /// `None`: `void`. True: only written.
    Pointer(Option<Id>, bool),
    Function,
}

pub struct Field {
    pub name: String,
    pub offset: usize,
    pub ty: Id,
}

pub struct Type {
    pub name: String,
    pub shape: Shape,
    pub size: usize,
    pub align: usize,
}

pub struct Param {
    pub name: String,
    pub ty: Id,
}

/// Numbers that are no handles in C, but name objects.
const NUMBERED: [&str; 6] = [
    "CUdeviceptr",
    "CUtexObject",
    "CUsurfObject",
    "CUmemGenericAllocationHandle",
    "CUgraphConditionalHandle",
    "CUdeviceptr_v1",
];

#[derive(Default)]
pub struct Schema {
    pub types: Vec<Type>,
    /// Names of the kinds of objects.
    pub kinds: Vec<String>,
    by_text: HashMap<String, Id>,
}

impl Schema {
    /// Where a kind is; it is entered if it is new.
    pub fn kind(&mut self, name: &str) -> usize {
        self.kinds.iter().position(|kind| kind == name).unwrap_or_else(|| {
            self.kinds.push(name.into());
            self.kinds.len() - 1
        })
    }

    /// The parameters of a row of the function table.
    pub fn params(&mut self, api: &Api, text: &str) -> Vec<Param> {
        let function: syn::Signature = syn::parse_str(&format!("fn f({text})")).expect("parameters as declared");
        let inputs = function.inputs.iter().map(|input| match input {
            syn::FnArg::Typed(arg) => (arg.pat.to_token_stream().to_string(), &*arg.ty),
            syn::FnArg::Receiver(_) => unreachable!("no methods in C"),
        });
        let inputs: Vec<_> = inputs.collect();
        inputs.into_iter().map(|(name, ty)| Param { name: plain(&name), ty: self.resolve(api, ty) }).collect()
    }

    fn add(&mut self, text: &str, shape: Shape, size: usize, align: usize) -> Id {
        self.types.push(Type { name: text.into(), shape, size, align });
        self.by_text.insert(text.into(), self.types.len() - 1);
        self.types.len() - 1
    }

    fn resolve(&mut self, api: &Api, ty: &syn::Type) -> Id {
        let text = ty.to_token_stream().to_string();
        if let Some(&id) = self.by_text.get(&text) {
            return id;
        }
        match ty {
            syn::Type::Ptr(to) => {
                let to = self.pointee(api, &to.elem);
                self.add(&text, Shape::Pointer(to, false), 8, 8)
            }
            syn::Type::Array(array) => {
                let element = self.resolve(api, &array.elem);
                let count = number(api, &array.len) as usize;
                let (size, align) = (self.types[element].size * count, self.types[element].align);
                self.add(&text, Shape::Array(element, count), size, align)
            }
            syn::Type::Path(path) => {
                let last = path.path.segments.last().expect("a name");
                let name = last.ident.to_string();
                let PathArguments::AngleBracketed(args) = &last.arguments else { return self.named(api, &name) };
                if name == "Option" {
                    return self.add(&text, Shape::Function, 8, 8);
                }
                let Some(GenericArgument::Type(to)) = args.args.first() else { unreachable!("{text}") };
                let to = self.pointee(api, to);
                self.add(&text, Shape::Pointer(to, name == "Out"), 8, 8)
            }
            _ => panic!("a type that the fuzzer does not know: {text}"),
        }
    }

    fn pointee(&mut self, api: &Api, ty: &syn::Type) -> Option<Id> {
        let text = ty.to_token_stream().to_string();
        (text != "c_void").then(|| self.resolve(api, ty))
    }

    fn named(&mut self, api: &Api, name: &str) -> Id {
        let size = match name {
            "c_char" | "c_uchar" | "u8" | "i8" => 1,
            "c_short" | "c_ushort" | "u16" => 2,
            "c_int" | "c_uint" | "u32" | "i32" => 4,
            "c_longlong" | "c_ulonglong" | "u64" | "i64" | "usize" => 8,
            "f32" => return self.add(name, Shape::Float, 4, 4),
            _ => return self.declared(api, name),
        };
        self.add(name, Shape::Int, size, size)
    }

    fn declared(&mut self, api: &Api, name: &str) -> Id {
        let declared = api.types.iter().find(|decl| decl.name == name).unwrap_or_else(|| panic!("no type {name}"));
        match &declared.kind {
            Declared::Enum { enumerators, .. } => {
                // What no program says.
                let real = enumerators.iter().filter(|(name, _)| !name.ends_with("_MAX") && !name.contains("INVALID"));
                let values = real.map(|(_, value)| syn::parse_str(value).expect("an expression"));
                let values: Vec<u64> = values.map(|value| number(api, &value) & 0xffff_ffff).collect();
                self.add(name, Shape::Enum(values), 4, 4)
            }
            Declared::Handle { .. } => {
                let kind = self.kind(name);
                self.add(name, Shape::Object(kind), 8, 8)
            }
            Declared::Alias(to) if NUMBERED.contains(&name) => {
                let (kind, to) = (self.kind(name), self.resolve(api, to));
                let (size, align) = (self.types[to].size, self.types[to].align);
                self.add(name, Shape::Object(kind), size, align)
            }
            // A device is a small number.
            Declared::Alias(_) if name == "CUdevice" => self.add(name, Shape::Int, 4, 4),
            Declared::Alias(to) => {
                let id = self.resolve(api, to);
                self.by_text.insert(name.into(), id);
                id
            }
            Declared::Struct { union, align, fields, .. } => {
                // A structure may point at its own kind.
                let id = self.add(name, Shape::Struct(Vec::new()), 0, 1);
                let (mut size, mut most) = (0usize, align.unwrap_or(1) as usize);
                let mut placed = Vec::new();
                for (field, ty) in fields {
                    let ty = self.resolve(api, ty);
                    let of = &self.types[ty];
                    most = most.max(of.align);
                    let offset = if *union { 0 } else { size.next_multiple_of(of.align) };
                    size = size.max(offset + of.size);
                    placed.push(Field { name: plain(&field.to_string()), offset, ty });
                }
                let shape = if *union { Shape::Union(placed) } else { Shape::Struct(placed) };
                self.types[id] = Type { name: name.into(), shape, size: size.next_multiple_of(most), align: most };
                id
            }
        }
    }

    /// The size of a structure that some function takes, and the offset of a field.
    pub fn field(&self, name: &str, field: &str) -> (usize, usize) {
        let of = self.types.iter().find(|ty| ty.name == name).unwrap_or_else(|| panic!("no type {name}"));
        let Shape::Struct(fields) = &of.shape else { panic!("{name} is no structure") };
        let found = fields.iter().find(|other| other.name == field).unwrap_or_else(|| panic!("{name}: no {field}"));
        (of.size, found.offset)
    }

    /// True if a value of the type leads to a function of the program, which would be called whatever it is, to waits,
    /// which might never end, or to descriptors, which would be closed.
    pub fn acts(&self, id: Id, depth: usize) -> bool {
        match &self.types[id].shape {
            Shape::Function => true,
            Shape::Pointer(Some(to), _) => depth < 3 && self.acts(*to, depth + 1),
            Shape::Struct(fields) | Shape::Union(fields) => {
                let name = &self.types[id].name;
                name.contains("BatchMemOp")
                    || name.contains("_HANDLE_DESC")
                    || name.starts_with("CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS")
                    || fields.iter().any(|field| self.acts(field.ty, depth))
            }
            Shape::Array(element, _) => self.acts(*element, depth),
            _ => false,
        }
    }

    /// True if something in a value of the type is an address or a descriptor: such a value is no use to another call.
    pub fn refers(&self, id: Id) -> bool {
        match &self.types[id].shape {
            Shape::Pointer(..) | Shape::Function => true,
            Shape::Struct(fields) | Shape::Union(fields) => {
                fields.iter().any(|field| field.name == "fd" || self.refers(field.ty))
            }
            Shape::Array(element, _) => self.refers(*element),
            _ => false,
        }
    }
}

fn plain(name: &str) -> String {
    name.trim_start_matches("r#").into()
}

/// The value of a constant expression.
fn number(api: &Api, value: &Expr) -> u64 {
    match value {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) => int.base10_parse().expect("a number"),
            _ => panic!("no number"),
        },
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => number(api, &unary.expr).wrapping_neg(),
        Expr::Paren(inner) => number(api, &inner.expr),
        Expr::Cast(cast) => number(api, &cast.expr),
        Expr::Binary(both) => {
            let (a, b) = (number(api, &both.left), number(api, &both.right));
            match both.op {
                syn::BinOp::Shl(_) => a << b,
                syn::BinOp::BitOr(_) => a | b,
                syn::BinOp::Add(_) => a + b,
                syn::BinOp::Sub(_) => a - b,
                _ => panic!("an operator that the fuzzer does not know: {}", value.to_token_stream()),
            }
        }
        Expr::Path(path) => {
            let name = path.path.segments.last().expect("a name").ident.to_string();
            if let Some(constant) = api.constants.iter().find(|constant| constant.name == name) {
                return number(api, &constant.value);
            }
            let enums = api.types.iter().filter_map(|decl| match &decl.kind {
                Declared::Enum { enumerators, .. } => Some(enumerators),
                _ => None,
            });
            let found = enums.flatten().find(|(enumerator, _)| *enumerator == name);
            let (_, value) = found.unwrap_or_else(|| panic!("no constant {name}"));
            number(api, &syn::parse_str(value).expect("an expression"))
        }
        _ => panic!("an expression that the fuzzer does not know: {}", value.to_token_stream()),
    }
}
