//! The rooms of a crate use each other in one order. Cargo keeps the order of crates; this keeps that of the folders in
//! `device` and `engine`. The order is data: `tests/rooms/order.txt`. There are also the folders whose files and sub-folders
//! need no fixed order, but form no circle; and those whose files use what stands below all of them, but never each other.
//!
//! Beside that it holds that no opcode is text outside of the front, and that guarded accesses take no lock.
//!
//! Arrows are paths in the source, in `use` declarations and elsewhere, resolved from the module they stand in. Tests within
//! the sources (`#[cfg(test)]`) may use anything.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use syn::visit::{self, Visit};

/// All sources below a folder, as paths of modules from it on.
fn modules(root: &Path, at: &mut Vec<String>, found: &mut BTreeMap<Vec<String>, PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(root).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            at.push(name);
            modules(&path, at, found);
            at.pop();
        } else if path.extension().is_some_and(|e| e == "rs") {
            let own = !matches!(name.as_str(), "mod" | "lib");
            let module = at.iter().cloned().chain(own.then_some(name)).collect();
            found.insert(module, path);
        }
    }
}

/// The syntax tree of a file, made once for each thread and text: folders lie in each other.
fn parsed(path: &Path) -> Rc<syn::File> {
    thread_local! {
        static PARSED: RefCell<HashMap<String, Rc<syn::File>>> = RefCell::default();
    }
    let text = fs::read_to_string(path).unwrap();
    PARSED.with_borrow_mut(|parsed| {
        let file = parsed.entry(text).or_insert_with_key(|text| Rc::new(syn::parse_file(text).unwrap()));
        file.clone()
    })
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| {
        a.path().is_ident("test")
            || a.path().is_ident("cfg") && a.parse_args::<syn::Path>().is_ok_and(|p| p.is_ident("test"))
    })
}

/// The paths in one file that lead to other modules.
struct Paths<'a> {
    /// The path of the crate's root that leads to the folder, such as `device`.
    prefix: &'a [String],
    /// The module, from the folder on.
    module: Vec<String>,
    /// What it names, from the folder on, and the path as written.
    named: Vec<(Vec<String>, String)>,
    /// Names of modules that `use` brought in.
    brought: BTreeMap<String, Vec<String>>,
}

