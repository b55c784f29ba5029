//! Fair play: nobody is helped in a rated game that goes on by a table that stands beside it.

use crate::kit::Play;
use crate::table::ports::{Filter, Stage};
use crate::table::{Table, hints};

use super::asked::Asked;
use super::desk::Desk;

/// The first turns are everybody's: many games share them.
const COMMON_PLIES: usize = 2;
/// Turns that somebody may have taken back before asking.
const BACK_PLIES: usize = 2;
/// Lines of a board in plain characters that one turn changes at most.
const ONE_TURN_LINES: usize = 5;

/// Whether to look into this game would help in a rated one that goes on: one of the asker's own, or one
/// on the server where they ask. A board turned round or mirrored is not known again.
pub(super) async fn helps_rated(desk: &Desk, asked: &Asked, play: &dyn Play) -> bool {
    let game = Some(play.about().key.to_owned());
    let running = Filter { stage: Some(Stage::Running), game, ..Filter::default() };
    let own = Filter { person: Some(asked.who), ..running.clone() };
    let here = asked.place.guild.map(|guild| Filter { guild: Some(guild), ..running });
    for filter in [Some(own), here].into_iter().flatten() {
        for card in desk.hall.list(&filter).await.unwrap_or_default() {
            let Ok(table) = desk.hall.see(card.id).await else { continue };
            let plays = table.seat_of(asked.who).is_some();
            if is_withheld(&table, play, plays) {
                return true;
            }
        }
    }
    false
}

fn is_withheld(table: &Table, play: &dyn Play, plays: bool) -> bool {
    let Some(rated) = table.play() else { return false };
    hints::may_help(table).is_err() && (plays && stands(play) == stands(rated) || resembles(play, rated))
}

/// Whether a game has come by where another one stands, is a few turns behind it, or one ahead.
fn resembles(play: &dyn Play, rated: &dyn Play) -> bool {
    if rated.ply() <= COMMON_PLIES || play.board().len() != rated.board().len() {
        return false;
    }
    let (now, last) = (stands(rated), stands(play));
    let came_by = (0..=play.ply()).any(|ply| stands(play.at_ply(ply).as_ref()) == now);
    let first = rated.ply().saturating_sub(BACK_PLIES).max(COMMON_PLIES + 1);
    let behind = (first..rated.ply()).any(|ply| stands(rated.at_ply(ply).as_ref()) == last);
    came_by || behind || (is_near(&now.1, &last.1) && is_one_turn_on(rated, &last.1))
}

/// Where a game stands: whose turn it is, and the board.
fn stands(play: &dyn Play) -> (usize, String) {
    (play.turn().index(), play.text_board())
}

fn is_near(a: &str, b: &str) -> bool {
    a.lines().filter(|line| !b.lines().any(|other| other == *line)).count() <= ONE_TURN_LINES
}

fn is_one_turn_on(rated: &dyn Play, board: &str) -> bool {
    rated.moves().iter().any(|text| {
        let mut next = rated.clone_play();
        next.play(text).is_ok() && next.text_board() == board
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::kit::rules::Setup;
    use crate::kit::seed::Chance;

    fn played(plies: usize, seed: u64) -> Box<dyn Play> {
        let game = games::named("amazons").unwrap();
        let mut play = game.start(&Setup::new(2).with("size", "6x6")).unwrap();
        let mut chance = Chance::new(seed);
        for _ in 0..plies {
            let text = chance.pick(&play.moves()).unwrap().clone();
            play.play(&text).unwrap();
        }
        play
    }

    fn alone(play: &dyn Play) -> Box<dyn Play> {
        games::named("amazons").unwrap().resume(&play.line()).unwrap()
    }

    #[test]
    fn a_rated_game_is_known_again_by_its_board_and_by_a_turn_more_or_less() {
        let rated = played(8, 1);
        assert!(resembles(alone(rated.as_ref()).as_ref(), rated.as_ref()), "its position");
        assert!(resembles(played(10, 1).as_ref(), rated.as_ref()), "a record that goes on from there");
        assert!(
            resembles(alone(played(9, 1).as_ref()).as_ref(), rated.as_ref()),
            "the position a turn later"
        );
        assert!(resembles(alone(played(7, 1).as_ref()).as_ref(), rated.as_ref()), "the one before");
        assert!(!resembles(played(8, 2).as_ref(), rated.as_ref()), "another game");
        assert!(!resembles(alone(played(3, 1).as_ref()).as_ref(), rated.as_ref()), "long past");
    }

    #[test]
    fn the_first_turns_are_everybodys() {
        assert!(!resembles(played(2, 1).as_ref(), played(2, 1).as_ref()));
        assert!(!resembles(played(0, 1).as_ref(), played(0, 1).as_ref()));
        assert!(resembles(played(3, 1).as_ref(), played(3, 1).as_ref()));
    }
}
