//! Positions as lines of text. The first byte chooses the game.

use rookery_core::Play;
use rookery_core::scene::DrawOptions;
use rookery_core::{Game, PositionEdit, Seat};
use rookery_i18n::Localizer;

use super::{Target, assert_answer, positions_in_games, text};

pub(super) const TARGET: Target = Target { name: "positions", check, seeds, words };

/// The most positions that an exact count searches here.
const BUDGET_NODES: u64 = 40;

fn check(bytes: &[u8]) {
    let Some((first, line)) = bytes.split_first() else { return };
    let games = rookery_games::all();
    let game = games[usize::from(*first) % games.len()];
    let line = text(line);
    match game.resume(&line) {
        Ok(play) => check_position(game, play.as_ref(), usize::from(*first)),
        Err(bad) => {
            assert!(bad.at <= line.chars().count(), "{line:?}: the error is at {}", bad.at);
            assert_answer(&Localizer::english().bad_line(&bad), &line);
        }
    }
}

/// Checks what every position can do, and the position after a move.
pub(super) fn check_position(game: &'static dyn Game, play: &dyn Play, choice: usize) {
    check_line(game, play);
    let moves = play.moves();
    assert_eq!(
        moves.is_empty(),
        play.outcome().is_some(),
        "a game goes on while there are moves: {}",
        play.line()
    );
    assert!(!play.text_board().is_empty());
    play.facts();
    play.scores();
    play.reach();
    play.ownership();
    play.count_endgame(BUDGET_NODES);
    play.settle(BUDGET_NODES);
    play.moves_left(BUDGET_NODES);
    play.scene(&DrawOptions::from_seat(Seat::FIRST));
    for (piece, number) in play.editor_pieces().into_iter().zip(choice..) {
        let Some(cell) = play.board().cells().nth(number % play.board().len()) else { break };
        let put = PositionEdit::Put { piece: piece.sign.to_owned(), cell };
        for edit in [put, PositionEdit::Clear(cell)] {
            if let Ok(after) = play.edited(&edit) {
                check_line(game, after.as_ref());
            }
        }
    }
    if let Some(text) = moves.get(choice % moves.len().max(1)) {
        let mut next = play.clone_play();
        assert_eq!(next.play(text).as_ref(), Ok(text), "{}", play.line());
        check_line(game, next.as_ref());
        next.moves();
        next.scene(&DrawOptions::from_seat(Seat::SECOND));
    }
}

/// Checks that a position is written as a line that reads as the same position.
fn check_line(game: &'static dyn Game, play: &dyn Play) {
    let line = play.line();
    let again = game.resume(&line).unwrap_or_else(|bad| panic!("{line:?} is written and not read: {bad:?}"));
    assert_eq!(again.line(), line);
    assert_eq!((again.seats(), again.turn()), (play.seats(), play.turn()), "{line}");
    assert_eq!(again.outcome(), play.outcome(), "{line}");
}

fn seeds() -> Vec<Vec<u8>> {
    let keys: Vec<_> = rookery_games::all().iter().map(|game| game.info().key).collect();
    let number =
        |play: &dyn Play| keys.iter().position(|key| *key == play.info().key).unwrap_or_default() as u8;
    let seed = |play: Box<dyn Play>| [&[number(play.as_ref())], play.line().as_bytes()].concat();
    positions_in_games().into_iter().map(seed).collect()
}

fn words() -> Vec<String> {
    let words = "w b W B q Q p x . - | / 0 1 9 10 65535 4294967295 18446744073709551615 lay place move out:1 out:1,2 any:1 \
        any:9 0,0 65535,65535 a1 c3 c3NE pie swap";
    words.split_whitespace().map(str::to_owned).collect()
}
