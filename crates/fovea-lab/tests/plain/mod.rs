//! Plain words: texts held to the list of phrases in `data/words.txt`. The tests that read texts share it, those of the command line included.

use std::collections::BTreeSet;
use std::fmt::{self, Display};
use std::sync::LazyLock;

/// The list of this program.
static LIST: LazyLock<Vec<Rule>> =
    LazyLock::new(|| rules(include_str!("../../data/words.txt")).expect("the list can be read"));

/// Words that may stand in one place of a phrase.
type Slot = Vec<String>;

/// One line of the list.
#[derive(Debug)]
pub(crate) struct Rule {
    slots: Vec<Slot>,
    unless: Vec<Vec<Slot>>,
    instead: String,
}

/// One phrase in one text.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    place: String,
    /// Line of the text, from 1, where it has several.
    line: Option<usize>,
    /// At which word.
    word: usize,
    phrase: String,
    excerpt: String,
    instead: String,
}

impl Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line.map_or_else(String::new, |line| format!(":{line}"));
        let Self { place, phrase, excerpt, instead, .. } = self;
        write!(f, "{place}{line}: {excerpt}\n    instead of \"{phrase}\" say {instead}")
    }
}

/// Reads texts and notes what in them is not plain.
#[derive(Default)]
pub(crate) struct Reader(BTreeSet<Found>);

impl Reader {
    /// Reads a text; `place` is where a person finds it.
    pub(crate) fn read(&mut self, place: impl Display, text: &str) {
        let place = place.to_string();
        self.0.extend(
            phrases(&LIST, text).into_iter().map(|found| Found { place: place.clone(), ..found }),
        );
    }

    /// Whether all texts were plain.
    ///
    /// # Errors
    /// Every phrase that was found, in the order of the places, and what to say instead.
    pub(crate) fn ended(self) -> Result<(), String> {
        if self.0.is_empty() {
            return Ok(());
        }
        let found: Vec<String> = self.0.iter().map(Found::to_string).collect();
        let count = found.len();
        Err(format!(
            "{count} phrases of crates/fovea-lab/data/words.txt in texts for readers:\n{}\n",
            found.join("\n")
        ))
    }
}

/// The rules of a list.
///
/// # Errors
/// The line that cannot be read.
pub(crate) fn rules(text: &str) -> Result<Vec<Rule>, String> {
    let mut lists: Vec<(&str, Slot)> = Vec::new();
    let mut rules = Vec::new();
    let lines = text.lines().map(str::trim);
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some((phrase, instead)) = line.split_once(" -> ") {
            let parts = phrase.strip_prefix("unless ").and_then(|rest| rest.split_once(": "));
            let (unless, phrase) = parts.unwrap_or(("", phrase));
            let slots = |words: &str| -> Result<Vec<Slot>, String> {
                words.split_whitespace().map(|word| slot(word, &lists)).collect()
            };
            let unless = unless.split(", ").filter(|words| !words.is_empty()).map(slots);
            let unless = unless.collect::<Result<_, _>>()?;
            rules.push(Rule { slots: slots(phrase)?, unless, instead: instead.to_owned() });
        } else if let Some((name, words)) = line.split_once(" = ") {
            lists.push((name, words.split_whitespace().map(str::to_owned).collect()));
        } else {
            return Err(format!("neither a phrase nor a list: {line}"));
        }
    }
    Ok(rules)
}

fn slot(word: &str, lists: &[(&str, Slot)]) -> Result<Slot, String> {
    if word.starts_with('@') {
        let list = lists.iter().find(|(name, _)| *name == word);
        return list.map(|(_, words)| words.clone()).ok_or_else(|| format!("no list {word}"));
    }
    match word.strip_prefix('(').map(|rest| rest.strip_suffix(')')) {
        None => Ok(vec![word.to_owned()]),
        Some(Some(words)) => Ok(words.split('|').map(str::to_owned).collect()),
        Some(None) => Err(format!("no end of {word}")),
    }
}

/// Every phrase of the rules in a text that has no place yet.
pub(crate) fn phrases(rules: &[Rule], text: &str) -> Vec<Found> {
    let words = words(text);
    let several = text.trim_end().contains('\n');
    let is = |slots: &[Slot], at: usize| {
        words.get(at..at + slots.len()).is_some_and(|words| {
            words.iter().zip(slots).all(|(word, slot)| slot.iter().any(|known| word.is(known)))
        })
    };
    let mut found = Vec::new();
    for rule in rules {
        for at in (0..words.len()).filter(|at| is(&rule.slots, *at)) {
            let covers = |slots: &Vec<Slot>| {
                (at.saturating_sub(slots.len() - 1)..=at).any(|start| is(slots, start))
            };
            if !rule.unless.iter().any(covers) {
                found.push(Found {
                    place: String::new(),
                    line: several.then_some(words[at].line),
                    word: at,
                    phrase: shown(&words[at..at + rule.slots.len()]),
                    excerpt: excerpt(&words, at, rule.slots.len()),
                    instead: rule.instead.clone(),
                });
            }
        }
    }
    found
}

/// A word of a text or, where it is empty, what ends a phrase.
struct Word {
    text: String,
    /// As it is written, with the space before it.
    shown: String,
    line: usize,
}

impl Word {
    fn is(&self, known: &str) -> bool {
        self.text == known || (known == "#" && self.text.starts_with(|c: char| c.is_ascii_digit()))
    }
}

/// A few words around a phrase.
fn excerpt(words: &[Word], at: usize, length: usize) -> String {
    let around = &words[at.saturating_sub(8)..(at + length + 6).min(words.len())];
    format!("... {} ...", shown(around))
}

/// Words as they are written.
fn shown(words: &[Word]) -> String {
    let shown: String = words.iter().map(|word| word.shown.as_str()).collect();
    shown.trim().to_owned()
}

/// The words of a text, and what ends phrases: every mark, a name in backticks, a wide space, as columns have it, an empty line
/// and the end of a heading.
fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let mut rest = line.trim();
        let word = |text: &str, shown: &str| Word {
            text: text.to_lowercase(),
            shown: shown.to_owned(),
            line: i + 1,
        };
        let ends = rest.is_empty() || rest.starts_with('#');
        let mut space = " ";
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '`' => rest[1..].find('`').map_or(1, |end| end + 2),
                ' ' => rest.len() - rest.trim_start().len(),
                c if c.is_alphanumeric() => word_length(rest),
                c => c.len_utf8(),
            };
            let (read, behind) = rest.split_at(length);
            rest = behind;
            if read == " " {
                space = read;
                continue;
            }
            let text = if first.is_alphanumeric() { read } else { "" };
            words.push(word(text, &format!("{space}{read}")));
            space = "";
        }
        if ends {
            words.push(word("", ""));
        }
    }
    words
}

/// How long the word is with which a text begins: letters and digits, hyphens and apostrophes between them.
fn word_length(text: &str) -> usize {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let joins = "-'’".contains(c) && chars.peek().is_some_and(|(_, c)| c.is_alphanumeric());
        if !c.is_alphanumeric() && !joins {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}
