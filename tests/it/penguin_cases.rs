//! Checks of `tests/data/rules.json` that the three penguin games share: states become position lines, and
//! moves, counts, records and claims are compared with the games' results.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its facts has failed")]
use rookery_core::game::Play;
use rookery_core::{EndgameCount, Outcome, Seat};
use serde_json::Value;

use crate::cases::{assert_listed, list, of};

/// Returns the game that a state of the file describes.
pub(crate) fn resume(game: &str, state: &Value) -> Box<dyn Play> {
    let line = line(state);
    rookery_games::named(game).unwrap().resume(&line).unwrap_or_else(|e| panic!("{line}: {e}"))
}

fn line(state: &Value) -> String {
    let pieces = if state["pieces"].is_array() { &state["pieces"] } else { &state["penguins"] };
    let side = |cells: &Value| match strings(cells) {
        cells if cells.is_empty() => "-".to_owned(),
        cells => cells.join(","),
    };
    let sides: Vec<_> = pieces.as_array().unwrap().iter().map(side).collect();
    let any = state["any_tile"] == true || state["one_fish_only"] == false || state["pieces"].is_array();
    let phase = state["phase"].as_str().unwrap();
    let placing = if any { "any" } else { "one" };
    let each = &state["to_place"];
    format!("{} {} {} {phase} {} {placing}:{each}", rows(state), sides.join("|"), state["turn"], taken(state))
}

/// Returns the rows of tiles, top row first.
fn rows(state: &Value) -> String {
    let square = |w: u8, h: u8| (0..h).map(|_| w).collect::<Vec<_>>();
    let widths = match (state["board"].as_str(), state["w"].as_u64(), state["h"].as_u64()) {
        (Some(board), ..) if board.starts_with("square") => {
            let (w, h) = board["square".len()..].split_once('x').unwrap();
            square(w.parse().unwrap(), h.parse().unwrap())
        }
        (None, Some(w), Some(h)) => square(w as u8, h as u8),
        _ => vec![8, 7, 8, 7, 8, 7, 8, 7],
    };
    let fish = if state["values"].is_object() { &state["values"] } else { &state["fish"] };
    let sign = |col: u8, row: usize| {
        let cell = format!("{}{}", char::from(b'a' + col), row + 1);
        fish[&cell].as_u64().map_or(".".to_owned(), |n| n.to_string())
    };
    let row = |(row, width): (usize, &u8)| (0..*width).map(|col| sign(col, row)).collect::<String>();
    widths.iter().enumerate().rev().map(row).collect::<Vec<_>>().join("/")
}

fn taken(state: &Value) -> String {
    let scores = numbers(&state["scores"]);
    let tiles = state["tiles"].as_array().map_or(vec![0; scores.len()], |_| numbers(&state["tiles"]));
    scores.iter().zip(tiles).map(|(s, t)| format!("{s}:{t}")).collect::<Vec<_>>().join(",")
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|v| v.as_str().unwrap().to_owned()).collect()
}

pub(crate) fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|v| v.as_u64().unwrap()).collect()
}

/// Compares the legal moves of a position with the case's list or digest.
pub(crate) fn check_moves(play: &dyn Play, fact: &Value) {
    let mut moves = play.moves();
    moves.sort();
    assert_listed(fact, &moves);
}

/// Compares all perft counts of a case.
pub(crate) fn check_perft(play: &dyn Play, fact: &Value) {
    for (depth, count) in (1..).zip(numbers(&fact["perft"])) {
        let found: u64 = play.perft(depth).iter().map(|(_, below)| below).sum();
        assert_eq!(found, count, "perft {depth} of {}", play.line());
    }
}

/// Checks all starts and midgame positions of a game.
pub(crate) fn check_positions(game: &str) {
    let facts = of(game);
    for fact in list(&facts, "starts").iter().chain(list(&facts, "midgame")) {
        let play = resume(game, &fact["state"]);
        check_moves(play.as_ref(), fact);
        check_perft(play.as_ref(), fact);
    }
}

