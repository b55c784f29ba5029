//! Move panels lead to all legal moves and to no others.

use std::collections::BTreeSet;

use super::*;

/// Returns the steps after each button or option of a panel.
fn ways_on(post: &OutgoingMessage, taken: &[String]) -> Vec<Vec<String>> {
    let mut ways = Vec::new();
    for part in post.rows.iter().flatten() {
        match (part, TableButtonId::read(part.id()).map(|press| press.action)) {
            (Component::Button { .. }, Ok(ButtonAction::Pick(_, steps))) => ways.push(steps),
            (Component::Select { choices, .. }, Ok(ButtonAction::Pick(_, steps))) => {
                assert_eq!(steps, taken);
                ways.extend(
                    choices.iter().map(|choice| [taken, std::slice::from_ref(&choice.value)].concat()),
                );
            }
            _ => {}
        }
    }
    ways
}

/// Returns the columns or directions that a panel asks for first, if any.
fn lines(post: &OutgoingMessage) -> Vec<char> {
    let deeds = post.rows.iter().flatten().filter_map(|part| TableButtonId::read(part.id()).ok());
    let line = |press: TableButtonId| match press.action {
        ButtonAction::Narrow(line, _) => Some(line),
        _ => None,
    };
    deeds.filter_map(line).collect()
}

/// Walks through every panel of a position and checks Discord's limits in each.
struct Walk<'a> {
    table: &'a Table,
    legal: BTreeSet<String>,
    reached: BTreeSet<String>,
    most_taps: usize,
}

impl Walk<'_> {
    fn of(table: &Table) -> Walk<'_> {
        let legal: BTreeSet<_> = table.play().unwrap().moves().into_iter().collect();
        let mut walk = Walk { table, legal, reached: BTreeSet::new(), most_taps: 0 };
        walk.from(&[], 0);
        walk
    }

    fn from(&mut self, taken: &[String], taps: usize) {
        self.most_taps = taps.max(self.most_taps);
        let whole = taken.concat();
        // A whole move is compared without building its panel: there are thousands.
        if self.legal.contains(&whole) {
            assert!(self.reached.insert(whole.clone()), "{whole} twice");
            return;
        }
        match panel::stage(self.table.play().unwrap(), taken) {
            PanelStage::Nothing => panic!("no way on after {taken:?}"),
            PanelStage::Done(text) => assert!(self.reached.insert(text.clone()), "{text} twice"),
            PanelStage::Choose { taken, choices } => self.choose(&taken, &choices, taps),
        }
    }

    fn choose(&mut self, taken: &[String], choices: &[rookery_core::Choice], taps: usize) {
        let panel = |line| view().panel(self.table, ADA, taken, choices, line).unwrap();
        let first = panel(None);
        let line_names = lines(&first);
        let posts: Vec<_> = line_names.iter().map(|line| panel(Some(*line))).chain([first]).collect();
        for post in &posts {
            assert_eq!(limits::check(post), Ok(()), "{taken:?}");
            check_numbers(self.table.play().unwrap(), post);
            let taps = taps + 1 + usize::from(!line_names.is_empty());
            ways_on(post, taken).iter().for_each(|way| self.from(way, taps));
        }
    }
}

/// Buttons alone, numbered in their order, each with its number on its cell of the picture.
fn check_numbers(play: &dyn Play, post: &OutgoingMessage) {
    let (mut last, alt) = (0, &post.picture.as_ref().unwrap().alt);
    for part in post.rows.iter().flatten() {
        let Component::Button { label, .. } = part else { panic!("not a button: {part:?}") };
        let Some((number, rest)) = label.split_once(" · ") else { continue };
        let number: usize = number.parse().unwrap();
        // A point to which a stack can move and split has one number and two buttons.
        let again = rest.starts_with("Split");
        assert!(number == last + 1 || (again && number <= last), "{number} after {last}");
        last = last.max(number);
        let shown = alt
            .split([',', ':', '.'])
            .any(|part| part.trim().split(' ').next() == Some(&*number.to_string()));
        assert!(shown, "{label} is not on the picture: {alt}");
        let named = rest.rsplit(' ').next().and_then(|name| play.board().named(name));
        if let Some(cell) = named {
            let marked = format!("{number} {}", play.board().name(cell));
            let found = alt.split([',', ':', '.']).any(|part| part.trim() == marked);
            assert!(found, "{label} is not on the picture: {alt}");
        }
    }
}

