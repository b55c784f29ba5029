//! The contract test calls every method of the journal's traits, so that no adapter can leave one out unnoticed.

/// The traits that an adapter implements, by the file that declares them.
const TRAITS: [(&str, &str); 11] = [
    ("Journal", include_str!("../../../table/src/ports.rs")),
    ("Preferences", include_str!("../../../table/src/ports.rs")),
    ("Ratings", include_str!("../../../table/src/ports.rs")),
    ("Follows", include_str!("../../../table/src/ports.rs")),
    ("ShareLinks", include_str!("../../../table/src/ports.rs")),
    ("Privacy", include_str!("../../../table/src/ports/privacy.rs")),
    ("AnalysisStore", include_str!("../../../table/src/ports/analysis.rs")),
    ("Cluster", include_str!("../../../table/src/ports/cluster.rs")),
    ("Annotations", include_str!("../../../table/src/ports/annotations.rs")),
    ("WebSessions", include_str!("../../../table/src/ports/web_sessions.rs")),
    ("ModerationStore", include_str!("../../../table/src/ports/moderation.rs")),
];

/// The contract test with its parts.
const CONTRACT: [&str; 11] = [
    include_str!("../contract_tests.rs"),
    include_str!("analyses.rs"),
    include_str!("annotations.rs"),
    include_str!("moderation.rs"),
    include_str!("pages.rs"),
    include_str!("people.rs"),
    include_str!("postgres/claims.rs"),
    include_str!("postgres/processes.rs"),
    include_str!("share_links.rs"),
    include_str!("tables.rs"),
    include_str!("web_sessions.rs"),
];

fn methods(name: &str, file: &str) -> Vec<String> {
    let begin = file.find(&format!("pub trait {name}:")).expect("the trait is declared there");
    let end = file[begin..].find("\n}\n").expect("a trait ends") + begin;
    let declared = file[begin..end].lines().filter_map(|line| {
        let line = line.trim();
        line.strip_prefix("async fn ").or_else(|| line.strip_prefix("fn "))
    });
    declared.filter_map(|rest| rest.split_once('(')).map(|(method, _)| method.to_owned()).collect()
}

#[test]
fn contract_calls_every_method_of_the_traits() {
    let all: Vec<String> = TRAITS.iter().flat_map(|(name, file)| methods(name, file)).collect();
    assert!(all.len() > 60, "{all:?}");
    let called = |method: &String| {
        CONTRACT
            .iter()
            .any(|part| part.contains(&format!(".{method}(")) || part.contains(&format!("::{method}(")))
    };
    let missing: Vec<&String> = all.iter().filter(|method| !called(method)).collect();
    assert_eq!(missing, Vec::<&String>::new());
}
