//! Boards of squares: ground, coordinates, marks, and the themes of their family.
