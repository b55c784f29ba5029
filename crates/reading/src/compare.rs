//! How much pictures differ, and which of two drawings one is more like.

use crate::plane::{Colours, Pyramid};
use crate::projection::Projection;

/// The largest squared difference of a pixel, so that a line across a cell counts for little.
pub(crate) const MAX_DIFFERENT: f32 = 60.0 * 60.0;
/// The least squared difference of two drawings in a pixel that tells them apart.
const TELLING: f32 = 20.0 * 20.0;
/// A smaller preference for what was read over something else is unclear.
pub(crate) const CLEAR: f32 = 0.4;
/// Sums are of this many pixels at once: a single sum would have to add one after the other.
const LANES: usize = 8;

/// The pixels of a cell in three planes.
pub(crate) type Patch = [Vec<f32>; 3];

/// Pixels as three planes.
pub(crate) fn patch(pixels: impl Iterator<Item = [f32; 3]>) -> Patch {
    let mut patch: Patch = Default::default();
    for pixel in pixels {
        patch.iter_mut().zip(pixel).for_each(|(plane, value)| plane.push(value));
    }
    patch
}

/// The mean squared difference of two patches, limited for each pixel.
pub(crate) fn distance(a: &Patch, b: &Patch) -> f32 {
    let mut sums = [0.0; LANES];
    for_each_block([a, b].map(parts), |[a, b]| {
        for (lane, sum) in sums.iter_mut().enumerate() {
            let off = |plane: usize| a[plane][lane] - b[plane][lane];
            *sum += (off(0).powi(2) + off(1).powi(2) + off(2).powi(2)).min(MAX_DIFFERENT);
        }
    });
    sums.iter().sum::<f32>() / a[0].len() as f32
}

/// The same where what all pixels differ by counts this much only, since it may be the light.
pub(crate) fn distance_in_light(seen: &Patch, drawn: &Patch, counts: f32) -> f32 {
    let patches = || [seen, drawn].map(parts);
    let count = seen[0].len();
    let mut apart = [[0.0; LANES]; 3];
    for_each_block(patches(), |[seen, drawn]| {
        for lane in 0..LANES {
            apart[0][lane] += seen[0][lane] - drawn[0][lane];
            apart[1][lane] += seen[1][lane] - drawn[1][lane];
            apart[2][lane] += seen[2][lane] - drawn[2][lane];
        }
    });
    let offsets = apart.map(|sums| sums.iter().sum::<f32>() / count as f32 * (1.0 - counts.sqrt()));
    let mut sums = [0.0; LANES];
    for_each_block(patches(), |[seen, drawn]| {
        for (lane, sum) in sums.iter_mut().enumerate() {
            let off = |plane: usize| seen[plane][lane] - drawn[plane][lane] - offsets[plane];
            *sum += (off(0).powi(2) + off(1).powi(2) + off(2).powi(2)).min(MAX_DIFFERENT);
        }
    });
    // The pixels beyond the last one are alike, and so differ by the offsets now.
    let beyond = (LANES - count % LANES) as f32;
    let alike = offsets.iter().map(|offset| offset * offset).sum::<f32>().min(MAX_DIFFERENT);
    (sums.iter().sum::<f32>() - beyond * alike) / count as f32
}

/// How much more a patch is like `a` than like `b` where these differ: 1 if it is `a`, -1 if it is `b`.
pub(crate) fn preference(patch: &Patch, a: &Patch, b: &Patch) -> f32 {
    Preference::of(patch, a, b).mean()
}

/// Which of some drawings, one or more, a picture is most like, and the least preference for it over another one; 1 without others.
/// `over` tells the preference for a drawing over another, by their numbers.
pub(crate) fn best_match(count: usize, over: impl Fn(usize, usize) -> f32) -> (usize, f32) {
    let best = (1..count).fold(0, |best, other| if over(best, other) < 0.0 { other } else { best });
    let others = (0..count).filter(|other| *other != best).map(|other| over(best, other));
    (best, others.min_by(f32::total_cmp).unwrap_or(1.0))
}

