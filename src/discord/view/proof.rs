//! Proven settlements: what each side has left, the proof as a picture, and the moves that fill the regions.

use std::sync::Arc;

use rookery_core::scene::{DrawOptions, Scene};
use rookery_core::{Play, Seat};
use rookery_i18n::{clip, person};
use rookery_render::Fingerprint;
use rookery_table::settle::must_accept;
use rookery_table::{EndCause, Ending, Proof, Status, Table, UserId};

use super::MessageView;
use crate::discord::wire::limits::MAX_CONTENT_CHARS;
use crate::discord::wire::outgoing_message::{
    ButtonStyle, Component, DeferredScenes, OutgoingMessage, Picture,
};
use crate::discord::wire::table_button_id::{ButtonAction, TableButtonId};
use crate::drawing::proof_look;

impl MessageView<'_> {
    /// Builds the announcement of a proof: with the question whether to accept it, or with an animation of
    /// the remaining moves if it ended the game.
    pub fn proven(&self, table: &Table) -> Option<OutgoingMessage> {
        let (play, proof) = table.proven_play()?;
        let post = OutgoingMessage::text(self.proven_line(table, play.as_ref(), proof));
        let show = self.proof_button(table, "button-proof", ButtonAction::Proof);
        let open = self.open_board_button(table, table.ply());
        let with_open = |others: Vec<Component>| others.into_iter().chain(open).collect::<Vec<_>>();
        match table.status() {
            Status::Over(ending) if by_proof(ending) => Some(
                post.picture(self.remaining_moves_animation(table, play, proof)).row(with_open(vec![show])),
            ),
            _ if table.proof_stands() => {
                let accept = self.proof_button(table, "button-accept", ButtonAction::Accept);
                let on = self.proof_button(table, "button-disagree", ButtonAction::PlayOn);
                Some(post.ping(people_asked(table, proof)).row(with_open(vec![accept, show, on])))
            }
            _ => Some(post.row(with_open(vec![show]))),
        }
    }

    fn proof_button(&self, table: &Table, label: &str, action: ButtonAction) -> Component {
        let style =
            if action == ButtonAction::Accept { ButtonStyle::Success } else { ButtonStyle::Secondary };
        Component::button(
            self.words.word(label),
            style,
            TableButtonId::new(table.id(), table.ply(), action).id(),
        )
    }

    fn proven_line(&self, table: &Table, play: &dyn Play, proof: &Proof) -> String {
        let winners = &proof.winners;
        let names: Vec<_> = winners.iter().map(|seat| self.words.seated(table, *seat)).collect();
        let over = matches!(table.status(), Status::Over(ending) if by_proof(ending));
        let key = match (winners.len(), over) {
            (1, false) => "proof-wins",
            (1, true) => "proof-won",
            _ => "proof-shared",
        };
        let people_asked: Vec<_> = people_asked(table, proof).into_iter().map(person).collect();
        let line = self.words.say(
            key,
            &[
                ("table", table.id().as_str().into()),
                ("left", self.words.left(Some(play), &proof.left).into()),
                ("who", self.words.join(&names).into()),
            ],
        );
        if !table.proof_stands() || people_asked.is_empty() {
            return line;
        }
        let question = match people_asked.len() {
            // Their names would not fit into a line; the pings name them below.
            3.. => self.words.word("proof-question-all"),
            _ => self.words.say("proof-question", &[("others", self.words.join(&people_asked).into())]),
        };
        format!("{line}\n{question}")
    }

    /// Builds the proof itself: regions tinted by owner with their values, and the moves that fill them.
    pub fn proof(&self, table: &Table) -> Option<OutgoingMessage> {
        let (play, proof) = table.proven_play()?;
        let line = self.words.say(
            "proof-shown",
            &[
                ("table", table.id().as_str().into()),
                ("left", self.words.left(Some(play.as_ref()), &proof.left).into()),
                ("moves", proof.numbered_moves().into()),
            ],
        );
        let look = proof_look(play.as_ref(), proof, self.look_at(table, play.as_ref(), Seat::FIRST));
        let alt = self.words.alt(&self.words.board(table, play.as_ref(), Some(&look)));
        Some(
            OutgoingMessage::text(clip(&line, MAX_CONTENT_CHARS))
                .picture(Picture::still(play.scene(&look), alt)),
        )
    }

    /// Draws the game from the proof to the end as an animation.
    fn remaining_moves_animation(&self, table: &Table, mut play: Box<dyn Play>, proof: &Proof) -> Picture {
        let (look, start) = (self.display.look(Seat::FIRST), play.clone_play());
        let played = proof.moves.iter().take_while(|text| play.play(text).is_ok()).count();
        let alt = self.words.alt(&self.words.board(table, play.as_ref(), None));
        Picture::animation(scenes_of_moves(start, &proof.moves[..played], look), alt)
    }
}

/// Defers drawing a position and the legal moves from it until the animation is needed.
fn scenes_of_moves(start: Box<dyn Play>, moves: &[String], look: DrawOptions) -> DeferredScenes {
    let fingerprint = Fingerprint::of(|parts| {
        parts.text("proof");
        parts.text(start.info().key);
        parts.text(&start.start_line());
        start.record().iter().chain(moves).for_each(|text| parts.text(text));
        parts.text(&format!("{look:?} {}", moves.len()));
    });
    let (count, moves) = (moves.len() + 1, moves.to_vec());
    let make = move || {
        let mut play = start.clone_play();
        let mut frames: Vec<Scene> = vec![play.scene(&look)];
        for text in &moves {
            drop(play.play(text));
            frames.push(play.scene(&look));
        }
        frames
    };
    DeferredScenes { count, fingerprint, make: Arc::new(make) }
}

/// Returns the people who must accept the settlement, each once.
fn people_asked(table: &Table, proof: &Proof) -> Vec<UserId> {
    let seats = must_accept(table, proof).into_iter();
    let mut people: Vec<_> = seats.filter_map(|seat| table.occupant(seat)?.person()).collect();
    people.sort_unstable();
    people.dedup();
    people
}

fn by_proof(ending: &Ending) -> bool {
    matches!(ending.cause, EndCause::Proven { .. })
}
