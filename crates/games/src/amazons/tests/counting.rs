//! Counts, settlements and territories.

use super::super::fill_count::FillCounter;
use super::super::moves_alone;
use super::*;
use rookery_core::EndgameCount;

#[test]
fn territories_are_worth_what_trying_everything_gives() {
    let mut rng = SeededRng::new(5);
    for _ in 0..1500 {
        let (board, amazons, free) = random_territory(&mut rng);
        let truth = naive::longest(board, amazons, free);
        assert_eq!(moves_alone(board, amazons, free, u64::MAX), (truth, truth), "{amazons:?} {free:?}");
        let (least, most) = moves_alone(board, amazons, free, rng.below(6));
        assert!(least <= truth && truth <= most, "{least} to {most}, not {truth}: {amazons:?} {free:?}");
    }
}

fn random_territory(rng: &mut SeededRng) -> (&'static Board, CellSet, CellSet) {
    let board = Board::square(4, 4);
    let mut cells: Vec<_> = board.cells().collect();
    rng.shuffle(&mut cells);
    let amazons = cells.split_off(cells.len() - 1 - rng.below(3) as usize);
    let free = cells.split_off(cells.len() - rng.below(7) as usize);
    (board, amazons.into_iter().collect(), free.into_iter().collect())
}

/// A count equals the result of trying every move.
#[test]
fn claims_are_what_playing_on_gives() {
    let mut rng = SeededRng::new(6);
    let mut settled = 0;
    while settled < 2000 {
        let mut position = random_start(&mut rng);
        while position.free().len() > 7 && position.outcome().is_none() {
            let m = *rng.pick(&legal::<Amazons>(&position)).unwrap();
            position.play_unchecked(m);
        }
        if let EndgameCount::Separated { outcome, .. } = Amazons::count_endgame(&position, u64::MAX) {
            let mover_wins = outcome.unwrap().winners == [position.turn()];
            assert_eq!(mover_wins, naive::mover_wins(&position), "{}", Amazons::to_line(&position));
            settled += 1;
        }
    }
}

/// The moves of a settlement are legal, end the game as stated, and leave the winner the stated number of moves.
#[test]
fn settlements_are_played_out_to_their_end() {
    let mut rng = SeededRng::new(16);
    let mut settled = 0;
    while settled < 300 {
        let mut position = random_start(&mut rng);
        while let Some(m) = rng.pick(&legal::<Amazons>(&position)) {
            position.play_unchecked(*m);
            let Some(settlement) = Amazons::settle(&position, u64::MAX) else { continue };
            let end = played_out(&position, &settlement.moves);
            assert_eq!(end.outcome().as_ref(), Some(&settlement.outcome));
            let made = |seat: usize| settlement.moves.iter().skip(seat).step_by(2).count() as u32;
            let [mover, other] = [position.turn(), position.turn().other()].map(Seat::index);
            let (won, lost) =
                if settlement.outcome.winners == [position.turn()] { (mover, other) } else { (other, mover) };
            assert_eq!(settlement.left[lost].1, made(usize::from(lost == other)), "the loser fills all");
            assert!(settlement.left[won].0 >= made(usize::from(won == other)));
            settled += 1;
        }
    }
}

fn played_out(position: &AmazonsPosition, moves: &[Move]) -> AmazonsPosition {
    moves.iter().fold(position.clone(), |mut now, m| {
        assert_eq!(now.check(*m), Ok(()), "{}", Amazons::to_line(&now));
        now.play_unchecked(*m);
        now
    })
}

/// Territories of eight moves. The greedy attempt made only six of them when it knew what had been refuted meanwhile:
/// White, to move, has one move more than Black.
#[test]
fn settlement_is_won_by_the_side_with_more_moves() {
    for line in [
        "pppppp1p/pppppp1p/pppppp1p/pp1p1p1p/ppp1pp1p/ppp1pp1p/3ppp1p/1ppQ1pqp w - - 0 30",
        "1ppp1Q1p/1pp1pp1p/1pp1pp1p/1p1p1pp1/1ppppppp/1ppppppp/1ppppppp/qppppppp w - - 0 30",
    ] {
        let settlement = Amazons::settle(&at(line), u64::MAX).unwrap();
        assert_eq!(settlement.left, [(8, 8), (7, 7)], "{line}");
        assert_eq!(settlement.outcome.winners, [Seat::FIRST], "{line}");
    }
}

/// A number that only the search can prove comes with its moves, too.
#[test]
fn the_way_through_a_territory_makes_the_counted_moves() {
    let mut rng = SeededRng::new(4);
    for _ in 0..400 {
        let board = Board::square(4, 4);
        let mut cells: Vec<Cell> = board.cells().collect();
        rng.shuffle(&mut cells);
        let amazons: CellSet = cells.drain(..1 + rng.below(2) as usize).collect();
        let free: CellSet = cells.drain(..2 + rng.below(8) as usize).collect();
        let mut fill_counter = FillCounter::new(board.lines(), u64::MAX);
        let count = fill_counter.count(amazons, free);
        let way = fill_counter.way(amazons, free);
        assert_eq!((way.len() as u32, way.len() as u32), (count.least, count.most));
        let mut now = AmazonsPosition::new(
            board,
            [amazons, CellSet::EMPTY],
            board.all() & !(amazons | free),
            Side::White,
        );
        for [from, to, arrow] in way {
            now = played_out(&now, &[Move::Go { from, to, arrow }]);
            // Black has no amazons: White moves again.
            now = AmazonsPosition::new(
                board,
                [now.amazons(Side::White), CellSet::EMPTY],
                now.arrows(),
                Side::White,
            );
        }
    }
}

#[test]
fn a_claim_waits_until_nothing_is_shared() {
    assert!(
        matches!(Amazons::count_endgame(&at(STANDARD), 1000), EndgameCount::Shared { cells } if cells.len() == 100)
    );
    // White's a4 and Black's b4 are adjacent, but neither can ever move: stuck amazons share nothing.
    let claim = Amazons::count_endgame(&at("Qqp1/ppp1/pp2/pp1q w - - 0 9"), 1000);
    assert_eq!((claim.left(Seat::FIRST), claim.left(Seat::SECOND)), (Some((0, 0)), Some((5, 5))));
    assert!(matches!(claim, EndgameCount::Separated { margin_halves: Some(11), .. }));
}

/// An open field of forty cells cannot be searched exhaustively, but it is obvious that it can be filled.
#[test]
fn large_territories_are_counted_too() {
    let board = Board::square(12, 12);
    let field: CellSet = board.cells().filter(|c| board.place(*c).1 < 5).collect();
    let amazons: CellSet = ["a1", "f3"].into_iter().map(|name| board.named(name).unwrap()).collect();
    let (least, most) = moves_alone(board, amazons, field & !amazons, 100_000);
    assert_eq!((least, most), (58, 58));
}
