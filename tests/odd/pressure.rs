//! Sites that ask for fewer requests, and runs of several articles with one odd answer.
//!
//! Absent from here: single articles. The one rule: doubt stops one article, pressure
//! stops the run, and neither sends anything again.

use crate::support::http::Reply;
use crate::support::rows::{Row, play};
use crate::support::rules::{Ask, Carries, Give, Times, this};

const ALL_CREATED: &str = "0: x created - confirmed confirmed, y created - confirmed confirmed, \
     z created - confirmed confirmed; look-up 1, create 3; 3 posts";

fn three(name: &str) -> Row {
    Row::new(name).with_articles(&["x", "y", "z"])
}

/// Case RATE-01, ROOT-08: with the header in both forms, and without.
fn busy() -> Vec<(&'static str, Reply)> {
    let date = "Wed, 21 Oct 2037 07:28:00 GMT";
    vec![
        ("429", Reply::html(429, "")),
        ("429 with seconds", Reply::html(429, "").with("retry-after", "30")),
        ("429 with a date", Reply::html(429, "").with("retry-after", date)),
        ("429 in JSON", Reply::error(429, "too_many_requests")),
        ("503", Reply::html(503, "<html>Briefly unavailable for scheduled maintenance.")),
        ("503 with seconds", Reply::html(503, "").with("retry-after", "600")),
        ("503 in JSON", Reply::error(503, "rest_maintenance")),
    ]
}

#[test]
fn a_busy_answer_to_a_create_is_looked_into_and_ends_the_sending() {
    let row = |name: &str, carries, reply: &Reply, first: &str, second: &str| {
        three(name)
            .rule(Ask::Create, Times::Once, carries, this(reply.clone()))
            .runs(&[first, second])
    };
    let stored = |(name, reply): &(&str, Reply)| {
        row(
            &format!("{name}, stored"),
            Carries::Out,
            reply,
            "5: x completed - confirmed confirmed, y deferred rate_limited none none, \
             z deferred rate_limited none none; look-up 2, second-copies 0, create 1; 1 posts",
            "0: x skipped confirmed confirmed confirmed, y created - confirmed confirmed, \
             z created - confirmed confirmed; receipts 1, look-up 1, create 2; 3 posts",
        )
    };
    let not_stored = |(name, reply): &(&str, Reply)| {
        row(
            &format!("{name}, not stored"),
            Carries::Nothing,
            reply,
            "4: x held not_found possible sending +answer_lost, \
             y deferred rate_limited none none, z deferred rate_limited none none; \
             look-up 2, candidates 3, create 1; 0 posts",
            "4: x held not_found possible sending, y created - confirmed confirmed, \
             z created - confirmed confirmed; look-up 2, candidates 3, create 2; 2 posts",
        )
    };
    let busy = busy();
    play(busy.iter().map(stored).chain(busy.iter().map(not_stored)).collect());
}

#[test]
fn a_busy_answer_to_a_look_up_sends_nothing() {
    let row = |(name, reply): (&str, Reply)| {
        three(name)
            .always(Ask::LookUp, this(reply))
            .run(
                "5: x deferred cannot_look_up none none, y deferred cannot_look_up none none, \
                 z deferred cannot_look_up none none; look-up 1; 0 posts",
            )
            .healed()
            .run(ALL_CREATED)
    };
    play(busy().into_iter().map(row).collect());
}

#[test]
fn a_busy_answer_before_the_start_sends_nothing() {
    let row = |on, asked: &'static str| {
        move |(name, reply): (&str, Reply)| {
            three(name)
                .always(on, this(reply))
                .run(format!(
                    "5 !site_busy: x deferred site_busy none none, \
                     y deferred site_busy none none, \
                     z deferred site_busy none none; {asked}; 0 posts"
                ))
                .healed()
                .run(ALL_CREATED)
        }
    };
    let index = busy().into_iter().map(row(Ask::Index, "index 1, me 0"));
    let me = busy().into_iter().map(row(Ask::Me, "preflight only"));
    play(index.chain(me).collect());
}

#[test]
fn a_busy_answer_to_an_upload_ends_the_sending() {
    let row = |(name, reply): (&str, Reply)| {
        Row::new(name)
            .with(|desk| {
                desk.article_with_picture("x");
                desk.article_with_picture("y");
                desk.article("z");
            })
            .rule(Ask::Upload, Times::Nth(2), Carries::Nothing, this(reply))
            .run(
                "4: x created - confirmed confirmed [created -], \
                 y held media_unknown possible prepared [held not_found], \
                 z deferred rate_limited none none; \
                 look-up 1, second-copies 0, media-second-copies 0, create 1, media-look-up 2, upload 2; 1 posts",
            )
            .run(
                "4: x skipped confirmed confirmed confirmed, \
                 y held media_unknown possible prepared [held not_found], \
                 z created - confirmed confirmed; \
                 receipts 1, look-up 1, create 1, media-look-up 1; 2 posts",
            )
    };
    play(busy().into_iter().map(row).collect());
}

