//! Descriptions of boards for screen readers: in thousands of random games of every kind and size, a description stays
//! within Discord's limit, and the board can be set up from it alone.

use std::collections::{BTreeMap, BTreeSet};

use rookery_core::rules::spell;
use rookery_core::rules::{AllowedValues, Setup};
use rookery_core::scene::{DrawOptions, Mark, MarkKind};
use rookery_core::seed::SeededRng;
use rookery_core::{Board, Game, GameRules, Menu, Play, Position, Seat};
use rookery_games::{amazon_penguins, amazons, amoeba, paper_penguins, penguin_soccer, penguins};
use rookery_i18n::{BoardView, Localizer};

const MAX_ALT_CHARS: usize = 1_024;
/// The interval between the boards that are checked, in plies; the last is checked too.
const CHECK_INTERVAL: usize = 9;
/// The number of plies after which a random game ends.
const MAX_TURNS: usize = 300;

fn scene<'a>(play: &'a dyn Play, look: Option<&'a DrawOptions>) -> BoardView<'a> {
    BoardView { table: "K7Q2".parse().unwrap(), play, look, ending: None, scores: play.scores() }
}

fn alt(play: &dyn Play, look: Option<&DrawOptions>) -> String {
    Localizer::english().alt(&scene(play, look))
}

/// Returns setups with every number of seats and every offered size, with the smallest and the largest.
fn setups<R: GameRules>() -> Vec<Setup> {
    let seats = R::INFO.seats.iter().copied().map(Setup::new);
    let sizes = R::INFO.options.iter().flat_map(|option| match &option.allowed {
        AllowedValues::Size { offered, .. } => {
            let all = offered.iter().copied().chain(["4x4", "12x12", "3x12", "12x5"]);
            all.map(|size| Setup::new(2).with(option.key, size)).collect()
        }
        AllowedValues::OneOf(values) => {
            values.iter().map(|value| Setup::new(2).with(option.key, value)).collect::<Vec<_>>()
        }
        AllowedValues::Number(_) | AllowedValues::Text => Vec::new(),
    });
    seats.chain(sizes).filter(|setup| R::start(setup).is_ok()).collect()
}

/// Plays random games and calls `look_at` with their boards.
fn over_random_games<R: GameRules>(each: u64, look_at: fn(&dyn Play)) {
    let game = rookery_games::all().iter().find(|game| game.info().key == R::INFO.key).unwrap();
    for setup in setups::<R>() {
        for seed in 0..each {
            over_a_game::<R>(*game, &setup.clone().seeded(seed), look_at);
        }
    }
}

fn over_a_game<R: GameRules>(game: &dyn Game, setup: &Setup, look_at: fn(&dyn Play)) {
    let (mut now, mut play) = (R::start(setup).unwrap(), game.start(setup).unwrap());
    let mut rng = SeededRng::new(setup.seed ^ 77);
    for turn in 0..MAX_TURNS {
        let mut moves = Vec::new();
        now.moves(&mut moves);
        let Some(m) = rng.pick(&moves).copied() else { break };
        play.play(&spell::<R>(&now, m)).unwrap();
        now.play_unchecked(m);
        if turn % CHECK_INTERVAL == 0 || now.outcome().is_some() {
            look_at(play.as_ref());
        }
    }
}

/// Checks the parts that every description has, whatever the game.
fn tells_the_state(play: &dyn Play, alt: &str) {
    let words = Localizer::english();
    assert!(alt.chars().count() <= MAX_ALT_CHARS, "{} characters: {alt}", alt.chars().count());
    assert!(!alt.contains('…') && !alt.contains("text board for the rest"), "something was left out: {alt}");
    let last = play.record().pop().unwrap();
    assert!(alt.contains(&format!("{}.", last.trim_end_matches('.'))), "{last} in {alt}");
    let mover = play.movers().pop().unwrap();
    assert!(alt.contains(&format!("Last move: {}", words.side(play, mover))), "{alt}");
    match play.outcome() {
        Some(_) => assert!(alt.contains("The game is over."), "{alt}"),
        None => assert!(alt.contains(&format!("{} to move.", words.side(play, play.turn()))), "{alt}"),
    }
    for (seat, score) in Seat::all(play.seats()).zip(play.scores().into_iter().flatten()) {
        assert!(alt.contains(&format!("{} {}", words.side(play, seat), score.points)), "{alt}");
    }
}

