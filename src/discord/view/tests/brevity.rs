//! What is posted for everyone is short: at most six lines, each of at most 140 characters as Discord shows
//! them, with clocks, sets, the pie rule, votes and two to four players.

use jiff::SignedDuration;
use rookery_table::clock::{ClockTerms, Warning};
use rookery_table::sets::InSet;
use rookery_table::{EndCause, Ending, Note, Proof};

use super::*;

/// Two lines on a phone.
const MAX_LINE_CHARS: usize = 140;
const MAX_LINES: usize = 6;
/// The longest name of a person as Discord shows it: 32 characters and the mark of a mention.
const NAME: &str = "@Queen Beatrix of the Netherlands";

/// Replaces mentions, timestamps and links in Discord's markup by what readers see.
fn visible(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text.replace("**", "").replace('`', "");
    while let Some((before, tag)) = rest.split_once('<') {
        let (tag, after) = tag.split_once('>').unwrap();
        shown += before;
        shown += match tag {
            _ if tag.starts_with("t:") && tag.ends_with(":R") => "in 23 hours",
            _ if tag.starts_with("t:") && tag.ends_with(":t") => "12:00 PM",
            _ if tag.starts_with("t:") => "24 November 2026 12:00",
            _ => NAME,
        };
        rest = after.to_owned();
    }
    shown + &rest
}

/// Returns the lines that are too long; or all lines, if there are too many.
fn too_much(post: &OutgoingMessage) -> Vec<String> {
    let shown = visible(&post.content);
    let lines: Vec<String> = shown.lines().map(str::to_owned).collect();
    if lines.len() > MAX_LINES {
        return lines;
    }
    lines.into_iter().filter(|line| line.chars().count() > MAX_LINE_CHARS).collect()
}

/// Opens a table of people with a clock; as a set and with the pie rule, where the game has them.
fn rich(game: &dyn Game, seats: usize) -> Option<Table> {
    let setup = Setup::new(seats);
    let with_pie = game.start(&setup.clone().with("pie", "on")).is_ok();
    game.start(&setup).ok()?;
    let options = with_pie.then(|| ("pie".to_owned(), "on".to_owned()));
    let terms = Terms {
        game: game.info().key.into(),
        options: options.into_iter().collect(),
        guild: Some(GuildId(5)),
        channel: ChannelId(6),
        thread: true,
        clock: ClockTerms::preset("live"),
        set: (seats == 2).then_some(InSet::First),
        ..Terms::default()
    };
    let chairs = (1..=seats as u64).map(|n| Occupant::Human { person: UserId(n) }).collect();
    Some(opened(terms, chairs))
}

fn opened(terms: Terms, chairs: Vec<Occupant>) -> Table {
    let id = "K7Q2".parse().unwrap();
    let events = decide::open(id, terms, ADA, chairs).unwrap();
    let entries: Vec<_> = (1..).zip(events).map(|(sequence, event)| entry(sequence, event)).collect();
    Table::replay(id, &entries).unwrap().unwrap()
}

/// Returns a table of every game and number of players.
fn tables() -> impl Iterator<Item = Table> {
    let kinds =
        rookery_games::all().iter().flat_map(|game| game.info().seats.iter().map(move |n| (*game, *n)));
    kinds.filter_map(|(game, seats)| rich(game, seats))
}

const NOTES: [Note; 13] = [
    Note::Undone,
    Note::UndoneCasual,
    Note::Paused,
    Note::Resumed,
    Note::PlaysOn,
    Note::Substituted,
    Note::SubstitutedCasual,
    Note::SubstitutedForGood,
    Note::Back,
    Note::Hinted,
    Note::Casual,
    Note::GaveUp,
    Note::OutOfTime,
];

/// Returns what is posted in a table's thread and channel without being asked for by one person.
fn public(table: &Table) -> Vec<OutgoingMessage> {
    is_short_announcement(table);
    let (view, seat, ply) = (view(), table.to_move().unwrap_or(Seat::FIRST), table.ply());
    let hour = SignedDuration::from_hours(1);
    let mut posts = vec![
        view.offer_declined(table, seat),
        view.warned(table, seat, Warning::Quarter, ply),
        view.warned(table, seat, Warning::Twentieth, ply),
        view.time_up(table, seat, ply),
        view.time_given(table, seat.other(), seat, hour),
        view.pause_over(table),
        view.vacation_notice(table, ADA, table.at() + hour),
        view.vacation_notice(table, ADA, table.at()),
        view.tv_board(table),
        view.tv_idle(),
    ];
    posts.extend(view.welcome(table));
    posts.extend(view.board(table, ply));
    posts.extend(view.time_returned(table, hour));
    posts.extend(NOTES.map(|note| view.note(table, note, seat)));
    posts
}

