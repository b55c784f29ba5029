//! The files of a crate, and the files that each imports from.
//!
//! A file imports from another one by a `use` statement, or by a path in its code such as `crate::a::b()`,
//! `super::b()` or `child::b()`. A path through a re-export leads to the file that defines the name. A re-export is an
//! import only if the file uses the name itself.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use crate::source_code;

/// The names of a path, such as `["crate", "a", "B"]`; of a module, those below the crate's root.
pub(crate) type Names = Vec<String>;

/// The most re-exports that one name passes through.
const MAX_RE_EXPORTS: usize = 5;

struct SourceFile {
    path: PathBuf,
    /// The names that `use` statements bring into the file, with their paths.
    imported: BTreeMap<String, Names>,
    /// The names that public `use` statements pass on, with their paths.
    exported: BTreeMap<String, Names>,
    /// The paths in the rest of the code.
    paths: Vec<Names>,
}

impl SourceFile {
    fn read(path: PathBuf, code: &str) -> SourceFile {
        let (mut imported, mut exported) = (BTreeMap::new(), BTreeMap::new());
        let (uses, body) = split_uses(code);
        for (is_public, tree) in uses {
            if is_public { &mut exported } else { &mut imported }.extend(names_of_tree(&tree));
        }
        let mut paths = paths_in(&without_restrictions(&body));
        paths.retain(|path| path.len() > 1 || exported.contains_key(&path[0]));
        SourceFile { path, imported, exported, paths }
    }
}

/// The files of one crate by their modules.
pub(crate) struct ImportGraph(BTreeMap<Names, SourceFile>);

impl ImportGraph {
    /// Reads a crate from the folder of its sources, without its tests.
    pub(crate) fn read(root: &Path) -> ImportGraph {
        let files = source_code::rust_files(root).into_iter();
        let files = files.filter(|path| !source_code::is_for_tests(path) && !path.ends_with("src/main.rs"));
        ImportGraph::of(root, files.map(|path| (source_code::code(&path), path)))
    }

    fn of(root: &Path, files: impl Iterator<Item = (String, PathBuf)>) -> ImportGraph {
        let module = |path: &Path| {
            let path = path.strip_prefix(root).unwrap().with_extension("");
            let mut names: Names = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            names.pop_if(|last| matches!(last.as_str(), "mod" | "lib"));
            names
        };
        ImportGraph(files.map(|(code, path)| (module(&path), SourceFile::read(path, &code))).collect())
    }

    pub(crate) fn modules(&self) -> impl Iterator<Item = &Names> {
        self.0.keys()
    }

    /// Returns the other modules that a module imports from.
    pub(crate) fn imports(&self, module: &Names) -> BTreeSet<Names> {
        let file = &self.0[module];
        let paths = file.imported.values().chain(&file.paths);
        let homes = paths.filter_map(|path| self.absolute(module, path)).flat_map(|path| self.homes(&path));
        homes.filter(|home| home != module).collect()
    }

    /// Returns a path as seen from the crate's root; `None` if it leads to another crate.
    fn absolute(&self, module: &Names, path: &[String]) -> Option<Names> {
        let supers = path.iter().take_while(|part| *part == "super").count();
        match path.first()?.as_str() {
            "crate" | "$crate" => Some(path[1..].to_vec()),
            "super" => Some([&module[..module.len().checked_sub(supers)?], &path[supers..]].concat()),
            "self" => Some([module, &path[1..]].concat()),
            first => {
                let child = [module.as_slice(), path].concat();
                if self.0.contains_key(&child[..=module.len()]) {
                    return Some(child);
                }
                // The name may itself be imported, as in `pub use rules::state; pub use state::Table;`.
                let file = &self.0[module];
                let target = file.exported.get(first).or_else(|| file.imported.get(first));
                let target = target.filter(|target| target.first() != path.first())?;
                Some([self.absolute(module, target)?, path[1..].to_vec()].concat())
            }
        }
    }

