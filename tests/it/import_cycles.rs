//! Files that import each other in a circle can only be read together. Two may, such as a module and its child; more may
//! not.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::import_graph::{ImportGraph, Names};
use crate::source_code::root;

/// The folders of `crates/table/src` in order: each imports only from those before it.
const TABLE_FOLDERS: &[&str] = &["model", "ratings", "rules", "integrity", "ports", "runtime"];

/// The folder of `crates/table/src` that helps the tests of other crates; it may import from all others.
const TABLE_TESTING: &str = "testing";

#[test]
fn import_cycles_have_at_most_two_files() {
    let crates = root().join("crates").read_dir().unwrap().map(|entry| entry.unwrap().path().join("src"));
    let sources: Vec<PathBuf> = crates.chain([root().join("src")]).collect();
    let mut found = Vec::new();
    for graph in sources.iter().map(|sources| ImportGraph::read(sources)) {
        for cycle in graph.long_cycles() {
            let files: Vec<_> =
                cycle.iter().map(|path| path.strip_prefix(root()).unwrap().display().to_string()).collect();
            found.push(files.join("\n    imports "));
        }
    }
    assert!(found.is_empty(), "import cycles of more than two files:\n{}", found.join("\n"));
}

#[test]
fn import_order_of_the_table_folders_is_kept() {
    let table = ImportGraph::read(&root().join("crates/table/src"));
    let place = |module: &Names| {
        TABLE_FOLDERS.iter().position(|folder| module.first().is_some_and(|it| it == folder))
    };
    let folders: BTreeSet<&str> =
        table.modules().filter_map(|module| module.first()).map(|it| &**it).collect();
    assert_eq!(folders, TABLE_FOLDERS.iter().copied().chain([TABLE_TESTING]).collect());
    let mut against = Vec::new();
    for module in table.modules().filter(|module| place(module).is_some()) {
        let imports = table.imports(module).into_iter().filter(|imported| place(imported) > place(module));
        against
            .extend(imports.map(|imported| format!("{} imports {}", module.join("::"), imported.join("::"))));
    }
    assert!(against.is_empty(), "against the order of folders:\n{}", against.join("\n"));
}
