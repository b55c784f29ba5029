//! Offers and the question before giving up.

use rookery_core::Seat;
use rookery_core::player::Level;
use rookery_i18n::person;
use rookery_table::state::Standing;
use rookery_table::{Note, Offer, Person, Table, hints, offers};

use super::super::limits::BUTTONS_MOST;
use super::super::post::{Part, Post, Tone};
use super::super::press::{Deed, Press};
use super::Layout;

impl Layout<'_> {
    /// An offer with buttons for the answer, pinging those who may give it.
    pub fn offered(&self, table: &Table, offer: Offer, seat: Seat, ply: usize) -> Post {
        let key = match offer {
            Offer::Count => "offer-count",
            Offer::Draw => "offer-draw",
            Offer::Undo => "offer-undo",
            Offer::Pause => "offer-pause",
            Offer::Abort => "offer-abort",
        };
        let args = [("table", table.id().to_string().into()), ("who", self.words.seated(table, seat).into())];
        let post = Post::text(self.words.say(key, &args));
        // An offer that was answered or overtaken before it could be posted is only told of: those to the
        // program are, which answers at once.
        let stands = |standing: &&Standing| standing.offer == offer && standing.by == seat;
        let Some(standing) = table.offer().filter(stands).filter(|_| table.ply() == ply) else {
            return post;
        };
        let part = |label, tone, deed| {
            Part::button(self.words.word(label), tone, Press::new(table.id(), ply, deed).id())
        };
        let others = offers::asked(table, seat);
        let names: Vec<_> = others.iter().map(|who| person(*who)).collect();
        let question = self.words.say("offer-question", &[("others", self.words.join(&names).into())]);
        let post = Post { content: format!("{} {question}", post.content), ..post };
        let agree = part("button-agree", Tone::Good, Deed::Agree(standing.number));
        post.ping(others).row([agree, part("button-disagree", Tone::Plain, Deed::Disagree(standing.number))])
    }

    /// A line about what somebody did, pinging those whom it concerns.
    pub fn note(&self, table: &Table, note: Note, seat: Seat) -> Post {
        let left = table.away().iter().find(|(from, _)| *from == seat).map(|(_, who)| *who);
        let note = match note {
            // Their name was taken out before this could be said.
            Note::StandsIn if left.is_some_and(Person::is_stand_in) => Note::StandsInForGood,
            note => note,
        };
        let key = match note {
            Note::Undone => "note-undone",
            Note::UndoneCasual => "note-undone-casual",
            Note::Paused => "note-paused",
            Note::Resumed => "note-resumed",
            Note::PlaysOn => "note-plays-on",
            Note::StandsIn => "note-stands-in",
            Note::StandsInCasual => "note-stands-in-casual",
            Note::StandsInForGood => "note-stands-in-for-good",
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
        let post = Post::text(self.words.say(key, &args));
        match note {
            Note::Paused if table.is_paused() => post.row([self.resume_button(table)]),
            Note::StandsIn | Note::StandsInCasual if left.is_some() => post.row([self.back_button(table)]),
            _ => post,
        }
    }

    /// Gives a seat back to whom the program stands in for.
    fn back_button(&self, table: &Table) -> Part {
        let id = Press::new(table.id(), table.ply(), Deed::ComeBack).id();
        Part::button(self.words.word("button-back-in"), Tone::Main, id)
    }

    /// That a game stands still, with the button that takes it up again.
    pub(super) fn paused(&self, table: &Table) -> Post {
        let args = [("table", table.id().to_string().into())];
        Post::text(self.words.say("pause-done", &args)).row([self.resume_button(table)])
    }

    /// An edit of the news that a game stands still, once it goes on.
    pub fn unpaused(&self, table: &Table) -> Post {
        Post::retold(self.words.say("note-paused-over", &[("table", table.id().to_string().into())]))
    }

    /// Takes a game up again that stands still.
    fn resume_button(&self, table: &Table) -> Part {
        let id = Press::new(table.id(), table.ply(), Deed::Resume).id();
        Part::button(self.words.word("button-resume"), Tone::Main, id)
    }

    /// What else can be done at a table by somebody who plays there.
    pub fn more(&self, table: &Table, who: Person) -> Post {
        let known = Offer::ALL.into_iter().filter(|offer| offers::fits(table, who, *offer));
        let button = |offer: Offer| {
            let id = Press::new(table.id(), table.ply(), Deed::Offer(offer)).id();
            Part::button(self.words.word(offer_label(offer)), Tone::Plain, id)
        };
        let mut parts: Vec<Part> = known.map(button).collect();
        if table.chairs().len() > 2 {
            let id = Press::new(table.id(), table.ply(), Deed::StandIn).id();
            parts.push(Part::button(self.words.word("button-stand-in"), Tone::Plain, id));
        }
        if hints::fits(table, who) {
            let id = Press::new(table.id(), table.ply(), Deed::Hint).id();
            parts.push(Part::button(self.words.word("button-hint"), Tone::Plain, id));
        }
        if table.is_paused() {
            parts.push(self.resume_button(table));
        }
        parts.extend(self.share_button(table.id()));
        let post = Post::text(self.words.say("more", &[("table", table.id().as_str().into())]));
        parts.chunks(BUTTONS_MOST).fold(post, |post, row| post.row(row.to_vec()))
    }

    /// How strong the program is to play on in somebody's place, `most` at the most; what is chosen comes back
    /// as `deed`.
    pub fn how_strong(&self, table: &Table, deed: Deed, most: Level) -> Post {
        let key = if table.is_rated() { "play-on-casual" } else { "play-on-level" };
        let args = [("table", table.id().to_string().into())];
        let select = self.levels(Press::new(table.id(), table.ply(), deed), most);
        Post::text(self.words.say(key, &args)).row([select])
    }

    /// That an offer was turned down.
    pub fn offer_declined(&self, table: &Table, seat: Seat) -> Post {
        // Whoever left their seat to the program for a while answers for themselves.
        let away = offers::person_of(table, seat).filter(|_| table.is_program(seat));
        let who = away.map_or_else(|| self.words.seated(table, seat), |who| self.words.person(who));
        Post::text(
            self.words.say("offer-declined", &[("table", table.id().as_str().into()), ("who", who.into())]),
        )
    }

    /// The question before somebody gives up.
    pub fn resign_sure(&self, table: &Table, seat: Seat) -> Post {
        let id = |deed| Press::new(table.id(), table.ply(), deed).id();
        let yes = Part::button(self.words.word("button-resign-yes"), Tone::Grave, id(Deed::ResignYes(seat)));
        let no = Part::button(self.words.word("button-resign-no"), Tone::Plain, id(Deed::ResignNo(seat)));
        let id = ("table", table.id().to_string().into());
        let sure = match self.words.side_of_several(table, seat) {
            Some(side) => self.words.say("resign-sure-as", &[id, ("side", side.into())]),
            None => self.words.say("resign-sure", &[id]),
        };
        Post::text(sure).row([yes, no])
    }

    /// What somebody is told who has given up.
    pub fn resigned(&self, table: &Table, seat: Seat) -> Post {
        let id = ("table", table.id().to_string().into());
        Post::text(match self.words.side_of_several(table, seat) {
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
