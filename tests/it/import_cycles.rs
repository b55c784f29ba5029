//! Files that import each other in a circle can only be read together. Two may, such as a module and its child; more may
//! not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of `crates/table/src` in order: each imports only from those before it.
const TABLE_FOLDERS: &[&str] = &["model", "ratings", "rules", "integrity", "ports", "runtime"];

/// A path of module names; empty for the crate's root.
type Module = Vec<String>;

/// The modules of one crate.
struct Crate {
    /// The code of each module, without comments and inline tests.
    code: BTreeMap<Module, String>,
    /// The re-exports of each module: names, and the paths that they stand for.
    exports: BTreeMap<Module, BTreeMap<String, Vec<String>>>,
}

impl Crate {
    fn read(root: &Path) -> Crate {
        let mut texts = BTreeMap::new();
        for path in rust_files(root) {
            let relative = path.strip_prefix(root).unwrap().with_extension("");
            let mut module: Module =
                relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if matches!(module.last().map(String::as_str), Some("mod" | "lib")) {
                module.pop();
            }
            texts.insert(module, fs::read_to_string(&path).unwrap());
        }
        texts.remove(&vec!["main".to_owned()]);
        let tests: Vec<Module> =
            texts.keys().filter(|module| is_for_tests(module, &texts)).cloned().collect();
        texts.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
        let code: BTreeMap<_, _> =
            texts.into_iter().map(|(module, text)| (module, without_comments(&text))).collect();
        let exports = code.iter().map(|(module, code)| (module.clone(), exports_of(code))).collect();
        Crate { code, exports }
    }

    /// Returns the modules that a module imports from.
    fn imports(&self, module: &Module) -> BTreeSet<Module> {
        let code = &self.code[module];
        let private =
            use_statements(code).filter(|(is_public, _)| !is_public).flat_map(|(_, tree)| paths(tree));
        let inline = inline_paths(code);
        let named = private.chain(inline).filter_map(|path| self.absolute(module, &path));
        named.filter_map(|path| self.home(&path, 0)).filter(|other| other != module).collect()
    }

    /// Returns a path as seen from the crate's root; `None` if it leads to another crate.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Vec<String>> {
        let supers = path.iter().take_while(|part| *part == "super").count();
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "super" => {
                let around = &module[..module.len().checked_sub(supers)?];
                Some([around, &path[supers..]].concat())
            }
            "self" => Some([module, &path[1..]].concat()),
            first => {
                let child = [module.as_slice(), &[first.to_owned()]].concat();
                if self.code.contains_key(&child) {
                    return Some([module.as_slice(), path].concat());
                }
                // The name may itself be a re-export, as in `pub use rules::state; pub use state::Table;`.
                let target =
                    self.exports[module].get(first).filter(|target| target.first() != path.first())?;
                Some([self.absolute(module, target)?, path[1..].to_vec()].concat())
            }
        }
    }

    /// Returns the module that defines what a path names, through re-exports.
    fn home(&self, path: &[String], depth: usize) -> Option<Module> {
        let length = (0..=path.len()).rev().find(|length| self.code.contains_key(&path[..*length]))?;
        let (module, rest) = (path[..length].to_vec(), &path[length..]);
        let exported = rest.first().filter(|_| depth < 5).and_then(|name| self.exports[&module].get(name));
        let behind = exported.and_then(|target| self.absolute(&module, target));
        let behind = behind.filter(|target| *target != path[..=length]);
        let found = behind.and_then(|target| self.home(&[&target, &rest[1..]].concat(), depth + 1));
        Some(found.unwrap_or(module))
    }

    /// Returns the groups of more than two modules that all reach each other.
    fn circles(&self) -> Vec<BTreeSet<String>> {
        let imports: BTreeMap<_, _> = self.code.keys().map(|module| (module, self.imports(module))).collect();
        let reached: BTreeMap<_, _> =
            self.code.keys().map(|module| (module, reach(module, &imports))).collect();
        let mut circles = BTreeSet::new();
        for (module, others) in &reached {
            let circle: BTreeSet<_> =
                others.iter().filter(|other| reached[*other].contains(*module)).collect();
            if circle.len() > 2 {
                circles.insert(circle.into_iter().map(|module| module.join("::")).collect::<BTreeSet<_>>());
            }
        }
        circles.into_iter().collect()
    }
}

fn reach<'a>(from: &'a Module, imports: &'a BTreeMap<&'a Module, BTreeSet<Module>>) -> BTreeSet<&'a Module> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        open.extend(imports[module].iter().filter(|other| reached.insert(*other)));
    }
    reached
}

