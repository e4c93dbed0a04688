//! Why a run can't begin.
//!
//! Absent from here: finding out (`preflight`). The one rule: each error names what was
//! seen and the one thing to do next; a code that we don't know is shown as it came.

/// What must change before a run can begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PreflightKind {
    /// The configuration, or the site's own (exit 2).
    Config,
    /// Credentials or permissions (exit 6).
    Credentials,
    /// Nothing; try later (exit 5).
    Temporary,
}

/// Why a run can't begin. Nothing was sent that could change the site.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PreflightError {
    /// User or password is empty (case AUTH-11).
    #[error("the {0} for the site is empty")]
    CredentialsEmpty(&'static str),
    /// This machine can't make HTTPS connections at all.
    #[error("cannot set up https: {0}")]
    NoTls(String),
    /// The site's name does not resolve, or nothing listens there.
    #[error("cannot connect to {url}: {why}")]
    NotConnected {
        /// The address.
        url: String,
        /// What failed.
        why: String,
    },
    /// The site's certificate is not accepted.
    #[error("cannot make a secure connection to {url}: {why}")]
    Tls {
        /// The address.
        url: String,
        /// What failed.
        why: String,
    },
    /// The site did not answer.
    #[error("{url} did not answer: {why}")]
    NoAnswer {
        /// The address.
        url: String,
        /// What failed.
        why: String,
    },
    /// WordPress.com hosts it, whose API is another (case ROOT-06).
    #[error("the site is hosted by WordPress.com ({0}), whose API is not that of WordPress")]
    Hosted(String),
    /// The web server wants a password of its own, as before a site that is being built.
    #[error("a password of the web server stands before the site ({0})")]
    WebPassword(String),
    /// The site is somewhere else (cases RED-03 to RED-07).
    #[error("{from} redirects to {to}")]
    Redirected {
        /// What was asked.
        from: String,
        /// Where it points.
        to: String,
    },
    /// The REST root that the site names is on another host.
    #[error("the site says that its REST API is at {0}, which is another origin")]
    RootElsewhere(String),
    /// `?rest_route=` works at any path of a site, so a mistyped path would look like a
    /// site of its own, with a journal that remembers nothing.
    #[error("{url} is a page of the site {home}, not its address")]
    NotTheAddress {
        /// The address as configured.
        url: String,
        /// What the site calls its own.
        home: String,
    },
    /// A firewall, challenge or login page answered (cases WAF-01 to WAF-05).
    #[error("{who} answered in WordPress' place ({what})")]
    Middleman {
        /// The likely middleman.
        who: String,
        /// The answer in one line.
        what: String,
    },
    /// Too many requests, or maintenance (cases ROOT-08, RATE-01).
    #[error("the site asks to come back later ({what})")]
    Busy {
        /// The answer in one line.
        what: String,
        /// Seconds it asked to wait.
        retry_after_s: Option<u64>,
    },
    /// The site answers, and fails.
    #[error("the site fails ({0})")]
    Broken(String),
    /// The REST API is switched off or closed (case ROOT-05).
    #[error("the site's REST API is closed: {code}: {message}")]
    RestClosed {
        /// The code as it came.
        code: String,
        /// The message as it came.
        message: String,
    },
    /// No REST root was found, and the pages are those of a WordPress.
    #[error("{url} is a WordPress site, and hides its REST API ({what})")]
    RestHidden {
        /// The address.
        url: String,
        /// The most telling answer in one line.
        what: String,
    },
    /// No REST root was found.
    #[error("no WordPress REST API found at {url} ({what})")]
    NotWordPress {
        /// The address.
        url: String,
        /// The most telling answer in one line.
        what: String,
    },
    /// WordPress saw no credentials that it accepts (cases AUTH-01, AUTH-02).
    #[error("the site does not see us as logged in ({code}: {message})")]
    NotLoggedIn {
        /// The code as it came.
        code: String,
        /// The message as it came.
        message: String,
    },
    /// WordPress knows the header arrived, and refuses what is in it (case AUTH-03).
    #[error("the site refuses the user name or password ({code}: {message})")]
    WrongPassword {
        /// The code as it came.
        code: String,
        /// The message as it came.
        message: String,
    },
    /// The site offers no application passwords (case AUTH-05).
    #[error("application passwords are switched off on this site ({code}: {message})")]
    ApplicationPasswordsOff {
        /// The code as it came.
        code: String,
        /// The message as it came.
        message: String,
    },
    /// A plugin refuses (cases AUTH-08, AUTH-12).
    #[error("the site refuses the account (status {status}, {code}: {message})")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The code as it came.
        code: String,
        /// The message as it came.
        message: String,
    },
    /// The account may not create posts.
    #[error("user {user} may not {capability} on this site")]
    MissingCapability {
        /// The account's name.
        user: String,
        /// What it may not do.
        capability: &'static str,
    },
}

