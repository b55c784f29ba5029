//! Rules, notation, lines, territories and drawings of the room.

use crate::kit::promises;
use crate::kit::rules::Setup;

use super::AmazonsRoom;

#[test]
fn promises_are_kept_on_every_kind_of_board() {
    for (size, pie, games) in
        [("10x10", "off", 2), ("8x8", "on", 3), ("6x6", "off", 4), ("5x7", "on", 4), ("12x12", "on", 1)]
    {
        let setup = Setup::new(2).with("size", size).with("pie", pie);
        promises::keep_all::<AmazonsRoom>(&setup, games, 150);
    }
}
