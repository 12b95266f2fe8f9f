//! The style sheet of a drawing, for light and dark surroundings.

use super::Theme;

/// The colours of one theme.
struct Palette {
    paper: &'static str,
    panel: &'static str,
    ink: &'static str,
    quiet: &'static str,
    line: &'static str,
    node: &'static str,
    pointer: &'static str,
    pointer_fill: &'static str,
    falsehood: &'static str,
    maybe: &'static str,
    maybe_fill: &'static str,
}

const LIGHT: Palette = Palette {
    paper: "#ffffff",
    panel: "#d9dee5",
    ink: "#1c2733",
    quiet: "#5b6875",
    line: "#33475b",
    node: "#eef3f9",
    pointer: "#a06a00",
    pointer_fill: "#fff4d9",
    falsehood: "#c62828",
    maybe: "#1b7f46",
    maybe_fill: "#e9f8ef",
};

const DARK: Palette = Palette {
    paper: "#14181d",
    panel: "#343d48",
    ink: "#e8edf2",
    quiet: "#a3afbb",
    line: "#a9bbcc",
    node: "#222c37",
    pointer: "#e5b64a",
    pointer_fill: "#372d14",
    falsehood: "#ff7b72",
    maybe: "#5fd08c",
    maybe_fill: "#15301f",
};

/// Colours that a page defines, so that its reader can choose.
const VARIABLES: Palette = Palette {
    paper: "var(--paper)",
    panel: "var(--panel)",
    ink: "var(--ink)",
    quiet: "var(--quiet)",
    line: "var(--line)",
    node: "var(--node)",
    pointer: "var(--pointer)",
    pointer_fill: "var(--pointer-fill)",
    falsehood: "var(--falsehood)",
    maybe: "var(--maybe)",
    maybe_fill: "var(--maybe-fill)",
};

const SHAPES: &str = "\
.tf text{font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;text-anchor:middle}
.tf .heading,.tf .note{font-family:system-ui,'Segoe UI',Helvetica,Arial,sans-serif}
.tf .heading{font-size:13px;font-weight:600;text-anchor:start}
.tf .note{font-size:11px}
.tf .name{font-weight:700}
.tf .shape{stroke-width:1.5}
.tf .inner{stroke-width:1.2}
.tf .maybe .shape{stroke-dasharray:5 3}
.tf .edge path{fill:none;stroke-width:1.4;stroke-linecap:round}
.tf .edge .head{stroke:none}
.tf .unknown>.line,.tf .unknown>.mark{stroke-dasharray:0.1 4;stroke-linecap:round;stroke-width:2}
";

/// The style sheet.
pub(super) fn sheet(theme: Theme) -> String {
    match theme {
        Theme::Light => format!("{SHAPES}{}", colours(&LIGHT)),
        Theme::Dark => format!("{SHAPES}{}", colours(&DARK)),
        Theme::Auto => {
            format!("{SHAPES}{}@media (prefers-color-scheme:dark){{\n{}}}\n", colours(&LIGHT), colours(&DARK))
        }
    }
}

/// The style sheet of a page with drawings: as the reader prefers, unless the page has the attribute `data-theme`.
/// Print is light.
pub(crate) fn page_sheet() -> String {
    let (light, dark) = (variables(&LIGHT), variables(&DARK));
    format!(
        ":root{{{light}color-scheme:light}}\n\
         @media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}color-scheme:dark}}}}\n\
         @media screen{{:root[data-theme=dark]{{{dark}color-scheme:dark}}}}\n{SHAPES}{}",
        colours(&VARIABLES)
    )
}

fn variables(palette: &Palette) -> String {
    let Palette { paper, panel, ink, quiet, line, node, pointer, pointer_fill, falsehood, maybe, maybe_fill } = palette;
    format!(
        "--paper:{paper};--panel:{panel};--ink:{ink};--quiet:{quiet};--line:{line};--node:{node};--pointer:{pointer};\
         --pointer-fill:{pointer_fill};--falsehood:{falsehood};--maybe:{maybe};--maybe-fill:{maybe_fill};"
    )
}

fn colours(palette: &Palette) -> String {
    let Palette { paper, panel, ink, quiet, line, node, pointer, pointer_fill, falsehood, maybe, maybe_fill } = palette;
    format!(
        "\
.tf .paper{{fill:{paper}}}
.tf .panel{{fill:none;stroke:{panel}}}
.tf text{{fill:{ink}}}
.tf .half{{fill:{quiet}}}
.tf .note{{fill:{quiet}}}
.tf .shape{{fill:{node};stroke:{line}}}
.tf .inner{{fill:none}}
.tf .pointer .shape{{fill:{pointer_fill};stroke:{pointer}}}
.tf .maybe .shape{{fill:{maybe_fill};stroke:{maybe}}}
.tf .maybe .inner{{fill:none}}
.tf .edge path{{stroke:{line}}}
.tf .edge .head{{fill:{line}}}
.tf .from-box path{{stroke:{pointer}}}
.tf .from-box .head{{fill:{pointer}}}
.tf .false .line{{stroke:{falsehood}}}
.tf .false .head,.tf .false text,.tf .zero{{fill:{falsehood}}}
.tf .mark{{fill:{node};stroke:{line}}}
.tf .false .mark,.tf .flagged .shape{{stroke:{falsehood}}}
.tf .flag{{fill:{falsehood}}}
.tf .flag-text{{fill:{paper}}}
"
    )
}