impl Paths<'_> {
    /// Where a path leads, if that is in the folder.
    fn resolve(&self, segments: &[String]) -> Option<Vec<String>> {
        let first = segments.first()?;
        if first == "crate" {
            let rest = segments[1..].strip_prefix(self.prefix)?;
            return Some(rest.to_vec());
        }
        if first == "super" || first == "self" {
            let mut module = self.module.clone();
            let mut rest = segments;
            while let [word, more @ ..] = rest {
                match word.as_str() {
                    "super" => drop(module.pop()?),
                    "self" => {}
                    _ => break,
                }
                rest = more;
            }
            module.extend(rest.iter().cloned());
            return Some(module);
        }
        let brought = self.brought.get(first)?;
        Some(brought.iter().chain(&segments[1..]).cloned().collect())
    }

    fn note(&mut self, segments: &[String]) {
        if let Some(path) = self.resolve(segments) {
            self.named.push((path, segments.join("::")));
        }
    }

    fn tree(&mut self, tree: &syn::UseTree, before: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.tree(&path.tree, before);
                before.pop();
            }
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree, before)),
            syn::UseTree::Glob(_) => self.note(&before.clone()),
            syn::UseTree::Name(_) | syn::UseTree::Rename(_) => {
                let (name, seen) = match tree {
                    syn::UseTree::Name(name) => (name.ident.to_string(), name.ident.to_string()),
                    syn::UseTree::Rename(name) => (name.ident.to_string(), name.rename.to_string()),
                    _ => unreachable!(),
                };
                let mut whole = before.clone();
                if name != "self" {
                    whole.push(name.clone());
                }
                self.note(&whole);
                if let (Some(path), Some(last)) = (self.resolve(&whole), whole.last()) {
                    self.brought.insert(if seen == "self" { last.clone() } else { seen }, path);
                }
            }
        }
    }
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes = match item {
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Use(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if item.content.is_some() {
            self.module.push(item.ident.to_string());
            visit::visit_item_mod(self, item);
            self.module.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.tree(&item.tree, &mut Vec::new());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        if segments.len() > 1 {
            self.note(&segments);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        // The arguments of a macro are no syntax tree: paths are read off their tokens.
        let text = item.tokens.to_string().replace(" :: ", "::");
        for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
            let segments: Vec<String> = word.split("::").map(str::to_owned).collect();
            if segments.len() > 1 && !segments.iter().any(String::is_empty) {
                self.note(&segments);
            }
        }
        visit::visit_macro(self, item);
    }
}

/// One path in the sources of a folder that leads to another module of the folder.
struct Arrow {
    /// The file, from the top of the repository on.
    file: String,
    /// The module it stands in, from the folder on.
    from: Vec<String>,
    /// Where it leads, from the folder on. The last names may be those of items.
    to: Vec<String>,
    /// As written.
    written: String,
}

/// The sources of a folder, and all paths in them that lead to the folder.
fn arrows(top: &Path, folder: &str) -> (BTreeMap<Vec<String>, PathBuf>, Vec<Arrow>) {
    let prefix: Vec<String> = match folder.strip_prefix("src/").or_else(|| folder.split_once("/src/").map(|(_, f)| f)) {
        Some(rest) => rest.split('/').map(str::to_owned).collect(),
        // `src` or `crates/NAME/src`: its root is the crate's.
        None => Vec::new(),
    };
    let mut found = BTreeMap::new();
    modules(&top.join(folder), &mut Vec::new(), &mut found);
    let mut arrows = Vec::new();
    for (module, path) in &found {
        if module.iter().any(|m| m == "tests" || m == "testing") {
            continue;
        }
        let file = parsed(path);
        let mut paths = Paths { prefix: &prefix, module: module.clone(), named: Vec::new(), brought: BTreeMap::new() };
        // Names that are brought in at the end of a file count at its beginning. So do the modules that it declares.
        for item in &file.items {
            if let syn::Item::Mod(item) = item {
                let name = item.ident.to_string();
                paths.brought.insert(name.clone(), module.iter().cloned().chain([name]).collect());
            }
        }
        for item in &file.items {
            if let syn::Item::Use(item) = item {
                paths.tree(&item.tree, &mut Vec::new());
            }
        }
        paths.named.clear();
        paths.visit_file(&file);
        let file = path.strip_prefix(top).unwrap().display().to_string();
        arrows.extend(paths.named.into_iter().map(|(to, written)| Arrow {
            file: file.clone(),
            from: module.clone(),
            to,
            written,
        }));
    }
    (found, arrows)
}

/// `file -> room (path)` for each path of `folder` that leads up.
fn upward(top: &Path, folder: &str, rooms: &[&str]) -> Vec<String> {
    let (found, arrows) = arrows(top, folder);
    assert!(found.len() > 20, "{folder}: only {} sources are there", found.len());
    let floor = |module: &[String]| rooms.iter().position(|r| module.first().is_some_and(|m| m == r));
    for room in rooms {
        assert!(found.keys().any(|m| m.first().is_some_and(|m| m == room)), "{folder} has no room {room}");
    }
    let mut up = BTreeSet::new();
    for Arrow { file, from, to, written } in &arrows {
        let Some(own) = floor(from) else { continue };
        let room = match floor(to) {
            Some(to) if to > own => rooms[to],
            Some(_) => continue,
            // What stands in the folder itself is above all rooms.
            None => "the top",
        };
        up.insert(format!("{file} -> {room} ({written})"));
    }
    up.into_iter().collect()
}

/// The circles among the files and sub-folders of `folder`: for each one its members and the paths between them.
fn circles(top: &Path, folder: &str) -> Vec<String> {
    let (found, arrows) = arrows(top, folder);
    assert!(!found.is_empty(), "{folder} has no sources");
    let parts: BTreeSet<&str> = found.keys().filter_map(|m| m.first()).map(String::as_str).collect();
    // What is no file and no sub-folder stands in the folder's own file, such as `mod.rs`.
    let part = |module: &[String]| module.first().and_then(|m| parts.get(m.as_str()).copied()).unwrap_or("the top");
    let mut named: BTreeMap<(&str, &str), BTreeSet<String>> = BTreeMap::new();
    for Arrow { file, from, to, written } in &arrows {
        let (from, to) = (part(from), part(to));
        if from != to {
            named.entry((from, to)).or_default().insert(format!("  {file} -> {to} ({written})"));
        }
    }
    let reached = |from: &str| {
        let mut reached = BTreeSet::new();
        let mut next = vec![from];
        while let Some(at) = next.pop() {
            next.extend(named.keys().filter(|(from, to)| *from == at && reached.insert(*to)).map(|(_, to)| *to));
        }
        reached
    };
    let reach: BTreeMap<&str, BTreeSet<&str>> = named.keys().map(|&(from, _)| (from, reached(from))).collect();
    let both =
        |a: &str, b: &str| reach.get(a).is_some_and(|r| r.contains(b)) && reach.get(b).is_some_and(|r| r.contains(a));
    let circles: BTreeSet<Vec<&str>> = reach
        .keys()
        .filter(|&&a| both(a, a))
        .map(|&a| reach.keys().copied().filter(|&b| both(a, b)).collect())
        .collect();
    let text = |members: Vec<&str>| {
        let within = named.iter().filter(|((from, to), _)| members.contains(from) && members.contains(to));
        let paths: Vec<&str> = within.flat_map(|(_, paths)| paths).map(String::as_str).collect();
        format!("{folder}: {}\n{}", members.join(", "), paths.join("\n"))
    };
    circles.into_iter().map(text).collect()
}

/// `file -> file (path)` for each path of a file or sub-folder of `folder` that leads to another one, other than those that
/// stand below all of them and the folder's own file.
fn between(top: &Path, folder: &str, below: &[&str]) -> BTreeSet<String> {
    let (found, arrows) = arrows(top, folder);
    assert!(found.len() > 20, "{folder}: only {} sources are there", found.len());
    let parts: BTreeSet<&str> = found.keys().filter_map(|m| m.first()).map(String::as_str).collect();
    for part in below {
        assert!(parts.contains(part), "{folder} has no {part}");
    }
    let names_another = |arrow: &&Arrow| match (arrow.from.first(), arrow.to.first()) {
        (Some(from), Some(to)) => from != to && parts.contains(to.as_str()) && !below.contains(&to.as_str()),
        _ => false,
    };
    let text = |arrow: &Arrow| format!("{} -> {} ({})", arrow.file, arrow.to[0], arrow.written);
    arrows.iter().filter(names_another).map(text).collect()
}

#[test]
fn files_of_entry_points_stand_apart() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lines: Vec<(String, String)> = order(top).into_iter().filter(|(word, _)| word == "apart").collect();
    assert!(!lines.is_empty());
    for (_, line) in lines {
        let (folder, below) = line.split_once(' ').unwrap();
        let found = between(top, folder, &below.split_whitespace().collect::<Vec<_>>());
        assert!(found.is_empty(), "{folder}: {found:#?}");
    }
}