/// P4: the others go on.
#[test]
fn doubt_about_one_article_does_not_stop_the_others() {
    let row = |name: &str, give: Give, carries, middle: &str, asked: &str, posts: usize| {
        three(name).rule(Ask::Create, Times::Nth(2), carries, give).run(format!(
            "{}: x created - confirmed confirmed, y {middle}, z created - confirmed confirmed; \
             {asked}; {posts} posts",
            match middle.split(' ').next() {
                Some("completed") => 0,
                Some("held") => 4,
                _ => 3,
            }
        ))
    };
    let page = || this(Reply::html(500, "<html>"));
    play(vec![
        row(
            "lost, stored",
            page(),
            Carries::Out,
            "completed - confirmed confirmed",
            "look-up 2, create 3",
            3,
        ),
        row(
            "lost, not stored",
            page(),
            Carries::Nothing,
            "held not_found possible sending +answer_lost",
            "look-up 2, candidates 3, create 3",
            2,
        ),
        row(
            "refused",
            this(Reply::error(400, "rest_invalid_param")),
            Carries::Nothing,
            "rejected rest_invalid_param none none",
            "look-up 1, create 3",
            2,
        ),
        row(
            "WAF-01 a firewall that dislikes its text",
            this(Reply::html(403, "<html>")),
            Carries::Nothing,
            "held not_found possible sending +answer_lost",
            "look-up 2, candidates 3, create 3",
            2,
        ),
    ]);
}

/// A site that can't even be asked about the last send gets no further one.
#[test]
fn a_lost_answer_and_no_look_up_end_the_sending() {
    let row = |name: &str, reply: Reply| {
        three(name)
            .rule(Ask::Create, Times::Once, Carries::Out, this(Reply::html(502, "")))
            .rule(Ask::LookUp, Times::From(2), Carries::Out, this(reply))
            .run(
                "4: x unknown cannot_look_up possible sending +answer_lost, \
                 y deferred site_unreachable none none, z deferred site_unreachable none none; \
                 look-up 2, create 1; 1 posts",
            )
            .healed()
            .run(
                "0: x completed - confirmed confirmed, y created - confirmed confirmed, \
                 z created - confirmed confirmed; look-up 2, create 2; 3 posts",
            )
    };
    play(vec![
        row("a firewall", Reply::html(403, "<html>")),
        row("down", Reply::html(502, "")),
        row("credentials lost", Reply::error(401, "rest_forbidden_context")),
        row("busy", Reply::html(429, "")),
    ]);
}

/// Facts §5: a tag that exists is as good as one that was created.
#[test]
fn odd_answers_to_a_new_tag_cost_nothing() {
    let row =
        |name: &str, carries, reply: Reply| {
            Row::new(name)
                .with(|desk| desk.article_with("x", "tags: [Tram]\n", "Only a body."))
                .rule(Ask::CreateTag, Times::Once, carries, this(reply))
        };
    let deferred = "5: x deferred cannot_look_up_terms none none; \
         look-up 1, terms 1, create-tag 1; 0 posts";
    let found = "0: x created - confirmed confirmed; look-up 1, create 1, terms 1; 1 posts";
    let made =
        "0: x created - confirmed confirmed; look-up 1, create 1, terms 1, create-tag 1; 1 posts";
    let refused = "6: x rejected no_right_to_tags none none; \
         look-up 1, terms 1, create-tag 1; 0 posts";
    play(vec![
        row("lost, stored", Carries::Out, Reply::html(502, "")).runs(&[deferred, found]),
        row("lost, not stored", Carries::Nothing, Reply::html(502, "")).runs(&[deferred, made]),
        row("busy", Carries::Nothing, Reply::html(429, "")).runs(&[deferred, made]),
        row("empty", Carries::Out, Reply::html(200, "")).runs(&[deferred, found]),
        row("no right", Carries::Nothing, Reply::error(403, "rest_cannot_create"))
            .runs(&[refused, made]),
    ]);
}

#[test]
fn a_busy_answer_to_a_new_tag_ends_the_sending() {
    let row = |(name, reply): (&str, Reply)| {
        Row::new(name)
            .with(|desk| {
                desk.article_with("x", "tags: [Tram]\n", "Only a body.");
                desk.article("y");
            })
            .rule(Ask::CreateTag, Times::Once, Carries::Nothing, this(reply))
            .run(
                "5: x deferred cannot_look_up_terms none none, \
                 y deferred rate_limited none none; look-up 1, terms 1, create-tag 1; 0 posts",
            )
            .run(
                "0: x created - confirmed confirmed, y created - confirmed confirmed; \
                 look-up 1, create 2, terms 1, create-tag 1; 2 posts",
            )
    };
    play(busy().into_iter().map(row).collect());
}