/// Returns the cells of the last sentence with this beginning: `a4-c4 e4` are four.
fn cells(board: &Board, alt: &str, begins: &str) -> BTreeSet<String> {
    let Some(at) = alt.rfind(&format!(" {begins}: ")) else { return BTreeSet::new() };
    let list = alt[at + begins.len() + 3..].split('.').next().unwrap();
    list.split(' ').flat_map(|run| spread(board, run)).collect()
}

fn spread(board: &Board, run: &str) -> Vec<String> {
    let (first, last) = run.split_once('-').unwrap_or((run, run));
    let place = |name| board.place(board.named(name).unwrap_or_else(|| panic!("no cell is called {name}")));
    let ((from, row), (to, same)) = (place(first), place(last));
    assert_eq!(row, same, "{run} is in one row");
    (from..=to).map(|col| board.name(board.at(col, row).unwrap()).to_owned()).collect()
}

/// Returns the signs of a text board by cell name; rows end in numbers, columns have letters.
fn signs(play: &dyn Play) -> BTreeMap<String, String> {
    let text = play.text_board();
    let rows = text.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()));
    let row = |line: &str| {
        let mut words = line.split_whitespace().map(str::to_owned);
        let number = words.next().unwrap();
        let signs: Vec<String> = words.collect();
        let named =
            (b'a'..).zip(signs).map(move |(col, sign)| (format!("{}{number}", char::from(col)), sign));
        named.collect::<Vec<_>>()
    };
    let known = |(name, _): &(String, String)| play.board().named(name).is_some();
    rows.flat_map(row).filter(known).collect()
}

fn with(signs: &BTreeMap<String, String>, is_meant: impl Fn(&str) -> bool) -> BTreeSet<String> {
    signs.iter().filter(|(_, sign)| is_meant(sign)).map(|(name, _)| name.clone()).collect()
}

fn amazons_description_is_complete(play: &dyn Play) {
    let alt = alt(play, None);
    tells_the_state(play, &alt);
    let signs = signs(play);
    for (sign, sentence) in [("W", "White"), ("B", "Black"), ("x", "Blocked")] {
        assert_eq!(cells(play.board(), &alt, sentence), with(&signs, |found| found == sign), "{alt}");
    }
}

fn floe_description_is_complete(play: &dyn Play) {
    let alt = alt(play, None);
    tells_the_state(play, &alt);
    let signs = signs(play);
    for seat in Seat::all(play.seats()) {
        let letter = char::from(b'A' + seat.index() as u8);
        let side = Localizer::english().side(play, seat);
        assert_eq!(
            cells(play.board(), &alt, &side),
            with(&signs, |found| found.starts_with(letter)),
            "{alt}"
        );
    }
    let on_paper = alt.starts_with("Paper Pen-guins");
    let numbers = match on_paper {
        true => [('1', "Ones"), ('2', "Twos"), ('3', "Threes")],
        false => [('1', "One fish"), ('2', "Two fish"), ('3', "Three fish")],
    };
    for (digit, sentence) in numbers {
        assert_eq!(
            cells(play.board(), &alt, sentence),
            with(&signs, |found| found.ends_with(digit)),
            "{alt}"
        );
    }
    let gone = if on_paper { "Crossed out" } else { "Holes" };
    assert_eq!(cells(play.board(), &alt, gone), with(&signs, |found| found == "."), "{alt}");
}

fn soccer_description_is_complete(play: &dyn Play) {
    let alt = alt(play, None);
    tells_the_state(play, &alt);
    let text = play.text_board();
    for seat in Seat::all(play.seats()) {
        let family = text.lines().find_map(|line| line.strip_prefix(&format!("{seat}: "))).unwrap();
        for (size, (_, place)) in (1..).zip(family.split(", ").map(|one| one.split_once(' ').unwrap())) {
            let side = Localizer::english().side(play, seat);
            let sentence =
                if place == "off" { "still off the field".to_owned() } else { "on the field".to_owned() };
            let told =
                alt.rfind(&format!("{side} {sentence}: ")).map(|at| alt[at..].split('.').next().unwrap());
            let wanted = if place == "off" { format!("{size}") } else { format!("{size} {place}") };
            assert!(told.is_some_and(|told| told.contains(&wanted)), "{side} {size} {place}: {alt}");
        }
    }
    assert!(alt.to_lowercase().contains("ball"), "{alt}");
}