/// The lines of the data that say something, as words before and behind the colon.
fn order(top: &Path) -> Vec<(String, String)> {
    let order = fs::read_to_string(top.join("tests/rooms/order.txt")).unwrap();
    let lines = order.lines().filter(|l| !l.starts_with('#') && !l.is_empty());
    lines.map(|l| l.split_once(':').map(|(a, b)| (a.trim().to_owned(), b.trim().to_owned())).unwrap()).collect()
}

#[test]
fn parts_form_no_circle() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = order(top).into_iter().filter(|(word, _)| word == "acyclic").map(|(_, folder)| folder);
    let circles: Vec<String> = folders.flat_map(|folder| circles(top, &folder)).collect();
    assert!(circles.is_empty(), "circles:\n{}", circles.join("\n"));
}

#[test]
fn rooms_are_in_order() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut up = Vec::new();
    for (folder, rooms) in order(top).iter().filter(|(word, _)| word != "acyclic" && word != "apart") {
        up.extend(upward(top, folder, &rooms.split_whitespace().collect::<Vec<_>>()));
    }
    assert!(up.is_empty(), "arrows lead up: {up:#?}");
}

/// Literals of text in one file that name an opcode.
#[derive(Default)]
struct Opcodes(Vec<String>);

impl Opcodes {
    /// `text` is a literal with its quotation marks, or tokens that have some.
    fn look(&mut self, text: &str) {
        for opcode in ["add", "mul", "ld", "st", "bra", "setp"] {
            for end in ['.', '"'] {
                let literal = format!("\"{opcode}{end}");
                if text.contains(&literal) {
                    self.0.push(literal);
                }
            }
        }
    }
}

