//! Projections from a drawing to a picture.

use crate::linear::solved;

/// A projection from the pixels of a drawing to those of a picture: the first eight entries of a matrix of three rows,
/// whose last is 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Projection(pub(crate) [f32; 8]);

/// A matrix of three rows.
pub(crate) type Matrix = [f32; 9];

impl Projection {
    /// Scales by `scale`, turns clockwise by `angle` radians, and moves the origin to (x, y).
    pub(crate) fn similar(scale: f32, angle: f32, x: f32, y: f32) -> Projection {
        let (sin, cos) = angle.sin_cos();
        Projection([scale * cos, -scale * sin, x, scale * sin, scale * cos, y, 0.0, 0.0])
    }

    /// The projection that takes the points `from` to the points `to`, pair by pair; `None` if there is no single one.
    ///
    /// Each pair gives two of the eight linear equations (Hartley and Zisserman, "Multiple View Geometry in Computer
    /// Vision", 2004, section 4.1).
    pub(crate) fn between(from: [(f32, f32); 4], to: [(f32, f32); 4]) -> Option<Projection> {
        let (mut rows, mut right) = ([[0.0; 8]; 8], [0.0; 8]);
        for (n, ((x, y), (u, v))) in from.into_iter().zip(to).enumerate() {
            let [x, y, u, v] = [x, y, u, v].map(f64::from);
            rows[2 * n] = [x, y, 1.0, 0.0, 0.0, 0.0, -x * u, -y * u];
            rows[2 * n + 1] = [0.0, 0.0, 0.0, x, y, 1.0, -x * v, -y * v];
            (right[2 * n], right[2 * n + 1]) = (u, v);
        }
        let solution = solved(&rows, &right, 8)?;
        let projection = Projection(solution.map(|value| value as f32));
        projection.is_finite().then_some(projection)
    }

    pub(crate) fn at(&self, x: f32, y: f32) -> (f32, f32) {
        let m = &self.0;
        let under = m[6] * x + m[7] * y + 1.0;
        ((m[0] * x + m[1] * y + m[2]) / under, (m[3] * x + m[4] * y + m[5]) / under)
    }

    /// Whether a point is before the camera.
    pub(crate) fn is_before(&self, x: f32, y: f32) -> bool {
        self.0[6] * x + self.0[7] * y + 1.0 > 0.0
    }

    /// The same projection to a picture that is `by` times as large.
    pub(crate) fn enlarged(mut self, by: f32) -> Projection {
        self.0[..6].iter_mut().for_each(|value| *value *= by);
        self
    }

    /// The same projection to a picture whose origin is at (x, y) of a larger one.
    pub(crate) fn moved(mut self, x: f32, y: f32) -> Projection {
        self.0[2] += x;
        self.0[5] += y;
        self
    }

    /// Pixels of the picture per pixel of the drawing, about.
    pub(crate) fn scale(&self) -> f32 {
        let m = &self.0;
        (m[0] * m[4] - m[1] * m[3]).abs().sqrt()
    }

    /// Whether the corners of a drawing of this size are less than some pixels of the picture from where they are by another
    /// projection.
    pub(crate) fn is_near(&self, other: &Projection, (width, height): (f32, f32), most: f32) -> bool {
        [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)].into_iter().all(|(x, y)| {
            let ((u, v), (other_u, other_v)) = (self.at(x, y), other.at(x, y));
            (u - other_u).hypot(v - other_v) < most
        })
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.0.iter().all(|value| value.is_finite())
    }

    pub(crate) fn of(matrix: &Matrix) -> Projection {
        Projection(std::array::from_fn(|n| matrix[n] / matrix[8]))
    }

    pub(crate) fn matrix(&self) -> Matrix {
        let m = &self.0;
        [m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], 1.0]
    }

    /// This projection after another.
    pub(crate) fn after(&self, first: &Matrix) -> Projection {
        Projection::of(&product(&self.matrix(), first))
    }
}

pub(crate) fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|n| (0..3).map(|k| a[n / 3 * 3 + k] * b[k * 3 + n % 3]).sum())
}

/// The inverse of a matrix that has one.
pub(crate) fn inverted(m: &Matrix) -> Matrix {
    let minor = |a: usize, b: usize, c: usize, d: usize| m[a] * m[d] - m[b] * m[c];
    let all = [
        minor(4, 5, 7, 8),
        -minor(1, 2, 7, 8),
        minor(1, 2, 4, 5),
        -minor(3, 5, 6, 8),
        minor(0, 2, 6, 8),
        -minor(0, 2, 3, 5),
        minor(3, 4, 6, 7),
        -minor(0, 1, 6, 7),
        minor(0, 1, 3, 4),
    ];
    let whole = m[0] * all[0] + m[1] * all[3] + m[2] * all[6];
    all.map(|value| value / whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let m = [2.0, 0.3, 5.0, -0.1, 1.5, 7.0, 0.01, 0.02, 1.0];
        let one = product(&m, &inverted(&m));
        for (n, value) in one.iter().enumerate() {
            let wanted = if n % 4 == 0 { 1.0 } else { 0.0 };
            assert!((value - wanted).abs() < 1e-4, "{one:?}");
        }
    }

    #[test]
    fn a_projection_is_found_from_four_points() {
        let there = Projection([1.2, 0.1, 30.0, -0.2, 0.9, 50.0, 1e-4, -2e-4]);
        let from = [(0.0, 0.0), (1000.0, 10.0), (990.0, 1400.0), (5.0, 1390.0)];
        let found = Projection::between(from, from.map(|(x, y)| there.at(x, y))).expect("a projection");
        for (x, y) in [(500.0, 700.0), (100.0, 1200.0), (0.0, 0.0)] {
            let ((u, v), (a, b)) = (found.at(x, y), there.at(x, y));
            assert!((u - a).hypot(v - b) < 0.01, "{u} {v} is {a} {b}");
        }
        assert!(Projection::between([(7.0, 7.0); 4], from).is_none());
    }

    #[test]
    fn a_projection_scales_turns_and_moves() {
        let quarter = Projection::similar(2.0, std::f32::consts::FRAC_PI_2, 10.0, 20.0);
        let (x, y) = quarter.at(3.0, 0.0);
        assert!((x - 10.0).abs() < 1e-4 && (y - 26.0).abs() < 1e-4, "{x} {y}");
        assert!((quarter.enlarged(3.0).scale() - 6.0).abs() < 1e-4);
    }
}
