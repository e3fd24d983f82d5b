//! Scenes as PNG, with two pixels for each of the figure.

use super::raster::Raster;
use super::scene::{Frame, Label, Position, Primitive, Scene, Stroke, Turn};
use super::svg::{colour, text_style};
use plotters::backend::{BitMapBackend, DrawingBackend};
use plotters::style::RGBColor;
use std::error::Error;

/// Pixels of the file for each of the figure.
const DENSITY: usize = 2;
/// PanelView this much larger and averaged down: plotters smooths the edges of areas only in part.
const OVER: usize = 2;
const SCALE: f64 = (DENSITY * OVER) as f64;

type Painted<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// A PNG file of a scene, painted on white.
pub(in crate::report) fn file(scene: &Scene) -> Painted<Vec<u8>> {
    let [width, height] = [scene.width, scene.height].map(|side| (side * DENSITY as f64) as usize);
    let large = paint(scene, width * OVER, height * OVER)?;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    // Flat colours make the smallest files without a filter, but not with the crate's own choice of compression: that one
    // stores them as they are.
    encoder.set_filter(png::FilterType::NoFilter);
    encoder.set_compression(png::Compression::Default);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&average(&large, width, height))?;
    writer.finish()?;
    Ok(file)
}

fn paint(scene: &Scene, width: usize, height: usize) -> Painted<Vec<u8>> {
    let mut pixels = vec![0xFF; width * height * 3];
    let mut backend = BitMapBackend::with_buffer(&mut pixels, (width as u32, height as u32));
    for shape in &scene.shapes {
        draw(&mut backend, shape)?;
    }
    backend.present()?;
    drop(backend);
    Ok(pixels)
}

fn draw(backend: &mut BitMapBackend, shape: &Primitive) -> Painted<()> {
    match shape {
        Primitive::Path { points, stroke } => draw_path(backend, points, *stroke)?,
        Primitive::Area { points, ink, opacity } => {
            backend.fill_polygon(points.iter().map(|at| scaled(*at)), &colour(*ink, *opacity))?;
        }
        Primitive::Disc { centre, radius, ink } => {
            backend.draw_circle(scaled(*centre), (radius * SCALE).round() as u32, &colour(*ink, 1.0), true)?;
        }
        Primitive::Dots { centres, radius, ink } => {
            let (radius, ink) = ((radius * SCALE).round() as u32, colour(*ink, 1.0));
            for centre in centres {
                backend.draw_circle(scaled(*centre), radius, &ink, true)?;
            }
        }
        Primitive::Raster { frame, raster } => draw_raster(backend, *frame, raster)?,
        Primitive::Text(label) => draw_text(backend, label)?,
    }
    Ok(())
}

/// Each part of a path by itself, with a disc at every bend: plotters' own wide paths have spikes there.
fn draw_path(backend: &mut BitMapBackend, points: &[Position], stroke: Stroke) -> Painted<()> {
    let ink = colour(stroke.ink, 1.0);
    // Areas of plotters include the pixels of both their edges: one too many.
    let half = stroke.width / 2.0 - 0.5 / SCALE;
    for pair in points.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let length = (x1 - x0).hypot(y1 - y0);
        if length == 0.0 {
            continue;
        }
        let (dx, dy) = ((y0 - y1) / length * half, (x1 - x0) / length * half);
        let corners = [(x0 + dx, y0 + dy), (x1 + dx, y1 + dy), (x1 - dx, y1 - dy), (x0 - dx, y0 - dy)];
        backend.fill_polygon(corners.map(scaled), &ink)?;
    }
    let bends = points.len().saturating_sub(1);
    for bend in points[..bends].iter().skip(1) {
        backend.draw_circle(scaled(*bend), (half * SCALE).round() as u32, &ink, true)?;
    }
    Ok(())
}