    /// Returns the modules that define what a path names: two, if a module and a re-exported function share the name.
    fn homes(&self, path: &[String]) -> Vec<Names> {
        let re_exported =
            path.split_last().filter(|_| self.0.contains_key(path)).and_then(|(name, around)| {
                let target = self.0.get(around)?.exported.get(name)?;
                self.home(&self.absolute(&around.to_vec(), target)?, 0)
            });
        self.home(path, 0).into_iter().chain(re_exported).collect()
    }

    fn home(&self, path: &[String], re_exports: usize) -> Option<Names> {
        let length = (0..=path.len()).rev().find(|length| self.0.contains_key(&path[..*length]))?;
        let (module, rest) = (path[..length].to_vec(), &path[length..]);
        let exported = rest.first().filter(|_| re_exports < MAX_RE_EXPORTS);
        let target = exported.and_then(|name| self.0[&module].exported.get(name));
        let behind = target.and_then(|target| self.absolute(&module, target));
        let behind = behind.filter(|behind| *behind != path[..=length]);
        let found = behind.and_then(|behind| self.home(&[&behind, &rest[1..]].concat(), re_exports + 1));
        Some(found.unwrap_or(module))
    }

    /// Returns the import cycles of more than two files: for each import on such a cycle, a shortest one.
    pub(crate) fn long_cycles(&self) -> BTreeSet<Vec<&Path>> {
        let imports: BTreeMap<&Names, BTreeSet<Names>> =
            self.modules().map(|module| (module, self.imports(module))).collect();
        let mut cycles = BTreeSet::new();
        for (module, imported) in &imports {
            let ways = imported.iter().filter_map(|other| shortest_detour(&imports, other, module));
            cycles.extend(ways.map(|way| {
                let mut files: Vec<&Path> = way.into_iter().map(|module| &*self.0[module].path).collect();
                let first = (0..files.len()).min_by_key(|at| files[*at]).unwrap_or_default();
                files.rotate_left(first);
                files
            }));
        }
        cycles
    }
}

/// Returns a shortest way from a module to another one through at least one third.
fn shortest_detour<'a>(
    imports: &'a BTreeMap<&Names, BTreeSet<Names>>,
    from: &'a Names,
    to: &Names,
) -> Option<Vec<&'a Names>> {
    let mut ways = VecDeque::from([vec![from]]);
    let mut reached = BTreeSet::from([from]);
    while let Some(way) = ways.pop_front() {
        let last = *way.last()?;
        if last == to {
            return Some(way);
        }
        let next = imports[last].iter().filter(|next| last != from || *next != to);
        for next in next.filter(|next| reached.insert(*next)).collect::<Vec<_>>() {
            ways.push_back([way.as_slice(), &[next]].concat());
        }
    }
    None
}

/// Splits code into the trees of its `use` statements, each with whether it is public, and the rest.
fn split_uses(code: &str) -> (Vec<(bool, String)>, String) {
    let (mut uses, mut body, mut lines) = (Vec::new(), String::new(), code.lines());
    while let Some(line) = lines.next() {
        let (is_public, item) = without_visibility(line.trim_start());
        let Some(tree) = item.strip_prefix("use ") else {
            body.extend([item, "\n"]);
            continue;
        };
        let mut tree = tree.to_owned();
        while !tree.contains(';') {
            let Some(line) = lines.next() else { break };
            tree += line;
        }
        uses.push((is_public, tree.replace(';', "")));
    }
    (uses, body)
}

/// Returns whether an item is public, even if only within the crate, and the item without its visibility.
fn without_visibility(item: &str) -> (bool, &str) {
    match item.strip_prefix("pub(") {
        Some(rest) => (true, rest.split_once(") ").map_or(item, |(_, item)| item)),
        None => item.strip_prefix("pub ").map_or((false, item), |item| (true, item)),
    }
}

/// Returns code without the paths of visibilities such as `pub(in crate::a)`.
fn without_restrictions(code: &str) -> String {
    let mut parts = code.split("pub(in ");
    let first = parts.next().unwrap_or_default().to_owned();
    first + &parts.map(|part| part.split_once(')').map_or(part, |(_, rest)| rest)).collect::<String>()
}

