//! The client against servers that behave and misbehave.

mod answering;
mod arrivals;
mod classifying;
mod connecting;
mod differing;
mod fake;
mod fuzz_answers;
mod fuzz_drafts;
mod fuzz_lookups;
mod looking_up;
mod naming;
mod projecting;
mod support;