fn draw_raster(backend: &mut BitMapBackend, frame: Frame, raster: &Raster) -> Painted<()> {
    let (left, top) = scaled((frame.left, frame.top));
    let (right, bottom) = scaled((frame.right, frame.bottom));
    let edge = |from: i32, to: i32, part: usize, parts: usize| from + ((to - from) as usize * part / parts) as i32;
    for row in 0..raster.rows() {
        for column in 0..raster.columns() {
            let [x, next_x] = [column, column + 1].map(|part| edge(left, right, part, raster.columns()));
            let [y, next_y] = [row, row + 1].map(|part| edge(top, bottom, part, raster.rows()));
            let (red, green, blue) = raster.rgb(row, column);
            backend.draw_rect((x, y), (next_x, next_y), &RGBColor(red, green, blue), true)?;
        }
    }
    Ok(())
}

/// plotters sets the base line half a font size below the place it is given.
fn draw_text(backend: &mut BitMapBackend, label: &Label) -> Painted<()> {
    let style = text_style(label, SCALE);
    let drop = (style.font.get_size() / 2.0).round() as i32;
    let (x, y) = scaled(label.at);
    let place = match label.turn {
        Turn::Level => (x, y - drop),
        Turn::Upwards => (x - drop, y),
    };
    backend.draw_text(&label.text, &style, place)?;
    Ok(())
}

fn scaled((x, y): Position) -> (i32, i32) {
    ((x * SCALE).round() as i32, (y * SCALE).round() as i32)
}

/// Averages squares of `OVER` × `OVER` pixels.
fn average(large: &[u8], width: usize, height: usize) -> Vec<u8> {
    let mut small = Vec::with_capacity(width * height * 3);
    for y in 0..height {
        for x in 0..width {
            for channel in 0..3 {
                let sum: usize = (0..OVER * OVER)
                    .map(|part| (y * OVER + part / OVER) * width * OVER + x * OVER + part % OVER)
                    .map(|pixel| usize::from(large[pixel * 3 + channel]))
                    .sum();
                small.push((sum / (OVER * OVER)) as u8);
            }
        }
    }
    small
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::scene::Frame;
    use super::super::theme::Ink;
    use super::*;

    type Rgb = (u8, u8, u8);

    /// Width, height and colours of a PNG file, read by the decoder of the crate.
    pub(in super::super) fn decoded(file: &[u8]) -> ((u32, u32), Vec<Rgb>) {
        let mut decoder = png::Decoder::new(file);
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().expect("it is a PNG");
        let mut bytes = vec![0; reader.output_buffer_size()];
        let frame = reader.next_frame(&mut bytes).expect("it has a picture");
        assert_eq!((frame.color_type, frame.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
        let pixels = bytes[..frame.buffer_size()].chunks(3).map(|rgb| (rgb[0], rgb[1], rgb[2])).collect();
        ((frame.width, frame.height), pixels)
    }

    #[test]
    fn squares_are_averaged() {
        let black_white = [[0u8; 3], [255; 3], [255; 3], [0; 3]].concat();
        assert_eq!(average(&black_white, 1, 1), [127, 127, 127]);
    }

    #[test]
    fn a_file_decodes_to_the_pixels_that_were_painted() {
        let mut scene = Scene::empty(30.0, 20.0);
        let corners = Frame { left: 10.0, top: 5.0, right: 20.0, bottom: 15.0 };
        let raster = Raster::of(2, [0.0, 0.25, 0.75, 1.0]);
        scene.shapes.push(Primitive::Raster { frame: corners, raster });
        scene.shapes.push(Primitive::Disc { centre: (4.0, 4.0), radius: 2.0, ink: Ink::Text });
        let file = file(&scene).expect("it can be painted");
        let (size, pixels) = decoded(&file);
        assert_eq!(size, (60, 40));
        let painted = average(&paint(&scene, 120, 80).expect("it can be painted"), 60, 40);
        let painted: Vec<_> = painted.chunks(3).map(|rgb| (rgb[0], rgb[1], rgb[2])).collect();
        assert!(pixels == painted, "the file has other pixels than were painted");
        assert!(file.len() < pixels.len() * 3 / 8, "{} bytes of flat colours are hardly compressed", file.len());
        assert_eq!(pixels[59], (0xFF, 0xFF, 0xFF), "the paper is white");
        assert_eq!(pixels[13 * 60 + 23], (0x44, 0x01, 0x54), "the first value has its colour");
    }
}
