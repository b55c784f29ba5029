//! A scene under construction, to which each part of the picture adds.

use super::themes::CONTRAST;
use crate::art::plan::Plan;
use rookery_core::Cell;
use rookery_core::scene::{DrawOptions, Scene, Shape, Stamp};

/// A scene under construction.
pub(super) struct Canvas<'a> {
    pub(super) scene: Scene,
    pub(super) plan: Plan,
    pub(super) look: &'a DrawOptions,
}

impl Canvas<'_> {
    /// Puts a stamp no larger than a cell on a cell. Its art is drawn once for all boards of this plan.
    pub(super) fn put(
        &mut self,
        name: &str,
        cell: Cell,
        art: impl Fn(Plan) -> Vec<Shape> + Send + Sync + 'static,
    ) {
        let plan = self.plan;
        let stamp = Stamp::new(format!("ice/{}/{name}", plan.suffix()), plan.half(), move || art(plan));
        self.scene.stamp(stamp, plan.centre(cell));
    }

    /// Whether fish are drawn as numerals.
    pub(super) fn has_numerals(&self) -> bool {
        self.plan.large || self.scene.theme.name == CONTRAST.name
    }
}
