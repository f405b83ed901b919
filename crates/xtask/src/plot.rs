//! Pictures of what `benches/run.sh` printed, or of the table that docs/BENCHMARKS.md keeps of it: bars of ratios, on a logarithmic scale from 1, where both are equally fast.

use crate::Failure;
use plotters::prelude::*;
use std::path::Path;

/// The size of what stands around the bars, in pixels: names on the left, the scale below, title and legend above.
const LEFT: u32 = 130;
const BELOW: u32 = 36;
const ABOVE: u32 = 58;
/// The height of a bar and what is between two names, in pixels.
const BAR: u32 = 9;
const GAP: u32 = 8;
const WIDTH: u32 = 860;
/// Colours that readers who do not see some colours tell apart.
const COLOURS: [RGBColor; 3] = [RGBColor(0, 114, 178), RGBColor(230, 159, 0), RGBColor(0, 158, 115)];

/// A picture: a row for each name, a bar in it for each of the peers.
#[derive(Debug, PartialEq)]
struct Ratios {
    title: &'static str,
    peers: Vec<&'static str>,
    /// Names with ratios, in the order of the peers; none where a peer does not have it.
    rows: Vec<(String, Vec<Option<f64>>)>,
}

/// The rows of `benches/kernels.sh`: a name, four rates, a unit, three ratios.
fn kernels(text: &str) -> Ratios {
    let rows = text.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, ours, .., gcc, pocl, intel] = *words.as_slice() else { return None };
        ours.parse::<f64>().ok().filter(|_| words.len() == 9)?;
        Some((name.to_owned(), [gcc, pocl, intel].map(|ratio| ratio.parse().ok()).to_vec()))
    });
    Ratios {
        title: "Speed of compiled kernels: times that of",
        peers: vec!["gcc -O3", "pocl", "Intel's OpenCL"],
        rows: rows.collect(),
    }
}

/// The cells of the table beside gcc, pocl and Intel's in docs/BENCHMARKS.md, which has two kernels in a row: left ones first, as the bench
/// prints them.
fn kept(text: &str) -> Ratios {
    let lines = text.lines().skip_while(|line| !line.starts_with("| kernel | of gcc | of pocl | of Intel |")).skip(2);
    let mut halves = [Vec::new(), Vec::new()];
    for line in lines.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        for (half, at) in halves.iter_mut().zip([1, 6]) {
            let Some([name, ratios @ ..]) = cells.get(at..at + 4) else { continue };
            half.push(((*name).to_owned(), ratios.iter().map(|ratio| ratio.parse().ok()).collect()));
        }
    }
    Ratios { rows: halves.concat(), ..kernels("") }
}

/// The rows of `benches/suites.sh`: a name, then twice two times in milliseconds and their ratio.
fn suites(text: &str) -> Ratios {
    let rows = text.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, _, "ms", _, "ms", times, _, "ms", _, "ms", processor] = *words.as_slice() else { return None };
        Some((name.to_owned(), vec![times.parse().ok(), processor.parse().ok()]))
    });
    Ratios {
        title: "Speed of compiled kernels: times interpreted, as",
        peers: vec!["time that passes", "processor time"],
        rows: rows.collect(),
    }
}

impl Ratios {
    /// Where the scale begins and ends: some way outside of all bars.
    fn scale(&self) -> (f64, f64) {
        let all = || self.rows.iter().flat_map(|(_, ratios)| ratios.iter().flatten());
        let least = all().fold(1.0f64, |least, ratio| least.min(*ratio));
        let most = all().fold(1.0f64, |most, ratio| most.max(*ratio));
        (least / 1.3, most * 1.3)
    }

    fn draw(&self, file: &Path) -> Result<(), Failure> {
        let count = self.rows.len() as u32;
        let row = BAR * self.peers.len() as u32 + GAP;
        let root = SVGBackend::new(file, (WIDTH, ABOVE + row * count + BELOW)).into_drawing_area();
        root.fill(&WHITE)?;
        let text = |size: u32| ("sans-serif", size).into_font();
        root.draw(&Text::new(self.title, (12, 10), text(16)))?;
        for (n, peer) in self.peers.iter().enumerate() {
            let x = LEFT as i32 + 170 * n as i32;
            root.draw(&Rectangle::new([(x, 35), (x + 11, 46)], COLOURS[n].filled()))?;
            root.draw(&Text::new(*peer, (x + 17, 34), text(13)))?;
        }
        let (from, to) = self.scale();
        let mut chart = ChartBuilder::on(&root)
            .margin_top(ABOVE)
            .margin_right(16)
            .set_label_area_size(LabelAreaPosition::Left, LEFT)
            .set_label_area_size(LabelAreaPosition::Bottom, BELOW)
            .build_cartesian_2d((from..to).log_scale(), 0f64..f64::from(row * count))?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .y_labels(0)
            .x_label_formatter(&|ratio| format!("{ratio}"))
            .x_label_style(text(12))
            .light_line_style(RGBColor(238, 238, 238))
            .bold_line_style(RGBColor(205, 205, 205))
            .axis_style(RGBColor(205, 205, 205))
            .draw()?;
        for (n, (name, ratios)) in self.rows.iter().enumerate() {
            // Rows from the top; the scale counts from the bottom.
            let top = f64::from(row * (count - n as u32)) - f64::from(GAP) / 2.0;
            let (_, middle) = chart.backend_coord(&(from, top - f64::from(BAR) * ratios.len() as f64 / 2.0));
            root.draw(&Text::new(name.as_str(), (12, middle - 7), text(13)))?;
            for (at, ratio) in ratios.iter().enumerate() {
                let Some(ratio) = *ratio else { continue };
                let above = top - f64::from(BAR) * at as f64;
                let bar = [(1.0, above), (ratio, above - f64::from(BAR) + 1.0)];
                chart.draw_series([Rectangle::new(bar, COLOURS[at].filled())])?;
            }
        }
        let parity = [(1.0, 0.0), (1.0, f64::from(row * count))];
        chart.draw_series([PathElement::new(parity.to_vec(), BLACK)])?;
        root.present()?;
        Ok(())
    }
}