/// Returns the names that a tree such as `a::{b, c::{d, e as f}}` brings, with their paths.
fn names_of_tree(tree: &str) -> Vec<(String, Names)> {
    let Some((prefix, group)) = tree.split_once('{') else {
        let (path, new_name) = tree.split_once(" as ").unwrap_or((tree, ""));
        let path = segments(path);
        let name = [new_name.trim()].into_iter().find(|name| !name.is_empty()).map(str::to_owned);
        return name.or_else(|| path.last().cloned()).map(|name| (name, path)).into_iter().collect();
    };
    let group = group.rsplit_once('}').map_or(group, |(group, _)| group);
    let names = parts(group).into_iter().flat_map(|part| names_of_tree(&part));
    let prefix = segments(prefix);
    names
        .map(|(name, path)| match path.as_slice() {
            [itself] if itself == "self" => (prefix.last().cloned().unwrap_or_default(), prefix.clone()),
            _ => (name, [prefix.clone(), path].concat()),
        })
        .collect()
}

fn segments(path: &str) -> Names {
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

/// Returns the paths in code, and the single words that begin with a capital letter or are called.
fn paths_in(code: &str) -> Vec<Names> {
    let is_of_path = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == ':';
    let (mut paths, mut rest) = (Vec::new(), code);
    while let Some(start) = rest.find(is_of_path) {
        let end = rest[start..].find(|sign| !is_of_path(sign)).map_or(rest.len(), |length| start + length);
        let (word, after) = (&rest[start..end], &rest[end..]);
        let is_name = word.starts_with(char::is_alphabetic) && !rest[..start].ends_with('.');
        let is_used = word.contains("::") || word.starts_with(char::is_uppercase) || after.starts_with('(');
        if is_name && is_used {
            paths.push(segments(word.trim_end_matches(':')));
        }
        rest = after;
    }
    paths
}

#[test]
fn import_trees_are_read_whole() {
    let names = names_of_tree("crate::a::{self, b::{C, d as e}, F}").into_iter();
    let names: Vec<_> = names.map(|(name, path)| format!("{name} = {}", path.join("::"))).collect();
    assert_eq!(names, ["a = crate::a", "C = crate::a::b::C", "e = crate::a::b::d", "F = crate::a::F"]);
}

fn graph(files: &[(&str, &str)]) -> ImportGraph {
    let files = files.iter().map(|(path, code)| ((*code).to_owned(), PathBuf::from(path)));
    ImportGraph::of(Path::new(""), files)
}

#[test]
fn import_graph_finds_every_form_of_import() {
    let forms = [
        "use super::b;",
        "pub(crate) fn f() -> super::b::B {}",
        "pub(in crate::x) fn f() { let it = crate::b::c(1); }",
        "pub struct S(pub(in crate::x) super::b::B);",
        "use crate::B;",
        "fn f() { crate::c(1) }",
        "pub use super::b::c;\nfn f() { c(1) }",
    ];
    for form in forms {
        let graph = graph(&[("lib.rs", "mod a;\nmod b;\npub use b::{B, c};"), ("b.rs", ""), ("a.rs", form)]);
        assert_eq!(graph.imports(&segments("a")), [segments("b")].into(), "{form}");
        assert_eq!(graph.imports(&segments("")), BTreeSet::new());
    }
}

#[test]
fn import_graph_finds_cycles_through_children() {
    let parent = ("a/mod.rs", "fn f() { b::g(); }");
    let three = graph(&[parent, ("a/b.rs", "use super::c::D;"), ("a/c.rs", "use super::A;")]);
    let cycle = ["a/b.rs", "a/c.rs", "a/mod.rs"].map(Path::new).to_vec();
    assert_eq!(three.long_cycles(), [cycle].into());
    let two = graph(&[parent, ("a/b.rs", "use super::A;")]);
    assert_eq!(two.long_cycles(), BTreeSet::new());
}
