//! `rookery gallery`: every game at several stages, in all themes, as files for inspection.

mod rare_positions;

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use rookery_core::GameRules;
use rookery_core::rules::{AllowedValues, Setup};
use rookery_core::scene::{DrawOptions, Mark, MarkKind, Style};
use rookery_core::seed::SeededRng;
use rookery_core::{Cell, Game, Menu, Play, Seat};
use rookery_games::paper_penguins::{self, PaperPenguins};
use rookery_i18n::Localizer;
use rookery_render::{Card, CardPlayer, Grid, Names, Painter, png};

use rare_positions::{RARE_POSITIONS, RarePosition};

/// The widths drawn: as posted, and as Discord shows them on a desktop.
const WIDTHS: [u32; 2] = [1_050, 350];

/// Writes the pictures into a folder (created if missing) and prints their number.
///
/// # Errors
/// If the folder cannot be written.
pub fn gallery(folder: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("can't create the folder {}", folder.display()))?;
    let names = Names::found(Vec::<&Path>::new());
    let mut wall = Gallery { folder, painter: Painter::new(), hung: 0 };
    for game in rookery_games::all() {
        wall.themes(*game)?;
        wall.seats_and_options(*game)?;
        wall.selection(*game)?;
        wall.owners(*game)?;
        wall.patterns(*game)?;
        wall.contact(*game)?;
        wall.card(*game, &names)?;
    }
    for rare_position in RARE_POSITIONS {
        wall.rare_position(rare_position)?;
    }
    wall.printed()?;
    Ok(writeln!(out, "{} pictures in {}", wall.hung, folder.display())?)
}

struct Gallery<'a> {
    folder: &'a Path,
    painter: Painter,
    hung: usize,
}