/// The preference for one of two whole pictures.
pub(crate) fn whole_preference(picture: &Colours, a: &Colours, b: &Colours) -> f32 {
    let pictures =
        [picture, a, b].map(|colours| colours.planes.each_ref().map(|plane| plane.values.as_slice()));
    Preference::of_parts(pictures).mean()
}

/// A drawing as far as a picture shows it, and another drawing of its size beyond: what is cut off doesn't tell them apart. The
/// projection leads from the drawings to the picture.
pub(crate) fn as_far_as_shown(
    mut drawn: Colours,
    other: &Colours,
    picture: &Pyramid,
    projection: &Projection,
) -> Colours {
    let width = drawn.width();
    if picture.shows_all((width, drawn.height()), projection) {
        return drawn;
    }
    let is_cut_off = |n: usize| {
        let (x, y) = ((n % width) as f32 + 0.5, (n / width) as f32 + 0.5);
        !picture.shows(projection.at(x, y))
    };
    let cut_off: Vec<usize> = (0..drawn.planes[0].values.len()).filter(|n| is_cut_off(*n)).collect();
    for (plane, other) in drawn.planes.iter_mut().zip(&other.planes) {
        cut_off.iter().for_each(|n| plane.values[*n] = other.values[*n]);
    }
    drawn
}

/// The number of pixels that tell two drawings apart.
pub(crate) fn telling_pixels(a: &Colours, b: &Colours) -> usize {
    telling(a, b).count()
}

/// The numbers of the pixels that tell two drawings apart.
pub(crate) fn telling<'a>(a: &'a Colours, b: &'a Colours) -> impl Iterator<Item = usize> + 'a {
    let square =
        |n: usize| -> f32 { (0..3).map(|plane| (a.pixel(n)[plane] - b.pixel(n)[plane]).powi(2)).sum() };
    (0..a.planes[0].values.len()).filter(move |n| square(*n) >= TELLING)
}

/// How much a picture differs from `a` where `a` and `b` differ, as a share of what these differ by: 0 if it is `a`; about a half and
/// more if it is neither.
pub(crate) fn unexplained_share(picture: &Colours, a: &Colours, b: &Colours) -> f32 {
    let square = |a: [f32; 3], b: [f32; 3]| (0..3).map(|n| (a[n] - b[n]).powi(2)).sum::<f32>();
    let (mut unexplained, mut total) = (0.0, 0.0);
    for n in 0..a.planes[0].values.len() {
        let apart = square(a.pixel(n), b.pixel(n));
        if apart >= TELLING {
            unexplained += square(a.pixel(n), picture.pixel(n)).min(MAX_DIFFERENT);
            total += apart.min(MAX_DIFFERENT);
        }
    }
    if total == 0.0 { 1.0 } else { unexplained / total }
}

/// How much more a picture is like `a` than like `b` where these differ, -1 to 1, however faint that is: the correlation of what the
/// picture and `a` differ by from the middle of both. What is lost everywhere, as letters are in a blurred photograph, doesn't
/// count: both drawings have about as many.
pub(crate) fn faint_preference(picture: &Colours, a: &Colours, b: &Colours) -> f32 {
    let count = a.planes[0].values.len();
    let telling = (0..count).filter_map(|n| {
        let (pixel, a, b) = (picture.pixel(n), a.pixel(n), b.pixel(n));
        let apart: [f32; 3] = std::array::from_fn(|n| a[n] - b[n]);
        let square: f32 = apart.iter().map(|value| value * value).sum();
        // Half the difference of the drawings, by its sign in brightness, and the part of it that the picture has.
        let half = square.sqrt() / 2.0 * apart[0].signum();
        let along = (0..3).map(|n| (pixel[n] - (a[n] + b[n]) / 2.0) * apart[n]).sum::<f32>() / square * 2.0;
        (square >= TELLING).then(|| (1.0, [half, half * along.clamp(-1.0, 1.0)]))
    });
    let correlation = correlation(telling);
    if correlation.is_finite() { correlation } else { 0.0 }
}

