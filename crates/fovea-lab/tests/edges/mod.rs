//! Edges of everything, in process: right values, a refusal with its reason, or a claim that is left unchecked.

mod alarms;
