//! The same drawing in fewer bytes: lines of one kind that follow each other are one path, with steps instead of places.

/// What lines begin with.
const LINE: &str = "<polyline fill=\"none\" ";

/// A drawing as this program writes it, smaller.
pub(super) fn smaller(svg: &str) -> String {
    let mut text = String::with_capacity(svg.len());
    let mut path = OpenPath::default();
    for element in elements(svg) {
        match element.strip_prefix(LINE).and_then(line) {
            Some((kind, steps)) => path.add(kind, &steps, &mut text),
            None => {
                path.close(&mut text);
                text.push_str(element);
            }
        }
    }
    path.close(&mut text);
    text
}

/// Tags with the text after them, without the lines' ends around them.
fn elements(svg: &str) -> impl Iterator<Item = &str> {
    let starts = svg.match_indices('<').map(|(start, _)| start);
    let ends = starts.clone().skip(1).chain([svg.len()]);
    starts.zip(ends).flat_map(|(start, end)| {
        let element = &svg[start..end];
        let tag = element.find('>').map_or(element.len(), |end| end + 1);
        [&element[..tag], element[tag..].trim_matches('\n')].into_iter().filter(|part| !part.is_empty())
    })
}

/// A kind of lines, by its attributes, and the steps of one: `None` where lines shine through each other, which a path would not.
fn line(rest: &str) -> Option<(&str, String)> {
    let (kind, points) = rest.strip_suffix("\"/>")?.split_once("points=\"")?;
    if kind.contains("opacity") || kind.contains("marker") {
        return None;
    }
    let places: Option<Vec<[i64; 2]>> = points
        .split_ascii_whitespace()
        .map(|place| {
            let (x, y) = place.split_once(',')?;
            Some([x.parse().ok()?, y.parse().ok()?])
        })
        .collect();
    Some((kind, steps(&places?)?))
}

fn steps(places: &[[i64; 2]]) -> Option<String> {
    let (first, rest) = places.split_first()?;
    let mut text = format!("M{},{}", first[0], first[1]);
    let mut before = *first;
    for place in rest {
        let [x, y] = [place[0] - before[0], place[1] - before[1]];
        match (x, y) {
            (0, y) => text.push_str(&format!("v{y}")),
            (x, 0) => text.push_str(&format!("h{x}")),
            (x, y) => text.push_str(&format!("l{x},{y}")),
        }
        before = *place;
    }
    Some(text)
}

/// A path that may go on.
#[derive(Default)]
struct OpenPath {
    kind: String,
    steps: String,
}

impl OpenPath {
    fn add(&mut self, kind: &str, steps: &str, text: &mut String) {
        if self.kind != kind {
            self.close(text);
            kind.clone_into(&mut self.kind);
        }
        self.steps.push_str(steps);
    }

    fn close(&mut self, text: &mut String) {
        if !self.steps.is_empty() {
            text.push_str(&format!("<path fill=\"none\" {}d=\"{}\"/>", self.kind, self.steps));
            self.steps.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_one_kind_are_one_path_and_everything_else_stays() {
        let svg = "<svg viewBox=\"0 0 9 9\">\n<polyline fill=\"none\" class=\"s\" stroke-width=\"10\" points=\"1,2 1,5\"/>\n\
                   <polyline fill=\"none\" class=\"s\" stroke-width=\"10\" points=\"3,3 5,3 4,-1\"/>\n\
                   <polyline fill=\"none\" class=\"t\" points=\"0,0 1,1\"/>\n<text x=\"1\">\na &lt; b\n</text>\n\
                   <polyline fill=\"none\" opacity=\"0.5\" points=\"0,0 1,1\"/>\n</svg>";
        assert_eq!(
            smaller(svg),
            "<svg viewBox=\"0 0 9 9\"><path fill=\"none\" class=\"s\" stroke-width=\"10\" d=\"M1,2v3M3,3h2l-1,-4\"/>\
             <path fill=\"none\" class=\"t\" d=\"M0,0l1,1\"/><text x=\"1\">a &lt; b</text>\
             <polyline fill=\"none\" opacity=\"0.5\" points=\"0,0 1,1\"/></svg>"
        );
    }

    #[test]
    fn a_point_that_is_not_whole_is_left_as_it_is() {
        let svg = "<svg><polyline fill=\"none\" points=\"0.5,0 1,1\"/></svg>";
        assert_eq!(smaller(svg), svg);
    }
}
