//! Settings panels of people and servers: the ids of their selects and buttons name the setting, so that a
//! panel needs no stored state and works after a restart.
//!
//! `personal_page` has the settings of a person, `vacation` their days off, `server_page` the settings
//! of a server for its managers, `panel` the parts of these pages, and `permission_check` checks the bot's permissions.

mod hours;
mod panel;
mod permission_check;
mod personal_page;
mod server_page;
pub mod vacation;
mod welcome_page;

use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::setting_id::{SettingId, SettingsPanel};

pub use permission_check::check;
pub use personal_page::{PersonalPage, set_zone};
pub use server_page::ServerPage;

/// Carries out a press on a settings panel: a button carries its value, a select's value comes with the
/// press.
pub async fn pressed(
    ctx: &Context,
    interaction: &Interaction,
    setting: &SettingId,
    selected: &[String],
) -> OutgoingMessage {
    let values: Vec<String> = setting.value.iter().chain(selected).cloned().collect();
    match setting.panel {
        SettingsPanel::Personal => personal_page::set(ctx, interaction, &setting.what, &values).await,
        SettingsPanel::Server => server_page::set(ctx, interaction, &setting.what, &values).await,
    }
}