fn rust_files(under: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(under).unwrap_or_else(|error| panic!("{}: {error}", under.display()));
    let paths = entries.map(|entry| entry.unwrap().path());
    let files = paths.flat_map(|path| match path.is_dir() {
        true => rust_files(&path),
        false => vec![path],
    });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// Whether a module is declared behind `#[cfg(test)]`, or contains only helpers for tests.
fn is_for_tests(module: &Module, texts: &BTreeMap<Module, String>) -> bool {
    let Some((name, around)) = module.split_last() else { return false };
    let declared = texts.get(around).is_some_and(|text| {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let declares = |line: &str| line.ends_with(&format!("mod {name};"));
        lines.windows(2).any(|pair| pair[0] == "#[cfg(test)]" && declares(pair[1]))
    });
    declared || name == "tests" || name == "testing"
}

fn without_comments(text: &str) -> String {
    // An inline test module ends a file; a declared one does not.
    let ends = |(at, _): &(usize, &str)| text[*at..].lines().nth(1).is_some_and(|line| line.ends_with('{'));
    let end = text.match_indices("#[cfg(test)]\nmod ").find(ends).map_or(text.len(), |(at, _)| at);
    text[..end].lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Returns the trees of the `use` statements, and whether each is public.
fn use_statements(code: &str) -> impl Iterator<Item = (bool, &str)> {
    code.match_indices("use ").filter_map(|(at, _)| {
        let line = code[..at].rfind('\n').map_or(0, |end| end + 1);
        let before = code[line..at].trim();
        let starts = before.is_empty()
            || (before.starts_with("pub") && !before.contains(' '))
            || before.starts_with("pub(in ");
        let tree = code[at + 4..].split(';').next()?;
        starts.then_some((!before.is_empty(), tree))
    })
}

/// Returns the paths of a tree such as `a::{b, c::{d, e as f}}`.
fn paths(tree: &str) -> Vec<Vec<String>> {
    let Some((prefix, group)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        return vec![segments(path)];
    };
    let group = group.rsplit_once('}').map_or(group, |(group, _)| group);
    let inner = parts(group).into_iter().flat_map(|part| paths(&part));
    inner.map(|path| [segments(prefix), path].concat()).collect()
}

fn segments(path: &str) -> Vec<String> {
    path.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Returns the parts of a group, split at its own commas.
fn parts(group: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for sign in group.chars() {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        match (sign, depth) {
            (',', 0) => parts.push(String::new()),
            _ => parts.last_mut().expect("never empty").push(sign),
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// Returns the paths in the code itself that begin with `crate::` or `super::`.
fn inline_paths(code: &str) -> Vec<Vec<String>> {
    let starts = ["crate::", "super::"].into_iter().flat_map(|start| code.match_indices(start));
    let fresh =
        starts.filter(|(at, _)| !code[..*at].ends_with(|sign: char| sign.is_alphanumeric() || sign == ':'));
    let is_of_path = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == ':';
    fresh
        .map(|(at, _)| segments(&code[at..].chars().take_while(|sign| is_of_path(*sign)).collect::<String>()))
        .collect()
}

fn exports_of(code: &str) -> BTreeMap<String, Vec<String>> {
    let public = use_statements(code).filter(|(is_public, _)| *is_public).flat_map(|(_, tree)| paths(tree));
    public.filter_map(|path| Some((path.last()?.clone(), path))).collect()
}

#[test]
fn import_paths_of_groups_are_read_whole() {
    let read = paths("crate::a::{self, b::{C, d as e}, F}");
    let read: Vec<_> = read.into_iter().map(|path| path.join("::")).collect();
    assert_eq!(read, ["crate::a::self", "crate::a::b::C", "crate::a::b::d", "crate::a::F"]);
}

#[test]
fn import_cycles_have_at_most_two_files() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let mut sources: Vec<(String, PathBuf)> = crates
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), path.join("src")))
        .collect();
    sources.push(("rookery".to_owned(), root.join("src")));
    let found: Vec<_> = sources
        .iter()
        .flat_map(|(name, path)| Crate::read(path).circles().into_iter().map(move |circle| (name, circle)))
        .collect();
    assert!(found.is_empty(), "files that import each other in a circle: {found:#?}");
}

#[test]
fn import_order_of_the_table_folders_is_kept() {
    let table = Crate::read(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("crates/table/src"));
    let place = |module: &Module| {
        TABLE_FOLDERS.iter().position(|folder| module.first().is_some_and(|it| it == folder))
    };
    let folders: BTreeSet<_> = table.code.keys().filter_map(|module| module.first().cloned()).collect();
    assert_eq!(folders, TABLE_FOLDERS.iter().map(|folder| (*folder).to_owned()).collect());
    let imports = table.code.keys().flat_map(|module| {
        table.imports(module).into_iter().map(move |imported| (module.join("::"), place(module), imported))
    });
    let against: Vec<_> = imports
        .filter(|(_, own, imported)| own.is_some() && place(imported) > *own)
        .map(|(module, _, imported)| format!("{module} imports {}", imported.join("::")))
        .collect();
    assert!(against.is_empty(), "against the order of folders:\n{}", against.join("\n"));
}
