//! Offers and the question before giving up.

use crate::kit::Seat;
use crate::table::{Offer, Person, Table};
use crate::words::person;

use super::super::post::{Part, Post, Tone};
use super::super::press::{Deed, Press};
use super::Layout;

impl Layout<'_> {
    /// An offer with buttons for the answer, pinging those who may give it.
    pub fn offered(&self, table: &Table, offer: Offer, seat: Seat, ply: usize) -> Post {
        let key = match offer {
            Offer::Count => "offer-count",
            Offer::Draw => "offer-draw",
        };
        let others = others(table, seat);
        let names: Vec<_> = others.iter().map(|who| person(*who)).collect();
        let text = self.words.say(
            key,
            &[
                ("table", table.id().as_str().into()),
                ("who", self.words.seated(table, seat).into()),
                ("others", self.words.join(&names).into()),
            ],
        );
        let post = Post::text(text);
        // An offer that was answered or overtaken before it could be posted is only told of.
        if table.offer().is_none() || table.ply() != ply {
            return post;
        }
        let part = |label, tone, deed| {
            Part::button(self.words.word(label), tone, Press::new(table.id(), ply, deed).id())
        };
        let agree = part("button-agree", Tone::Good, Deed::Agree);
        post.ping(others).row([agree, part("button-disagree", Tone::Plain, Deed::Disagree)])
    }

    /// That an offer was turned down.
    pub fn offer_declined(&self, table: &Table, seat: Seat) -> Post {
        let who = self.words.seated(table, seat);
        Post::text(
            self.words.say("offer-declined", &[("table", table.id().as_str().into()), ("who", who.into())]),
        )
    }

    /// The question before somebody gives up.
    pub fn resign_sure(&self, table: &Table, seat: Seat) -> Post {
        let id = |deed| Press::new(table.id(), table.ply(), deed).id();
        let yes = Part::button(self.words.word("button-resign-yes"), Tone::Grave, id(Deed::ResignYes(seat)));
        let no = Part::button(self.words.word("button-resign-no"), Tone::Plain, id(Deed::ResignNo(seat)));
        Post::text(self.words.say("resign-sure", &[("table", table.id().as_str().into())])).row([yes, no])
    }
}

fn others(table: &Table, but: Seat) -> Vec<Person> {
    let own = table.occupant(but).and_then(|occupant| occupant.person());
    let people = table.chairs().iter().filter_map(|chair| chair.person());
    people.filter(|who| Some(*who) != own).collect()
}
