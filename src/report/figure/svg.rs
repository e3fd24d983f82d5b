//! Scenes as SVG: files with their own colours, and pictures inside a page that take the page's.

use super::Medium;
use super::font::font;
use super::raster::Raster;
use super::scene::{Anchor, Frame, Hint, Label, Position, Primitive, Scene, Stroke, Turn};
use super::theme::Ink;
use crate::report::section::Heading;
use maud::{Markup, PreEscaped, html};
use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontTransform, RGBAColor, RGBColor, ShapeStyle, TextStyle};

/// plotters places everything at whole pixels: ten of its pixels are one of ours.
const FINE: f64 = 10.0;
const FAMILIES: &str = "Inter, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif";

/// A file of its own, on white.
pub(in crate::report) fn standalone(scene: &Scene, heading: &Heading) -> String {
    let (width, height) = (scene.width, scene.height);
    let file = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox=(view_box(scene)) role="img"
            font-family=(FAMILIES) stroke-linejoin="round" {
            "\n"
            title { (heading.title) } "\n"
            @if !heading.caption.is_empty() { desc { (heading.caption) } "\n" }
            (PreEscaped("<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n"))
            (PreEscaped(body(scene)))
        } "\n"
    };
    file.into_string()
}

/// A picture inside a page: transparent, coloured by the classes of the page, with a text for every mark. The texts are
/// in the wide form alone; the script of the page finds them there for the narrow one.
pub(in crate::report) fn inline(scene: &Scene, label: &str, medium: Medium) -> Markup {
    let mut body = body(scene);
    for ink in Ink::all() {
        for (attribute, letter) in [("fill", 'f'), ("stroke", 's')] {
            // Names inside the picture have their quotes escaped, so only attributes can match.
            let plain = format!("{attribute}=\"{}\"", ink.hex());
            body = body.replace(&plain, &format!("class=\"{letter}-{}\"", ink.name()));
        }
    }
    html! {
        svg viewBox=(view_box(scene)) style={ "max-width:" (scene.width) "px" } role="img" aria-label=(label)
            stroke-linejoin="round" {
            "\n"
            (PreEscaped(body))
            @for hint in &scene.hints { (hint_area(hint, medium)) "\n" }
        } "\n"
    }
}

fn view_box(scene: &Scene) -> String {
    format!("0 0 {} {}", scene.width * FINE, scene.height * FINE)
}

fn hint_area(hint: &Hint, medium: Medium) -> Markup {
    let (left, top) = fine((hint.frame.left, hint.frame.top));
    let (right, bottom) = fine((hint.frame.right, hint.frame.bottom));
    html! {
        rect.hint x=(left) y=(top) width=(right - left) height=(bottom - top) {
            @if medium == Medium::Wide { title { (hint.text) } }
        }
    }
}

/// Everything between the opening and the closing tag.
fn body(scene: &Scene) -> String {
    let mut drawn = String::new();
    for shapes in scene.shapes.chunk_by(|one, other| is_plain(one) && is_plain(other)) {
        match shapes {
            [Primitive::Dots { centres, radius, ink }] => drawn += &dots(centres, *radius, *ink),
            [Primitive::Raster { frame, raster }] => drawn += &image(*frame, raster),
            plain => drawn += &plain_shapes(scene, plain),
        }
    }
    drawn
}

/// Whether plotters draws it.
fn is_plain(shape: &Primitive) -> bool {
    !matches!(shape, Primitive::Dots { .. } | Primitive::Raster { .. })
}

/// One path of strokes without length whose ends are round: a tenth of the bytes of as many circles.
fn dots(centres: &[Position], radius: f64, ink: Ink) -> String {
    let path: String = centres.iter().map(|at| fine(*at)).map(|(x, y)| format!("M{x} {y}h0")).collect();
    let width = (2.0 * radius * FINE).round();
    let hex = ink.hex();
    format!("<path d=\"{path}\" fill=\"none\" stroke=\"{hex}\" stroke-width=\"{width}\" stroke-linecap=\"round\"/>\n")
}

