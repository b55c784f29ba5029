//! Arrows and marks over a board, as the page's `pen.js` draws them too.

use rookery_core::Board;
use rookery_core::scene::{Ink, Point, Rgb, Theme};
use rookery_i18n::Localizer;
use rookery_table::annotation::Annotation;
use serde::Serialize;

use super::cells::Cells;

/// The tokens of themes in which arrows are drawn, the first that a theme has: both stand out on every board.
const FILL: [Ink; 2] = [Ink("shot"), Ink("mark")];
/// The token of their outline, which stands out on [`FILL`].
const EDGE: Ink = Ink("sign");

/// The colours of arrows and marks on a theme's boards.
#[derive(Serialize)]
pub(in crate::web) struct DrawnColours {
    /// The colour, such as `#9E1C08`.
    pub(in crate::web) fill: String,
    /// The colour of the outline.
    pub(in crate::web) edge: String,
}

impl DrawnColours {
    /// Returns the colours of a theme.
    pub(in crate::web) fn of(theme: &Theme) -> DrawnColours {
        let fill = FILL.iter().find_map(|ink| theme.colour(*ink)).unwrap_or(Rgb(0, 0, 0));
        let edge = theme.colour(EDGE).unwrap_or(Rgb(255, 255, 255));
        let [fill, edge] =
            [fill, edge].map(|Rgb(red, green, blue)| format!("#{red:02X}{green:02X}{blue:02X}"));
        DrawnColours { fill, edge }
    }
}

/// An arrow as the data of an SVG path.
fn arrow_path(from: Point, to: Point, radius: f32) -> String {
    let length = (to.x - from.x).hypot(to.y - from.y).max(1.0);
    let (x, y) = ((to.x - from.x) / length, (to.y - from.y) / length);
    let at = |along: f32, aside: f32| {
        let (along, aside) = (along * radius, aside * radius);
        format!("{:.1} {:.1}", from.x + x * along - y * aside, from.y + y * along + x * aside)
    };
    let (tip, neck) = (length / radius - 0.1, length / radius - 0.75);
    let points = [
        at(0.25, -0.1),
        at(neck, -0.1),
        at(neck, -0.36),
        at(tip, 0.0),
        at(neck, 0.36),
        at(neck, 0.1),
        at(0.25, 0.1),
    ];
    format!("M{}Z", points.join("L"))
}

/// Returns the SVG elements of an annotation's arrows and marks. What is on no cell of the board is left out.
pub(in crate::web) fn drawn_elements(
    annotation: &Annotation,
    board: &Board,
    cells: &Cells,
    colours: &DrawnColours,
) -> String {
    let DrawnColours { fill, edge } = colours;
    let radius = cells.corners.iter().map(|corner| corner.x.hypot(corner.y)).fold(1.0, f32::max);
    let centre = |name: &str| Some(cells.centres[board.named(name)?.index()]);
    let mark = |name: &String| {
        let Point { x, y } = centre(name)?;
        let ring = |colour: &str, width: f32| {
            let (r, width) = (radius * 0.56, width * radius);
            format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width:.1}\"/>"
            )
        };
        Some(ring(edge, 0.22) + &ring(fill, 0.12))
    };
    let arrow = |arrow: &rookery_table::annotation::DrawnArrow| {
        let path = arrow_path(centre(&arrow.from)?, centre(&arrow.to)?, radius);
        let width = radius * 0.06;
        Some(format!(
            "<path d=\"{path}\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"{width:.1}\" stroke-linejoin=\"round\"/>"
        ))
    };
    annotation.marks.iter().filter_map(mark).chain(annotation.arrows.iter().filter_map(arrow)).collect()
}

/// Returns an annotation's arrows and marks in words.
pub(in crate::web) fn drawn_words(words: &Localizer, annotation: &Annotation) -> Vec<String> {
    let arrow = |it: &rookery_table::annotation::DrawnArrow| {
        words.say("page-notes-arrow", &[("from", it.from.clone().into()), ("to", it.to.clone().into())])
    };
    let mark = |cell: &String| words.say("page-notes-mark", &[("cell", cell.clone().into())]);
    annotation.arrows.iter().map(arrow).chain(annotation.marks.iter().map(mark)).collect()
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use rookery_core::Seat;
    use rookery_core::rules::Setup;
    use rookery_core::scene::{DrawOptions, pt};
    use rookery_render::contrast::contrast;
    use rookery_table::annotation::AnnotatedPosition;

    use super::super::cells::cells;
    use super::*;

    /// Every cell of every board can be marked, and is on the drawing.
    #[test]
    fn annotations_are_drawn_on_every_cell_of_every_game() {
        for game in rookery_games::all() {
            let play = game.start(&Setup::new(game.info().fewest())).unwrap();
            let (board, look) =
                (play.board(), DrawOptions { strip: false, ..DrawOptions::from_seat(Seat::FIRST) });
            let found = cells(play.as_ref(), &look).unwrap();
            let names: Vec<&str> = board.cells().map(|cell| board.name(cell)).collect();
            for cell in names.windows(2) {
                let arrows = [format!("{}-{}", cell[0], cell[1])];
                let marks = [cell[0].to_owned()];
                let annotation =
                    Annotation::new(AnnotatedPosition::default(), "", &arrows, &marks, Timestamp::UNIX_EPOCH)
                        .unwrap_or_else(|error| panic!("{}: {error}", game.info().key));
                let colours = DrawnColours::of(play.scene(&look).theme);
                let drawn = drawn_elements(&annotation, board, &found, &colours);
                assert_eq!(
                    (drawn.matches("<path").count(), drawn.matches("<circle").count()),
                    (1, 2),
                    "{cell:?}"
                );
            }
        }
    }

    #[test]
    fn annotations_point_at_the_centre_of_a_cell() {
        let path = arrow_path(pt(100.0, 100.0), pt(300.0, 100.0), 50.0);
        // The tip is a tenth of the radius before the centre, in the middle of the arrow's width.
        assert!(path.contains("L295.0 100.0L") && path.starts_with("M112.5 95.0L"), "{path}");
    }

    /// WCAG 1.4.11 asks for 3:1 between graphics and what is beside them.
    #[test]
    fn annotations_have_two_tones_in_every_theme() {
        for game in rookery_games::all() {
            for theme in game.themes() {
                let at = format!("{} {}", game.info().key, theme.name);
                let fill = FILL.iter().find_map(|ink| theme.colour(*ink)).unwrap_or_else(|| panic!("{at}"));
                let edge = theme.colour(EDGE).unwrap_or_else(|| panic!("{at}"));
                assert!(contrast(fill, edge) > 4.3, "{at}: {}", contrast(fill, edge));
            }
        }
    }
}
