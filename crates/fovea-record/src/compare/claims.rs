//! Claims side by side.

use crate::directory::Judged;

/// A claim, and its outcome in each record that has it.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimRow {
    /// The catalogue's id.
    pub id: String,
    /// What is claimed, in the words of the first record that has it.
    pub statement: String,
    /// Its outcomes, one place per record.
    pub judged: Vec<Option<Judged>>,
}

impl ClaimRow {
    /// Whether the records do not agree on its outcome.
    pub fn differs(&self) -> bool {
        let mut found = self.judged.iter().flatten().map(|judged| &judged.status);
        let first = found.next();
        found.any(|status| Some(status) != first)
    }
}

/// Every claim of any record, in the order in which records have them.
///
/// Claims are the same where id and words are. Words often hold settings; so where one claim of an id is left over in
/// every record that has any left over, these are the same too.
pub(super) fn rows(claims: &[Vec<Judged>]) -> Vec<ClaimRow> {
    let mut rows: Vec<ClaimRow> = Vec::new();
    for (record, own) in claims.iter().enumerate() {
        for judged in own {
            let free = |row: &ClaimRow| {
                row.id == judged.id
                    && row.statement == judged.statement
                    && row.judged[record].is_none()
            };
            let place = rows.iter().position(free).unwrap_or_else(|| {
                let (id, statement) = (judged.id.clone(), judged.statement.clone());
                rows.push(ClaimRow { id, statement, judged: vec![None; claims.len()] });
                rows.len() - 1
            });
            rows[place].judged[record] = Some(judged.clone());
        }
    }
    join_leftovers(&rows)
}

/// Joins the rows of an id that one record alone has, where no record has two of them.
fn join_leftovers(rows: &[ClaimRow]) -> Vec<ClaimRow> {
    let owner = |row: &ClaimRow| {
        let mut owners = (0..row.judged.len()).filter(|i| row.judged[*i].is_some());
        owners.next().filter(|_| owners.next().is_none())
    };
    let owners: Vec<Option<usize>> = rows.iter().map(owner).collect();
    let mut joined = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let like = |j: &usize| rows[*j].id == row.id && owners[*j].is_some();
        let like: Vec<usize> = (0..rows.len()).filter(like).collect();
        let twice = |j: &usize| like.iter().any(|k| k < j && owners[*k] == owners[*j]);
        if owners[i].is_none() || like.iter().any(twice) {
            joined.push(row.clone());
        } else if like[0] == i {
            let mut row = row.clone();
            for (j, own) in like.iter().filter_map(|j| Some((*j, owners[*j]?))) {
                row.judged[own].clone_from(&rows[j].judged[own]);
            }
            joined.push(row);
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(id: &str, statement: &str, status: &str) -> Judged {
        serde_json::from_value(
            serde_json::json!({ "id": id, "statement": statement, "status": status, "why": null }),
        )
        .unwrap()
    }

    fn statuses(row: &ClaimRow) -> Vec<&str> {
        row.judged.iter().map(|j| j.as_ref().map_or("-", |j| j.status.as_str())).collect()
    }

    #[test]
    fn claims_meet_by_id_and_words() {
        let a =
            vec![judged("L1", "x", "pass"), judged("L1", "y", "pass"), judged("L2", "z", "pass")];
        let b =
            vec![judged("L1", "y", "fail"), judged("L1", "x", "pass"), judged("L3", "w", "fail")];
        let rows = rows(&[a, b]);
        let told: Vec<(&str, Vec<&str>, bool)> =
            rows.iter().map(|row| (row.statement.as_str(), statuses(row), row.differs())).collect();
        let expected = [
            ("x", vec!["pass", "pass"], false),
            ("y", vec!["pass", "fail"], true),
            ("z", vec!["pass", "-"], false),
            ("w", vec!["-", "fail"], false),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn a_claim_whose_words_hold_a_setting_meets_its_like_where_there_is_no_doubt() {
        let a = vec![judged("L1", "at 3", "pass"), judged("L1", "both", "pass")];
        let b = vec![judged("L1", "at 5", "fail"), judged("L1", "both", "pass")];
        let joined = rows(&[a.clone(), b.clone()]);
        assert_eq!(joined.len(), 2);
        assert_eq!(statuses(&joined[0]), ["pass", "fail"]);
        assert_eq!(joined[0].judged[1].as_ref().unwrap().statement, "at 5");
        // Two of one id left over in one record: which is meant cannot be told.
        let c = [b, vec![judged("L1", "at 7", "pass")]].concat();
        assert_eq!(rows(&[a, c]).len(), 4);
    }

    #[test]
    fn a_claim_made_twice_in_the_same_words_is_two_claims() {
        let twice = vec![judged("L1", "x", "pass"), judged("L1", "x", "fail")];
        let rows = rows(&[twice.clone(), twice]);
        assert_eq!(rows.len(), 2);
        assert_eq!((statuses(&rows[0]), statuses(&rows[1])), (vec!["pass"; 2], vec!["fail"; 2]));
    }
}
