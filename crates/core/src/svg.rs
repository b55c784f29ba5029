//! Scenes as SVG, for printing and other programs.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::printed_page::{Layer, PaperSize, PrintedPage};
use super::scene::{Anchor, Item, Outline, Paint, Point, Scene, Shape, Stamp, Theme, Weight};

/// Distance of the baseline below the middle of capitals, as a fraction of the font size (Inter).
const BASELINE: f32 = 0.3636;

/// A page as an SVG file of the paper's size.
pub fn page_svg(page: &PrintedPage, paper: PaperSize) -> String {
    let (w, h) = (page.ground.width, page.ground.height);
    let (across, down) = paper.millimetres();
    let (scale, _) = paper.fit(w, h);
    // The part of the drawing's plane that the paper shows.
    let (shown_w, shown_h) = (across / scale, down / scale);
    let (x, y) = ((w - shown_w) / 2.0, (h - shown_h) / 2.0);
    let ground = paint(&page.ground, Paint { ink: page.ground.ground, share: 1.0 }, "fill");
    let layer = |Layer { scene, at, scale }: &Layer| {
        let place = format!("translate({} {}) scale({scale})", at.x, at.y);
        let ground = paint(scene, Paint { ink: scene.ground, share: 1.0 }, "fill");
        let (w, h) = (scene.width, scene.height);
        format!(
            "<g transform=\"{place}\">\n<rect width=\"{w}\" height=\"{h}\"{ground}/>\n{}</g>\n",
            items(scene)
        )
    };
    let layers: String = page.layers.iter().map(layer).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{across}mm\" height=\"{down}mm\" \
         viewBox=\"{x} {y} {shown_w} {shown_h}\">\n<title>{}</title>\n\
         <rect x=\"{x}\" y=\"{y}\" width=\"{shown_w}\" height=\"{shown_h}\"{ground}/>\n{}{layers}</svg>\n",
        escaped(&page.title),
        items(&page.ground)
    )
}

/// The elements of a scene, with stamps expanded.
fn items(scene: &Scene) -> String {
    let mut out = String::new();
    for item in &scene.items {
        match item {
            Item::Shape(shape) => out += &element(scene, shape),
            Item::Stamp(stamp, at) => {
                let Point { x, y } = *at;
                let art: String = (stamp.art)().iter().map(|shape| element(scene, shape)).collect();
                let _ = write!(out, "<g transform=\"translate({x} {y})\">\n{art}</g>\n");
            }
        }
    }
    out
}

/// A scene as an SVG element for a web page: it fills its box, and each stamp is defined once, under its name, and used
/// where it stands. A used stamp can be moved, and found again in the next scene by its name.
pub fn inline_svg(scene: &Scene) -> String {
    let (w, h) = (scene.width, scene.height);
    let ground = paint(scene, Paint { ink: scene.ground, share: 1.0 }, "fill");
    let (mut names, mut defined, mut shown) = (BTreeSet::new(), String::new(), String::new());
    for item in &scene.items {
        match item {
            Item::Shape(shape) => shown += &element(scene, shape),
            Item::Stamp(stamp, Point { x, y }) => {
                let name = attribute(&stamp.name);
                if names.insert(&stamp.name) {
                    let art: String = (stamp.art)().iter().map(|shape| element(scene, shape)).collect();
                    let _ = write!(defined, "<g id=\"{name}\">{art}</g>");
                }
                let _ = write!(shown, "<use href=\"#{name}\" x=\"{x}\" y=\"{y}\"/>");
            }
        }
    }
    let shapes = format!("<defs>{defined}</defs><rect width=\"{w}\" height=\"{h}\"{ground}/>{shown}");
    format!("<svg viewBox=\"0 0 {w} {h}\" aria-hidden=\"true\"{USUAL}>{}</svg>", short(&shapes))
}

/// The ids of the stamps that a scene uses, as [`inline_svg`] writes them.
pub fn stamp_ids(scene: &Scene) -> BTreeSet<String> {
    let id = |item: &Item| match item {
        Item::Stamp(stamp, _) => Some(attribute(&stamp.name)),
        Item::Shape(_) => None,
    };
    scene.items.iter().filter_map(id).collect()
}

