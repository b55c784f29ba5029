//! Offers, notes about them, and the confirmation of a resignation.

use rookery_core::Seat;
use rookery_core::player::Level;
use rookery_i18n::person;
use rookery_table::state::PendingOffer;
use rookery_table::{Note, Offer, Status, Table, UserId, hints, offers};

use super::MessageView;
use crate::discord::wire::limits::MAX_BUTTONS;
use crate::discord::wire::outgoing_message::{ButtonStyle, Component, OutgoingMessage};
use crate::discord::wire::table_button_id::{ButtonAction, TableButtonId};

impl MessageView<'_> {
    /// Builds an offer with answer buttons, which pings those who may answer.
    pub fn offered(&self, table: &Table, offer: Offer, seat: Seat, ply: usize) -> OutgoingMessage {
        let post = OutgoingMessage::text(self.offer_line(table, offer, seat));
        // An offer that was answered or outdated before it could be posted has no buttons. This is usual for
        // offers to the bot, which answers at once.
        let stands = |standing: &&PendingOffer| standing.offer == offer && standing.by == seat;
        let Some(standing) = table.offer().filter(stands).filter(|_| table.ply() == ply) else {
            return post;
        };
        let part = |label, style, action| {
            Component::button(self.words.word(label), style, TableButtonId::new(table.id(), ply, action).id())
        };
        let others = offers::asked(table, seat);
        let names: Vec<_> = others.iter().map(|who| person(*who)).collect();
        let question = self.words.say("offer-question", &[("others", self.words.join(&names).into())]);
        let post = OutgoingMessage { content: format!("{}\n{question}", post.content), ..post };
        let agree = part("button-agree", ButtonStyle::Success, ButtonAction::Agree(standing.number));
        post.ping(others).row([
            agree,
            part("button-disagree", ButtonStyle::Secondary, ButtonAction::Disagree(standing.number)),
        ])
    }

    /// Formats who offers what.
    pub fn offer_line(&self, table: &Table, offer: Offer, seat: Seat) -> String {
        let key = match offer {
            Offer::Count => "offer-count",
            Offer::Draw => "offer-draw",
            Offer::Undo => "offer-undo",
            Offer::Pause => "offer-pause",
            Offer::Abort => "offer-abort",
        };
        let args = [("table", table.id().to_string().into()), ("who", self.words.seated(table, seat).into())];
        self.words.say(key, &args)
    }

    /// Names an offer for a button.
    pub fn offer_name(&self, offer: Offer) -> String {
        self.words.word(offer_label(offer))
    }

    /// Formats an offer that can't be answered any more, and says so if a move ended it.
    pub fn closed_offer(&self, table: &Table, offer: Offer, seat: Seat, ply: usize) -> String {
        let made = self.offered(table, offer, seat, ply).content;
        let moved = *table.status() == Status::Running && table.ply() > ply;
        if moved { format!("{made}\n{}", self.words.word("offer-lapsed")) } else { made }
    }

    /// Builds a line about an action of a player.
    pub fn note(&self, table: &Table, note: Note, seat: Seat) -> OutgoingMessage {
        let left = table.substitutions().iter().find(|(from, _)| *from == seat).map(|(_, who)| *who);
        let note = match note {
            // The person's name was removed before this could be posted.
            Note::Substituted if left.is_some_and(UserId::is_pseudonym) => Note::SubstitutedForGood,
            note => note,
        };
        let key = match note {
            Note::Undone => "note-undone",
            Note::UndoneCasual => "note-undone-casual",
            Note::Paused => "note-paused",
            Note::Resumed => "note-resumed",
            Note::PlaysOn => "note-plays-on",
            Note::Substituted => "note-stands-in",
            Note::SubstitutedCasual => "note-stands-in-casual",
            Note::SubstitutedForGood => "note-stands-in-for-good",
            Note::Back => "note-back",
            Note::Hinted => "note-hinted",
            Note::Casual => "note-casual",
            Note::GaveUp => "note-gave-up",
            Note::OutOfTime => "note-out-of-time",
        };
        let who = self.words.seated(table, seat);
        let left = left.map(|who| self.words.person(who));
        let side = table.play().map(|play| self.words.side(play, seat)).unwrap_or_default();
        let args = [
            ("table", table.id().to_string().into()),
            ("who", who.into()),
            ("left", left.clone().unwrap_or_default().into()),
            ("side", side.into()),
        ];
        let post = OutgoingMessage::text(self.words.say(key, &args));
        match note {
            Note::Paused if table.is_paused() => post.row([self.resume_button(table)]),
            Note::Substituted | Note::SubstitutedCasual if left.is_some() => {
                post.row([self.back_button(table)])
            }
            _ => post,
        }
    }

    /// Builds the button with which the absent player takes the seat back from the bot.
    fn back_button(&self, table: &Table) -> Component {
        let id = TableButtonId::new(table.id(), table.ply(), ButtonAction::ComeBack).id();
        Component::button(self.words.word("button-back-in"), ButtonStyle::Primary, id)
    }

    /// Builds the message that a game is paused, with the button that resumes it.
    pub(super) fn paused(&self, table: &Table) -> OutgoingMessage {
        let args = [("table", table.id().to_string().into())];
        OutgoingMessage::text(self.words.say("pause-done", &args)).row([self.resume_button(table)])
    }

    /// Builds the edit of the pause message once the game has resumed.
    pub fn unpaused(&self, table: &Table) -> OutgoingMessage {
        OutgoingMessage::edit_text(
            self.words.say("note-paused-over", &[("table", table.id().to_string().into())]),
        )
    }

    /// Builds the button that resumes a paused game.
    fn resume_button(&self, table: &Table) -> Component {
        let id = TableButtonId::new(table.id(), table.ply(), ButtonAction::Resume).id();
        Component::button(self.words.word("button-resume"), ButtonStyle::Primary, id)
    }

    /// Builds the menu of further actions for a player of a table.
    pub fn more(&self, table: &Table, who: UserId) -> OutgoingMessage {
        let known = Offer::ALL.iter().copied().filter(|offer| offers::is_available(table, who, *offer));
        let button = |offer: Offer| {
            let id = TableButtonId::new(table.id(), table.ply(), ButtonAction::Offer(offer)).id();
            Component::button(self.words.word(offer_label(offer)), ButtonStyle::Secondary, id)
        };
        let mut parts: Vec<Component> = known.map(button).collect();
        if table.chairs().len() > 2 {
            let id = TableButtonId::new(table.id(), table.ply(), ButtonAction::StandIn).id();
            parts.push(Component::button(self.words.word("button-stand-in"), ButtonStyle::Secondary, id));
        }
        if hints::is_available(table, who) {
            let id = TableButtonId::new(table.id(), table.ply(), ButtonAction::Hint).id();
            parts.push(Component::button(self.words.word("button-hint"), ButtonStyle::Secondary, id));
        }
        if table.is_paused() {
            parts.push(self.resume_button(table));
        }
        parts.push(self.rules_button(&table.terms().game));
        parts.extend(self.share_button(table.id()));
        let post = OutgoingMessage::text(self.words.say("more", &[("table", table.id().as_str().into())]));
        parts.chunks(MAX_BUTTONS).fold(post, |post, row| post.row(row.to_vec()))
    }

    /// Asks whether to make an offer that ends the game if the bot accepts it, or at once.
    pub fn offer_confirmation(&self, table: &Table, who: UserId, offer: Offer) -> OutgoingMessage {
        let key = match offer {
            Offer::Count => "offer-sure-count",
            Offer::Draw => "offer-sure-draw",
            _ => "offer-sure-abort",
        };
        let id = |action| TableButtonId::new(table.id(), table.ply(), action).id();
        let yes = self.words.word(offer_label(offer));
        let yes = Component::button(yes, ButtonStyle::Danger, id(ButtonAction::OfferYes(offer)));
        let no = table.seat_of(who).map(|seat| id(ButtonAction::ResignNo(seat)));
        let no =
            no.map(|id| Component::button(self.words.word("button-resign-no"), ButtonStyle::Secondary, id));
        let sure = self.words.say(key, &[("table", table.id().as_str().into())]);
        OutgoingMessage::text(sure).row([yes].into_iter().chain(no))
    }

    /// Builds the answer to `hint` where everybody reads: a button whose answer only the player sees.
    pub fn hint_offer(&self, table: &Table, who: UserId) -> OutgoingMessage {
        if !hints::is_available(table, who) {
            return OutgoingMessage::text(self.words.word("help-no-hint"));
        }
        let id = TableButtonId::new(table.id(), table.ply(), ButtonAction::Hint).id();
        let button = Component::button(self.words.word("button-hint"), ButtonStyle::Primary, id);
        OutgoingMessage::text(self.words.word("help-hint")).row([button])
    }

    /// Builds the answer to `rematch`: the button for it, or that the game is not over.
    pub fn rematch_offer(&self, table: &Table, who: UserId) -> OutgoingMessage {
        let is_over = matches!(table.status(), Status::Over(_)) && table.play().is_some();
        if !is_over || !table.is_participant(who) {
            let key = if is_over { "refused-not-seated" } else { "refused-not-over" };
            return OutgoingMessage::text(self.words.word(key));
        }
        let id = TableButtonId::new(table.id(), table.ply(), ButtonAction::Rematch).id();
        let button = Component::button(self.words.word("button-rematch"), ButtonStyle::Primary, id);
        OutgoingMessage::text(self.words.word("help-rematch")).row([button])
    }

    /// Builds the answer to `replay` and `analyse`: their buttons, or that the game is not over.
    pub fn review_offer(&self, table: &Table) -> OutgoingMessage {
        let buttons = self.result_buttons(table);
        match table.status() {
            Status::Over(_) if buttons.is_empty() => {
                OutgoingMessage::text(self.words.word("analyse-nothing"))
            }
            Status::Over(_) => OutgoingMessage::text(self.words.word("help-review")).row(buttons),
            _ => OutgoingMessage::text(self.words.word("analyse-running")),
        }
    }

    /// Builds the menu of levels for the bot that takes over a seat, up to `most`; the choice comes back as
    /// `action`.
    pub fn level_menu(&self, table: &Table, action: ButtonAction, most: Level) -> OutgoingMessage {
        let key = if table.is_rated() { "play-on-casual" } else { "play-on-level" };
        let args = [("table", table.id().to_string().into())];
        let select = self.levels(TableButtonId::new(table.id(), table.ply(), action), most);
        OutgoingMessage::text(self.words.say(key, &args)).row([select])
    }

    /// Builds the message that an offer was declined.
    pub fn offer_declined(&self, table: &Table, seat: Seat) -> OutgoingMessage {
        // A player whom the bot replaces for a while declines in person.
        let away = offers::person_of(table, seat).filter(|_| table.is_program(seat));
        let who = away.map_or_else(|| self.words.seated(table, seat), |who| self.words.person(who));
        OutgoingMessage::text(
            self.words.say("offer-declined", &[("table", table.id().as_str().into()), ("who", who.into())]),
        )
    }

    /// Builds the lines about the offers of this turn that were declined, where no message of its own says it.
    pub(super) fn declined_offers(&self, table: &Table) -> Vec<OutgoingMessage> {
        let seats = Seat::all(table.chairs().len());
        let declined = seats.flat_map(|by| table.declined_offers(by).map(move |offer| (by, offer)));
        let line = |(by, offer): (Seat, Offer)| {
            let args = [
                ("table", table.id().to_string().into()),
                ("who", self.words.seated(table, by).into()),
                ("offer", offer.key().into()),
            ];
            OutgoingMessage::text(self.words.say("offer-was-declined", &args))
        };
        declined.map(line).collect()
    }

    /// Builds the confirmation before a resignation.
    pub fn resign_confirmation(&self, table: &Table, seat: Seat) -> OutgoingMessage {
        let id = |action| TableButtonId::new(table.id(), table.ply(), action).id();
        let yes = Component::button(
            self.words.word("button-resign-yes"),
            ButtonStyle::Danger,
            id(ButtonAction::ResignYes(seat)),
        );
        let no = Component::button(
            self.words.word("button-resign-no"),
            ButtonStyle::Secondary,
            id(ButtonAction::ResignNo(seat)),
        );
        let id = ("table", table.id().to_string().into());
        let sure = match self.words.side_of_several(table, seat) {
            Some(side) => self.words.say("resign-sure-as", &[id, ("side", side.into())]),
            None => self.words.say("resign-sure", &[id]),
        };
        OutgoingMessage::text(sure).row([yes, no])
    }

    /// Builds the private answer to a resignation.
    pub fn resigned(&self, table: &Table, seat: Seat) -> OutgoingMessage {
        let id = ("table", table.id().to_string().into());
        OutgoingMessage::text(match self.words.side_of_several(table, seat) {
            Some(side) => self.words.say("resign-done-as", &[id, ("side", side.into())]),
            None => self.words.say("resign-done", &[id]),
        })
    }
}

fn offer_label(offer: Offer) -> &'static str {
    match offer {
        Offer::Count => "button-offer-count",
        Offer::Draw => "button-offer-draw",
        Offer::Undo => "button-offer-undo",
        Offer::Pause => "button-offer-pause",
        Offer::Abort => "button-offer-abort",
    }
}
