//! `fovea show NAME`: one item with every parameter.

use crate::exit::FINE;
use crate::{args, out};
use clap::{Arg, ArgMatches, Command};
use fovea_core::function::vocabulary;
use fovea_core::params::{Field, Kind};
use fovea_lab::catalogue::Item;
use fovea_lab::convert::to_json;
use fovea_lab::table::wrapped;
use fovea_lab::{LabError, catalogue, experiments};

pub(crate) fn command() -> Command {
    Command::new("show")
        .about("Show an item: what it is, its source, and every parameter")
        .arg(
            Arg::new("name")
                .value_name("NAME")
                .required(true)
                .help("Name of the item, as `list` prints it"),
        )
        .arg(args::json())
}

pub(crate) fn show(matches: &ArgMatches) -> Result<u8, LabError> {
    let name = matches.get_one::<String>("name").map_or("", |name| name);
    let items = catalogue();
    let plain = |name: &str| name.replace(['_', '.'], "-");
    let found: Vec<&Item> = items.iter().filter(|item| plain(item.name) == plain(name)).collect();
    if found.is_empty() {
        let known = items.iter().map(|item| item.name).collect();
        let unknown = || LabError::UnknownName { kind: "item", name: name.to_owned(), known };
        return Err(experiments::moved(name).unwrap_or_else(unknown));
    }
    for item in found {
        if matches.get_flag("json") {
            out::json("item", item_json(item));
        } else {
            print(item);
        }
    }
    Ok(FINE)
}

fn print(item: &Item) {
    out::line(format!("{} ({})\n  {}", item.name, item.kind, item.summary));
    for (heading, text) in &facts(item) {
        out::line(format!("\n{heading}"));
        for line in text.lines().flat_map(|paragraph| wrapped(paragraph, WIDTH - 2)) {
            out::line(format!("  {line}"));
        }
    }
    if !item.schema.is_empty() {
        out::line("\nparameters");
    }
    let names = item.schema.iter().map(|field| field.name.len()).fold(13, usize::max);
    for field in &item.schema {
        let allowed = match field.range.to_string().as_str() {
            "any" => field.kind.to_string(),
            range => format!("{}, {range}", field.kind),
        };
        let unit = if field.unit.is_empty() { String::new() } else { format!(" {}", field.unit) };
        let default = field.default.to_string().replace('\n', ", ");
        out::line(format!(
            "  {:<names$} {}\n  {:names$} {allowed}; default {default}{unit}",
            field.name, field.doc, ""
        ));
    }
    out::line("");
}

/// What the catalogue says of an item, and the vocabulary of expressions where it takes one.
fn facts(item: &Item) -> Vec<(&'static str, String)> {
    let typed = item.schema.iter().any(|field| matches!(field.kind, Kind::Function(_)));
    let expressions = typed.then(|| ("expressions", vocabulary()));
    item.facts.iter().cloned().chain(expressions).collect()
}

/// Columns of a paragraph.
const WIDTH: usize = 100;

fn item_json(item: &Item) -> serde_json::Value {
    let facts: serde_json::Map<String, serde_json::Value> =
        facts(item).into_iter().map(|(heading, text)| (heading.to_owned(), text.into())).collect();
    let parameters: Vec<serde_json::Value> = item.schema.iter().map(field_json).collect();
    serde_json::json!({
        "kind": item.kind, "name": item.name, "summary": item.summary, "facts": facts, "parameters": parameters,
    })
}

fn field_json(field: &Field) -> serde_json::Value {
    serde_json::json!({
        "name": field.name,
        "doc": field.doc,
        "kind": field.kind.to_string(),
        "range": field.range.to_string(),
        "unit": field.unit,
        "default": to_json(&field.default),
    })
}
