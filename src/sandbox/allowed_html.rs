//! Which elements and attributes WordPress keeps in the HTML of a user without
//! `unfiltered_html`.
//!
//! Absent from here: filtering. The one rule: the lists are those of the real versions;
//! what is on none of them goes.

use super::world::Version;

/// Elements of titles with their attributes.
pub(super) const TITLE: &[(&str, &[&str])] = &[
    ("a", &["href", "title"]),
    ("abbr", &["title"]),
    ("acronym", &["title"]),
    ("b", &[]),
    ("blockquote", &["cite"]),
    ("cite", &[]),
    ("code", &[]),
    ("del", &["datetime"]),
    ("em", &[]),
    ("i", &[]),
    ("q", &["cite"]),
    ("s", &[]),
    ("strike", &[]),
    ("strong", &[]),
];

/// Attributes that every element of a post may have.
const EVERYWHERE: &[&str] = &[
    "aria-describedby",
    "aria-details",
    "aria-hidden",
    "aria-label",
    "aria-labelledby",
    "class",
    "dir",
    "id",
    "lang",
    "role",
    "style",
    "title",
    "xml:lang",
];

/// Attributes that every element of a post may have since 6.2.
const SINCE_6_2: &[&str] =
    &["aria-controls", "aria-current", "aria-expanded", "aria-live", "hidden"];

/// Elements of posts with the attributes that they have beyond those. Of an `object` the
/// attributes go too, unless it shows a PDF of the site itself.
const POST: &[(&str, &[&str])] = &[
    ("a", &["download", "href", "name", "rel", "rev", "target"]),
    ("abbr", &[]),
    ("acronym", &[]),
    ("address", &[]),
    ("area", &["alt", "coords", "href", "nohref", "shape", "target"]),
    ("article", &["align"]),
    ("aside", &["align"]),
    ("audio", &["autoplay", "controls", "loop", "muted", "preload", "src"]),
    ("b", &[]),
    ("bdo", &[]),
    ("big", &[]),
    ("blockquote", &["cite"]),
    ("br", &[]),
    ("button", &["disabled", "name", "type", "value"]),
    ("caption", &["align"]),
    ("cite", &[]),
    ("code", &[]),
    ("col", &["align", "char", "charoff", "span", "valign", "width"]),
    ("colgroup", &["align", "char", "charoff", "span", "valign", "width"]),
    ("dd", &[]),
    ("del", &["datetime"]),
    ("details", &["align", "open"]),
    ("dfn", &[]),
    ("div", &["align"]),
    ("dl", &[]),
    ("dt", &[]),
    ("em", &[]),
    ("fieldset", &[]),
    ("figcaption", &["align"]),
    ("figure", &["align"]),
    ("font", &["color", "face", "size"]),
    ("footer", &["align"]),
    ("h1", &["align"]),
    ("h2", &["align"]),
    ("h3", &["align"]),
    ("h4", &["align"]),
    ("h5", &["align"]),
    ("h6", &["align"]),
    ("header", &["align"]),
    ("hgroup", &["align"]),
    ("hr", &["align", "noshade", "size", "width"]),
    ("i", &[]),
    (
        "img",
        &[
            "align", "alt", "border", "height", "hspace", "loading", "longdesc", "src", "usemap",
            "vspace", "width",
        ],
    ),
    ("ins", &["cite", "datetime"]),
    ("kbd", &[]),
    ("label", &["for"]),
    ("legend", &["align"]),
    ("li", &["align", "value"]),
    ("main", &["align"]),
    ("map", &["name"]),
    ("mark", &[]),
    ("menu", &["type"]),
    ("nav", &["align"]),
    ("object", &[]),
    ("ol", &["reversed", "start", "type"]),
    ("p", &["align"]),
    ("pre", &["width"]),
    ("q", &["cite"]),
    ("rb", &[]),
    ("rp", &[]),
    ("rt", &[]),
    ("rtc", &[]),
    ("ruby", &[]),
    ("s", &[]),
    ("samp", &[]),
    ("section", &["align"]),
    ("small", &[]),
    ("span", &["align"]),
    ("strike", &[]),
    ("strong", &[]),
    ("sub", &[]),
    ("summary", &["align"]),
    ("sup", &[]),
    (
        "table",
        &["align", "bgcolor", "border", "cellpadding", "cellspacing", "rules", "summary", "width"],
    ),
    ("tbody", &["align", "char", "charoff", "valign"]),
    (
        "td",
        &[
            "abbr", "align", "axis", "bgcolor", "char", "charoff", "colspan", "headers", "height",
            "nowrap", "rowspan", "scope", "valign", "width",
        ],
    ),
    ("textarea", &["cols", "disabled", "name", "readonly", "rows"]),
    ("tfoot", &["align", "char", "charoff", "valign"]),
    (
        "th",
        &[
            "abbr", "align", "axis", "bgcolor", "char", "charoff", "colspan", "headers", "height",
            "nowrap", "rowspan", "scope", "valign", "width",
        ],
    ),
    ("thead", &["align", "char", "charoff", "valign"]),
    ("title", &[]),
    ("tr", &["align", "bgcolor", "char", "charoff", "valign"]),
    ("track", &["default", "kind", "label", "src", "srclang"]),
    ("tt", &[]),
    ("u", &[]),
    ("ul", &["type"]),
    ("var", &[]),
    (
        "video",
        &[
            "autoplay",
            "controls",
            "height",
            "loop",
            "muted",
            "playsinline",
            "poster",
            "preload",
            "src",
            "width",
        ],
    ),
];

