//! Values as colours, and as a PNG small enough to stand inside an SVG.

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
        format!("data:image/png;base64,{}", base64(&self.png()))
    }

    /// Indexed colours, not compressed: a byte a rectangle.
    fn png(&self) -> Vec<u8> {
        let size =
            [self.columns, self.rows()].map(|side| u32::try_from(side).expect("figures are small").to_be_bytes());
        // Bit depth 8, indexed; the only compression and filter there are; not interlaced.
        let header = [&size[0][..], &size[1], &[8, 3, 0, 0, 0]].concat();
        let palette = (0..LEVELS).flat_map(colour).collect::<Vec<u8>>();
        // A 0 before each row says that it is not filtered.
        let rows: Vec<u8> = self.levels.chunks(self.columns).flat_map(|row| [&[0], row].concat()).collect();
        let chunks = [(b"IHDR", header), (b"PLTE", palette), (b"IDAT", stored(&rows)), (b"IEND", Vec::new())];
        let chunks = chunks.into_iter().flat_map(|(name, data)| chunk(name, &data));
        b"\x89PNG\r\n\x1a\n".iter().copied().chain(chunks).collect()
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

/// A PNG chunk: length, name, data, checksum of both.
fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let named = [&name[..], data].concat();
    let length = u32::try_from(data.len()).expect("figures are small").to_be_bytes();
    [&length[..], &named, &crc32(&named).to_be_bytes()].concat()
}

/// A zlib stream of blocks that are stored as they are (RFC 1950, RFC 1951 §3.2.4).
fn stored(data: &[u8]) -> Vec<u8> {
    let blocks: Vec<&[u8]> = data.chunks(0xFFFF).collect();
    let mut stream = vec![0x78, 0x01];
    for (index, block) in blocks.iter().enumerate() {
        let length = u16::try_from(block.len()).expect("blocks are cut to fit");
        stream.push(u8::from(index + 1 == blocks.len()));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend_from_slice(block);
    }
    stream.extend(adler32(data).to_be_bytes());
    stream
}

fn adler32(data: &[u8]) -> u32 {
    let (a, b) = data.iter().fold((1_u32, 0_u32), |(a, b), &byte| {
        let a = (a + u32::from(byte)) % 65521;
        (a, (b + a) % 65521)
    });
    b << 16 | a
}

fn crc32(data: &[u8]) -> u32 {
    !data.iter().fold(!0_u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 })
    })
}

fn base64(data: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(data.len().div_ceil(3) * 4);
    for three in data.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, i| bits << 8 | three.get(i).copied().map_or(0, u32::from));
        for letter in 0..4 {
            let index = (bits >> (18 - 6 * letter)) & 63;
            text.push(if letter <= three.len() { char::from(LETTERS[index as usize]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_and_letters_are_those_of_the_standards() {
        assert_eq!(adler32(b"Wikipedia"), 0x11E6_0398);
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(
            ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes())),
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]
        );
    }

    /// What other programs see in the file.
    #[test]
    fn the_png_reads_back() {
        let values = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0];
        let raster = Raster::of(3, values);
        let image = plotters_image(&raster.png());
        assert_eq!(image.len(), 6);
        for (pixel, rgb) in image.into_iter().enumerate() {
            assert_eq!(rgb, raster.rgb(pixel / 3, pixel % 3));
        }
        assert_eq!(raster.rgb(0, 0), (0x44, 0x01, 0x54));
        assert_eq!(raster.rgb(1, 2), (0xFD, 0xE7, 0x25));
    }

    /// Reads the stored blocks and the palette by hand.
    fn plotters_image(png: &[u8]) -> Vec<(u8, u8, u8)> {
        let part = |name: &[u8]| {
            let at = png.windows(4).position(|four| four == name).expect("the chunk is there");
            let length = u32::from_be_bytes(png[at - 4..at].try_into().expect("four bytes")) as usize;
            &png[at + 4..at + 4 + length]
        };
        let (header, palette, data) = (part(b"IHDR"), part(b"PLTE"), part(b"IDAT"));
        let columns = usize::from(header[3]);
        let rows = data[7..data.len() - 4].chunks(columns + 1);
        let levels = rows.flat_map(|row| &row[1..]).map(|&level| 3 * usize::from(level));
        levels.map(|at| (palette[at], palette[at + 1], palette[at + 2])).collect()
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
