//! Plots as SVG, deterministic for the same numbers.

use std::fmt::Write;

const SIZE: f64 = 480.0;
const MARGIN: f64 = 60.0;

/// A scatter plot with logarithmic axes, and lines at ratios of a half, one and two. Zeros are placed at the edge.
pub fn scatter(title: &str, points: &[(f64, f64)]) -> String {
    let positive = || points.iter().flat_map(|(x, y)| [*x, *y]).filter(|value| *value > 0.0);
    if positive().next().is_none() {
        return page(title, SIZE, "");
    }
    let low = positive().fold(f64::INFINITY, f64::min).log10().floor();
    let high = positive().fold(0.0, f64::max).log10().ceil();
    let span = (high - low).max(1.0);
    let place = |value: f64| MARGIN + (value.log10().max(low) - low) / span * (SIZE - 2.0 * MARGIN);
    let inside = SIZE - 2.0 * MARGIN;
    let mut out = format!(
        "<rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{inside}\" height=\"{inside}\" fill=\"none\" stroke=\"#ccc\"/>\n"
    );
    for exponent in low as i32..=(low + span) as i32 {
        let at = place(10f64.powi(exponent));
        let (bottom, up) = (SIZE - MARGIN, SIZE - at);
        let _ =
            writeln!(out, "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">1e{exponent}</text>", bottom + 18.0);
        let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{up:.1}\" text-anchor=\"end\">1e{exponent}</text>", MARGIN - 6.0);
    }
    for (factor, name) in [(0.5, "½"), (1.0, "1"), (2.0, "2")] {
        let (from, to) = (10f64.powf(low), 10f64.powf(low + span));
        let end = |value: f64| SIZE - place((value * factor).clamp(from, to));
        let (from_x, to_x) = ((from / factor).clamp(from, to), (to / factor).clamp(from, to));
        let line = (place(from_x), end(from_x), place(to_x), end(to_x));
        let _ = writeln!(
            out,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#999\"/>",
            line.0, line.1, line.2, line.3
        );
        let _ =
            writeln!(out, "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#999\">{name} ×</text>", line.2 + 4.0, line.3 - 4.0);
    }
    for (x, y) in points {
        let _ = writeln!(
            out,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.5\" fill=\"#26c\" fill-opacity=\"0.6\"/>",
            place(*x),
            SIZE - place(*y)
        );
    }
    page(title, SIZE, &out)
}

/// A bar chart with numbers.
pub fn bars(title: &str, bars: &[(String, f64)]) -> String {
    let most = bars.iter().map(|(_, value)| *value).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let height = ((SIZE - 2.0 * MARGIN) / bars.len().max(1) as f64).min(36.0);
    let mut out = String::new();
    for (index, (name, value)) in bars.iter().enumerate() {
        let top = MARGIN + index as f64 * height;
        let (left, width) = (MARGIN + 130.0, value / most * (SIZE - 2.0 * MARGIN - 190.0));
        let middle = top + height / 2.0 + 4.0;
        let name = name.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{middle:.1}\" text-anchor=\"end\">{name}</text>", left - 6.0);
        let _ = writeln!(
            out,
            "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"#26c\"/>",
            top + 2.0,
            height - 4.0
        );
        let shown = if *value >= 100.0 || value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.2}") };
        let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{middle:.1}\">{shown}</text>", left + width + 6.0);
    }
    page(title, MARGIN * 1.5 + height * bars.len() as f64, &out)
}

fn page(title: &str, height: f64, content: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{SIZE}\" height=\"{height}\" viewBox=\"0 0 {SIZE} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<title>{title}</title>\n\
         <rect width=\"{SIZE}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"{:.1}\" y=\"28\" text-anchor=\"middle\">{title}</text>\n{content}</svg>\n",
        SIZE / 2.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plots_are_the_same_for_the_same_numbers() {
        let points = [(1.0, 2.0), (100.0, 150.0), (0.0, 1.0)];
        let plot = scatter("cost", &points);
        assert_eq!(plot, scatter("cost", &points));
        // No point is omitted, not even one with value 0.
        assert_eq!(plot.matches("<circle").count(), 3);
        assert_eq!(bars("n", &[("a<b".into(), 3.0), ("c".into(), 0.5)]).matches("<rect").count(), 3);
        assert!(scatter("none", &[]).ends_with("</svg>\n"));
    }
}
