//! Values as colours, and as a PNG small enough to stand inside an SVG.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Rectangles of equal size, coloured by values from 0 to 1.
#[derive(Debug, Clone)]
pub(super) struct Raster {
    columns: usize,
    /// Row after row, positions in the palette.
    levels: Vec<u8>,
}

/// Colours that can be told apart, and few enough to say where each begins.
const LEVELS: usize = 64;

/// viridis (van der Walt & Smith, matplotlib; CC0) at nine equal steps: lightness rises evenly, in grey and to readers
/// who see fewer colours too, and both ends stand out on light and dark pages.
const VIRIDIS: [[u8; 3]; 9] = [
    [0x44, 0x01, 0x54],
    [0x47, 0x2D, 0x7B],
    [0x3B, 0x52, 0x8B],
    [0x2C, 0x72, 0x8E],
    [0x21, 0x91, 0x8C],
    [0x28, 0xAE, 0x80],
    [0x5E, 0xC9, 0x62],
    [0xAD, 0xDC, 0x30],
    [0xFD, 0xE7, 0x25],
];

impl Raster {
    /// Values from 0 to 1, row after row.
    pub(super) fn of(columns: usize, values: impl IntoIterator<Item = f64>) -> Self {
        let level = |value: f64| (value.clamp(0.0, 1.0) * (LEVELS - 1) as f64).round() as u8;
        Self { columns, levels: values.into_iter().map(level).collect() }
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    pub(super) fn rows(&self) -> usize {
        self.levels.len() / self.columns
    }

    pub(super) fn rgb(&self, row: usize, column: usize) -> (u8, u8, u8) {
        let [red, green, blue] = colour(usize::from(self.levels[row * self.columns + column]));
        (red, green, blue)
    }

    /// The whole as a PNG, in the form that an SVG can hold.
    pub(super) fn data_uri(&self) -> String {
        format!("data:image/png;base64,{}", STANDARD.encode(self.png()))
    }

    /// Indexed colours: one byte per rectangle before compression.
    fn png(&self) -> Vec<u8> {
        let [width, height] = [self.columns, self.rows()]
            .map(|side| u32::try_from(side).expect("a matrix has at most some hundred rows"));
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_filter(png::FilterType::NoFilter);
        encoder.set_compression(png::Compression::Default);
        encoder.set_palette((0..LEVELS).flat_map(colour).collect::<Vec<u8>>());
        let mut writer = encoder.write_header().expect("memory can be written to, and there is at least one rectangle");
        writer.write_image_data(&self.levels).expect("there is one level per rectangle");
        writer.finish().expect("memory can be written to");
        file
    }
}

/// The colour of a level, between its neighbours among the nine.
fn colour(level: usize) -> [u8; 3] {
    let scaled = level * (VIRIDIS.len() - 1);
    let (step, part) = (scaled / (LEVELS - 1), scaled % (LEVELS - 1));
    let [from, to] = [step, step + 1].map(|step| VIRIDIS[step.min(VIRIDIS.len() - 1)]);
    let share = part as f64 / (LEVELS - 1) as f64;
    [0, 1, 2].map(|i| (f64::from(from[i]) + (f64::from(to[i]) - f64::from(from[i])) * share).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::super::png::tests::decoded;
    use super::*;

    /// What other programs see in the file.
    #[test]
    fn the_picture_in_an_svg_decodes_to_the_colours_of_its_values() {
        let values: Vec<f64> = (0..35).map(|value| f64::from(value) / 34.0).collect();
        let raster = Raster::of(7, values);
        let uri = raster.data_uri();
        let letters = uri.strip_prefix("data:image/png;base64,").expect("it is a PNG");
        let (size, pixels) = decoded(&STANDARD.decode(letters).expect("the letters are those of base64"));
        assert_eq!((size, pixels.len()), ((7, 5), 35));
        for (place, rgb) in pixels.into_iter().enumerate() {
            assert_eq!(rgb, raster.rgb(place / 7, place % 7), "{place}");
        }
        assert_eq!(raster.rgb(0, 0), (0x44, 0x01, 0x54));
        assert_eq!(raster.rgb(4, 6), (0xFD, 0xE7, 0x25));
    }

    #[test]
    fn blocks_of_one_colour_take_few_bytes() {
        let values = (0..40_000).map(|cell| f64::from(u8::from((cell / 200 < 80) == (cell % 200 < 80))));
        let bytes = Raster::of(200, values).png().len();
        assert!(bytes < 40_000 / 8, "{bytes}");
    }

    #[test]
    fn lightness_rises_from_level_to_level() {
        let lightness = |level: usize| {
            let [red, green, blue] = colour(level).map(f64::from);
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        assert!((1..LEVELS).all(|level| lightness(level) > lightness(level - 1)));
    }
}