impl PreflightError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::CredentialsEmpty(_) => "credentials_missing",
            Self::NoTls(_) => "tls_unavailable",
            Self::NotConnected { .. } => "cannot_connect",
            Self::Tls { .. } => "tls_refused",
            Self::NoAnswer { .. } => "no_answer",
            Self::Redirected { .. } => "site_redirects",
            Self::RootElsewhere(_) => "rest_root_elsewhere",
            Self::Hosted(_) => "site_not_supported",
            Self::WebPassword(_) => "web_password",
            Self::NotTheAddress { .. } => "site_elsewhere",
            Self::Middleman { .. } => "middleman",
            Self::Busy { .. } => "site_busy",
            Self::Broken(_) => "site_broken",
            Self::RestClosed { .. } => "rest_closed",
            Self::RestHidden { .. } => "rest_hidden",
            Self::NotWordPress { .. } => "not_wordpress",
            Self::NotLoggedIn { .. } => "not_logged_in",
            Self::WrongPassword { .. } => "wrong_password",
            Self::ApplicationPasswordsOff { .. } => "application_passwords_off",
            Self::Refused { .. } => "account_refused",
            Self::MissingCapability { .. } => "capability_missing",
        }
    }

    /// What must change.
    #[must_use]
    pub fn kind(&self) -> PreflightKind {
        match self {
            Self::NoTls(_)
            | Self::Redirected { .. }
            | Self::RootElsewhere(_)
            | Self::Hosted(_)
            | Self::NotTheAddress { .. }
            | Self::RestClosed { .. }
            | Self::RestHidden { .. }
            | Self::NotWordPress { .. } => PreflightKind::Config,
            Self::CredentialsEmpty(_)
            | Self::WebPassword(_)
            | Self::NotLoggedIn { .. }
            | Self::WrongPassword { .. }
            | Self::ApplicationPasswordsOff { .. }
            | Self::MissingCapability { .. } => PreflightKind::Credentials,
            Self::Refused { code, .. } => {
                // Some hosts answer 401 while they maintain the site (case AUTH-12).
                let is_maintenance = code.contains("maintenance");
                if is_maintenance { PreflightKind::Temporary } else { PreflightKind::Credentials }
            }
            // As in the middle of a run (spec §6): certificates are renewed, and the
            // network that put itself before the site is left behind.
            Self::Tls { .. }
            | Self::NotConnected { .. }
            | Self::NoAnswer { .. }
            | Self::Middleman { .. }
            | Self::Busy { .. }
            | Self::Broken(_) => PreflightKind::Temporary,
        }
    }

    /// What to do.
    #[must_use]
    pub fn hint(&self) -> String {
        let text = match self {
            Self::CredentialsEmpty(_) => {
                "set [site] username, and password_file, password_command or ONCEPRESS_APP_PASSWORD"
            }
            Self::NoTls(_) => "check this machine's certificate store",
            Self::NotConnected { .. } => "check the address and the network, then run again",
            Self::Tls { .. } => {
                "open the address in a browser and look at its certificate; OncePress does not go on without a valid one"
            }
            Self::NoAnswer { .. } => "run again; if the site is slow, raise [network] timeout_s",
            Self::Redirected { from, to } if is_within(from, to) => {
                "a rule of the web server or a plugin redirects within the site: have it leave /wp-json/ alone"
            }
            Self::Redirected { to, .. } => {
                return format!("if {to} is the site's address, set [site] url to it");
            }
            Self::RootElsewhere(target) => {
                return format!("if that is right, set [site] url to the address before {target}");
            }
            Self::Hosted(_) => "use a self-hosted WordPress; OncePress can't talk to this one",
            Self::WebPassword(_) => {
                "a request has room for one password, and that is WordPress': have the web server let /wp-json/ through without its own"
            }
            Self::NotTheAddress { home, .. } => return format!("set [site] url to {home}"),
            Self::Middleman { .. } => {
                "have what stands before the site (a firewall, or a plugin that wants visitors to log in) let this machine use /wp-json/, then run again"
            }
            Self::Busy { retry_after_s: Some(seconds), .. } => {
                return format!("run again in {seconds} seconds");
            }
            Self::Busy { retry_after_s: None, .. } => "run again in a few minutes",
            Self::Broken(_) => "open the site in a browser; if it works there, run again",
            Self::RestClosed { .. } => {
                "a plugin or the host closed the REST API; allow it for logged-in users"
            }
            Self::RestHidden { .. } => {
                "a plugin or the web server keeps /wp-json/ and ?rest_route= from WordPress; have both let through"
            }
            Self::NotWordPress { .. } => {
                "check [site] url, the folder that WordPress is in too; open it with /wp-json/ added in a browser"
            }
            Self::NotLoggedIn { .. } => {
                "check the user name (the login, not the label of the password) and the application password; if they are right, the web server drops the Authorization header: for Apache add `SetEnvIf Authorization \"(.*)\" HTTP_AUTHORIZATION=$1`, for FastCGI pass HTTP_AUTHORIZATION on"
            }
            Self::WrongPassword { .. } => {
                "use the login (not the label of the password) and an application password from the user's profile, not the login password"
            }
            Self::ApplicationPasswordsOff { .. } => {
                "a security plugin or the host switched them off, or the site does not know that it is on https; switch them on and make one in the user's profile"
            }
            Self::Refused { .. } => {
                "the code is not WordPress' own; look for it in the settings of the site's security plugins"
            }
            Self::MissingCapability { .. } => "use an account with the role author or editor",
        };
        text.to_owned()
    }
}

/// Whether a redirect stays on the host that was asked.
fn is_within(from: &str, to: &str) -> bool {
    let Ok(from) = url::Url::parse(from) else { return false };
    from.join(to).is_ok_and(|to| to.origin() == from.origin())
}
