//! Systems of linear equations.

/// Solves the first `size` of eight equations in as many unknowns, 1 to 8, by Gaussian elimination with partial pivoting.
/// The rows of `matrix` are the equations' left sides; values past `size` are left out, and those of the solution are 0.
/// `None` if there is no single solution.
pub(crate) fn solved(matrix: &[[f64; 8]; 8], right: &[f64; 8], size: usize) -> Option<[f64; 8]> {
    let (mut m, mut r) = (*matrix, *right);
    for column in 0..size {
        let pivot = (column..size).max_by(|a, b| m[*a][column].abs().total_cmp(&m[*b][column].abs()))?;
        if m[pivot][column].abs() < 1e-9 {
            return None;
        }
        m.swap(column, pivot);
        r.swap(column, pivot);
        for row in column + 1..size {
            let share = m[row][column] / m[column][column];
            let pivot = m[column];
            m[row].iter_mut().zip(pivot).for_each(|(value, pivot)| *value -= share * pivot);
            r[row] -= share * r[column];
        }
    }
    let mut solution = [0.0; 8];
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|n| m[row][n] * solution[n]).sum();
        solution[row] = (r[row] - known) / m[row][row];
    }
    Some(solution)
}
