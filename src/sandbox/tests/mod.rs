//! The model by itself: requests in, answers and state out.

mod posts;
