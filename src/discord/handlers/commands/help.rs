//! `/help`: explains how everything works, one topic a page.

use async_trait::async_trait;
use rookery_i18n::Localizer;
use strum::VariantArray;

use super::command::{Command, describe};
use super::option_types::Choice;
use super::options::command_options;
use super::rules;
use crate::discord::state::context::Context;
use crate::discord::wire::help_id::{HelpId, HelpTopic};
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

pub(super) struct Help;

command_options! {
    /// The input of `/help`.
    pub(super) struct HelpOptions {
        topic: Option<HelpTopic> = "topic", "command-help-topic";
    }
}

impl Choice for HelpTopic {
    fn all() -> Vec<HelpTopic> {
        HelpTopic::VARIANTS.to_vec()
    }

    fn key(self) -> &'static str {
        self.key()
    }

    fn label(self, words: &Localizer) -> String {
        words.word(&HelpTopic::label(self))
    }
}

#[async_trait]
impl Command for Help {
    type Input = HelpOptions;

    fn name(&self) -> &'static str {
        "help"
    }

    async fn run(&self, ctx: &Context, _: &Interaction, input: HelpOptions) -> OutgoingMessage {
        page(ctx, input.topic.unwrap_or(HelpTopic::Start))
    }
}

/// Answers a press of a button for help or rules, or a choice of a topic, with its page.
pub fn pressed(ctx: &Context, id: &HelpId, value: Option<&str>) -> OutgoingMessage {
    let topic = match id {
        HelpId::Rules(game) => return rules::page(ctx, game),
        HelpId::Page(topic) => Some(*topic),
        HelpId::Select => value.and_then(HelpTopic::named),
    };
    page(ctx, topic.unwrap_or(HelpTopic::Start))
}

fn page(ctx: &Context, topic: HelpTopic) -> OutgoingMessage {
    let commands: Vec<_> =
        super::ALL.iter().map(|one| (one.name(), describe(ctx.words, one.name()))).collect();
    ctx.view().help(topic, &commands, ctx.settings.contact.as_deref())
}
