//! Transforms against their definitions, and what is left of shrunk pictures. Not beside the code, which would be compiled once more
//! with them.

use rookery_transforms::{Fourier, shrunk_rgb};

const SIDE: usize = 8;

fn plane(seed: usize) -> Vec<f32> {
    (0..15).map(|n| ((n * seed) % 7) as f32).collect()
}

/// What is at a place of a plane of five columns and three lines, which repeats after `SIDE`.
fn at(plane: &[f32], x: usize, y: usize) -> f32 {
    let (x, y) = (x % SIDE, y % SIDE);
    if x < 5 && y < 3 { plane[y * 5 + x] } else { 0.0 }
}

fn assert_near(found: &[f32], wanted: &[f32]) {
    assert_eq!(found.len(), wanted.len());
    let off = found.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(off < 1e-3, "{off}");
}

#[test]
fn planes_come_back() {
    let (a, b) = (plane(3), plane(5));
    let fourier = Fourier::new(SIDE);
    let back = fourier.back(fourier.of(5, &a, Some(&b)));
    let wanted =
        |plane: &[f32]| -> Vec<f32> { (0..SIDE * SIDE).map(|n| at(plane, n % SIDE, n / SIDE)).collect() };
    assert_near(&back.iter().map(|value| value.re).collect::<Vec<_>>(), &wanted(&a));
    assert_near(&back.iter().map(|value| value.im).collect::<Vec<_>>(), &wanted(&b));
}

/// By the definition: the sum of products, with the first plane moved by each vector.
#[test]
fn products_of_split_transforms_are_correlations() {
    let (a, b) = (plane(3), plane(5));
    let fourier = Fourier::new(SIDE);
    let (first, second) = fourier.split(&fourier.of(5, &a, Some(&b)));
    let product = first.iter().zip(&second).map(|(a, b)| a * b.conj()).collect();
    let found: Vec<f32> = fourier.back(product).iter().map(|value| value.re).collect();
    let sum = |dx: usize, dy: usize| -> f32 {
        let all = (0..SIDE * SIDE).map(|n| (n % SIDE, n / SIDE));
        all.map(|(x, y)| at(&a, x + dx, y + dy) * at(&b, x, y)).sum()
    };
    let wanted: Vec<f32> = (0..SIDE * SIDE).map(|n| sum(n % SIDE, n / SIDE)).collect();
    assert_near(&found, &wanted);
}

#[test]
fn shrunk_stripes_have_the_mean_colour() {
    let stripes: Vec<u8> =
        (0..8 * 6).flat_map(|n| if n % 2 == 0 { [0, 40, 255] } else { [100, 40, 55] }).collect();
    let shrunk = shrunk_rgb(&stripes, [8, 6], [2, 3]).expect("a picture");
    assert_eq!(shrunk.len(), 2 * 3 * 3);
    // Columns 1 to 6 are as often even as odd, and are weighed alike; the outer ones tip it by some.
    for pixel in shrunk.chunks(3) {
        let off = [50, 40, 155].into_iter().zip(pixel).map(|(mean, &value)| value.abs_diff(mean));
        assert!(off.max() <= Some(10), "{pixel:?}");
    }
}

#[test]
fn pixels_that_do_not_fill_a_picture_are_refused() {
    assert_eq!(shrunk_rgb(&[0; 10], [2, 2], [1, 1]), None);
}