fn is_short(table: &Table, post: &OutgoingMessage) {
    assert_eq!(too_much(post), Vec::<String>::new(), "{} ({})", table.terms().game, table.chairs().len());
}

/// The announcement of a game that has begun may get one more line, with the link to the game's page.
fn is_short_announcement(table: &Table) {
    let post = view().announcement(table);
    is_short(table, &post);
    let link = usize::from(table.play().is_some());
    assert!(post.content.lines().count() + link <= MAX_LINES, "{}", post.content);
}

#[test]
fn what_everyone_reads_during_a_game_is_short() {
    for mut table in tables() {
        let mut rng = SeededRng::new(3);
        for _ in 0..30 {
            public(&table).iter().for_each(|post| is_short(&table, post));
            let Some(text) = table.play().and_then(|play| rng.pick(&play.moves()).cloned()) else { break };
            play(&mut table, &text);
        }
        for offer in Offer::ALL {
            let by = table.to_move().unwrap_or(Seat::FIRST).other();
            let mut asked = table.clone();
            happen(&mut asked, Event::Offered { seat: by, offer: *offer });
            is_short(&asked, &view().offered(&asked, *offer, by, asked.ply()));
        }
    }
}

#[test]
fn results_and_proofs_that_everyone_reads_are_short() {
    for table in tables() {
        let seats = table.chairs().len();
        for cause in [
            EndCause::Resigned,
            EndCause::OnTime,
            EndCause::Agreed,
            EndCause::Aborted,
            EndCause::Abandoned,
            EndCause::Counted { margin_halves: Some(35) },
            EndCause::Proven { margin_halves: Some(35) },
        ] {
            let none = matches!(cause, EndCause::Aborted | EndCause::Abandoned);
            let shared = cause == EndCause::Agreed;
            let winners = Seat::all(seats).take(if none { 0 } else { 1 + usize::from(shared) });
            let mut over = table.clone();
            if cause == EndCause::Resigned {
                Seat::all(seats).skip(1).for_each(|seat| happen(&mut over, Event::Resigned { seat }));
            }
            happen(&mut over, Event::Ended { ending: Ending { winners: winners.collect(), cause } });
            is_short(&over, &view().result(&over).unwrap());
            is_short_announcement(&over);
            is_short(&over, &view().tv_board(&over));
        }
        for winners in [1, 2] {
            let proof = Proof {
                ply: 0,
                regions: Vec::new(),
                left: vec![(12, 34); seats],
                moves: Vec::new(),
                winners: Seat::all(seats).take(winners).collect(),
                margin_halves: None,
            };
            let mut proven = table.clone();
            happen(&mut proven, Event::Proven { proof });
            is_short(&proven, &view().proven(&proven).unwrap());
        }
    }
}

#[test]
fn challenges_that_everyone_reads_are_short() {
    for game in rookery_games::all() {
        for seats in game.info().seats {
            for free in [Occupant::Open, Occupant::Invited { person: UserId(2) }] {
                let Some(running) = rich(*game, *seats) else { continue };
                let mut chairs: Vec<_> = running.chairs().to_vec();
                chairs[1..].fill(free);
                if let Occupant::Invited { .. } = free {
                    for (chair, person) in chairs[1..].iter_mut().zip(2..) {
                        *chair = Occupant::Invited { person: UserId(person) };
                    }
                }
                let short = ClockTerms::read("1m+5s soft cap 2m").unwrap();
                let terms = Terms { clock: short, ..running.terms().clone() };
                is_short_announcement(&opened(terms, chairs.clone()));
                let table = opened(running.terms().clone(), chairs);
                is_short_announcement(&table);
                let declined = view().challenge_declined(&table, UserId(2));
                declined.iter().for_each(|post| is_short(&table, post));
            }
        }
    }
}

/// The board of a team and the message of its vote have a line for each proposal, so they have their own
/// limit of lines. The lobby lists games, and a message that is all of a game (where the bot is no member)
/// holds what are several posts elsewhere; neither pings.
#[test]
fn votes_that_everyone_reads_are_short() {
    for game in rookery_games::all().iter().filter(|game| game.info().seats.contains(&2)) {
        let table = messages::full_vote(*game);
        let vote = view().vote(&table, table.team_vote().unwrap().number).unwrap();
        let lines: Vec<_> = visible(&vote.content).lines().map(str::to_owned).collect();
        assert!(lines.len() <= 1 + MAX_PROPOSALS + 1, "{lines:?}");
        assert!(lines.iter().all(|line| line.chars().count() <= MAX_LINE_CHARS), "{lines:?}");
        let board = visible(&view().board(&table, 0).unwrap().content);
        let so_far = board.lines().last().unwrap();
        assert!(board.lines().count() <= MAX_LINES, "{board}");
        let rest = board.lines().filter(|line| *line != so_far);
        rest.for_each(|line| assert!(line.chars().count() <= MAX_LINE_CHARS, "{line}"));
    }
}
