//! Mutations by seed: the same each time, on every machine.

/// A stream of numbers.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    /// A number below `below`, which is at least 1.
    pub fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % below.max(1) as u64).expect("it is below a usize")
    }

    pub fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A place of a list that may be empty.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        start..start + self.below((length - start).min(40) + 1)
    }
}

/// Numbers that nobody means. None is just below a bound: what is allowed may take its time.
const NUMBERS: [&str; 14] = [
    "0",
    "-1",
    "1",
    "99999999999",
    "4294967295",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "1e308",
    "-1e308",
    "1e-300",
    "nan",
    "0.5",
    "\"3..99999999\"",
];

const WORDS: [&str; 10] =
    ["\"\"", "\"\\u0000\"", "\"é\"", "\"mm\"", "\"all\"", "[]", "{}", "true", "[[1], 2]", "\"1e308%\""];

/// A spec with one to three things wrong, mostly with a number.
pub fn spec(text: &str, dice: &mut Dice) -> Vec<u8> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + dice.below(3) {
        let line = dice.below(lines.len());
        match dice.below(10) {
            0 => drop(lines.remove(line)),
            1 => {
                let twice = lines[line].clone();
                lines.insert(dice.below(lines.len()), twice);
            }
            2 => {
                let other = dice.below(lines.len());
                lines.swap(line, other);
            }
            3 => lines.truncate(line.max(1)),
            4 => lines[line] = value_replaced(&lines[line], dice.one_of(&WORDS)),
            5 => {
                let number = dice.one_of(&NUMBERS);
                lines[line] = value_replaced(&lines[line], number);
            }
            _ => {
                let numbered: Vec<usize> =
                    (0..lines.len()).filter(|&line| lines[line].bytes().any(|byte| byte.is_ascii_digit())).collect();
                if let Some(&line) = numbered.get(dice.below(numbered.len())) {
                    let number = dice.one_of(&NUMBERS);
                    lines[line] = digits_replaced(&lines[line], number, dice);
                }
            }
        }
    }
    let mut bytes = lines.join("\n").into_bytes();
    if dice.below(8) == 0 {
        bytes = self::bytes(&bytes, dice);
    }
    bytes
}

/// `key = value` with another value.
fn value_replaced(line: &str, value: &str) -> String {
    line.split_once('=').map_or_else(|| line.to_owned(), |(key, _)| format!("{key}= {value}"))
}

/// One run of digits replaced.
fn digits_replaced(line: &str, number: &str, dice: &mut Dice) -> String {
    let bytes = line.as_bytes();
    let is_digit = |place: usize| bytes[place].is_ascii_digit();
    let starts: Vec<usize> =
        (0..bytes.len()).filter(|&place| is_digit(place) && (place == 0 || !is_digit(place - 1))).collect();
    let Some(&start) = starts.get(dice.below(starts.len())) else { return line.to_owned() };
    let end = (start..bytes.len()).find(|&place| !is_digit(place)).unwrap_or(bytes.len());
    format!("{}{number}{}", &line[..start], &line[end..])
}

/// Bytes with one to four things wrong: flipped, cut off, doubled, swapped, overwritten, inserted.
pub fn bytes(original: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..1 + dice.below(4) {
        let length = bytes.len();
        if length == 0 {
            break;
        }
        let place = dice.below(length);
        match dice.below(8) {
            0..=2 => bytes[place] ^= 1 << dice.below(8),
            3 => bytes[place] = dice.one_of(&[0, 1, 0x7f, 0x80, 0xff, b'"', b',', b'\n']),
            4 => bytes.truncate(place),
            5 => {
                let range = dice.range(length);
                let piece = bytes[range.clone()].to_vec();
                bytes.splice(range.end..range.end, piece);
            }
            6 => {
                let range = dice.range(length);
                bytes[range].fill(dice.one_of(&[0, 0xff, 0x80]));
            }
            _ => {
                let range = dice.range(length);
                drop(bytes.drain(range));
            }
        }
    }
    bytes
}

/// A Parquet file in whose footer, or pages, some of the numbers `there` say something else. What is long or short of what
/// was there moves the footer, whose length at the end of the file is set right again.
pub fn parquet(original: &[u8], there: u64, dice: &mut Dice) -> Vec<u8> {
    const CLAIMS: [i64; 10] = [-1, 0, 1, 100, 5_000, 1 << 20, (1 << 31) - 1, 1_000_000_000_000, i64::MAX, i64::MIN];
    let claim = dice.one_of(&CLAIMS);
    // In the pages a number of another length moves what the footer points at: sometimes that is wanted.
    let part = if dice.below(3) == 0 { Part::Whole } else { Part::Footer };
    claimed(original, there, claim, part, |_| dice.below(3) > 0)
}

/// Where numbers are replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Whole,
    Footer,
}

/// The file with `claim` for those of the numbers `there` that `chosen` says, counted from 0.
pub fn claimed(original: &[u8], there: u64, claim: i64, part: Part, mut chosen: impl FnMut(usize) -> bool) -> Vec<u8> {
    let end = original.len() - 8;
    let footer = u32::from_le_bytes(original[end..end + 4].try_into().expect("four bytes"));
    let start = end - footer as usize;
    let old = varint(there << 1);
    let new = varint((claim.wrapping_shl(1) ^ (claim >> 63)).cast_unsigned());
    let from = if part == Part::Whole { 0 } else { start };
    let mut found = 0;
    let mut rewritten = original[..from].to_vec();
    let mut place = from;
    let mut moved = 0_i64;
    while place < end {
        let is_there = original[place..end].starts_with(&old);
        found += usize::from(is_there);
        if is_there && chosen(found - 1) {
            rewritten.extend_from_slice(&new);
            moved += if place >= start { new.len() as i64 - old.len() as i64 } else { 0 };
            place += old.len();
        } else {
            rewritten.push(original[place]);
            place += 1;
        }
    }
    let footer = u32::try_from(i64::from(footer) + moved).expect("a short footer");
    rewritten.extend_from_slice(&footer.to_le_bytes());
    rewritten.extend_from_slice(&original[end + 4..]);
    rewritten
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(u8::try_from(value & 0x7f).expect("seven bits") | 0x80);
        value >>= 7;
    }
    bytes.push(u8::try_from(value).expect("seven bits"));
    bytes
}