/// The attributes that most shapes have: a web page has them once.
const USUAL: &str = " stroke-linecap=\"round\" stroke-linejoin=\"round\" font-family=\"Inter, sans-serif\" \
                     font-weight=\"600\" text-anchor=\"middle\"";

/// Leaves out the attributes that all shapes inherit.
fn short(shapes: &str) -> String {
    let mut short = shapes.replace('\n', "");
    for attribute in USUAL.split_inclusive('"').collect::<Vec<_>>().chunks(2).map(<[_]>::concat) {
        short = short.replace(&attribute, "");
    }
    short
}

/// A stamp alone, as an SVG element for a web page without a background.
pub fn stamp_svg(stamp: &Stamp, theme: &'static Theme) -> String {
    let (w, h) = stamp.half;
    let scene = Scene::new(w * 2.0, h * 2.0, theme, "");
    let art: String = (stamp.art)().iter().map(|shape| element(&scene, shape)).collect();
    let (art, [x, y, w, h]) = (short(&art), [-w, -h, w * 2.0, h * 2.0]);
    format!("<svg viewBox=\"{x} {y} {w} {h}\" aria-hidden=\"true\"{USUAL}>{art}</svg>")
}

/// A stamp's name as an element's id, without white space.
fn attribute(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "/-_.".contains(c) { c } else { '_' };
    name.chars().map(plain).collect()
}

fn element(scene: &Scene, shape: &Shape) -> String {
    // The stroke's width is in scene units, but a path is scaled with its stroke.
    let scale = if let Outline::Path { scale, .. } = &shape.outline { *scale } else { 1.0 };
    let style_attributes = style_attributes(scene, shape, scale);
    match &shape.outline {
        Outline::Circle { centre, radius } => {
            format!("<circle cx=\"{}\" cy=\"{}\" r=\"{radius}\"{style_attributes}/>\n", centre.x, centre.y)
        }
        Outline::Rect { corner: Point { x, y }, w, h, round } => {
            format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{round}\"{style_attributes}/>\n"
            )
        }
        Outline::Lines { points, closed } => {
            let points: Vec<_> = points.iter().map(|p| format!("{},{}", p.x, p.y)).collect();
            let name = if *closed { "polygon" } else { "polyline" };
            format!("<{name} points=\"{}\"{style_attributes}/>\n", points.join(" "))
        }
        Outline::Path { d, at, scale, turn } => {
            let place = format!("translate({} {}) rotate({turn}) scale({scale})", at.x, at.y);
            format!("<path d=\"{d}\" transform=\"{place}\"{style_attributes}/>\n")
        }
        Outline::Text { text, at, size, weight, anchor } => {
            let weight = if *weight == Weight::Bold { 700 } else { 600 };
            let anchor = match anchor {
                Anchor::Left => "start",
                Anchor::Middle => "middle",
                Anchor::Right => "end",
            };
            let y = at.y + BASELINE * size;
            format!(
                "<text x=\"{}\" y=\"{y}\" font-family=\"Inter, sans-serif\" font-weight=\"{weight}\" \
                 font-size=\"{size}\" text-anchor=\"{anchor}\"{style_attributes}>{}</text>\n",
                at.x,
                escaped(text)
            )
        }
    }
}

/// The attributes for fill and stroke of a shape that is drawn larger by `scale`.
fn style_attributes(scene: &Scene, shape: &Shape, scale: f32) -> String {
    let mut style_attributes =
        shape.fill.map_or(" fill=\"none\"".to_owned(), |fill| paint(scene, fill, "fill"));
    if let Some(stroke) = &shape.stroke {
        style_attributes += &paint(scene, stroke.paint, "stroke");
        let _ = write!(
            style_attributes,
            " stroke-width=\"{}\" stroke-linecap=\"round\" stroke-linejoin=\"round\"",
            stroke.width / scale
        );
        if let Some((on, off)) = stroke.dash {
            let _ = write!(style_attributes, " stroke-dasharray=\"{} {}\"", on / scale, off / scale);
        }
    }
    style_attributes
}

