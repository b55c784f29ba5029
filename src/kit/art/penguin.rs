//! Penguins, fish, emblems of the players, and the themes of the ice.
