//! Every code of the offline check, explained (`oncepress explain CODE`).
//!
//! Absent from here: the slug's codes, which `slug` explains. The rule to keep: a code
//! once published keeps its meaning; scripts read it.

/// The codes of problems and warnings, each with what it means and what to do.
pub const CODES: &[(&str, &str)] = &[
    // The file.
    (
        "article_outside_folder",
        "The file is a link to a file outside the articles folder. Put the file itself into the folder.",
    ),
    (
        "file_beside_index",
        "The folder has an index.md or index.html and so is one article; another article file lies beside it. Move that file, or rename the index file.",
    ),
    ("file_empty", "There is nothing in the file."),
    (
        "file_name_not_utf8",
        "The file's name is not UTF-8, so it can't be shown or become a slug. Rename it.",
    ),
    ("file_not_utf8", "The text is in another encoding than UTF-8. Save it as UTF-8."),
    ("file_nul", "There is a NUL byte in the text. It is no text file, or it is damaged."),
    ("file_too_large", "The article file is larger than the limit."),
    ("file_unreadable", "The file could not be opened or read."),
    (
        "index_in_root",
        "index.md and index.html are called by their folder. In the articles folder itself that would be the name of the whole collection.",
    ),
    // Front matter.
    (
        "front_matter_missing",
        "An article begins with its fields: YAML between two lines ---, or TOML between two lines +++. Or they stand in a file NAME.toml beside it.",
    ),
    (
        "front_matter_too_large",
        "The fields take more room than any need. Probably the closing line is missing and part of the body was taken for fields.",
    ),
    (
        "front_matter_twice",
        "There is a sidecar NAME.toml, and the article itself begins with fields. Only one of them can be right.",
    ),
    (
        "front_matter_unclosed",
        "The line that ends the front matter is missing, so nobody can say where the body begins.",
    ),
    (
        "front_matter_unreadable",
        "The front matter is no valid YAML or TOML. It is never taken for text, because it would be published.",
    ),
    (
        "yaml_unsupported",
        "The front matter uses an anchor, an alias or a tag of YAML. Values are taken as they are written, so write them out.",
    ),
    ("field_duplicate", "A field is given twice; only one of the values can be meant."),
    ("field_empty", "A field is there without a value, where an empty value means nothing."),
    ("field_not_for_page", "Pages have no categories, tags or formats in WordPress."),
    ("field_not_for_post", "Posts have no parent in WordPress; pages and some other types do."),
    ("field_type", "A field has a list or a map where a text belongs, or the other way round."),
    (
        "field_unknown",
        "There is no such field. It is refused, because a field that is passed over is a mistake nobody sees.",
    ),
    ("title_missing", "An article needs a title."),
    ("title_empty", "The title has no text."),
    (
        "title_too_long",
        "The title is longer than the limit. Probably a paragraph stands in its place.",
    ),
    ("title_control_character", "The title goes over several lines or holds a control character."),
    (
        "slug_collision",
        "Two articles of one type have slugs that are the same to WordPress (which ignores case and the form of accents). The second would become slug-2.",
    ),
    (
        "parent_invalid",
        "The parent of a page is named by its slug, by a path of slugs such as about/team, or by its id, written id: and a number.",
    ),
    (
        "type_unsupported",
        "The type is post, page, or the name of another type that the site offers over REST. Types of WordPress itself, such as attachment, hold no articles.",
    ),
    ("status_not_draft", "OncePress makes drafts only. A person publishes, in WordPress."),
    ("status_unknown", "The status is neither draft nor pending."),
    ("term_duplicate", "A category or tag is named twice."),
    ("term_empty", "A category or tag has no name."),
    ("term_id_invalid", "What follows id: is no number above zero."),
    ("term_too_long", "The name of a category or tag is longer than WordPress stores."),
    ("date_invalid", "The date is not written as in RFC 3339, such as 2026-04-01T09:00:00+09:00."),
    (
        "date_without_offset",
        "The date does not say in which time zone it is, and every guess is wrong for somebody.",
    ),
    (
        "body_format_unknown",
        "Markdown becomes html or blocks: write one of them as body_format, or leave the field out.",
    ),
    ("format_unknown", "WordPress has a closed list of post formats, and this is none of them."),
    ("comment_status_unknown", "Comments are open or closed."),
    (
        "featured_image_alt_alone",
        "There is an alt text for a featured image, but no featured image.",
    ),
    (
        "featured_image_remote",
        "WordPress features only images of its own media library, so the featured image must be a file beside the article.",
    ),
    // The body.
    ("body_empty", "There is nothing to send but a title."),
    (
        "html_ambiguous",
        "The HTML is so irregular that browsers don't agree on its structure, so images in it might be missed. Correct the tags near this line.",
    ),
    (
        "html_document",
        "An article is what stands between <body> and </body>; WordPress makes the page around it.",
    ),
    (
        "data_url",
        "The address holds the file itself (data:) or means something in one browser only (blob:). Save the content as a file.",
    ),
    (
        "link_to_article",
        "The link leads to an article file. Its address is known once it is published; write that address.",
    ),
    (
        "reference_unsupported",
        "A local path in a place whose files are not uploaded (CSS, settings of blocks, frames), or a link that leads to no file. It would be broken on the site. Write a full address.",
    ),
    // Images.
    ("images_too_many", "There are more images in one article than the limit."),
    (
        "image_ambiguous",
        "The address fits two files: one if %xx is decoded, one as it stands. Rename one of them.",
    ),
    (
        "image_case",
        "The file is there, but with other capital letters. Some systems don't mind, others don't find it.",
    ),
    ("image_damaged", "The file begins like an image but its width and height can't be read."),
    ("image_empty", "The image file has no bytes."),
    (
        "image_link_outside",
        "The image is, or lies behind, a link that leaves the articles folder. Nothing outside of it is read.",
    ),
    ("image_missing", "There is no file at this path, seen from the article's folder."),
    ("image_not_a_file", "The path leads to a folder, a pipe or a device."),
    ("image_not_an_image", "The bytes of the file are no image's."),
    (
        "image_outside_folder",
        "The path leads out of the articles folder. Nothing outside of it is read, because an article may come from anyone.",
    ),
    (
        "image_path_absolute",
        "The path begins at a root, a drive or another machine, and so means another file on every machine.",
    ),
    (
        "image_path_backslash",
        "The path is written with backslashes, which only some systems understand.",
    ),
    ("image_path_nul", "The path holds a NUL byte."),
    ("image_scheme_unsupported", "The address begins with a scheme that is not http or https."),
    ("image_source_empty", "The image has no address."),
    ("image_too_large", "The image has more bytes than the limit."),
    (
        "image_too_many_pixels",
        "The image has more pixels than the limit. Sites fail while they make smaller sizes of it.",
    ),
    ("image_type_mismatch", "The file's extension says another kind of image than its bytes."),
    (
        "image_type_unsupported",
        "JPEG, PNG, GIF, WebP and AVIF are uploaded, and with [media] allow in the configuration SVG, PDF, MP4, WebM and MP3. An <img> shows images only, and <video> and <audio> play no images.",
    ),
    ("image_unreadable", "The image file could not be opened or read."),
    // Warnings.
    (
        "file_ignored",
        "Warning. The file's name looks like an article's, but only .md and .html are read.",
    ),
    (
        "folder_link_skipped",
        "Warning. Links to folders are not entered: what they hold is foreign or would come twice.",
    ),
    (
        "html_comment",
        "Warning. HTML comments are sent with the body, and everybody can read them in the page's source.",
    ),
    (
        "html_filtered",
        "Warning. WordPress removes scripts, styles, iframes and on… attributes for users without the right unfiltered_html.",
    ),
    (
        "html_line_break",
        "Warning. WordPress turns a line break inside a paragraph of plain HTML into a visible one. Put each paragraph on one line.",
    ),
    (
        "image_avif",
        "Warning. WordPress takes AVIF images since version 6.5, and only where the host can read them. A site that does not refuses the upload.",
    ),
    (
        "image_has_place",
        "Warning. The photo's EXIF data say where it was taken, and the site serves the file as it is.",
    ),
    (
        "markdown_generator",
        "Warning. A mark that only a site generator understands is plain text to Markdown and to WordPress.",
    ),
    (
        "markdown_image_blank",
        "Warning. An image's address with a blank in it is plain text to Markdown.",
    ),
    (
        "markdown_vault",
        "Warning. A mark that only a notes vault understands is plain text to Markdown and to WordPress.",
    ),
    (
        "sidecar_unused",
        "Warning. There is a .toml file without an article of the same name beside it.",
    ),
    ("term_comma", "Warning. A text with a comma is one name. Write a list for several."),
];
