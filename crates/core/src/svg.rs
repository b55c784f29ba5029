//! Scenes as SVG, for printing and other programs.

use std::fmt::Write;

use super::scene::{Anchor, Item, Outline, Paint, Point, Scene, Shape, Weight};

/// Distance of the baseline below the middle of capitals, as a fraction of the font size (Inter).
const BASELINE: f32 = 0.3636;

/// A scene as an SVG file: the same shapes in the same order, with stamps expanded.
pub fn svg(scene: &Scene) -> String {
    let (w, h) = (scene.width, scene.height);
    let ground = paint(scene, Paint { ink: scene.ground, share: 1.0 }, "fill");
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\">\n\
         <rect width=\"{w}\" height=\"{h}\"{ground}/>\n"
    );
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
    out + "</svg>\n"
}

fn element(scene: &Scene, shape: &Shape) -> String {
    let style_attributes = style_attributes(scene, shape);
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
            // The stroke's width is in scene units: it is not scaled with the path.
            let place = format!("translate({} {}) rotate({turn}) scale({scale})", at.x, at.y);
            format!(
                "<path d=\"{d}\" transform=\"{place}\" vector-effect=\"non-scaling-stroke\"{style_attributes}/>\n"
            )
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

/// The attributes for fill and stroke.
fn style_attributes(scene: &Scene, shape: &Shape) -> String {
    let mut style_attributes =
        shape.fill.map_or(" fill=\"none\"".to_owned(), |fill| paint(scene, fill, "fill"));
    if let Some(stroke) = &shape.stroke {
        style_attributes += &paint(scene, stroke.paint, "stroke");
        let _ = write!(
            style_attributes,
            " stroke-width=\"{}\" stroke-linecap=\"round\" stroke-linejoin=\"round\"",
            stroke.width
        );
        if let Some((on, off)) = stroke.dash {
            let _ = write!(style_attributes, " stroke-dasharray=\"{on} {off}\"");
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
    use crate::scene::{Rgb, Shape, Theme, ink, pt, tint};

    static THEME: Theme = Theme {
        name: "t",
        family: "t",
        sides: &[],
        colours: &[("paper", Rgb::hex(0xFFFFFF)), ("pen", Rgb::hex(0x0A0B0C))],
    };

    #[test]
    fn shapes_become_elements() {
        let mut scene = Scene::new(10.0, 20.0, &THEME, "paper");
        scene.shape(Shape::circle(pt(1.0, 2.0), 3.0).fill(tint("pen", 0.5)));
        scene.shape(Shape::text("a<b", pt(5.0, 5.0), 10.0, Weight::Bold).fill(ink("pen")));
        let svg = svg(&scene);
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"20\""));
        assert!(svg.contains("<circle cx=\"1\" cy=\"2\" r=\"3\" fill=\"#0A0B0C\" fill-opacity=\"0.5\"/>"));
        assert!(svg.contains("y=\"8.636\"") && svg.contains(">a&lt;b</text>"));
    }
}