fn amoeba_description_is_complete(play: &dyn Play) {
    let alt = alt(play, None);
    tells_the_state(play, &alt);
    let text = play.text_board();
    let (stacks, rows): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.contains(": "));
    for stack in stacks {
        assert!(alt.contains(&stack.replace(": ", " ")), "{stack}: {alt}");
    }
    let mut own = [BTreeSet::new(), BTreeSet::new()];
    for line in rows {
        let words: Vec<&str> = line.split_whitespace().collect();
        let letter = &words[0][..1];
        for (number, sign) in (1..).zip(&words[1..words.len() - 1]) {
            match &sign[..1] {
                "A" | "K" => drop(own[0].insert(format!("{letter}{number}"))),
                "B" | "L" => drop(own[1].insert(format!("{letter}{number}"))),
                _ => {}
            }
        }
    }
    for seat in Seat::all(2) {
        let side = Localizer::english().side(play, seat);
        assert_eq!(cells(play.board(), &alt, &side), own[play.side(seat)], "{side}: {alt}");
    }
}

/// The games for each setup: 30 to 60 per game here, more in the slow test.
const EACH: u64 = 6;

fn listen(each: u64) {
    over_random_games::<amazons::Amazons>(each, amazons_description_is_complete);
    over_random_games::<penguins::Penguins>(each, floe_description_is_complete);
    over_random_games::<amazon_penguins::AmazonPenguins>(each, floe_description_is_complete);
    over_random_games::<paper_penguins::PaperPenguins>(each, floe_description_is_complete);
    over_random_games::<penguin_soccer::PenguinSoccer>(each, soccer_description_is_complete);
    over_random_games::<amoeba::Amoeba>(each, amoeba_description_is_complete);
}

#[test]
fn description_is_enough_to_set_up_the_board() {
    listen(EACH);
}

#[test]
#[ignore = "slow: thousands of games"]
fn description_is_enough_to_set_up_thousands_of_boards() {
    listen(100);
}

/// The description contains the numbers that the picture shows on selectable cells.
#[test]
fn description_names_marked_and_tinted_cells_within_the_limit() {
    for game in rookery_games::all() {
        let mut play = game.start(&Setup::new(game.info().fewest()).seeded(2)).unwrap();
        let mut rng = SeededRng::new(4);
        for _ in 0..14 {
            let text = rng.pick(&play.moves()).cloned().unwrap();
            play.play(&text).unwrap();
        }
        let Menu::Choose(choices) = play.menu(&[]) else { panic!("moves go by steps") };
        let cells: Vec<_> = choices.iter().filter_map(|choice| choice.step.cell).collect();
        let mark = |(n, cell)| Mark { cell, kind: MarkKind::Label(format!("{}", n + 1)) };
        let marks: Vec<Mark> = cells.iter().copied().enumerate().map(mark).collect();
        let owners = play.board().cells().map(|cell| (cell, Seat::FIRST, 1.0)).collect();
        let look = DrawOptions { marks, owners, ..DrawOptions::from_seat(play.turn()) };
        let alt = alt(play.as_ref(), Some(&look));
        assert!(alt.chars().count() <= MAX_ALT_CHARS, "{alt}");
        let first = format!("Numbered: 1 {}", play.board().name(cells[0]));
        assert!(alt.contains(&first) && alt.contains("Shaded for"), "{first} in {alt}");
    }
}

/// A description over the limit loses whole sentences, and says where the rest is.
#[test]
fn description_that_is_too_long_drops_the_least_important_facts() {
    let game = rookery_games::all().iter().find(|game| game.info().key == "amazon_penguins").unwrap();
    let play = game.start(&Setup::new(2).with("size", "12x12").seeded(1)).unwrap();
    let mark = |(n, cell)| Mark { cell, kind: MarkKind::Label(format!("{}", n + 1)) };
    let marks = play.board().cells().take(110).enumerate().map(mark).collect();
    let look = DrawOptions { marks, ..DrawOptions::from_seat(Seat::FIRST) };
    let alt = alt(play.as_ref(), Some(&look));
    assert!(
        alt.chars().count() <= MAX_ALT_CHARS && alt.ends_with("See the text board for the rest."),
        "{alt}"
    );
    assert!(alt.contains(" to move.") && alt.contains("Numbered: 1 a1"), "{alt}");
    assert!(!alt.contains('…'), "{alt}");
}