/// What 7.1 has beyond that.
const POST_SINCE_7_1: &[(&str, &[&str])] = &[
    ("annotation", &["encoding"]),
    ("button", &["aria-haspopup", "command", "commandfor", "popovertarget", "popovertargetaction"]),
    ("data", &["value"]),
    ("details", &["name"]),
    ("dialog", &["autofocus", "closedby", "open", "popover"]),
    ("div", &["popover"]),
    ("math", &["display"]),
    ("menclose", &["notation"]),
    ("merror", &[]),
    ("meter", &["high", "low", "max", "min", "optimum", "value"]),
    ("mfrac", &["linethickness"]),
    ("mi", &["mathvariant"]),
    ("mmultiscripts", &[]),
    ("mn", &[]),
    (
        "mo",
        &[
            "fence",
            "form",
            "largeop",
            "lspace",
            "maxsize",
            "minsize",
            "movablelimits",
            "rspace",
            "separator",
            "stretchy",
            "symmetric",
        ],
    ),
    ("mover", &["accent", "accentunder"]),
    ("mpadded", &["depth", "height", "lspace", "voffset", "width"]),
    ("mphantom", &[]),
    ("mprescripts", &[]),
    ("mroot", &[]),
    ("mrow", &[]),
    ("ms", &[]),
    ("mspace", &["depth", "height", "width"]),
    ("msqrt", &[]),
    ("mstyle", &[]),
    ("msub", &[]),
    ("msubsup", &[]),
    ("msup", &[]),
    (
        "mtable",
        &[
            "align",
            "columnalign",
            "columnlines",
            "columnspacing",
            "frame",
            "framespacing",
            "rowalign",
            "rowlines",
            "rowspacing",
            "width",
        ],
    ),
    ("mtd", &["columnalign", "columnspan", "rowalign", "rowspan"]),
    ("mtext", &[]),
    ("mtr", &["columnalign", "rowalign"]),
    ("munder", &["accent", "accentunder"]),
    ("munderover", &["accent", "accentunder"]),
    ("progress", &["max", "value"]),
    ("search", &[]),
    ("semantics", &[]),
    ("time", &["datetime"]),
    ("ul", &["popover"]),
    ("wbr", &[]),
];

/// Elements of formulas, and the attributes that all of them may have.
const MATH: &[&str] = &[
    "annotation",
    "math",
    "menclose",
    "merror",
    "mfrac",
    "mi",
    "mmultiscripts",
    "mn",
    "mo",
    "mover",
    "mpadded",
    "mphantom",
    "mprescripts",
    "mroot",
    "mrow",
    "ms",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
    "semantics",
];
const MATH_ATTRIBUTES: &[&str] =
    &["displaystyle", "mathbackground", "mathcolor", "mathsize", "scriptlevel"];

/// Whether posts keep this element.
pub(super) fn keeps_element(version: Version, element: &str) -> bool {
    own(version, element).next().is_some()
}

/// Whether posts keep this attribute of this element. Both in lower case.
pub(super) fn keeps_attribute(version: Version, element: &str, attribute: &str) -> bool {
    let everywhere = EVERYWHERE.contains(&attribute)
        || (attribute.starts_with("data-") && attribute.len() > "data-".len())
        || (version > Version::V6_1 && SINCE_6_2.contains(&attribute))
        || (attribute == "tabindex" && version > Version::V6_8);
    let formula = MATH.contains(&element) && MATH_ATTRIBUTES.contains(&attribute);
    everywhere || formula || own(version, element).any(|list| list.contains(&attribute))
}

/// The lists of an element's own attributes; none, if it is not kept.
fn own(version: Version, element: &str) -> impl Iterator<Item = &'static [&'static str]> {
    let later = if version > Version::V6_8 { POST_SINCE_7_1 } else { &[] };
    POST.iter()
        .chain(later)
        .filter(move |(known, _)| *known == element)
        .map(|(_, attributes)| *attributes)
}
