//! Paths of Discord's API without ids, for metrics.

/// Replaces every id, token and emoji of a path by its kind: `channels/1/messages/2` becomes
/// `channels/{id}/messages/{id}`. A query is dropped.
pub(super) fn template(path: &str) -> String {
    let path = path.split('?').next().unwrap_or_default();
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let kinds: Vec<&str> = (0..segments.len()).map(|at| kind(&segments, at)).collect();
    kinds.join("/")
}

fn kind<'a>(segments: &[&'a str], at: usize) -> &'a str {
    let has_token = matches!(segments[0], "webhooks" | "interactions");
    match segments[at] {
        segment if segment.bytes().all(|byte| byte.is_ascii_digit()) => "{id}",
        _ if has_token && at == 2 => "{token}",
        _ if at > 0 && segments[at - 1] == "reactions" => "{emoji}",
        segment => segment,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn route_templates_hold_no_id_token_or_emoji() {
        for (path, route) in [
            ("gateway/bot", "gateway/bot"),
            ("channels/81/messages/92", "channels/{id}/messages/{id}"),
            ("channels/81/messages?limit=50&after=7", "channels/{id}/messages"),
            (
                "channels/81/messages/92/reactions/%E2%9C%85/@me",
                "channels/{id}/messages/{id}/reactions/{emoji}/@me",
            ),
            ("interactions/5/aW50ZXJ/callback", "interactions/{id}/{token}/callback"),
            ("webhooks/5/aW50ZXJ/messages/@original", "webhooks/{id}/{token}/messages/@original"),
            ("applications/5/guilds/6/commands", "applications/{id}/guilds/{id}/commands"),
        ] {
            assert_eq!(template(path), route);
        }
    }
}
