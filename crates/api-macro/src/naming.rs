//! Names of arguments for errors. An error that comes out of an expression about one parameter, as in `dptr.set(address)?` or
//! `stream::find(hStream)?`, gets the name of that parameter, unless it has a complete reason already.

use std::collections::HashMap;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprClosure, ExprReturn, ExprTry, FnArg, Item, Local, Pat, Signature, Stmt, parse_quote};

/// The names of a function's parameters.
pub fn parameters(sig: &Signature) -> Vec<String> {
    let name = |arg: &FnArg| match arg {
        FnArg::Typed(arg) => match &*arg.pat {
            Pat::Ident(pat) => Some(pat.ident.to_string()),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    };
    sig.inputs.iter().filter_map(name).collect()
}

/// Changes the body of a function so that its errors name the parameters.
pub fn name_arguments(parameters: &[String], block: &mut Block) {
    let about = parameters.iter().map(|name| (name.clone(), name.clone())).collect();
    let mut names = Names { about };
    names.visit_block_mut(block);
    names.last(block);
}

/// Which parameter a variable is about: itself, or the one that it was found by.
struct Names {
    about: HashMap<String, String>,
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

    fn name(&self, expr: &mut Expr) {
        if let Some(name) = self.subject(expr) {
            *expr = parse_quote!(::error::Named::of(#expr, #name));
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
        let named = self.subject(&tried.expr);
        visit_mut::visit_expr_try_mut(self, tried);
        if let Some(name) = named {
            let expr = &tried.expr;
            tried.expr = parse_quote!(::error::Named::of(#expr, #name));
        }
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
        visit_mut::visit_local_mut(self, local);
        if let Pat::Ident(pat) = &local.pat {
            match subject {
                Some(name) => self.about.insert(pat.ident.to_string(), name),
                None => self.about.remove(&pat.ident.to_string()),
            };
        }
    }

    // A closure's errors are its own, and nothing in another function is about our parameters.
    fn visit_expr_closure_mut(&mut self, _: &mut ExprClosure) {}

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
