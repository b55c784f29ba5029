//! `rookery replay`, `rookery contact` and `rookery card`: pictures of a whole game from its record.

use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow, ensure};

use rookery_core::scene::{DrawOptions, Scene};
use rookery_core::{Play, Seat};
use rookery_games::record::{BadRecord, Record};
use rookery_i18n::{GameResult, Localizer};
use rookery_render::{Card, CardPlayer, Grid, Names, Painter, ReplaySettings, png};

/// A record and how its boards are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Recorded<'a> {
    /// The file of the record.
    pub file: &'a Path,
    /// The picture to write.
    pub out: &'a Path,
    /// The theme's name; `None` for the game's default.
    pub theme: Option<&'a str>,
    /// The seat at the bottom, from 1.
    pub side: usize,
}

/// A part of a game by the number of turns taken, both ends included; 0 is the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Ply of the first position.
    pub from: usize,
    /// Ply of the last position; `None` for the end of the game.
    pub to: Option<usize>,
}

/// Writes an animated GIF of a part of the game.
///
/// # Errors
/// If the record cannot be read or replayed, has no such part, theme or seat, or `out` cannot be written or has the
/// extension of another file type.
pub fn replay(recorded: Recorded<'_>, part: Part, pace: ReplaySettings) -> anyhow::Result<()> {
    check_extension(recorded.out, "gif")?;
    let told = LoadedGame::read(recorded)?;
    let scenes = told.plies(part)?.map(|ply| told.scene(ply));
    let file = Painter::new().replay(scenes, pace).context("the part of the game has no position")?;
    written(recorded.out, file)
}

/// Writes a contact sheet as a PNG: positions spread evenly over a part of the game, including its ends, each with its
/// turn and move.
///
/// # Errors
/// As [`replay`].
pub fn contact(recorded: Recorded<'_>, part: Part, count: usize, grid: Grid) -> anyhow::Result<()> {
    check_extension(recorded.out, "png")?;
    let told = LoadedGame::read(recorded)?;
    let boards: Vec<_> = spread(told.plies(part)?.collect(), count)
        .into_iter()
        .map(|ply| (told.scene(ply), told.caption(ply)))
        .collect();
    let sheet = Painter::new().sheet(&boards, grid).context("the part of the game has no position")?;
    written(recorded.out, png(&sheet))
}

/// Writes a share card as a PNG, 1650 x 1050: the last board, the names in any script, the result. Uses the embedded
/// fonts and those of the system.
///
/// # Errors
/// As [`replay`].
pub fn card(recorded: Recorded<'_>) -> anyhow::Result<()> {
    check_extension(recorded.out, "png")?;
    let told = LoadedGame::read(recorded)?;
    let (board, result) = (told.board_of_card(), told.result());
    let seats: Vec<_> = Seat::all(told.play.seats()).map(|seat| told.seat_name(seat)).collect();
    let player = |seat: Seat| CardPlayer {
        name: told.header(&format!("Seat{seat}")).unwrap_or(&seats[seat.index()]),
        seat: &seats[seat.index()],
        note: "",
        emblem: Some(told.play.emblem(seat)),
        score: told.play.scores().map(|scores| scores[seat.index()].points.to_string()),
        won: told.record.winners.as_ref().is_some_and(|winners| winners.contains(&seat)),
    };
    let players: Vec<_> = Seat::all(told.play.seats()).map(player).collect();
    let card = Card { board: &board, title: told.play.info().name, result: &result, players: &players };
    let names = Names::found(Vec::<&Path>::new());
    written(recorded.out, Painter::new().card(&card, &names))
}

struct LoadedGame {
    record: Record,
    play: Box<dyn Play>,
    look: DrawOptions,
}

impl LoadedGame {
    fn read(recorded: Recorded<'_>) -> anyhow::Result<LoadedGame> {
        let name = recorded.file.display();
        let text = fs::read_to_string(recorded.file).with_context(|| format!("can't read {name}"))?;
        let bad = |bad: BadRecord| anyhow!("{name}: {}", Localizer::english().bad_record(&bad));
        let record = Record::read(&text).map_err(bad)?;
        let play = record.replay().map_err(bad)?;
        let look = look(play.as_ref(), recorded)?;
        Ok(LoadedGame { record, play, look })
    }

    /// The positions of a part, by the number of turns taken.
    fn plies(&self, part: Part) -> anyhow::Result<std::ops::RangeInclusive<usize>> {
        let last = self.play.ply();
        let to = part.to.unwrap_or(last);
        ensure!(
            part.from <= to && to <= last,
            "the game has turns 0 to {last}, so --from {} and --to {to} don't fit. Choose --from no later than --to",
            part.from
        );
        Ok(part.from..=to)
    }