/// The most taps that a move takes, without the confirmation. Where a queen has more than twenty squares to go to,
/// one tap is for the direction.
const TAPS: [(&str, usize); 6] = [
    ("amazons", 5),
    ("penguins", 3),
    ("amazon_penguins", 5),
    ("paper_penguins", 3),
    ("penguin_soccer", 3),
    ("amoeba", 2),
];

#[test]
fn panels_lead_to_exactly_the_legal_moves_in_few_taps() {
    for game in rookery_games::all() {
        let key = game.info().key;
        let mut table = table(*game, Occupant::Human { person: UserId(2) }, 2);
        let (mut rng, mut most_taps) = (SeededRng::new(9), 0);
        for _ in 0..6 {
            if table.play().unwrap().outcome().is_some() {
                break;
            }
            let walk = Walk::of(&table);
            assert_eq!(walk.reached, walk.legal, "{key}");
            most_taps = walk.most_taps.max(most_taps);
            sample_confirmed(&table, &walk.legal, &mut rng);
            for _ in 0..9 {
                let moves = table.play().unwrap().moves();
                let Some(pick) = rng.pick(&moves) else { break };
                play(&mut table, pick);
            }
        }
        let (_, taps) = TAPS.iter().find(|(game, _)| *game == key).unwrap();
        assert!(most_taps <= *taps, "{key} takes {most_taps} taps");
    }
}

fn sample_confirmed(table: &Table, legal: &BTreeSet<String>, rng: &mut SeededRng) {
    let legal: Vec<_> = legal.iter().collect();
    for _ in 0..10 {
        let text = rng.pick(&legal).unwrap();
        let post = view().confirm(table, ADA, &[], text).unwrap();
        assert_eq!(limits::check(&post), Ok(()), "{text}");
        assert!(post.picture.unwrap().alt.contains(text.as_str()), "the board as it would be");
    }
}

/// Returns the labels of a panel's first three rows.
fn step_buttons(table: &Table, taken: &[&str]) -> Vec<Vec<String>> {
    let taken: Vec<_> = taken.iter().map(ToString::to_string).collect();
    let PanelStage::Choose { taken, choices } = panel::stage(table.play().unwrap(), &taken) else { panic!() };
    let post = view().panel(table, ADA, &taken, &choices, None).unwrap();
    let rows = post.rows.iter().take(3);
    rows.map(|row| row.iter().map(|part| label(part).to_owned()).collect()).collect()
}

/// The board stands on its corner with the player's own Home at the bottom, so north-east is up.
#[test]
fn soccer_has_a_compass_with_standing_in_the_middle() {
    let mut table =
        table(rookery_games::named("penguin_soccer").unwrap(), Occupant::Human { person: UserId(2) }, 2);
    assert_eq!(step_buttons(&table, &["1"])[0], ["1 · ↖ N", "2 · ↑ NE", "3 · ↗ E"]);
    for text in ["1NE.", "1SW."] {
        play(&mut table, text);
    }
    let lying = step_buttons(&table, &["c3"]);
    assert_eq!(lying[..2], [["1 · ↑ NE"], ["Stand up"]].map(|row| row.map(str::to_owned)));
}

/// Mama stays in Home when she enters, and a spin leaves a penguin where it is: their numbers stand around the penguin,
/// each on the side that it would face.
#[test]
fn soccer_numbers_where_a_penguin_would_face() {
    let table =
        table(rookery_games::named("penguin_soccer").unwrap(), Occupant::Human { person: UserId(2) }, 2);
    let alt = |table: &Table, taken: &[&str]| {
        let taken: Vec<_> = taken.iter().map(ToString::to_string).collect();
        let PanelStage::Choose { taken, choices } = panel::stage(table.play().unwrap(), &taken) else {
            panic!()
        };
        view().panel(table, ADA, &taken, &choices, None).unwrap().picture.unwrap().alt
    };
    assert_eq!(step_buttons(&table, &["3"])[0], ["1 · ↖ N", "2 · ↑ NE", "3 · ↗ E"]);
    let entry = alt(&table, &["3"]);
    assert!(entry.contains("1 a1 ↖, 2 a1 ↑, 3 a1 ↗"), "{entry}");
    let spins = step_buttons(&table, &["3", "NE"]);
    assert_eq!(spins, [["1 · Spin left 45°"], ["2 · No spin"], ["3 · Spin right 45°"]]);
    let spun = alt(&table, &["3", "NE"]);
    assert!(spun.contains("1 a1 ↖, 2 a1 ↑, 3 a1 ↗"), "{spun}");
    let far = alt(&table, &["1", "N"]);
    assert_eq!(far.matches(" a3 ").count(), 7, "three eighths each way, where Baby has slid to: {far}");
}

