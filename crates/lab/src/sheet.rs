//! `rookery sheet`: a page to print and to play on, at the start of a game or at a position.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};

use rookery_core::Play;
use rookery_core::printed_page::PaperSize;
use rookery_core::svg::page_svg;
use rookery_games::printed::printed_page;
use rookery_i18n::Localizer;
use rookery_render::pdf;

/// Writes the page of a position, as PDF or SVG depending on the file's extension.
///
/// # Errors
/// If it is another extension, or the file cannot be written.
pub fn sheet(play: &dyn Play, paper: PaperSize, file: &Path) -> anyhow::Result<()> {
    let page = printed_page(play, &Localizer::english().page_words(play));
    let bytes = match file.extension().and_then(|ending| ending.to_str()) {
        Some("pdf") => pdf(&page, paper),
        Some("svg") => page_svg(&page, paper).into_bytes(),
        _ => bail!("Can't tell the format of {}. Name a file that ends in .pdf or .svg", file.display()),
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
        let [svg, pdf, odd] = ["a.svg", "a.pdf", "a.doc"].map(|name| folder.path().join(name));
        for game in rookery_games::all() {
            let play = PositionQuery { game: game.info().key, position: None, options: &[] }.find().unwrap();
            sheet(play.as_ref(), PaperSize::A4, &svg).unwrap();
            sheet(play.as_ref(), PaperSize::Letter, &pdf).unwrap();
            let drawn = fs::read_to_string(&svg).unwrap();
            assert!(drawn.starts_with("<svg") && drawn.contains("210mm"), "{}", game.info().key);
            assert!(drawn.contains(&Localizer::english().game(game.info().key).replace('&', "&amp;")));
            assert!(fs::read(&pdf).unwrap().starts_with(b"%PDF-"));
            let error = sheet(play.as_ref(), PaperSize::A4, &odd).unwrap_err();
            assert!(error.to_string().contains(".pdf or .svg"));
        }
    }
}
