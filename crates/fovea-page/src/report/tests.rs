use super::*;
use crate::figure::{Axis, Mark, Panel, Style};

fn everything() -> Report {
    let nasty = "<script>alert(1)</script> & \"quotes\" 'too'";
    let panel = Panel::new(nasty, Axis::new("$t$"), Axis::new(nasty)).with(Mark::line(
        &[0.0, 1.0],
        &[0.0, 1.0],
        nasty,
        Style::series(0),
    ));
    Report::new(nasty, format!("Lead with $\\frac{{1}}{{2}}$ and {nasty}"))
        .with(Block::heading(nasty))
        .with(Block::paragraph(
            "The loss $\\mathcal{L} = \\frac{1}{2}\\,\\mathbb{E}(\\hat y - y)^2$ and `a < b`.",
        ))
        .with(Block::math("\\sqrt{\\sum_{i=1}^n \\langle w_i, x\\rangle^2} = w^\\top x"))
        .with(Block::figure(
            &Figure::new(nasty).panel(panel),
            nasty,
            ["figures/a&b.svg", "figures/a.png"],
        ))
        .with(Block::table(["name", "value"], [[nasty, "1.5"], ["b", "−2"]], nasty))
        .with(Block::Note(nasty.to_owned()))
        .with(Block::Warning(nasty.to_owned()))
        .with(Block::parameters([("gain", "$g = 3$", nasty)]))
        .with(Block::Code(format!("fovea run\n{nasty}")))
        .footer(nasty)
}

/// A small reader of tags: every one must be closed, in order, and no attribute may hold a bare `<`.
fn check_nesting(html: &str) -> Result<(), String> {
    const VOID: [&str; 2] = ["meta", "!doctype"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let end = rest[at..].find('>').ok_or("an unfinished tag")? + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if tag.contains('<') {
            return Err(format!("a bare < in {tag}"));
        }
        let name = tag.trim_end_matches('/').split_whitespace().next().unwrap_or("");
        if let Some(name) = name.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> closes nothing"));
            }
        } else if !tag.ends_with('/') && !VOID.contains(&name) {
            open.push(name);
        }
        if name == "style" {
            rest = &rest[rest.find("</style>").ok_or("an endless style")?..];
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("never closed: {open:?}")) }
}

#[test]
fn the_page_is_well_nested() {
    check_nesting(&everything().html()).unwrap();
}

#[test]
fn the_checker_itself_fails_on_bad_pages() {
    for bad in ["<p>", "</p>", "<p><b></p></b>", "<p title=\"a<b\"></p>", "<p"] {
        assert!(check_nesting(bad).is_err(), "{bad}");
    }
}

#[test]
fn nothing_runs_and_nothing_is_fetched() {
    let html = everything().html();
    assert!(!html.contains("<script"));
    let bare = html
        .replace("http://www.w3.org/2000/svg", "")
        .replace("http://www.w3.org/1998/Math/MathML", "")
        .replace("http-equiv", "");
    assert!(!bare.contains("http"), "{:?}", bare.find("http").map(|at| &bare[at..at + 80]));
    for fetcher in ["src=", "@import", "<link", "<img", "<iframe", "url(//", "onload", "onerror"] {
        assert!(!bare.contains(fetcher), "{fetcher}");
    }
    assert_eq!(bare.matches("url(").count(), bare.matches("url(data:font/woff2;base64,").count());
}

#[test]
fn columns_of_numbers_are_flush_right() {
    let html = everything().html();
    assert!(html.contains("<th>name</th><th class=\"number\">value</th>"));
    assert!(html.contains("<td class=\"number\">−2</td>"));
}

#[test]
fn the_formulas_of_the_laboratory_are_all_read() {
    let formulas = [
        r"\frac{1}{2}\,\mathbb{E}\bigl[(\hat y - y)^2\bigr]",
        r"\sqrt{\frac{2}{\pi}\arcsin\frac{2g^2}{1+2g^2}}",
        r"\sum_{i=1}^{n} w_i^4 \Big/ \Bigl(\sum_i w_i^2\Bigr)^2",
        r"\langle w, x\rangle = w^\top x, \qquad \lVert w \rVert \le 1",
        r"\operatorname{IPR}(w) \propto \mathrm{erf}(g z) \approx \tilde\Sigma^{-1}",
        r"\frac{\mathrm{d}w}{\mathrm{d}t} = -\nabla_w \mathcal{L}",
        r"\begin{cases} 1 & x > 0 \\ 0 & x \le 0 \end{cases}",
        r"\begin{aligned} a &= b \\ c &= d \end{aligned}",
        r"\int_0^\infty e^{-d^2/\xi^2}\,\mathrm{d}d",
        r"\boldsymbol{w}, \partial_t, \infty, \pm, \cdot, \times, \ell, \overline{x}, \binom{n}{k}",
        r"\left\langle \frac{a}{b} \right\rangle_{x \sim \mathcal{N}(0, 1)}",
        r"\begin{pmatrix} 1 & \rho \\ \rho & 1 \end{pmatrix}",
    ];
    let report =
        formulas.iter().fold(Report::new("", ""), |report, tex| report.with(Block::math(*tex)));
    assert_eq!(report.faults(), Vec::<String>::new());
    check_nesting(&report.html()).unwrap();
}

#[test]
fn a_slip_in_a_formula_does_not_lose_the_report() {
    let report =
        Report::new("t", "").with(Block::math(r"\frac{1}{")).with(Block::paragraph("$\\nosuch$"));
    assert_eq!(report.faults().len(), 2);
    check_nesting(&report.html()).unwrap();
}

#[test]
fn an_empty_report_is_a_page() {
    check_nesting(&Report::default().html()).unwrap();
}

#[test]
fn tables_are_as_wide_as_the_window_where_a_report_says_so() {
    let plain = Report::new("t", "l");
    assert!(
        plain.html().contains("<main>")
            && plain.clone().broad().html().contains("<main class=\"broad\">")
    );
    let told = |report: &Report| serde_json::to_string(report).unwrap();
    assert!(!told(&plain).contains("broad"));
    let read: Report = serde_json::from_str(&told(&plain.clone().broad())).unwrap();
    assert_eq!(read, plain.broad());
}
