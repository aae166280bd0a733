//! `report.json`: the report with its figures as data, from which figures and page are drawn without running anything again.

use super::lock::Lock;
use super::sums::{self, Sums, sum};
use super::{FORMAT, MANIFEST, Record, RunDir, disk, limits, open, write_whole};
use crate::error::RecordError;
use crate::memory;
use fovea_page::figure::Figure;
use fovea_page::report::Report;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// The file's name.
pub(super) const FILE: &str = "report.json";

/// The page that is drawn from it, and where its figures are.
pub(super) const PAGE: &str = "report.html";
pub(super) const FIGURES: &str = "figures/";

/// The end of the file: the sum of everything before it.
const SEAL: &str = ",\"sum\":\"";

/// Pixels of a PNG per pixel of its figure.
const PNG_SCALE: f32 = 2.0;

/// Lists of numbers at least this long are kept in one place, each once: the lines of a panel share their x.
const LONG: usize = 8;

/// What replaces a long list of numbers: its index.
const PLACE: &str = "numbers";

/// The file's bytes.
pub(super) fn bytes(report: &Report) -> Vec<u8> {
    let mut report = serde_json::to_value(report).expect("a report is strings and numbers");
    let mut lists = Vec::new();
    take_out(&mut report, &mut lists);
    let text = json!({ "format": FORMAT, "report": report, PLACE: lists }).to_string();
    let open = text.strip_suffix('}').unwrap_or(&text);
    format!("{open}{SEAL}{}\"}}\n", sum(open.as_bytes())).into_bytes()
}

/// Refuses a file that was changed; an older one does not end in a sum.
fn check_seal(path: &Path, bytes: &[u8], file: &Value) -> Result<(), RecordError> {
    let known = ["format", "report", PLACE, "sum"];
    let keys = || file.as_object().into_iter().flat_map(Map::keys);
    if let Some(key) = keys().find(|key| !known.contains(&key.as_str())) {
        return Err(open::spoilt(path, &format!("it holds `{key}`, which no report has")));
    }
    let Some(kept) = file.get("sum").and_then(Value::as_str) else { return Ok(()) };
    let end = format!("{SEAL}{kept}\"}}\n");
    let whole = bytes.strip_suffix(end.as_bytes()).is_some_and(|open| sum(open) == kept);
    if whole { Ok(()) } else { Err(sums::changed(path)) }
}

/// Moves every long list of numbers out, leaving its place.
fn take_out(value: &mut Value, lists: &mut Vec<Value>) {
    let number = |v: &Value| v.is_number() || v.is_null() || *v == "inf" || *v == "-inf";
    match value {
        Value::Array(items) if items.len() >= LONG && items.iter().all(number) => {
            let place = lists.iter().position(|list| *list == *value).unwrap_or_else(|| {
                lists.push(value.clone());
                lists.len() - 1
            });
            *value = json!({ PLACE: place });
        }
        Value::Array(items) => items.iter_mut().for_each(|item| take_out(item, lists)),
        Value::Object(rows) => rows.values_mut().for_each(|row| take_out(row, lists)),
        _ => {}
    }
}

/// Puts every long list back; none where an index is missing, or where lists occur too often for a report.
fn put_back(value: &mut Value, lists: &[Value], room: &mut usize) -> Option<()> {
    let place = |rows: &Map<String, Value>| rows.get(PLACE).filter(|_| rows.len() == 1)?.as_u64();
    match value {
        Value::Object(rows) => match place(rows) {
            Some(place) => {
                let list = lists.get(usize::try_from(place).ok()?)?;
                *room = room.checked_sub(list.as_array()?.len())?;
                *value = list.clone();
            }
            None => rows.values_mut().try_for_each(|row| put_back(row, lists, room))?,
        },
        Value::Array(items) => {
            items.iter_mut().try_for_each(|item| put_back(item, lists, room))?;
        }
        _ => {}
    }
    Some(())
}

