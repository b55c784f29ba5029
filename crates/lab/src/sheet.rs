//! `rookery sheet`: a printable sheet of Paper Pen-guins, at the start or at a position.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};

use rookery_core::{GameRules, Play};
use rookery_games::paper_penguins::{self, PaperPenguins};
use rookery_render::{png, render};

/// The width of a printed page in pixels: 150 per inch on A4.
const WIDTH_PX: u32 = 1_240;

/// Writes the sheet of a game, as SVG or PNG depending on the file's extension.
///
/// # Errors
/// If it is another game or extension, or the file cannot be written.
pub fn sheet(play: &dyn Play, file: &Path) -> anyhow::Result<()> {
    if play.info().key != PaperPenguins::INFO.key {
        bail!("Only {} has a sheet to print", PaperPenguins::INFO.key);
    }
    let state = PaperPenguins::from_line(&play.line())?;
    let bytes = match file.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => paper_penguins::sheet_svg(&state).into_bytes(),
        Some("png") => png(&render(&paper_penguins::sheet(&state), WIDTH_PX)),
        _ => bail!("Can't tell the format of {}. Name a file that ends in .svg or .png", file.display()),
    };
    fs::write(file, bytes).with_context(|| format!("can't write {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PositionQuery;

    #[test]
    fn a_sheet_is_written_as_its_name_ends() {
        let folder = tempfile::tempdir().unwrap();
        let play = PositionQuery { game: "paper_penguins", position: None, options: &[] }.find().unwrap();
        let [svg, png, odd] = ["a.svg", "a.png", "a.doc"].map(|name| folder.path().join(name));
        sheet(play.as_ref(), &svg).unwrap();
        sheet(play.as_ref(), &png).unwrap();
        assert!(fs::read_to_string(&svg).unwrap().starts_with("<svg"));
        assert_eq!(image::open(&png).unwrap().width(), WIDTH_PX);
        assert!(sheet(play.as_ref(), &odd).unwrap_err().to_string().contains(".svg or .png"));
        let other = PositionQuery { game: "amoeba", position: None, options: &[] }.find().unwrap();
        assert!(sheet(other.as_ref(), &svg).is_err());
    }
}