/// A picture inside the picture: as rectangles it would be many times larger.
fn image(frame: Frame, raster: &Raster) -> String {
    let ((x, y), (right, bottom)) = (fine((frame.left, frame.top)), fine((frame.right, frame.bottom)));
    format!(
        "<image x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
         style=\"image-rendering:pixelated\" href=\"{}\"/>\n",
        right - x,
        bottom - y,
        raster.data_uri()
    )
}

/// What plotters draws, without the tags around it.
fn plain_shapes(scene: &Scene, shapes: &[Primitive]) -> String {
    let mut drawn = String::new();
    let size = ((scene.width * FINE) as u32, (scene.height * FINE) as u32);
    let mut backend = SVGBackend::with_string(&mut drawn, size);
    for shape in shapes {
        draw(&mut backend, shape);
    }
    backend.present().expect("a string can always be written to");
    drop(backend);
    let start = drawn.find('>').map_or(0, |end| end + 1);
    let end = drawn.rfind("</svg>").unwrap_or(drawn.len());
    // Text stands on its base line here, which plotters cannot say; the rest are defaults not worth their bytes.
    [" dy=\"0.76em\"", " font-family=\"sans-serif\"", " opacity=\"1\"", " stroke=\"none\"", " text-anchor=\"start\""]
        .iter()
        .fold(drawn[start..end].trim_start().to_owned(), |text, part| text.replace(part, ""))
        .replace(" \"/>", "\"/>")
}

fn draw(backend: &mut SVGBackend, shape: &Primitive) {
    let drawn = match shape {
        Primitive::Path { points, stroke } => {
            backend.draw_path(points.iter().map(|at| fine(*at)), &line_style(*stroke))
        }
        Primitive::Area { points, ink, opacity } => {
            backend.fill_polygon(points.iter().map(|at| fine(*at)), &fill_style(*ink, *opacity))
        }
        Primitive::Disc { centre, radius, ink } => {
            let radius = (radius * FINE).round() as u32;
            backend.draw_circle(fine(*centre), radius, &fill_style(*ink, 1.0), true)
        }
        // Written without plotters.
        Primitive::Dots { .. } | Primitive::Raster { .. } => Ok(()),
        Primitive::Text(label) => backend.draw_text(&label.text, &text_style(label, FINE), fine(label.at)),
    };
    drawn.expect("a string can always be written to");
}

fn fine((x, y): (f64, f64)) -> (i32, i32) {
    ((x * FINE).round() as i32, (y * FINE).round() as i32)
}

fn line_style(stroke: Stroke) -> ShapeStyle {
    ShapeStyle { color: colour(stroke.ink, 1.0), filled: false, stroke_width: (stroke.width * FINE).round() as u32 }
}

fn fill_style(ink: Ink, opacity: f64) -> ShapeStyle {
    ShapeStyle { color: colour(ink, opacity), filled: true, stroke_width: 0 }
}

/// An ink as plotters has it.
pub(super) fn colour(ink: Ink, opacity: f64) -> RGBAColor {
    let (red, green, blue) = ink.rgb();
    RGBColor(red, green, blue).mix(opacity)
}

/// The style of a text whose place is its upper end; whoever draws it must see to the base line.
pub(super) fn text_style(label: &Label, scale: f64) -> TextStyle<'static> {
    let turn = match label.turn {
        Turn::Level => FontTransform::None,
        Turn::Upwards => FontTransform::Rotate270,
    };
    let anchor = match label.anchor {
        Anchor::Start => HPos::Left,
        Anchor::Middle => HPos::Center,
        Anchor::End => HPos::Right,
    };
    let font = font(label.size * scale, label.weight).transform(turn);
    TextStyle { font, color: colour(label.ink, 1.0).to_backend_color(), pos: Pos::new(anchor, VPos::Top) }
}