impl<'ast> Visit<'ast> for Opcodes {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes = match item {
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Fn(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_lit_str(&mut self, literal: &'ast syn::LitStr) {
        self.look(&format!("{:?}", literal.value()));
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        self.look(&item.tokens.to_string());
    }
}

/// Opcodes are text up to the parser; from there on they are of a type. `xtask` writes PTX for tests.
#[test]
fn opcodes_are_text_in_the_front_alone() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(top.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let apart = |path: &PathBuf| path.ends_with("ptx") || path.ends_with("xtask");
    let roots = crates.filter(|path| !apart(path)).map(|path| path.join("src")).filter(|path| path.is_dir());
    let mut found = BTreeMap::new();
    for root in roots.chain([top.join("src")]) {
        modules(&root, &mut vec![root.display().to_string()], &mut found);
    }
    assert!(found.len() > 200, "only {} sources are there", found.len());
    let mut texts = Vec::new();
    for (module, path) in found {
        if module.iter().any(|m| m == "tests" || m == "testing") {
            continue;
        }
        let mut opcodes = Opcodes::default();
        opcodes.visit_file(&parsed(&path));
        texts.extend(opcodes.0.into_iter().map(|text| format!("{}: {text}", path.display())));
    }
    assert!(texts.is_empty(), "opcodes as text: {texts:#?}");
    let mut opcodes = Opcodes::default();
    opcodes.visit_file(&syn::parse_file("fn f(s: &str) -> bool { s == \"add\" || g!(s, \"ld.global\") }").unwrap());
    assert_eq!(opcodes.0, ["\"add\"", "\"ld."]);
}

/// Locks that the closures of `guard::run` take, by their names: the type of a closure keeps borrowed locks out, but cannot
/// know of those in statics.
#[derive(Default)]
struct GuardedLocks {
    within: bool,
    found: Vec<String>,
    closures: usize,
}

impl<'ast> Visit<'ast> for GuardedLocks {
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        let before = self.within;
        if let syn::Expr::Path(path) = &*call.func {
            let names: Vec<String> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
            let guarded = names.iter().rev().take(2).eq(["run", "guard"]);
            self.closures += usize::from(guarded);
            self.within |= guarded;
        }
        visit::visit_expr_call(self, call);
        self.within = before;
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let of_static = match &*call.receiver {
            syn::Expr::Path(path) => path.path.segments.last().map(|s| s.ident.to_string()),
            _ => None,
        };
        let of_static = of_static.filter(|name| name.chars().all(|c| c == '_' || c.is_ascii_uppercase()));
        if self.within && (of_static.is_some() || call.method.to_string().ends_with("lock")) {
            self.found.push(format!("{}.{}()", of_static.unwrap_or_default(), call.method));
        }
        visit::visit_expr_method_call(self, call);
    }
}

#[test]
fn guarded_accesses_take_no_lock() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut found, mut locks, mut closures) = (BTreeMap::new(), Vec::new(), 0);
    for folder in ["src", "crates/device/src", "crates/engine/src"] {
        modules(&top.join(folder), &mut vec![folder.to_owned()], &mut found);
    }
    for path in found.values() {
        let mut guarded = GuardedLocks::default();
        guarded.visit_file(&parsed(path));
        closures += guarded.closures;
        locks.extend(guarded.found.into_iter().map(|lock| format!("{}: {lock}", path.display())));
    }
    assert!(closures > 4, "only {closures} guarded accesses are there");
    assert!(locks.is_empty(), "{locks:#?}");
    let mut guarded = GuardedLocks::default();
    let text = "fn f() { ALL.lock(); guard::run(move || { drop(ALL.write()); at().lock(); x.read() }); b.lock() }";
    guarded.visit_file(&syn::parse_file(text).unwrap());
    assert_eq!(guarded.found, ["ALL.write()", ".lock()"]);
}

#[test]
fn circles_are_found() {
    let top = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rooms");
    let write = |path: &str, text: &str| {
        let path = top.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("src/mod.rs", "mod a; mod b; mod c; mod d; pub struct Top;");
    write("src/a.rs", "use crate::b::f; fn g() { f() }");
    write("src/b/mod.rs", "mod within; pub fn f() {}");
    write("src/b/within.rs", "fn f() { format!(\"{}\", super::super::c::f()) }");
    write("src/c.rs", "pub fn f() -> u32 { 1 } #[cfg(test)] mod tests { use super::super::a; }");
    write("src/d.rs", "use super::{a, Top};");
    assert_eq!(circles(&top, "src"), [""; 0]);
    write("src/c.rs", "use super::a; pub fn f() -> u32 { a::g() }");
    let found = circles(&top, "src");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].starts_with("src: a, b, c\n"), "{found:#?}");
    assert!(found[0].contains("src/b/within.rs -> c (super::super::c::f)"), "{found:#?}");
    // A path that begins with a module of the file's own.
    write("src/c.rs", "pub fn f() -> u32 { 1 }");
    write("src/mod.rs", "mod a; mod b; mod c; mod d; pub struct Top; fn f() { d::g() }");
    let found = circles(&top, "src");
    assert!(found.len() == 1 && found[0].contains("src/mod.rs -> d (d::g)"), "{found:#?}");
}