    fn scene(&self, ply: usize) -> Scene {
        // A game that was resigned or agreed ends although its rules would let it continue.
        let over = self.record.winners.is_some() && ply == self.play.ply();
        self.play.at_ply(ply).scene(&DrawOptions { over, ..self.look.clone() })
    }

    /// The last board without the scores, which are beside it.
    fn board_of_card(&self) -> Scene {
        let play = &self.play;
        play.scene(&DrawOptions { over: self.record.winners.is_some(), strip: false, ..self.look.clone() })
    }

    /// The caption of a ply, such as "41. d7-e6/e3".
    fn caption(&self, ply: usize) -> String {
        let played = ply.checked_sub(1).and_then(|n| self.play.record().get(n).cloned());
        played.map_or_else(|| "start".to_owned(), |text| format!("{ply}. {text}"))
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.record.headers.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }

    /// The sentences for the pictures' theme.
    fn words(&self) -> &'static Localizer {
        Localizer::english().in_theme(&self.look.theme)
    }

    /// The fallback if a seat's name is unknown or can't be drawn: its side.
    fn seat_name(&self, seat: Seat) -> String {
        self.words().side(self.play.as_ref(), seat)
    }

    /// The winner, then the reason and the number of turns.
    fn result(&self) -> Vec<String> {
        let words = self.words();
        // Isolates the direction of a name from that of the sentence.
        let isolated = |name: &str| format!("\u{2068}{name}\u{2069}");
        let named = |seat: &Seat| match self.header(&format!("Seat{seat}")) {
            Some(name) => isolated(name),
            None => self.seat_name(*seat),
        };
        let Some(winners) = &self.record.winners else {
            return vec!["Not over yet".to_owned(), turns(self.play.ply())];
        };
        let [head, why] = words.result_lines(&self.facts(winners), &|seat| named(&seat));
        // The mark keeps a name in another script from reversing the sentence.
        let head = format!("\u{200e}{head}");
        let why = Some(why).filter(|why| !why.is_empty());
        vec![head, why.into_iter().chain([turns(self.play.ply())]).collect::<Vec<_>>().join(" · ")]
    }

    /// The facts of the result, by its headers or else by the rules.
    fn facts(&self, winners: &[Seat]) -> GameResult {
        let ended = self.play.outcome().map(|outcome| outcome.reason.key());
        let others = Seat::all(self.play.seats()).filter(|seat| !winners.contains(seat));
        GameResult {
            game: self.play.info().key.to_owned(),
            cause: self.header("Reason").or(ended).unwrap_or_default().to_owned(),
            seats: self.play.seats(),
            winners: winners.to_vec(),
            losers: others.collect(),
            margin: self.header("Margin").and_then(|margin| margin.parse().ok()),
            scores: self.play.scores(),
        }
    }
}

/// Formats the number of turns.
fn turns(count: usize) -> String {
    match count {
        1 => "1 turn".to_owned(),
        more => format!("{more} turns"),
    }
}

fn look(play: &dyn Play, recorded: Recorded<'_>) -> anyhow::Result<DrawOptions> {
    let side = recorded.side.checked_sub(1).and_then(|n| Seat::all(play.seats()).nth(n));
    let side = side.with_context(|| {
        format!("--side must be from 1 to {} in this game, not {}", play.seats(), recorded.side)
    })?;
    let game = super::named(play.info().key)?;
    let known: Vec<_> = game.themes().iter().map(|theme| theme.name).collect();
    let theme = recorded.theme.unwrap_or_default();
    ensure!(
        theme.is_empty() || known.contains(&theme),
        "There's no theme called {theme}. The themes of {} are: {}",
        play.info().name,
        known.join(", ")
    );
    Ok(DrawOptions { theme: theme.to_owned(), ..DrawOptions::from_seat(side) })
}

/// `count` of these plies, evenly spread, including the first and the last; at least two if possible.
fn spread(plies: Vec<usize>, count: usize) -> Vec<usize> {
    let count = count.max(2);
    if plies.len() <= count {
        return plies;
    }
    (0..count).map(|n| plies[n * (plies.len() - 1) / (count - 1)]).collect()
}

/// Checks that the file has the extension of its type, or none.
fn check_extension(out: &Path, kind: &str) -> anyhow::Result<()> {
    let named = out.extension().is_none_or(|ending| ending.eq_ignore_ascii_case(kind));
    let better = out.with_extension(kind);
    ensure!(named, "{} would be a {}, so name it {}", out.display(), kind.to_uppercase(), better.display());
    Ok(())
}

