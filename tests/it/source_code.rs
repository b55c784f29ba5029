//! Source files as the tests of the program's structure read them.

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the Rust files of a folder and its subfolders, or the file itself.
pub(crate) fn rust_files(under: &Path) -> Vec<PathBuf> {
    if under.is_file() {
        return vec![under.to_owned()];
    }
    let entries = fs::read_dir(under).unwrap_or_else(|error| panic!("{}: {error}", under.display()));
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_read = |path: &PathBuf| path.is_dir() || path.extension().is_some_and(|ext| ext == "rs");
    paths.filter(is_read).flat_map(|path| rust_files(&path)).collect()
}

/// Whether a file, or a folder that contains it, is declared behind `#[cfg(test)]`.
pub(crate) fn is_for_tests(path: &Path) -> bool {
    path.ancestors().take_while(|part| part.file_name().is_some_and(|name| name != "src")).any(|part| {
        let stem = part.file_stem().unwrap().to_string_lossy();
        let beside = part.parent().unwrap();
        let declared_in = [beside.join("mod.rs"), beside.with_extension("rs"), beside.join("lib.rs")];
        let texts = declared_in.iter().filter_map(|file| fs::read_to_string(file).ok());
        texts.into_iter().any(|text| {
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            let declares = |line: &str| line.ends_with(&format!("mod {stem};"));
            lines.windows(2).any(|pair| is_test_attribute(pair[0]) && declares(pair[1]))
        })
    })
}

/// Returns a file's code without comments and tests.
pub(crate) fn code(path: &Path) -> String {
    if is_for_tests(path) {
        return String::new();
    }
    without_comments_and_tests(&fs::read_to_string(path).unwrap())
}

fn without_comments_and_tests(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    // Tests in braces end the file; tests in a file of their own are one line of it.
    let begins =
        |pair: &[&str]| is_test_attribute(pair[0]) && pair[1].starts_with("mod ") && pair[1].ends_with('{');
    let end = lines.windows(2).position(begins).unwrap_or(lines.len());
    let code = lines[..end].iter().map(|line| line.split("//").next().unwrap_or_default());
    code.collect::<Vec<_>>().join("\n")
}

fn is_test_attribute(line: &str) -> bool {
    line == "#[cfg(test)]" || line.starts_with("#[cfg(all(test,")
}

/// Returns the identifier with which a text begins.
pub(crate) fn first_word(text: &str) -> String {
    text.chars().take_while(|sign| sign.is_alphanumeric() || *sign == '_').collect()
}

#[test]
fn source_code_ends_before_its_tests() {
    let file =
        "use a::B; // why\n#[cfg(test)]\nmod tests;\nfn c() {}\n#[cfg(test)]\nmod inline {\n    d();\n}";
    assert_eq!(without_comments_and_tests(file), "use a::B; \n#[cfg(test)]\nmod tests;\nfn c() {}");
}
