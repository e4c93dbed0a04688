//! What WordPress' filter lets through for certain, on every version tried.
//!
//! The lists are what 6.1.9, 6.8.12 and 7.1.4 have in common (`wp_kses_allowed_html`,
//! `$allowedentitynames`, `wp_allowed_protocols`, `wp_kses_uri_attributes`, `safe_style_css`).
//! Absent from here: what each version allows beyond that. The one rule: what stands here
//! survives on every site, so that its absence from a stored post is somebody's edit.

/// Tags of bodies.
pub(super) const TAGS: &str = "\
    a abbr acronym address area article aside audio b bdo big blockquote br button caption \
    cite code col colgroup dd del details dfn div dl dt em fieldset figcaption figure font \
    footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd label legend li main map mark menu \
    nav ol p pre q rb rp rt rtc ruby s samp section small span strike strong sub summary sup \
    table tbody td textarea tfoot th thead title tr track tt u ul var video";

/// Attributes of every tag of a body.
pub(super) const EVERYWHERE: &str = "\
    aria-describedby aria-details aria-hidden aria-label aria-labelledby class dir id lang \
    role title xml:lang";

/// Attributes of single tags of a body.
pub(super) const ATTRIBUTES: [(&str, &str); 26] = [
    ("a", "href name rel rev target"),
    ("area", "alt coords href nohref shape target"),
    (
        "article aside caption div figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup \
        legend main nav p section span summary",
        "align",
    ),
    ("audio", "autoplay controls loop muted preload src"),
    ("blockquote q", "cite"),
    ("button", "disabled name type value"),
    ("col colgroup", "align char charoff span valign width"),
    ("del", "datetime"),
    ("details", "align open"),
    ("font", "color face size"),
    ("hr", "align noshade size width"),
    ("img", "align alt border height hspace loading longdesc src usemap vspace width"),
    ("ins", "cite datetime"),
    ("label", "for"),
    ("li", "align value"),
    ("map", "name"),
    ("menu ul", "type"),
    ("ol", "reversed start type"),
    ("pre", "width"),
    ("table", "align bgcolor border cellpadding cellspacing rules summary width"),
    ("tbody tfoot thead", "align char charoff valign"),
    (
        "td th",
        "abbr align axis bgcolor char charoff colspan headers height nowrap rowspan scope \
        valign width",
    ),
    ("textarea", "cols disabled name readonly rows"),
    ("tr", "align bgcolor char charoff valign"),
    ("track", "default kind label src srclang"),
    ("video", "autoplay controls height loop muted playsinline poster preload src width"),
];

/// Tags of titles, with their attributes (`$allowedtags`).
pub(super) const TITLE_TAGS: [(&str, &str); 14] = [
    ("a", "href title"),
    ("abbr", "title"),
    ("acronym", "title"),
    ("b", ""),
    ("blockquote", "cite"),
    ("cite", ""),
    ("code", ""),
    ("del", "datetime"),
    ("em", ""),
    ("i", ""),
    ("q", "cite"),
    ("s", ""),
    ("strike", ""),
    ("strong", ""),
];

/// Entities with a name. Of any other, the filter makes text.
pub(super) const ENTITIES: &str = "\
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg \
    plusmn acute micro para middot cedil ordm raquo iquest Agrave Aacute Acirc Atilde Auml \
    Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve \
    Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave \
    aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc \
    iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml \
    yacute thorn yuml quot amp lt gt apos OElig oelig Scaron scaron Yuml circ tilde ensp emsp \
    thinsp zwnj zwj lrm rlm ndash mdash lsquo rsquo sbquo ldquo rdquo bdquo dagger Dagger \
    permil lsaquo rsaquo euro fnof Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa \
    Lambda Mu Nu Xi Omicron Pi Rho Sigma Tau Upsilon Phi Chi Psi Omega alpha beta gamma delta \
    epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon \
    phi chi psi omega thetasym upsih piv bull hellip prime Prime oline frasl weierp image real \
    trade alefsym larr uarr rarr darr harr crarr lArr uArr rArr dArr hArr forall part exist \
    empty nabla isin notin ni prod sum minus lowast radic prop infin ang and or cap cup int \
    sim cong asymp ne equiv le ge sub sup nsub sube supe oplus otimes perp sdot lceil rceil \
    lfloor rfloor lang rang loz spades clubs hearts diams sup1 sup2 sup3 frac14 frac12 frac34 \
    there4";

/// What an address may begin with.
pub(super) const PROTOCOLS: &str = "\
    http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel \
    fax xmpp webcal urn";

/// Attributes that hold addresses.
pub(super) const ADDRESSES: &str = "\
    action archive background cite classid codebase data formaction href icon longdesc \
    manifest poster profile src usemap xmlns";

/// Properties of inline styles whose plain values stay as they are.
pub(super) const STYLES: &str = "\
    background-color border border-bottom border-left border-right border-top clear color \
    float font-family font-size font-style font-weight height letter-spacing line-height list- \
    style-type margin margin-bottom margin-left margin-right margin-top max-width min-width \
    padding padding-bottom padding-left padding-right padding-top text-align text-decoration \
    text-indent text-transform vertical-align width";
