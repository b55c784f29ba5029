//! The marks of a last move: what they cover is explained although no position is drawn with it.

use rookery_core::scene::{Ink, Rgb, Theme};

use super::sprite::squared_difference;
use crate::compare::{MAX_DIFFERENT, Patch};
use crate::plane::{Colours, Plane, parts};

/// The colours in which a theme draws a last move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    lit: [f32; 3],
    line: [f32; 3],
}

impl Marks {
    /// The colours of the theme with this name.
    pub(crate) fn of(themes: &[&'static Theme], name: &str) -> Marks {
        let theme = Theme::named(themes, name);
        let colour = |token| {
            let Rgb(r, g, b) = theme.colour(Ink(token)).unwrap_or(Rgb(0, 0, 0));
            parts([r, g, b])
        };
        Marks { lit: colour("lit"), line: colour("line") }
    }

    /// How badly a drawing explains each pixel of a picture, if cells may be tinted for a last move with one of these shares:
    /// the squared difference, limited.
    pub(crate) fn costs(&self, picture: &Colours, drawn: &Colours, tints: &[f32]) -> Plane {
        let mut costs = Plane::new(picture.width(), picture.height());
        for (n, cost) in costs.values.iter_mut().enumerate() {
            let (pixel, drawn) = (picture.pixel(n), drawn.pixel(n));
            *cost = squared_difference(pixel, drawn);
            // Most of a picture is as it's drawn.
            if *cost > 100.0 {
                let tinted =
                    tints.iter().map(|share| squared_difference(pixel, mixed(drawn, self.lit, *share)));
                *cost = tinted.fold(*cost, f32::min);
            }
        }
        costs
    }

    /// The mean squared difference of two patches, limited for each pixel, where a pixel may also be the drawn one, or another
    /// mark, below a mark of any strength.
    pub(crate) fn misfit(&self, patch: &Patch, drawn: &Patch) -> f32 {
        let pixels = (0..patch[0].len()).map(|n| {
            let [pixel, drawn] = [patch, drawn].map(|patch| patch.each_ref().map(|plane| plane[n]));
            let between = [(drawn, self.lit), (drawn, self.line), (self.line, self.lit)];
            between
                .into_iter()
                .map(|(a, b)| squared_difference_between(pixel, a, b))
                .fold(MAX_DIFFERENT, f32::min)
        });
        pixels.sum::<f32>() / patch[0].len() as f32
    }
}

fn mixed(a: [f32; 3], b: [f32; 3], share: f32) -> [f32; 3] {
    std::array::from_fn(|n| a[n] + share * (b[n] - a[n]))
}

/// The squared difference of a pixel to the most alike mixture of two others, limited.
fn squared_difference_between(pixel: [f32; 3], a: [f32; 3], b: [f32; 3]) -> f32 {
    let length: f32 = (0..3).map(|n| (b[n] - a[n]).powi(2)).sum();
    let along: f32 = (0..3).map(|n| (pixel[n] - a[n]) * (b[n] - a[n])).sum();
    squared_difference(pixel, mixed(a, b, (along / length.max(1.0)).clamp(0.0, 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tinted_pixel_is_explained_and_another_is_not() {
        let [white, yellow, green] = [[255, 255, 255], [255, 197, 61], [0, 160, 60]].map(parts);
        let marks = Marks { lit: yellow, line: parts([122, 78, 0]) };
        let patch = |pixel: [f32; 3]| pixel.map(|value| vec![value]);
        let misfit = |pixel| marks.misfit(&patch(pixel), &patch(white));
        assert!(misfit(mixed(white, yellow, 0.4)) < 1.0 && misfit(yellow) < 1.0);
        assert!(misfit(green) > 1_000.0);
    }
}
