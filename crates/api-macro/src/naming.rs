//! Names of arguments for errors. An error that comes out of an expression about one parameter, as in `dptr.set(address)?` or
//! `stream::find(hStream)?`, gets the name of that parameter, unless it has a complete reason already.

use proc_macro2::Ident;
use std::collections::HashMap;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprClosure, ExprForLoop, ExprLet, ExprReturn, ExprTry, FnArg, Item, Local, Pat, PatIdent, Signature,
    Stmt, Type, parse_quote,
};

/// A parameter of a function.
pub struct Parameter {
    name: String,
    /// Its value as a number, if an error may have the value instead of the name.
    value: Option<Expr>,
}

/// The parameters of a function.
pub fn parameters(sig: &Signature) -> Vec<Parameter> {
    let parameter = |arg: &FnArg| match arg {
        FnArg::Typed(arg) => match &*arg.pat {
            Pat::Ident(pat) => Some(Parameter { name: pat.ident.to_string(), value: value(&pat.ident, &arg.ty) }),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    };
    sig.inputs.iter().filter_map(parameter).collect()
}

/// Handles, whose tables tell the value of a stale one.
const HANDLES: &[&str] = &[
    "CUarray",
    "CUcontext",
    "CUevent",
    "CUexternalMemory",
    "CUfunction",
    "CUgraph",
    "CUgraphExec",
    "CUgraphNode",
    "CUkernel",
    "CUlibrary",
    "CUlinkState",
    "CUmemoryPool",
    "CUmipmappedArray",
    "CUmodule",
    "CUstream",
    "CUsurfref",
    "CUtexref",
    "CUuserObject",
];

fn value(name: &Ident, ty: &Type) -> Option<Expr> {
    let path = match ty {
        Type::Ptr(_) => return Some(parse_quote!(#name as usize)),
        Type::Path(path) => path.path.segments.last()?.ident.to_string(),
        _ => return None,
    };
    match path.as_str() {
        "CUdeviceptr" => Some(parse_quote!(#name as usize)),
        "CUdevice" => Some(parse_quote!(::error::ordinal(#name))),
        "Out" | "In" | "InOut" | "InMut" => Some(parse_quote!(#name.addr())),
        handle if HANDLES.contains(&handle) => Some(parse_quote!(#name.0)),
        _ => None,
    }
}

/// Changes the body of a function so that its errors name the parameters.
pub fn name_arguments(parameters: &[Parameter], block: &mut Block) {
    let about = parameters.iter().map(|p| (p.name.clone(), p.name.clone())).collect();
    let values = parameters.iter().filter_map(|p| Some((p.name.clone(), p.value.clone()?))).collect();
    let mut names = Names { about, values, shadowed: Vec::new() };
    names.visit_block_mut(block);
    names.last(block);
}

/// Which parameter a variable is about: itself, or the one that it was found by.
struct Names {
    about: HashMap<String, String>,
    values: Vec<(String, Expr)>,
    /// Parameters whose names are those of other variables by now.
    shadowed: Vec<String>,
}

/// The parameters that an expression mentions.
struct Mentioned<'a> {
    names: &'a Names,
    found: Vec<String>,
}

impl<'a> Visit<'a> for Mentioned<'_> {
    fn visit_path(&mut self, path: &'a syn::Path) {
        if let Some(name) = path.get_ident().and_then(|ident| self.names.about.get(&ident.to_string()))
            && !self.found.contains(name)
        {
            self.found.push(name.clone());
        }
        visit::visit_path(self, path);
    }
}

impl Names {
    /// The parameter that a failure of this expression is about, if that is certain.
    fn subject(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Path(path) => self.about.get(&path.path.get_ident()?.to_string()).cloned(),
            Expr::MethodCall(call) => self.subject(&call.receiver),
            Expr::Call(call) => {
                if let Expr::Path(path) = &*call.func
                    && (path.path.is_ident("Ok") || path.path.is_ident("Err"))
                {
                    return None;
                }
                let mut mentioned = Mentioned { names: self, found: Vec::new() };
                call.args.iter().for_each(|arg| mentioned.visit_expr(arg));
                if mentioned.found.len() == 1 { mentioned.found.pop() } else { None }
            }
            Expr::Field(field) => self.subject(&field.base),
            Expr::Index(index) => self.subject(&index.expr),
            Expr::Paren(paren) => self.subject(&paren.expr),
            Expr::Reference(reference) => self.subject(&reference.expr),
            Expr::Unary(unary) => self.subject(&unary.expr),
            Expr::Cast(cast) => self.subject(&cast.expr),
            Expr::Try(tried) => self.subject(&tried.expr),
            _ => None,
        }
    }

    /// Names and values of the parameters that a call mentions: its error may be about any of them.
    fn values_in(&self, expr: &Expr) -> (Vec<&str>, Vec<&Expr>) {
        let mut mentioned = Mentioned { names: self, found: Vec::new() };
        if let Expr::Call(_) | Expr::MethodCall(_) = expr {
            mentioned.visit_expr(expr);
        }
        // A name that means something else by now has no value.
        let known = |name: &String| mentioned.found.contains(name) && self.about.get(name) == Some(name);
        let shadowed = |name: &String| self.shadowed.contains(name);
        let found = self.values.iter().filter(|(name, _)| known(name) && !shadowed(name));
        found.map(|(name, value)| (name.as_str(), value)).unzip()
    }

    fn name(&self, expr: &mut Expr) {
        if let Some(name) = self.subject(expr) {
            *expr = parse_quote!(::error::Named::of(#expr, #name));
            return;
        }
        let (names, values) = self.values_in(expr);
        if !names.is_empty() {
            *expr = parse_quote!(::error::Named::of_value(#expr, || [#((#names, #values)),*]));
        }
    }

    /// The value of a block that is the value of the function.
    fn last(&self, block: &mut Block) {
        if let Some(Stmt::Expr(expr, None)) = block.stmts.last_mut() {
            self.last_expr(expr);
        }
    }

    fn last_expr(&self, expr: &mut Expr) {
        match expr {
            Expr::If(choice) => {
                self.last(&mut choice.then_branch);
                if let Some((_, other)) = &mut choice.else_branch {
                    self.last_expr(other);
                }
            }
            Expr::Match(choice) => choice.arms.iter_mut().for_each(|arm| self.last_expr(&mut arm.body)),
            Expr::Block(inner) => self.last(&mut inner.block),
            Expr::Call(_) | Expr::MethodCall(_) => self.name(expr),
            _ => {}
        }
    }
}

impl VisitMut for Names {
    fn visit_expr_try_mut(&mut self, tried: &mut ExprTry) {
        visit_mut::visit_expr_try_mut(self, tried);
        self.name(&mut tried.expr);
    }

    fn visit_expr_return_mut(&mut self, returned: &mut ExprReturn) {
        visit_mut::visit_expr_return_mut(self, returned);
        if let Some(expr) = &mut returned.expr
            && matches!(**expr, Expr::Call(_) | Expr::MethodCall(_))
        {
            self.name(expr);
        }
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        let subject = local.init.as_ref().and_then(|init| self.subject(&init.expr));
        // The value is made before the name means it.
        if let Some(init) = &mut local.init {
            self.visit_local_init_mut(init);
        }
        self.visit_pat_mut(&mut local.pat);
        if let (Pat::Ident(pat), Some(name)) = (&local.pat, subject) {
            self.about.insert(pat.ident.to_string(), name);
        }
    }

    fn visit_expr_let_mut(&mut self, tested: &mut ExprLet) {
        self.visit_expr_mut(&mut tested.expr);
        self.visit_pat_mut(&mut tested.pat);
    }

    fn visit_expr_for_loop_mut(&mut self, all: &mut ExprForLoop) {
        self.visit_expr_mut(&mut all.expr);
        self.visit_pat_mut(&mut all.pat);
        self.visit_block_mut(&mut all.body);
    }

    fn visit_pat_ident_mut(&mut self, pat: &mut PatIdent) {
        let name = pat.ident.to_string();
        self.about.remove(&name);
        self.shadowed.push(name);
    }

    // A closure's errors are its own, and nothing in another function is about our parameters.
    fn visit_expr_closure_mut(&mut self, _: &mut ExprClosure) {}

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