impl Gallery<'_> {
    /// Start, middle and end of a default game, in every theme.
    fn themes(&mut self, game: &dyn Game) -> anyhow::Result<()> {
        let whole = played(game, &Setup::new(game.info().fewest()).seeded(7), usize::MAX);
        for theme in game.themes() {
            for (stage, ply) in
                [("start", 0), ("early", 12), ("middle", whole.ply() / 2), ("end", whole.ply())]
            {
                let look =
                    DrawOptions { theme: theme.name.to_owned(), ..DrawOptions::from_seat(Seat::FIRST) };
                self.hang(
                    &format!("{}-{}-{stage}", game.info().key, theme.name),
                    whole.at_ply(ply).as_ref(),
                    &look,
                )?;
            }
        }
        self.more_than_two_seats(game)?;
        for (name, style) in [("plain", Style::Plain), ("large", Style::Large)] {
            let look = DrawOptions { style, ..DrawOptions::from_seat(Seat::FIRST) };
            self.hang(&format!("{}-{name}", game.info().key), whole.at_ply(20).as_ref(), &look)?;
        }
        Ok(())
    }

    /// Games with more than two seats, in every theme.
    fn more_than_two_seats(&mut self, game: &dyn Game) -> anyhow::Result<()> {
        for seats in game.info().seats.iter().copied().filter(|seats| *seats > 2) {
            let play = played(game, &Setup::new(seats).seeded(3), 24);
            for theme in game.themes() {
                let look =
                    DrawOptions { theme: theme.name.to_owned(), ..DrawOptions::from_seat(Seat::FIRST) };
                let name = format!("{}-{}-{seats}-seats", game.info().key, theme.name);
                self.hang(&name, play.as_ref(), &look)?;
            }
        }
        Ok(())
    }

    /// Every number of seats from every side, and every listed value of every option.
    fn seats_and_options(&mut self, game: &dyn Game) -> anyhow::Result<()> {
        let about = game.info();
        for seats in about.seats.iter().copied() {
            let play = played(game, &Setup::new(seats).seeded(3), 24);
            for side in Seat::all(seats) {
                let name = format!("{}-{seats}-seats-from-{side}", about.key);
                self.hang(&name, play.as_ref(), &DrawOptions::from_seat(side))?;
            }
        }
        for option in about.options {
            let values = match &option.allowed {
                AllowedValues::OneOf(words) => words.to_vec(),
                AllowedValues::Size { .. } => vec!["4x4", "5x7", "6x6", "8x8", "12x12"],
                AllowedValues::Number(_) | AllowedValues::Text => Vec::new(),
            };
            for value in values {
                let setup = Setup::new(about.fewest()).with(option.key, value);
                if game.start(&setup).is_ok() {
                    let name = format!("{}-{}-{value}", about.key, option.key);
                    self.hang(
                        &name,
                        played(game, &setup, 14).as_ref(),
                        &DrawOptions::from_seat(Seat::FIRST),
                    )?;
                }
            }
        }
        Ok(())
    }

    /// The pictures while a player selects a move, step by step.
    fn selection(&mut self, game: &dyn Game) -> anyhow::Result<()> {
        let play = played(game, &Setup::new(game.info().fewest()).seeded(5), 18);
        let mut taken = Vec::new();
        while let Menu::Choose(choices) = play.menu(&taken) {
            let mark = |(n, cell)| Mark { cell, kind: MarkKind::Label(format!("{}", n + 1)) };
            let cells = choices.iter().filter_map(|choice| choice.step.cell).enumerate();
            let marks: Vec<Mark> = cells.map(mark).collect();
            let look = DrawOptions { marks, ..DrawOptions::from_seat(play.turn()) };
            self.hang(&format!("{}-choosing-{}", game.info().key, taken.len()), play.as_ref(), &look)?;
            taken.push(choices[choices.len() / 2].step.text.clone());
        }
        Ok(())
    }

    /// An overlay of owners, each with all strengths, on every cell that can be owned.
    fn owners(&mut self, game: &dyn Game) -> anyhow::Result<()> {
        let play = played(game, &Setup::new(game.info().fewest()).seeded(5), 18);
        let look = DrawOptions { owners: owners(play.as_ref()), ..DrawOptions::from_seat(Seat::FIRST) };
        self.hang(&format!("{}-owners", game.info().key), play.as_ref(), &look)
    }

    /// Patterns in every theme, on pieces and on owned cells, with the smallest and largest number of seats.
    fn patterns(&mut self, game: &dyn Game) -> anyhow::Result<()> {
        let about = game.info();
        let most = about.seats.iter().copied().max().filter(|most| *most > about.fewest());
        for seats in std::iter::once(about.fewest()).chain(most) {
            let play = played(game, &Setup::new(seats).seeded(5), 24);
            for theme in game.themes() {
                let look = DrawOptions {
                    theme: theme.name.into(),
                    patterns: true,
                    ..DrawOptions::from_seat(Seat::FIRST)
                };
                let name = format!("{}-patterns-{seats}-{}", about.key, theme.name);
                self.hang(&name, play.as_ref(), &look)?;
                let owned = DrawOptions { owners: owners(play.as_ref()), ..look };
                self.hang(&format!("{name}-owned"), play.as_ref(), &owned)?;
            }
        }
        Ok(())
    }

    /// Positions that are rare in random games.
    fn rare_position(&mut self, rare_position: &RarePosition) -> anyhow::Result<()> {
        let play = rare_position.reach()?;
        for theme in super::named(rare_position.game)?.themes() {
            let look = DrawOptions { theme: theme.name.to_owned(), ..DrawOptions::from_seat(Seat::FIRST) };
            self.hang(
                &format!("{}-{}-{}", rare_position.game, rare_position.what, theme.name),
                play.as_ref(),
                &look,
            )?;
        }
        Ok(())
    }

    /// Six positions of a game on one sheet.
    fn contact(&mut self, game: &dyn Game) -> anyhow::Result<()> {
        let whole = played(game, &Setup::new(game.info().fewest()).seeded(7), usize::MAX);
        let record = whole.record();
        let board = |n: usize| {
            let ply = n * whole.ply() / 5;
            let caption =
                ply.checked_sub(1).map_or("start".to_owned(), |at| format!("{ply}. {}", record[at]));
            (whole.at_ply(ply).scene(&DrawOptions::from_seat(Seat::FIRST)), caption)
        };
        let boards: Vec<_> = (0..6).map(board).collect();
        let sheet = self.painter.sheet(&boards, Grid { columns: 3, board_px: 350 });
        let sheet = sheet.context("a sheet of six boards")?;
        self.write(&format!("{}-contact", game.info().key), &png(&sheet))
    }

    /// A share card with the maximum number of players, with names in several scripts.
    fn card(&mut self, game: &dyn Game, names: &Names) -> anyhow::Result<()> {
        for seats in game.info().seats.iter().copied() {
            let play = played(game, &Setup::new(seats).seeded(7), usize::MAX);
            let (scores, look) = (play.scores(), DrawOptions::from_seat(Seat::FIRST));
            let words = Localizer::english().in_theme(&look.theme);
            let sides: Vec<_> = Seat::all(seats).map(|seat| words.side(play.as_ref(), seat)).collect();
            let player = |seat: Seat| CardPlayer {
                note: "",
                name: NAMES[(seat.index() + seats + game.info().key.len()) % NAMES.len()],
                seat: &sides[seat.index()],
                emblem: Some(play.emblem(seat)),
                score: scores.as_ref().map(|scores| scores[seat.index()].points.to_string()),
                won: play.outcome().is_some_and(|outcome| outcome.winners.contains(&seat)),
            };
            let players: Vec<_> = Seat::all(seats).map(player).collect();
            let board = play.scene(&DrawOptions { strip: false, ..look });
            let result = ["A game of chance".to_owned(), format!("{} turns", play.ply())];
            let title = format!("{} · K7Q2", game.info().name);
            let card = Card { board: &board, title: &title, result: &result, players: &players };
            let file = self.painter.card(&card, names);
            self.write(&format!("{}-card-{seats}", game.info().key), &file)?;
        }
        Ok(())
    }

    /// The printable sheet of Paper Pen-guins.
    fn printed(&mut self) -> anyhow::Result<()> {
        let game = super::named(PaperPenguins::INFO.key)?;
        let play = played(game, &Setup::new(2).seeded(7), 14);
        let state = PaperPenguins::from_line(&play.line())?;
        let page = self.painter.picture(&paper_penguins::sheet(&state), WIDTHS[0]);
        self.write("paper_penguins-printed", &png(&page))
    }

    fn hang(&mut self, name: &str, play: &dyn Play, look: &DrawOptions) -> anyhow::Result<()> {
        let scene = play.scene(look);
        for width in WIDTHS {
            let picture = png(&self.painter.picture(&scene, width));
            self.write(&format!("{name}-{width}"), &picture)?;
        }
        Ok(())
    }

    fn write(&mut self, name: &str, picture: &[u8]) -> anyhow::Result<()> {
        let path = self.folder.join(format!("{name}.png"));
        fs::write(&path, picture).with_context(|| format!("can't write {}", path.display()))?;
        self.hung += 1;
        Ok(())
    }
}

