//! The alerts and the dashboard name only metrics and labels that `docs/metrics.md` has; another test compares that page
//! with what the program serves.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

const PAGE: &str = include_str!("../../docs/metrics.md");
const ALERTS: &str = include_str!("../../packaging/monitoring/alerts.yml");
const DASHBOARD: &str = include_str!("../../packaging/monitoring/dashboard.json");

/// A metric on the page: whether it is a histogram, and its labels.
struct Known {
    histogram: bool,
    labels: BTreeSet<&'static str>,
}

/// Returns the metrics of the page by their names.
fn known() -> BTreeMap<&'static str, Known> {
    let rows = PAGE.lines().filter(|line| line.starts_with("| `"));
    let read = |row: &'static str| {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let labels = cells[3].split(", ").map(|label| label.trim_matches('`')).filter(|it| !it.is_empty());
        (cells[1].trim_matches('`'), Known { histogram: cells[2] == "histogram", labels: labels.collect() })
    };
    rows.map(read).collect()
}

/// Returns the queries of the dashboard's panels.
fn dashboard_queries() -> Vec<String> {
    let dashboard: Value = serde_json::from_str(DASHBOARD).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels.iter().filter_map(|panel| panel["targets"].as_array()).flatten();
    targets.map(|target| target["expr"].as_str().unwrap().to_owned()).collect()
}

/// Returns the queries of the alerts.
fn alert_queries() -> Vec<String> {
    ALERTS.lines().filter_map(|line| line.trim().strip_prefix("expr: ")).map(str::to_owned).collect()
}

/// Splits a query into its words: names, numbers, and texts in quotes.
fn words(query: &str) -> Vec<&str> {
    let part = |sign: char| !(sign.is_ascii_alphanumeric() || "_$\"".contains(sign));
    query.split(part).filter(|word| !word.is_empty()).collect()
}

/// Returns what is wrong with a query.
fn faults(query: &str) -> Vec<String> {
    let known = known();
    let mut faults = Vec::new();
    let mut labels = BTreeSet::from(["le", "job"]);
    let mut metrics = 0;
    for word in
        words(query).into_iter().filter(|word| word.starts_with("rookery_") || word.starts_with("process_"))
    {
        let base = ["_bucket", "_sum", "_count"].iter().find_map(|suffix| word.strip_suffix(suffix));
        let of_histogram = base.and_then(|base| known.get(base)).filter(|metric| metric.histogram);
        match of_histogram.or_else(|| known.get(word).filter(|metric| !metric.histogram)) {
            Some(metric) => labels.extend(&metric.labels),
            None => faults.push(format!("no metric {word}")),
        }
        metrics += 1;
    }
    if metrics == 0 && !words(query).contains(&"up") {
        faults.push("no metric at all".to_owned());
    }
    let grouped = query.split("by (").skip(1).filter_map(|rest| rest.split_once(')')).map(|(list, _)| list);
    let matched =
        query.split(['{', ',']).skip(1).filter_map(|rest| rest.split_once('=')).map(|(label, _)| label);
    for label in grouped.flat_map(|list| list.split(", ")).chain(matched.filter(|label| !label.contains(' ')))
    {
        if !labels.contains(label) {
            faults.push(format!("no label {label}"));
        }
    }
    faults
}

#[test]
fn alerts_and_dashboard_name_metrics_that_exist() {
    let (alerts, panels) = (alert_queries(), dashboard_queries());
    assert_eq!(alerts.len(), ALERTS.matches("- alert: ").count(), "each alert has its query on one line");
    assert!(panels.len() > 20, "{}", panels.len());
    for query in alerts.iter().chain(&panels) {
        assert_eq!(faults(query), Vec::<String>::new(), "{query}");
    }
}

#[test]
fn a_wrong_query_is_noticed() {
    for (query, fault) in [
        ("rate(rookery_order_total[5m])", "no metric rookery_order_total"),
        ("rookery_orders_total_count", "no metric rookery_orders_total_count"),
        ("rookery_order_part_seconds > 1", "no metric rookery_order_part_seconds"),
        ("sum by (route) (rookery_task_stuck)", "no label route"),
        ("rookery_task_stuck{name=\"web\"}", "no label name"),
        ("vector(1)", "no metric at all"),
    ] {
        assert_eq!(faults(query), [fault], "{query}");
    }
}

#[test]
fn every_metric_of_this_program_is_on_the_dashboard() {
    let queries = dashboard_queries().join(" ");
    let start = "process_start_time_seconds";
    let shown = |name: &str| words(&queries).iter().any(|word| word.starts_with(name));
    let missing: Vec<_> = known().into_keys().filter(|name| *name != start && !shown(name)).collect();
    // Its age in seconds says less than whether the task is stuck; the longest poll never falls.
    let left_out =
        ["rookery_computed_total", "rookery_longest_poll_seconds", "rookery_task_beat_age_seconds"];
    assert_eq!(missing, left_out);
}

#[test]
fn every_alert_says_what_to_do() {
    for alert in ALERTS.split("- alert: ").skip(1) {
        for key in ["expr: ", "severity: ", "summary: ", "action: "] {
            assert!(alert.contains(key), "{key}: {alert}");
        }
    }
}