fn written(out: &Path, bytes: Vec<u8>) -> anyhow::Result<()> {
    fs::write(out, bytes).with_context(|| format!("can't write {}", out.display()))
}

#[cfg(test)]
mod tests {
    use image::{AnimationDecoder, codecs::gif::GifDecoder};

    use super::*;
    use rookery_render::{CARD_HEIGHT_PX, CARD_WIDTH_PX};

    const RECORD: &str = r#"[Game "amazons"]
[Start "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1"]
[Seat1 "Ольга"]
[Seat2 "محمد"]
[Reason "resigned"]

1. d1-d7/g7 2. g10-g8/d5 3. a4-b4/b9
1-0
"#;

    fn in_folder(work: impl Fn(Recorded<'_>) -> anyhow::Result<()>) -> anyhow::Result<Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        let (file, out) = (folder.path().join("game.txt"), folder.path().join("picture"));
        fs::write(&file, RECORD).unwrap();
        work(Recorded { file: &file, out: &out, theme: None, side: 1 })?;
        Ok(fs::read(&out).unwrap())
    }

    fn frames(file: Vec<u8>) -> Vec<image::Frame> {
        GifDecoder::new(std::io::Cursor::new(file)).unwrap().into_frames().collect_frames().unwrap()
    }

    #[test]
    fn a_replay_has_a_frame_for_each_position_of_its_part() {
        let pace = ReplaySettings { width_px: 120, frame_ms: 300, last_ms: 2000 };
        let all = |part| frames(in_folder(|recorded| replay(recorded, part, pace)).unwrap());
        assert_eq!(all(Part { from: 0, to: None }).len(), 4);
        let part = all(Part { from: 1, to: Some(2) });
        assert_eq!(part.len(), 2);
        assert_eq!(part[0].buffer().dimensions(), (120, 120));
        let ms = |frame: &image::Frame| std::time::Duration::from(frame.delay()).as_millis();
        assert_eq!((ms(&part[0]), ms(&part[1])), (300, 2000));
    }

    #[test]
    fn sheets_and_cards_are_pictures_of_their_size() {
        let grid = Grid { columns: 2, board_px: 100 };
        let sheet = in_folder(|recorded| contact(recorded, Part { from: 0, to: None }, 3, grid)).unwrap();
        let sheet = image::load_from_memory(&sheet).unwrap();
        // Three boards in two columns: gaps of 4, captions of 10.
        assert_eq!((sheet.width(), sheet.height()), (4 + 2 * 104, 4 + 2 * 110));
        let card = image::load_from_memory(&in_folder(card).unwrap()).unwrap();
        assert_eq!((card.width(), card.height()), (CARD_WIDTH_PX, CARD_HEIGHT_PX));
    }

    #[test]
    fn missing_part_error_lists_available_ones() {
        let pace = ReplaySettings::default();
        let whole = Part { from: 0, to: None };
        let said = |part, change: fn(&mut Recorded<'_>)| {
            let done = in_folder(|mut recorded| {
                change(&mut recorded);
                replay(recorded, part, pace)
            });
            format!("{:#}", done.unwrap_err())
        };
        assert!(said(Part { from: 2, to: Some(9) }, |_| ()).contains("turns 0 to 3"));
        assert!(said(whole, |recorded| recorded.theme = Some("pink")).contains("walnut"));
        assert!(said(whole, |recorded| recorded.side = 3).contains("--side must be from 1 to 2"));
        assert!(said(whole, |recorded| recorded.file = Path::new("none.txt")).contains("none.txt"));
        let png = said(whole, |recorded| recorded.out = Path::new("end.png"));
        assert_eq!(png, "end.png would be a GIF, so name it end.gif");
    }

    #[test]
    fn a_picture_is_named_like_its_kind_or_like_none() {
        let fits = |name: &str, kind| check_extension(Path::new(name), kind).is_ok();
        assert!(fits("a.gif", "gif") && fits("a.GIF", "gif") && fits("a", "gif") && fits("a/b.c.png", "png"));
        assert!(!fits("a.gif", "png") && !fits("a.webp", "gif") && !fits("a.gif.old", "gif"));
    }

    #[test]
    fn key_positions_are_spread_from_end_to_end() {
        assert_eq!(spread((0..=90).collect(), 4), [0, 30, 60, 90]);
        assert_eq!(spread((5..=7).collect(), 12), [5, 6, 7]);
        assert_eq!(spread((0..=90).collect(), 1), [0, 90]);
    }
}
