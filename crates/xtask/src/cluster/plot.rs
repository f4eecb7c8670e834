//! Line plots with logarithmic axes, as SVG.

use std::fmt::Write;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 480.0;
const MARGIN: f64 = 60.0;
/// The width of the legend.
const LEGEND: f64 = 190.0;
const COLOURS: [&str; 4] = ["#26c", "#c33", "#393", "#a5a"];

/// Each pair of lines has one colour; the first of a pair is dashed.
pub fn lines(title: &str, curves: &[(String, Vec<(f64, f64)>)]) -> String {
    let all = || curves.iter().flat_map(|(_, points)| points).filter(|(x, y)| *x > 0.0 && *y > 0.0);
    let bounds = |pick: fn(&(f64, f64)) -> f64| {
        let low = all().map(pick).fold(f64::INFINITY, f64::min).log10().floor();
        let high = all().map(pick).fold(0.0, f64::max).log10().ceil();
        (low, (high - low).max(1.0))
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n<text x=\"{MARGIN}\" y=\"28\">{title}</text>\n"
    );
    if all().next().is_none() {
        return out + "</svg>\n";
    }
    let ((left, wide), (low, high)) = (bounds(|point| point.0), bounds(|point| point.1));
    let across = |x: f64| MARGIN + (x.log10() - left) / wide * (WIDTH - 2.0 * MARGIN - LEGEND);
    let up = |y: f64| HEIGHT - MARGIN - (y.log10() - low) / high * (HEIGHT - 2.0 * MARGIN);
    for exponent in left as i32..=(left + wide) as i32 {
        let x = across(10f64.powi(exponent));
        let _ = writeln!(
            out,
            "<line x1=\"{x:.1}\" y1=\"{MARGIN}\" x2=\"{x:.1}\" y2=\"{:.1}\" stroke=\"#ddd\"/>",
            HEIGHT - MARGIN
        );
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            HEIGHT - MARGIN + 18.0,
            10f64.powi(exponent)
        );
    }
    for exponent in low as i32..=(low + high) as i32 {
        let y = up(10f64.powi(exponent));
        let _ = writeln!(
            out,
            "<line x1=\"{MARGIN}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>",
            WIDTH - MARGIN - LEGEND
        );
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            MARGIN - 6.0,
            y + 4.0,
            10f64.powi(exponent)
        );
    }
    for (index, (name, points)) in curves.iter().enumerate() {
        let colour = COLOURS[index / 2 % COLOURS.len()];
        let dashes = if index % 2 == 0 { " stroke-dasharray=\"5 4\"" } else { "" };
        let path: Vec<String> = points.iter().map(|(x, y)| format!("{:.1},{:.1}", across(*x), up(*y))).collect();
        let _ = writeln!(out, "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\"{dashes}/>", path.join(" "));
        let (x, y) = (WIDTH - LEGEND - MARGIN + 20.0, MARGIN + 18.0 * index as f64);
        let _ = writeln!(
            out,
            "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\" stroke=\"{colour}\"{dashes}/>",
            x + 30.0
        );
        let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{:.1}\">{name}</text>", x + 36.0, y + 4.0);
    }
    out + "</svg>\n"
}