/// Replays all records of a game and checks scores and winners; `also` checks further results.
pub(crate) fn check_records(game: &str, also: impl Fn(&dyn Play, &Value)) {
    let facts = of(game);
    for fact in list(&facts, "records") {
        let mut play = resume(game, &fact["start"]);
        for m in strings(&fact["moves"]) {
            assert_eq!(play.play(&m).unwrap(), m);
        }
        let result = &fact["result"];
        let scores = play.scores().unwrap();
        assert_eq!(scores.iter().map(|s| s.points.into()).collect::<Vec<u64>>(), numbers(&result["scores"]));
        if result["tiles"].is_array() {
            let tiles: Vec<u64> = scores.iter().map(|s| s.tiles.unwrap().into()).collect();
            assert_eq!(tiles, numbers(&result["tiles"]));
        }
        assert_eq!(winners(&play.outcome().unwrap()), wanted_winners(result, play.seats()));
        let replayed = rookery_games::named(game).unwrap().resume(&play.line()).unwrap();
        assert_eq!(replayed.outcome(), play.outcome(), "the end reads back");
        also(play.as_ref(), result);
    }
}

fn winners(outcome: &Outcome) -> Vec<u64> {
    outcome.winners.iter().map(|seat| seat.number().into()).collect()
}

/// Returns the expected winners: `winners` is a list, `winner` one seat, or 0 for a draw.
fn wanted_winners(result: &Value, seats: usize) -> Vec<u64> {
    match (&result["winners"], result["winner"].as_u64()) {
        (Value::Array(_), _) => numbers(&result["winners"]),
        (_, Some(0)) => (1..=seats as u64).collect(),
        (_, winner) => vec![winner.unwrap()],
    }
}

/// Checks all claims of a game: every region with moves left, and the final scores. `cells` is the key of a
/// region's cells, `pieces` that of its pieces.
pub(crate) fn check_claims(game: &str, cells: &str, pieces: &str) {
    let facts = of(game);
    for fact in list(&facts, "claims") {
        let play = resume(game, &fact["state"]);
        let claim = play.count_endgame(1_000_000);
        for region in list(fact, "regions") {
            let names: Vec<_> = region[cells].as_object().unwrap().keys().cloned().collect();
            // Other programs divide regions without a free cell differently; those only count in the final
            // scores.
            if region["max_claim"] != 0 && names.len() > strings(&region[pieces]).len() {
                check_domain(play.as_ref(), &claim, region, &names);
            }
        }
        check_finals(play.as_ref(), &claim, fact);
    }
}

/// A region with moves left must be a domain with the same cells and value.
fn check_domain(play: &dyn Play, claim: &EndgameCount, region: &Value, names: &[String]) {
    let EndgameCount::Separated { domains, .. } = claim else { panic!("not separated: {}", play.line()) };
    let name = |cell| play.board().name(cell);
    let domain = domains.iter().find(|domain| domain.cells.iter().any(|cell| name(cell) == names[0]));
    let domain = domain.unwrap_or_else(|| panic!("no domain about {} in {}", names[0], play.line()));
    let mut found: Vec<_> = domain.cells.iter().map(name).collect();
    found.sort_unstable();
    assert_eq!(found, names);
    assert_eq!(u64::from(domain.owner.number()), region["player"].as_u64().unwrap());
    let worth = (u64::from(domain.least), u64::from(domain.most));
    let most = region["max_claim"].as_u64().unwrap();
    assert_eq!(worth, (most, most), "{names:?} in {}", play.line());
}

/// Present scores and claims must add up to the final scores, and the outcome must follow from them.
fn check_finals(play: &dyn Play, claim: &EndgameCount, fact: &Value) {
    let EndgameCount::Separated { outcome: Some(outcome), margin_halves, .. } = claim else {
        panic!("not decided: {}", play.line());
    };
    let now = play.scores().unwrap();
    let last = |seat: Seat| {
        let (least, most) = claim.left(seat).unwrap();
        assert_eq!(least, most);
        u64::from(now[seat.index()].points + most)
    };
    let finals: Vec<u64> = Seat::all(play.seats()).map(last).collect();
    assert_eq!(finals, numbers(&fact["final_scores"]), "{}", play.line());
    let mut ranked = finals.clone();
    ranked.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(margin_halves.map(u64::from), Some(2 * (ranked[0] - ranked[1])));
    assert!(winners(outcome).iter().all(|seat| finals[*seat as usize - 1] == ranked[0]));
}