/// The report that a directory keeps.
///
/// # Errors
/// There is no such directory, it keeps no report, or one that cannot be read.
pub fn read_report(dir: &Path) -> Result<Report, RecordError> {
    let path = dir.join(FILE);
    open::check_directory(dir)?;
    if !path.exists() {
        return Err(no_report(dir));
    }
    parse(&path, &disk::read_file(&path, limits::report())?)
}

/// The report that a directory keeps, and what a reader should know of its record, which is compared with what was
/// written.
///
/// # Errors
/// The same, or a file of numbers was changed.
pub fn checked_report(dir: &Path) -> Result<(Report, Vec<String>), RecordError> {
    open::check_directory(dir)?;
    let recorded = dir.join(FILE).exists() && dir.join(MANIFEST).exists();
    let told = if recorded { Record::open(dir)?.check()? } else { Vec::new() };
    Ok((read_report(dir)?, told))
}

/// The report in the bytes of its file.
pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Report, RecordError> {
    let file = open::parse_json(path, bytes)?;
    check_seal(path, bytes, &file)?;
    restore(file).map_err(|why| open::spoilt(path, &why))
}

fn restore(mut file: Value) -> Result<Report, String> {
    let lists = file[PLACE].take();
    let lists = lists.as_array().ok_or("it holds no lists of numbers")?;
    let mut report = file["report"].take();
    let mut room = limits::report() as usize / 4;
    put_back(&mut report, lists, &mut room).ok_or("a list of numbers is missing")?;
    let report: Report = serde_json::from_value(report).map_err(|error| error.to_string())?;
    report.check()?;
    for file in report.figures().flat_map(|(_, files)| files) {
        // A record may come from elsewhere: it may not name a file outside itself.
        let name = file.strip_prefix(FIGURES).unwrap_or_default();
        let plain = name.rsplit_once('.').is_some_and(|(stem, ending)| {
            !stem.is_empty() && !name.contains(['/', '\\']) && ["svg", "png"].contains(&ending)
        });
        if !plain {
            return Err(format!("its figure `{file}` is not figures/NAME.svg or figures/NAME.png"));
        }
    }
    Ok(report)
}

/// Why a directory keeps no report, and how to get one.
fn no_report(dir: &Path) -> RecordError {
    let path = dir.display().to_string();
    let manifest = dir.join(MANIFEST);
    let record = match Record::open(dir) {
        Ok(record) => record,
        Err(error) if manifest.exists() => return error,
        Err(_) => {
            return RecordError::Spoilt {
                path,
                what: format!("is not a record: it holds no {FILE}"),
                hint: open::WANTED.to_owned(),
            };
        }
    };
    let (running, manifest) = (record.status == "running", manifest.display());
    let what = if running {
        format!("holds no {FILE}: its run did not end")
    } else {
        format!("holds no {FILE}: it was made before reports were kept")
    };
    let hint = match record.experiment.as_str() {
        "train" if running => format!("resume it: fovea train --resume {path}"),
        "train" => format!("run it again: fovea train {manifest} --out DIR"),
        "verify" => "run fovea verify again".to_owned(),
        _ if running && path.ends_with(super::PARTIAL) => {
            format!("resume it: fovea run --resume {path}")
        }
        name => format!("run it again: fovea run {name} --config {manifest} --out DIR"),
    };
    RecordError::Spoilt { path, what, hint }
}

/// Every file that is drawn from a report, by its path from where the report is.
pub(super) fn files(report: &Report) -> Result<Vec<(String, Vec<u8>)>, RecordError> {
    let mut drawn = Vec::new();
    for (figure, names) in report.figures() {
        for name in names {
            let bytes = if Path::new(name).extension().is_some_and(|ending| ending == "png") {
                fits(figure)?;
                figure.png(PNG_SCALE).map_err(|error| RecordError::Figure {
                    name: name.clone(),
                    message: error.to_string(),
                })?
            } else {
                figure.svg().into_bytes()
            };
            drawn.push((name.clone(), bytes));
        }
    }
    drawn.push((PAGE.to_owned(), report.html().into_bytes()));
    Ok(drawn)
}

