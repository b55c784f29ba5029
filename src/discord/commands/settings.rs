//! `/settings`: what somebody chooses for themselves, on a panel.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Words;
use rookery_table::calendar::Zone;

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::settings::{Mine, set_zone};
use super::{Command, Kind, completed, option};

/// Shows somebody's settings.
pub(super) struct Settings;

#[async_trait]
impl Command for Settings {
    fn name(&self) -> &'static str {
        "settings"
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        vec![completed(option(words, Kind::Text, "zone", "command-settings-zone"))]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        match given.text("zone") {
            Some(name) => set_zone(desk, asked, name).await,
            None => Mine::DrawOptions.show(desk, &*desk.hall.drawer().person(asked.who).await),
        }
    }

    /// Zones with what was typed somewhere in their names: people know their city, not its continent.
    async fn complete(&self, _desk: &Desk, _asked: &Asked, given: &Given) -> Vec<String> {
        let typed = given.typed().trim().to_lowercase().replace(' ', "_");
        Zone::all().into_iter().filter(|name| name.to_lowercase().contains(&typed)).collect()
    }
}