/// An owner with some strength for every cell that can be owned.
fn owners(play: &dyn Play) -> Vec<(Cell, Seat, f32)> {
    let gone: Vec<_> =
        play.facts().into_iter().filter(|fact| fact.key == "gone").flat_map(|fact| fact.cells).collect();
    let owner = |cell: Cell| {
        let seat = Seat::all(play.seats()).nth(usize::from(cell.0 / 3) % play.seats());
        (cell, seat.unwrap_or(Seat::FIRST), f32::from(cell.0 % 5) / 4.0)
    };
    play.board().cells().filter(|cell| !gone.contains(cell)).map(owner).collect()
}

/// Realistic names of Discord users: single scripts, mixed scripts, and too long.
const NAMES: [&str; 9] = [
    "Zoë Łukaszewicz",
    "李小龍",
    "Ольга 🐧",
    "محمد علي",
    "さくら & Ελένη",
    "אברהם 42",
    "김민준 👑",
    "Maximiliane von und zu Hohenfels",
    "x_𝔇𝔞𝔯𝔨_x ☕",
];

/// A random game of a setup, up to a number of plies.
fn played(game: &dyn Game, setup: &Setup, plies: usize) -> Box<dyn Play> {
    let mut play = game.start(setup).expect("the setup was tried or is plain");
    let mut rng = SeededRng::new(11);
    while play.ply() < plies.min(400) {
        let Some(text) = rng.pick(&play.moves()).cloned() else { break };
        play.play(&text).expect("a listed move can be played");
    }
    play
}
