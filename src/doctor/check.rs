//! What is looked at, in the order in which one thing needs the other.

/// One thing that is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// The configuration and the address in it.
    Configuration,
    /// Where the application password comes from.
    Password,
    /// Whether anybody answers, over HTTPS.
    Connection,
    /// Whether the address is the site's own.
    Address,
    /// Where the REST API is, and whether it is open.
    RestApi,
    /// Whether the site offers application passwords.
    ApplicationPasswords,
    /// Whether the account is accepted.
    SignIn,
    /// What the account may do.
    Rights,
    /// Whether HTML is stored as it is sent.
    Html,
    /// Whether a language plugin hides posts from look-ups.
    Languages,
    /// Whether an answer to a look-up is proof.
    LookUps,
    /// How large a file may be.
    Uploads,
    /// Whether the site's clock and this machine's agree.
    Clock,
}

impl Check {
    /// Every check, in order.
    pub const ALL: [Self; 13] = [
        Self::Configuration,
        Self::Password,
        Self::Connection,
        Self::Address,
        Self::RestApi,
        Self::ApplicationPasswords,
        Self::SignIn,
        Self::Rights,
        Self::Html,
        Self::Languages,
        Self::LookUps,
        Self::Uploads,
        Self::Clock,
    ];

    /// The stable name, which is also the code where all is well.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Configuration => "configuration",
            Self::Password => "password",
            Self::Connection => "connection",
            Self::Address => "address",
            Self::RestApi => "rest_api",
            Self::ApplicationPasswords => "app_passwords",
            Self::SignIn => "sign_in",
            Self::Rights => "rights",
            Self::Html => "html",
            Self::Languages => "languages",
            Self::LookUps => "look_ups",
            Self::Uploads => "uploads",
            Self::Clock => "clock",
        }
    }
}

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// All is well.
    Ok,
    /// It works, and somebody should know something.
    Warning,
    /// Nothing, or not all, can be sent.
    Problem,
    /// Not looked at.
    Skipped,
}

impl Status {
    /// The stable word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Problem => "problem",
            Self::Skipped => "skipped",
        }
    }
}
