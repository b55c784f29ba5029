//! Digests of the input of pictures: equal digests mean equal pictures.

use std::fmt::{self, Write};

use sha2::{Digest, Sha256};

use rookery_core::scene::{Item, Scene};

/// A digest of 128 bits of everything that a picture depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; 16]);

/// The input of a fingerprint, part by part.
pub struct Parts(Sha256);

impl Fingerprint {
    /// The fingerprint of the parts that `add` adds.
    pub fn of(add: impl FnOnce(&mut Parts)) -> Fingerprint {
        let mut parts = Parts(Sha256::new());
        add(&mut parts);
        let (digest, mut short) = (parts.0.finalize(), [0; 16]);
        short.copy_from_slice(&digest[..16]);
        Fingerprint(short)
    }
}

impl Parts {
    /// Adds bytes with their length, so that they cannot be confused with adjacent parts.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// Adds a text with its length.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Adds a number as eight bytes.
    pub fn number(&mut self, number: u64) {
        self.0.update(number.to_le_bytes());
    }

    /// Adds the bytes of another fingerprint.
    pub fn print(&mut self, print: Fingerprint) {
        self.0.update(print.0);
    }

    /// Adds a scene: two stamps with equal names are the same art, and a theme is identified by its family and name.
    pub fn scene(&mut self, scene: &Scene) {
        [scene.width, scene.height].iter().for_each(|side| self.number(side.to_bits().into()));
        [scene.theme.family, scene.theme.name, scene.ground.0].iter().for_each(|name| self.text(name));
        self.number(scene.items.len() as u64);
        scene.items.iter().for_each(|item| self.item(item));
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Stamp(stamp, at) => {
                self.text(&stamp.name);
                [at.x, at.y].iter().for_each(|part| self.number(part.to_bits().into()));
            }
            // The debug format of a shape contains all its parts.
            Item::Shape(shape) => {
                let _written = write!(self, "{shape:?}");
                self.number(0);
            }
        }
    }
}

impl Write for Parts {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::scene::{Rgb, Shape, Stamp, Theme, ink, pt};

    static THEME: Theme =
        Theme { name: "t", family: "prints", sides: &[], colours: &[("ground", Rgb(9, 9, 9))] };
    static OTHER: Theme =
        Theme { name: "u", family: "prints", sides: &[], colours: &[("ground", Rgb(9, 9, 9))] };

    fn scene(theme: &'static Theme, stamp: &str, x: f32, radius: f32) -> Fingerprint {
        let mut scene = Scene::new(100.0, 60.0, theme, "ground");
        scene.stamp(Stamp::new(stamp, (20.0, 20.0), Vec::new), pt(x, 30.0));
        scene.shape(Shape::circle(pt(0.0, 0.0), radius).fill(ink("ground")));
        Fingerprint::of(|parts| parts.scene(&scene))
    }

    #[test]
    fn equal_scenes_are_equal_and_every_difference_shows() {
        let one = scene(&THEME, "dot", 30.0, 5.0);
        assert_eq!(one, scene(&THEME, "dot", 30.0, 5.0));
        let others = [
            scene(&OTHER, "dot", 30.0, 5.0),
            scene(&THEME, "ring", 30.0, 5.0),
            scene(&THEME, "dot", 30.5, 5.0),
            scene(&THEME, "dot", 30.0, 5.5),
        ];
        assert!(!others.contains(&one));
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        let of = |parts: &[&str]| Fingerprint::of(|all| parts.iter().for_each(|part| all.text(part)));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
    }
}