/// Up to six directions: whole stacks on the left, splits on the right.
#[test]
fn amoeba_shows_moving_and_splitting_side_by_side() {
    let mut table = table(rookery_games::named("amoeba").unwrap(), Occupant::Human { person: UserId(2) }, 2);
    for text in ["c1-c2", "e1-e2"] {
        play(&mut table, text);
    }
    let rows = step_buttons(&table, &["c2"]);
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0], ["1 · ↖ e1", "2 · ↗ e3", "1 · Split ↖ e1", "2 · Split ↗ e3"]);
}

/// A queen with more squares than there are buttons is asked for the direction first: a compass whose numbers are
/// on the picture. Then the squares of that direction follow, nearest first. She stands where she has gone to.
#[test]
fn amazons_ask_for_the_direction_before_the_square() {
    let table = two_people();
    let rows = step_buttons(&table, &["d1", "-d7"]);
    let compass: [&[&str]; 3] =
        [&["1 · ↖", "2 · ↑", "3 · ↗"], &["4 · ←", "5 · →"], &["6 · ↙", "7 · ↓", "8 · ↘"]];
    assert_eq!(rows, compass);
    let taken = ["d1", "-d7"].map(str::to_owned);
    let PanelStage::Choose { choices, .. } = panel::stage(table.play().unwrap(), &taken) else { panic!() };
    let down = view().panel(&table, ADA, &taken, &choices, Some('4')).unwrap();
    let labels: Vec<_> = down.rows[..2].iter().flatten().map(label).collect();
    assert_eq!(labels, ["1 · d6", "2 · d5", "3 · d4", "4 · d3", "5 · d2", "6 · d1"]);
    let alt = down.picture.unwrap().alt;
    assert!(alt.contains("White: d7 a4 j4 g1"), "{alt}");
}

/// Builds the panel at each step, following one random choice at a time.
pub(super) fn panels(
    table: &Table,
    play: &dyn Play,
    view: MessageView<'_>,
    rng: &mut SeededRng,
) -> Vec<OutgoingMessage> {
    let (mut posts, mut taken) = (Vec::new(), Vec::new());
    while let PanelStage::Choose { taken: sofar, choices } = panel::stage(play, &taken) {
        let post = view.panel(table, ADA, &sofar, &choices, None).unwrap();
        posts.extend(
            lines(&post).iter().map(|line| view.panel(table, ADA, &sofar, &choices, Some(*line)).unwrap()),
        );
        posts.push(post);
        let pick = rng.pick(&choices).unwrap().step.text.clone();
        taken = [sofar, vec![pick]].concat();
    }
    posts
}

#[test]
fn panels_of_thousands_of_positions_keep_discords_limits() {
    for (seats, game) in
        rookery_games::all().iter().flat_map(|g| g.info().seats.iter().copied().map(move |n| (n, *g)))
    {
        let fresh = || table(game, Occupant::Human { person: UserId(u64::MAX) }, seats);
        let (mut table, mut rng) = (fresh(), SeededRng::new(11));
        for _ in 0..350 {
            let moves = table.play().unwrap().moves();
            match rng.pick(&moves) {
                Some(text) => play(&mut table, text),
                None => table = fresh(),
            }
            for post in panels(&table, table.play().unwrap(), view(), &mut rng) {
                assert_eq!(limits::check(&post), Ok(()), "{}", table.play().unwrap().line());
            }
        }
    }
}
