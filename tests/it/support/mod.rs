//! What the scenes stand on.

mod connection;
pub(crate) mod http;
pub(crate) mod jpeg;
pub(crate) mod lab;
pub(crate) mod project;
pub(crate) mod proxy;
pub(crate) mod rules;
pub(crate) mod run;
pub(crate) mod scene;