/// A colour as an attribute; black for a token that the theme lacks (the conformance suite checks that none is
/// missing).
fn paint(scene: &Scene, paint: Paint, attribute: &str) -> String {
    let (r, g, b) = scene.theme.colour(paint.ink).map_or((0, 0, 0), |rgb| (rgb.0, rgb.1, rgb.2));
    let share =
        if paint.share < 1.0 { format!(" {attribute}-opacity=\"{}\"", paint.share) } else { String::new() };
    format!(" {attribute}=\"#{r:02X}{g:02X}{b:02X}\"{share}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Rgb, Shape, Stamp, Theme, ink, pt, tint};

    static THEME: Theme = Theme {
        name: "t",
        family: "t",
        sides: &[],
        colours: &[("paper", Rgb::hex(0xFFFFFF)), ("pen", Rgb::hex(0x0A0B0C))],
    };

    #[test]
    fn inline_scene_defines_a_stamp_once_and_uses_it_where_it_stands() {
        let mut scene = Scene::new(10.0, 20.0, &THEME, "paper");
        let stamp =
            Stamp::new("t/pen nib", (1.0, 1.0), || vec![Shape::circle(pt(0.0, 0.0), 1.0).fill(ink("pen"))]);
        scene.stamp(stamp.clone(), pt(2.0, 3.0));
        scene.stamp(stamp, pt(4.5, 3.0));
        let svg = inline_svg(&scene);
        assert_eq!(svg.matches("<circle").count(), 1, "{svg}");
        assert!(svg.contains("<defs><g id=\"t/pen_nib\"><circle"), "{svg}");
        assert!(svg.contains(
            "<use href=\"#t/pen_nib\" x=\"2\" y=\"3\"/><use href=\"#t/pen_nib\" x=\"4.5\" y=\"3\"/>"
        ));
        assert!(svg.starts_with("<svg viewBox=\"0 0 10 20\""), "no size of its own: {svg}");
    }

    #[test]
    fn a_page_has_the_size_of_its_paper_and_its_layers_are_scaled() {
        let mut ground = Scene::new(1_050.0, 1_485.0, &THEME, "paper");
        ground.shape(Shape::line(pt(1.0, 2.0), pt(3.0, 4.0)).stroke(ink("pen"), 1.0));
        let mut scene = Scene::new(10.0, 20.0, &THEME, "pen");
        scene.shape(Shape::circle(pt(1.0, 2.0), 3.0).fill(ink("pen")));
        let page = PrintedPage {
            title: "Ada & Ben".to_owned(),
            ground,
            layers: vec![Layer { scene, at: pt(5.0, 6.0), scale: 0.5 }],
        };
        let svg = page_svg(&page, PaperSize::A4);
        assert!(
            svg.contains("width=\"210mm\" height=\"297mm\"") && svg.contains("<title>Ada &amp; Ben</title>")
        );
        assert!(
            svg.contains("<g transform=\"translate(5 6) scale(0.5)\">\n<rect width=\"10\" height=\"20\" fill=\"#0A0B0C\"/>\n<circle cx=\"1\" cy=\"2\" r=\"3\""),
            "{svg}"
        );
        let letter = page_svg(&page, PaperSize::Letter);
        // The page is higher than Letter, so it leaves room at both sides: 1,485 * 215.9 / 279.4 is 1,147.5.
        assert!(letter.contains("width=\"215.9mm\"") && letter.contains("viewBox=\"-48.7"), "{letter}");
    }

    #[test]
    fn shapes_become_elements() {
        let mut scene = Scene::new(10.0, 20.0, &THEME, "paper");
        scene.shape(Shape::circle(pt(1.0, 2.0), 3.0).fill(tint("pen", 0.5)));
        scene.shape(Shape::text("a<b", pt(5.0, 5.0), 10.0, Weight::Bold).fill(ink("pen")));
        let svg = items(&scene);
        assert!(svg.contains("<circle cx=\"1\" cy=\"2\" r=\"3\" fill=\"#0A0B0C\" fill-opacity=\"0.5\"/>"));
        assert!(svg.contains("y=\"8.636\"") && svg.contains(">a&lt;b</text>"));
    }
}