/// The correlation of pairs of values with weights, -1 to 1.
pub(crate) fn correlation(pairs: impl Iterator<Item = (f32, [f32; 2])>) -> f32 {
    let (mut total, mut sums, mut squares, mut both) = (0.0, [0.0; 2], [0.0; 2], 0.0);
    for (weight, values) in pairs {
        total += weight;
        both += weight * values[0] * values[1];
        for (n, value) in values.into_iter().enumerate() {
            sums[n] += weight * value;
            squares[n] += weight * value * value;
        }
    }
    let means = sums.map(|sum| sum / total);
    let variance = |n: usize| squares[n] / total - means[n] * means[n];
    (both / total - means[0] * means[1]) / (variance(0) * variance(1)).sqrt().max(1.0)
}

/// A sum of what pixels say about two drawings.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Preference {
    sum: f32,
    /// The sum of the weights: how much the drawings differ.
    total: f32,
}

impl Preference {
    pub(crate) fn of(patch: &Patch, a: &Patch, b: &Patch) -> Preference {
        Preference::of_parts([patch, a, b].map(parts))
    }

    fn of_parts(parts: [[&[f32]; 3]; 3]) -> Preference {
        let (mut sums, mut totals) = ([0.0; LANES], [0.0; LANES]);
        for_each_block(parts, |[seen, a, b]| {
            for (lane, (sum, total)) in sums.iter_mut().zip(&mut totals).enumerate() {
                let apart: [f32; 3] = std::array::from_fn(|plane| a[plane][lane] - b[plane][lane]);
                let square: f32 = apart.iter().map(|value| value * value).sum();
                // Where the pixel is between them, from 0 at `b` to 1 at `a`.
                let along =
                    (0..3).map(|plane| (seen[plane][lane] - b[plane][lane]) * apart[plane]).sum::<f32>();
                let along = along / square.max(TELLING);
                let weight = if square < TELLING { 0.0 } else { square.sqrt() };
                *sum += weight * (2.0 * along - 1.0).clamp(-1.0, 1.0);
                *total += weight;
            }
        });
        Preference { sum: sums.iter().sum(), total: totals.iter().sum() }
    }

    pub(crate) fn and(self, other: Preference) -> Preference {
        Preference { sum: self.sum + other.sum, total: self.total + other.total }
    }

    /// Minus one to one; zero if the drawings don't differ.
    pub(crate) fn mean(self) -> f32 {
        if self.total == 0.0 { 0.0 } else { self.sum / self.total }
    }
}

fn parts(patch: &Patch) -> [&[f32]; 3] {
    patch.each_ref().map(Vec::as_slice)
}

