//! Proper answers to a create that say something else than was sent.
//!
//! Absent from here: answers that are no proof (`bodies`). The one rule: the draft
//! exists and has its receipt; what differs is told, and a post that is no draft stops
//! the run.

use serde_json::{Value, json};

use crate::refusals::CONFIRMED;
use crate::support::http::Reply;
use crate::support::rows::{Row, play};
use crate::support::rules::{Ask, Carries, Give, Times, bent};

/// The site stores what it likes, and says so.
fn says(change: impl Fn(&mut Value) + Send + Sync + 'static) -> Give {
    bent(move |reply: Reply| {
        let mut post: Value = serde_json::from_slice(&reply.body).expect("the post");
        change(&mut post);
        Reply { body: post.to_string().into_bytes(), ..reply }
    })
}

fn with_warning(name: &str, codes: &str, give: Give) -> Row {
    Row::new(name)
        .always(Ask::Create, give)
        .run(format!("0: x created - confirmed confirmed {codes}; look-up 1, create 1; 1 posts"))
        .run(CONFIRMED)
}

#[test]
fn what_differs_is_told_and_the_receipt_kept() {
    play(vec![
        with_warning(
            "the title",
            "+title_changed",
            says(|post| post["title"]["raw"] = json!("Else")),
        ),
        with_warning("no title told", "+title_changed", says(|post| post["title"] = Value::Null)),
        with_warning(
            "the content",
            "+content_changed",
            says(|post| post["content"]["raw"] = json!("<p>Else")),
        ),
        with_warning(
            "the status",
            "+status_changed",
            says(|post| post["status"] = json!("pending")),
        ),
    ]);
}

/// Case FIND-05: a post that is not to be seen holds the slug.
#[test]
fn another_slug_in_the_echo_is_told() {
    let taken = says(|post| post["slug"] = json!("x-2"));
    let row = Row::new("FIND-05 x-2")
        .always(Ask::Create, taken)
        .run("0: x created - confirmed confirmed +slug_changed; look-up 1, candidates 3, create 1; 1 posts")
        // The site stores `x` after all: that is not what the receipt says.
        .run("4: x held receipt_mismatch confirmed confirmed; receipts 1; 1 posts");
    let clean = Row::new("FIND-04 an emptied slug")
        .always(Ask::Create, says(|post| post["slug"] = json!("")))
        .run("0: x created - confirmed confirmed +slug_changed; look-up 1, candidates 3, create 1; 1 posts")
        .then(|site, _| site.change(|stored| stored.posts[0]["slug"] = json!("")))
        .run(CONFIRMED);
    play(vec![row, clean]);
}

/// Case MED-26.
#[test]
fn terms_and_images_that_were_dropped_are_told() {
    let tagged = |row: Row| {
        row.with(|desk| desk.article_with("x", "tags: [Tram]\n", "Only a body.")).where_the_site(
            |stored| {
                let tag =
                    json!({ "id": 9, "name": "Tram", "slug": "tram", "taxonomy": "post_tag" });
                stored.tags.push(tag);
            },
        )
    };
    let row = tagged(Row::new("tags dropped"))
        .always(Ask::Create, says(|post| post["tags"] = json!([])))
        .run("0: x created - confirmed confirmed +tags_dropped; look-up 1, create 1, terms 1; 1 posts")
        .run(CONFIRMED);
    let image = Row::new("featured image dropped")
        .with(|desk| {
            desk.write("articles/x.png", crate::support::desk::png(b"x"));
            desk.article_with("x", "featured_image: x.png\n", "Only a body.");
        })
        .always(Ask::Create, says(|post| post["featured_media"] = json!(0)))
        .run(
            "0: x created - confirmed confirmed [created -] +featured_image_dropped; \
             look-up 1, create 1, media-look-up 1, upload 1; 1 posts",
        )
        .run(CONFIRMED);
    play(vec![row, image]);
}

/// Spec §6: something on the site publishes drafts.
#[test]
fn a_post_that_is_no_draft_stops_the_run() {
    let rows = ["publish", "future", "private", "trash", "auto-draft", ""].map(|status| {
        Row::new(format!("status {status:?}"))
            .with_articles(&["x", "y"])
            .always(Ask::Create, says(move |post| post["status"] = json!(status)))
            .run(
                "4 !status_not_draft: x created - confirmed confirmed +status_changed, \
                 y deferred status_not_draft none none; look-up 1, second-copies 0, create 1; 1 posts",
            )
            .healed()
            .run(
                "0: x skipped confirmed confirmed confirmed, y created - confirmed confirmed; \
                 receipts 1, look-up 1, create 1; 2 posts",
            )
    });
    play(rows.into());
}

/// Case DUP-04: some servers hand back an existing post.
#[test]
fn a_post_that_is_another_articles_is_not_counted_as_new() {
    let first = says(|post| {
        post["id"] = json!(41);
        post["slug"] = json!("x");
        post["title"]["raw"] = json!("The title of x");
    });
    play(vec![
        Row::new("DUP-04 the same id again")
            .with_articles(&["x", "y"])
            .rule(Ask::Create, Times::Nth(2), Carries::Nothing, first)
            .run(
                "4: x created - confirmed confirmed, \
                 y held not_found possible sending +answer_lost; \
                 look-up 2, candidates 3, create 2; 1 posts",
            ),
    ]);
}