/// Draws `kernels.svg` and `suites.svg` into a folder, as far as their rows stand in what the benches printed.
pub fn files(results: &str, folder: &str) -> Result<(), Failure> {
    let text = std::fs::read_to_string(results).map_err(|error| format!("{results}: {error}"))?;
    let mut drawn = 0;
    for (name, ratios) in [("kernels.svg", kernels(&text)), ("kernels.svg", kept(&text)), ("suites.svg", suites(&text))]
    {
        if !ratios.rows.is_empty() {
            let file = Path::new(folder).join(name);
            ratios.draw(&file)?;
            println!("{}", file.display());
            drawn += 1;
        }
    }
    if drawn > 0 { Ok(()) } else { Err(format!("{results}: no rows of the benches kernels or suites").into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "\
machine: 2 cores, AMD EPYC
empty launch and synchronise: 600 ns

kernel                   ours          gcc         pocl        Intel unit           /gcc    /pocl   /Intel
vecadd                   27.1         31.2         35.7            - GB/s          0.869    0.759        -
reduce_shfl              10.0         18.5            -          2.0 GB/s          0.541        -    5.450 WRONG
nbody                    96.0         80.0          7.1        165.5 GFLOP/s       1.200   13.510    0.580

                           time that passes                         processor time
kernel            interpreted      compiled    times     interpreted      compiled    times
fft                   5.28 ms       0.88 ms      6.0         9.90 ms       1.80 ms      5.5
geometric mean over 1: 6.0 times, least 6.00 (fft); as processor time 5.5 times, least 5.50 (fft)
";

    #[test]
    fn rows_of_both_benches_are_found() {
        let found = kernels(PRINTED);
        // A wrong result is not drawn.
        let rows = vec![
            ("vecadd".to_owned(), vec![Some(0.869), Some(0.759), None]),
            ("nbody".to_owned(), vec![Some(1.2), Some(13.51), Some(0.58)]),
        ];
        assert_eq!(found.rows, rows);
        assert_eq!(found.scale(), (0.58 / 1.3, 13.51 * 1.3));
        assert_eq!(suites(PRINTED).rows, [("fft".to_owned(), vec![Some(6.0), Some(5.5)])]);
    }

    /// `cargo xtask plot docs/BENCHMARKS.md docs` draws it anew.
    #[test]
    fn the_picture_in_the_documentation_is_its_table() {
        let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
        let text = std::fs::read_to_string(format!("{docs}/BENCHMARKS.md")).unwrap();
        let found = kept(&text);
        assert_eq!(found.rows.len(), 16);
        assert!(found.rows.iter().all(|(_, ratios)| ratios[0].is_some() && ratios[2].is_some()), "{found:?}");
        let file = std::env::temp_dir().join(format!("doppel-kept-{}.svg", std::process::id()));
        found.draw(&file).unwrap();
        let drawn = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert!(
            drawn == std::fs::read_to_string(format!("{docs}/kernels.svg")).unwrap(),
            "cargo xtask plot docs/BENCHMARKS.md docs draws it anew"
        );
    }

    #[test]
    fn a_picture_has_names_and_bars() {
        let folder = std::env::temp_dir().join(format!("doppel-plot-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let results = folder.join("results.txt");
        std::fs::write(&results, PRINTED).unwrap();
        files(results.to_str().unwrap(), folder.to_str().unwrap()).unwrap();
        let picture = std::fs::read_to_string(folder.join("kernels.svg")).unwrap();
        assert!(picture.contains("vecadd") && picture.contains("nbody") && !picture.contains("reduce_shfl"));
        // The background, three colours in the legend, five bars.
        assert_eq!(picture.matches("<rect").count(), 9);
        std::fs::write(&results, "nothing\n").unwrap();
        assert!(files(results.to_str().unwrap(), folder.to_str().unwrap()).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