/// Calls a function with the values of some pictures of one size, some pixels at a time; pixels beyond the last one are zero
/// in all pictures.
#[inline]
fn for_each_block<const N: usize>(
    pictures: [[&[f32]; 3]; N],
    mut block: impl FnMut([[&[f32; LANES]; 3]; N]),
) {
    let whole = pictures.map(|planes| planes.map(|values| values.as_chunks::<LANES>()));
    for n in 0..whole[0][0].0.len() {
        block(whole.map(|planes| planes.map(|(blocks, _)| &blocks[n])));
    }
    let last = whole.map(|planes| {
        planes.map(|(_, rest)| {
            let mut values = [0.0; LANES];
            values[..rest.len()].copy_from_slice(rest);
            values
        })
    });
    block(last.each_ref().map(|planes| planes.each_ref()));
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use crate::palette::Area;

    use super::*;

    fn patch(values: &[f32]) -> Patch {
        [values.to_vec(), vec![0.0; values.len()], vec![0.0; values.len()]]
    }

    #[test]
    fn distances_are_means_of_limited_squares() {
        let [a, b] = [vec![10.0; 11], [vec![13.0; 10], vec![200.0]].concat()].map(|values| patch(&values));
        assert!((distance(&a, &b) - (10.0 * 9.0 + MAX_DIFFERENT) / 11.0).abs() < 1e-3);
    }

    #[test]
    fn what_light_adds_to_all_pixels_counts_as_much_as_asked() {
        let drawn: Vec<f32> = (0..11).map(|n| (n * 7 % 5) as f32).collect();
        let seen: Vec<f32> = drawn.iter().map(|value| value + 20.0).collect();
        let [drawn, mut seen] = [drawn, seen].map(|values| patch(&values));
        assert!(distance_in_light(&seen, &drawn, 0.0) < 1e-3);
        assert!((distance_in_light(&seen, &drawn, 0.25) - 100.0).abs() < 1e-2);
        assert!((distance_in_light(&seen, &drawn, 1.0) - 400.0).abs() < 1e-2);
        // One pixel differs by 11 from the others, and so by 10 from their mean.
        seen[0][4] += 11.0;
        assert!((distance_in_light(&seen, &drawn, 0.0) - (100.0 + 10.0) / 11.0).abs() < 1e-2);
    }

    #[test]
    fn preference_counts_pixels_where_drawings_differ() {
        let [a, b] = [[100.0; 10], [100.0; 10]].map(|values| values.to_vec());
        let (mut a, mut b) = (a, b);
        (a[3], b[3]) = (200.0, 100.0);
        (a[9], b[9]) = (50.0, 100.0);
        let [a, b] = [a, b].map(|values| patch(&values));
        assert_eq!(preference(&a, &a, &b), 1.0);
        assert_eq!(preference(&b, &a, &b), -1.0);
        assert_eq!(preference(&a, &a, &a), 0.0);
        // Like `a` at the first of them, like `b` at the other one, which differs half as much.
        let mut seen = a.clone();
        seen[0][9] = 100.0;
        assert!((preference(&seen, &a, &b) - 1.0 / 3.0).abs() < 1e-5);
    }

    /// Dark strokes on light ground at some places across, in these shades.
    fn strokes(places: &[u32], ground: u8, stroke: u8) -> Colours {
        Colours::of(&RgbImage::from_fn(60, 8, |x, _| {
            Rgb([if places.contains(&x) { stroke } else { ground }; 3])
        }))
    }

    #[test]
    fn faint_letters_tell_from_where_a_board_is_seen() {
        let (here, there) = ([4, 20, 41], [12, 30, 52]);
        let [a, b] = [here, there].map(|places| strokes(&places, 200, 60));
        // A quarter of their contrast is left, in darker light.
        let seen = strokes(&here, 190, 155);
        assert!(whole_preference(&seen, &a, &b) < 0.3);
        assert!(faint_preference(&seen, &a, &b) > 0.9);
        assert!(faint_preference(&seen, &b, &a) < -0.9);
        // Without its right half, where one of the three letters is, and without all but the ground.
        let [half, ground] = [vec![4, 20], vec![]].map(|places| strokes(&places, 200, 60));
        let shown = |width: usize| {
            let shown = a.cut(Area { left: 0, top: 0, width, height: 8 });
            as_far_as_shown(b.clone(), &a, &Pyramid::new(shown), &Projection::similar(1.0, 0.0, 0.0, 0.0))
        };
        assert!(whole_preference(&half, &a, &b) < whole_preference(&half, &a, &shown(30)));
        assert!(faint_preference(&half, &a, &shown(30)) > 0.9);
        assert!(faint_preference(&ground, &a, &shown(3)).abs() < 0.1);
        // Each stroke is a column of eight pixels: all six, those of 4, 12 and 20 in the left half, none beside them.
        assert_eq!(telling_pixels(&a, &b), 6 * 8);
        assert_eq!(telling_pixels(&a, &shown(30)), 3 * 8);
        assert_eq!(telling_pixels(&a, &shown(3)), 0);
        let nothing = strokes(&[], 190, 155);
        assert!(faint_preference(&nothing, &a, &b).abs() < 0.1);
        assert!(faint_preference(&seen, &a, &a).abs() < 0.1);
    }
}
