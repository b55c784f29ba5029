//! `rookery show`: a position as a board of text.

use std::io::{self, Write};

use rookery_core::Play;

/// Writes the board, the seat to move, the scores if there are any, and the position's line.
///
/// # Errors
/// If `out` cannot be written.
pub fn show(play: &dyn Play, out: &mut dyn Write) -> io::Result<()> {
    let board = play.text_board();
    writeln!(out, "{}\n", board.trim_end())?;
    match play.outcome() {
        Some(outcome) => {
            let winners: Vec<_> = outcome.winners.iter().map(|seat| seat_name(play, *seat)).collect();
            writeln!(out, "Over ({}): {}", outcome.reason.key(), winners.join(", "))?;
        }
        None => writeln!(out, "To move: {} ({} moves)", seat_name(play, play.turn()), play.moves().len())?,
    }
    for (index, score) in play.scores().into_iter().flatten().enumerate() {
        let tiles = score.tiles.map(|tiles| format!(", {tiles} tiles")).unwrap_or_default();
        writeln!(out, "Player {}: {}{tiles}", index + 1, score.points)?;
    }
    writeln!(out, "{}", play.line())
}

fn seat_name(play: &dyn Play, seat: rookery_core::Seat) -> String {
    format!("player {seat}, {}", play.info().sides[play.side(seat)])
}

#[cfg(test)]
mod tests {
    use crate::PositionQuery;

    #[test]
    fn a_position_is_shown_with_its_own_line() {
        let line = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1";
        let play = PositionQuery { game: "amazons", position: Some(line), options: &[] }.find().unwrap();
        let mut out = Vec::new();
        super::show(play.as_ref(), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("To move: player 1, white (2176 moves)"), "{text}");
        assert!(text.ends_with(&format!("{line}\n")), "{text}");
    }

    #[test]
    fn a_position_may_begin_with_the_key_of_its_game() {
        for (game, line) in [
            ("amazons", "6/2q3/6/6/3Q2/*5 w - - 0 7"),
            ("penguin_soccer", "-,-,-|-,-,- - 1"),
            ("amoeba", "B,3/2,L,2/6/3,AKBAA,3/6/5/A,3 1"),
        ] {
            let keyed = format!("{game} {line}");
            let play = PositionQuery { game, position: Some(&keyed), options: &[] }.find().unwrap();
            assert_eq!(play.line(), line);
            assert_eq!((crate::key_before(&keyed), crate::key_before(line)), (Some(game), None));
        }
    }

    #[test]
    fn query_errors_list_known_values() {
        let find = |game, position, options: &[(String, String)]| {
            PositionQuery { game, position, options }.find().err().unwrap().to_string()
        };
        assert!(find("chess", None, &[]).contains("amazons"));
        assert!(
            find("amazons", Some("3q2q3/10"), &[]).starts_with("--position: In the position, I expected")
        );
        assert!(find("amazons", None, &[("colour".into(), "red".into())]).contains("size"));
        assert!(find("amazons", None, &[("size".into(), "99x99".into())]).contains("4x4 to 12x12"));
        assert!(find("penguins", None, &[("seats".into(), "9".into())]).contains("takes 2, 3 or 4."));
        assert_eq!(
            find("penguins", Some("amazons 6/2q3/6/6/3Q2/*5 w - - 0 7"), &[]),
            "--position is one of amazons, but the game is penguins. Name the same game"
        );
        let wrong =
            PositionQuery { game: "amazons", position: Some("x"), options: &[] }.find().err().unwrap();
        let told = format!("{:#}", anyhow::Error::from(wrong));
        assert_eq!(told.matches("character").count(), 1, "said once: {told}");
    }
}