/// Refuses a picture whose pixels would not fit in memory: four bytes each, twice, as it is drawn and as it is written.
fn fits(figure: &Figure) -> Result<(), RecordError> {
    let (width, height) = figure.size();
    let [width, height] = [width, height].map(|side| side * f64::from(PNG_SCALE));
    let what = format!("a picture of {width:.0} by {height:.0} pixels");
    memory::holds(8.0 * width * height, &what, || "choose a smaller --width".to_owned())?;
    Ok(())
}

/// Draws the figures and the page of a report into a directory, over those that are there; returns their paths. The list of a
/// record's files follows.
///
/// # Errors
/// A figure cannot be drawn, and nothing was written; or a file cannot be written, and those before it are whole.
pub fn draw(dir: &Path, report: &Report) -> Result<Vec<PathBuf>, RecordError> {
    let files = files(report)?;
    // Another program that draws at the same time waits; a run that is not finished draws for itself.
    let unfinished =
        dir.file_name().is_some_and(|name| disk::ends_in(name, super::PARTIAL).is_some());
    let lock = if unfinished { Lock::take(dir)? } else { Lock::wait(dir)? };
    disk::sweep(dir);
    let paths = write_all(dir, &files)?;
    let manifest = dir.join(MANIFEST);
    if manifest.exists() {
        let (text, record) = (disk::read_text(&manifest, disk::SMALL)?, Record::open(dir)?);
        if let Some(sums) = record.sums.filter(|_| record.status != "running") {
            let drawn = files.iter().map(|(name, bytes)| (name.clone(), sum(bytes)));
            let text = listing(&manifest, &text, &sums.into_iter().chain(drawn).collect())?;
            write_whole(&manifest, text.as_bytes())?;
        }
    }
    // The mark of a run that was killed at its very end is removed too.
    lock.release(dir);
    disk::sync_folder(dir);
    Ok(paths)
}

/// The text of a manifest with another list of files.
pub(super) fn listing(path: &Path, text: &str, sums: &Sums) -> Result<String, RecordError> {
    let table: Result<toml::Table, _> = text.parse();
    let mut table = table.map_err(|_| sums::changed(path))?;
    table.insert(sums::TABLE.to_owned(), sums::list(sums).into());
    Ok(sums::seal(&table.to_string()))
}

/// Writes what was drawn.
fn write_all(dir: &Path, files: &[(String, Vec<u8>)]) -> Result<Vec<PathBuf>, RecordError> {
    let write = |(name, bytes): &(String, Vec<u8>)| {
        if name.starts_with(FIGURES) {
            // Without its slash, with which a link would be followed.
            disk::make_folder(&dir.join(FIGURES.trim_end_matches('/')))?;
        }
        let path = dir.join(name);
        write_whole(&path, bytes).map(|()| path)
    };
    files.iter().map(write).collect()
}

/// Writes a report, its figures and its page into a new directory; returns the paths of what was drawn.
///
/// # Errors
/// The directory exists, or something cannot be drawn or written.
pub fn write_report(target: &Path, report: &Report) -> Result<Vec<PathBuf>, RecordError> {
    let dir = RunDir::create(target)?;
    let draw = || {
        dir.write(FILE, &bytes(report))?;
        write_all(dir.path(), &files(report)?)
    };
    let paths = draw().inspect_err(|_| dir.abandon())?;
    let inside = |path: &PathBuf| path.strip_prefix(dir.path()).map(PathBuf::from);
    let names: Vec<PathBuf> = paths.iter().filter_map(|path| inside(path).ok()).collect();
    let target = dir.close(false)?;
    Ok(names.into_iter().map(|name| target.join(name)).collect())
}

#[cfg(test)]
mod tests;
