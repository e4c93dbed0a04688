//! Records to write and read: one of each kind and phase, and random ones.

use std::error::Error;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::journal::RunInfo;
use crate::names::{
    ArticleKey, AttachmentId, Digest, DraftStatus, OperationId, PostId, PostType, RunId, SiteKey,
    Slug, TermId, Timestamp, UserId,
};
use crate::protocol::HoldReason;
use crate::protocol::change::{Change, Decision};
use crate::protocol::kinds::{
    Approval, ArticleInput, Articles, AttachmentReceipt, ContentFilter, Kind, KnownBy, MetaValue,
    PostFields, PostReceipt, UploadInput, UploadSent, Uploads,
};
use crate::protocol::record::{ArticleRecord, Prepared, Record, UploadRecord};

pub(super) fn site() -> SiteKey {
    SiteKey::parse("example.com").unwrap()
}

pub(super) fn at(second: u32) -> Timestamp {
    Timestamp::new(1_767_323_045 + i64::from(second), 0).unwrap()
}

pub(super) fn run(name: &str) -> RunInfo {
    RunInfo {
        run_id: RunId::parse(name).unwrap(),
        pid: 2,
        boot_id: Some("5a0c".to_owned()),
        host: "desk".to_owned(),
        started: at(0),
        command: "oncepress push".to_owned(),
    }
}

pub(super) fn key(slug: &str) -> ArticleKey {
    ArticleKey { post_type: PostType::Post, slug: Slug::from_stored(slug).unwrap() }
}

pub(super) fn article_input() -> ArticleInput {
    ArticleInput {
        source: "articles/first.md".to_owned(),
        digest: Digest::of(b"article"),
        renderer: 1,
        media: vec![Digest::of(b"image")],
        approval: None,
    }
}

pub(super) fn post_fields() -> PostFields {
    PostFields {
        status: DraftStatus::Draft,
        title: "First \"article\" 日本".to_owned(),
        content: "<p>Hello\n\u{0}<b>world</b></p>".to_owned(),
        excerpt: Some("Short".to_owned()),
        categories: vec![TermId::new(3).unwrap(), TermId::new(5).unwrap()],
        tags: Vec::new(),
        featured_media: AttachmentId::new(7),
        date: Some(at(1)),
        author: UserId::new(2),
        template: None,
        format: Some("standard".to_owned()),
        comment_status: Some("closed".to_owned()),
        parent: None,
        meta: vec![
            ("b".to_owned(), MetaValue::Text("2".to_owned())),
            ("a".to_owned(), MetaValue::Text("1".to_owned())),
        ],
        filter: ContentFilter::On,
    }
}

pub(super) fn post_receipt() -> PostReceipt {
    PostReceipt {
        post_id: PostId::new(42).unwrap(),
        stored_slug: "first-article".to_owned(),
        link: "https://example.com/?p=42".to_owned(),
        status: "draft".to_owned(),
        content_digest: Some(Digest::of(b"stored")),
        known_by: KnownBy::Answer,
        at: at(12),
    }
}

pub(super) fn upload_input() -> UploadInput {
    UploadInput {
        paths: vec!["articles/img/a.png".to_owned()],
        bytes: 5,
        mime: "image/png".to_owned(),
        upload_slug: Slug::from_stored("a-6105d6cc").unwrap(),
    }
}

pub(super) fn upload_sent() -> UploadSent {
    UploadSent { upload_name: "a-6105d6cc.png".to_owned(), author: UserId::new(2).unwrap() }
}

pub(super) fn attachment_receipt() -> AttachmentReceipt {
    AttachmentReceipt {
        attachment_id: AttachmentId::new(7).unwrap(),
        stored_slug: "a-6105d6cc".to_owned(),
        url: "https://example.com/wp-content/uploads/2026/01/a-6105d6cc.png".to_owned(),
        mime: "image/png".to_owned(),
        known_by: KnownBy::LookUp,
        at: at(8),
    }
}

pub(super) fn prepared<K: Kind>(input: K::Input) -> Prepared<K> {
    Prepared {
        operation: OperationId::parse("op-1").unwrap(),
        input,
        run: RunId::parse("run-1").unwrap(),
        at: at(5),
    }
}

pub(super) fn decision(because: &str) -> Decision {
    Decision {
        by: "ann@desk".to_owned(),
        because: because.to_owned(),
        evidence: "the look-up showed nothing".to_owned(),
        at: at(20),
    }
}

fn begin<K: Kind>(sent: K::Sent) -> Change<K> {
    let run = RunId::parse("run-1").unwrap();
    Change::BeginSending { sent, run, at: at(10), settle_until: at(130) }
}

fn after<K: Kind>(identity: K::Identity, changes: Vec<Change<K>>) -> Record<K> {
    let new = Record::new(identity);
    changes.into_iter().fold(new, |record, change| record.apply(change).unwrap())
}

/// One article record of each phase, and of each note that a record can have.
pub(super) fn articles() -> Vec<(&'static str, ArticleRecord)> {
    let prepare = || Change::<Articles>::Prepare(prepared(article_input()));
    let send = || vec![prepare(), begin(post_fields())];
    let with = |mut first: Vec<Change<Articles>>, then: Vec<Change<Articles>>| {
        first.extend(then);
        after(key("first-article"), first)
    };
    let void = Change::Void {
        code: "http_404".to_owned(),
        evidence: "404 from the route".to_owned(),
        at: at(11),
    };
    vec![
        ("article-none", with(send(), vec![void])),
        ("article-prepared", with(vec![prepare()], Vec::new())),
        ("article-sending", with(send(), Vec::new())),
        ("article-sending-held", with(send(), vec![Change::Hold(HoldReason::NotFound, at(140))])),
        ("article-confirmed", with(send(), vec![Change::Confirm(post_receipt())])),
        ("article-prepared-again", with(send(), vec![Change::NotCreated(decision("I looked"))])),
        ("article-withdrawn", with(send(), vec![Change::Withdraw(decision("too old"))])),
    ]
}

/// One upload record of each phase.
pub(super) fn uploads() -> Vec<(&'static str, UploadRecord)> {
    let prepare = || Change::<Uploads>::Prepare(prepared(upload_input()));
    let send = || vec![prepare(), begin(upload_sent())];
    let with = |mut first: Vec<Change<Uploads>>, then: Vec<Change<Uploads>>| {
        first.extend(then);
        after(Digest::of(b"image"), first)
    };
    let void = Change::Void {
        code: "media_type_refused".to_owned(),
        evidence: "rest_upload_sideload_error".to_owned(),
        at: at(7),
    };
    vec![
        ("upload-none", with(send(), vec![void])),
        ("upload-prepared", with(vec![prepare()], Vec::new())),
        ("upload-sending", with(send(), Vec::new())),
        ("upload-confirmed", with(send(), vec![Change::Confirm(attachment_receipt())])),
    ]
}

pub(super) fn prepared_article(slug: &str) -> ArticleRecord {
    after(key(slug), vec![Change::Prepare(prepared(article_input()))])
}

/// An error and what caused it, as people see it.
pub(super) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

fn any_time() -> impl Strategy<Value = Timestamp> {
    let (first, last) = (Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
    (first..last, 0..1_000_000_000_i32)
        .prop_map(|(second, nanosecond)| Timestamp::new(second, nanosecond).unwrap())
}

fn any_digest() -> impl Strategy<Value = Digest> {
    any::<[u8; 32]>().prop_map(Digest::from_bytes)
}

fn any_known_by() -> impl Strategy<Value = KnownBy> {
    prop_oneof![Just(KnownBy::Answer), Just(KnownBy::LookUp), Just(KnownBy::Person)]
}

fn any_slug() -> impl Strategy<Value = Slug> {
    "[a-z0-9%_-]{1,200}".prop_map(|text| Slug::from_stored(&text).unwrap())
}

fn any_article_input() -> impl Strategy<Value = ArticleInput> {
    let approval = (any_digest(), any::<String>(), any_time())
        .prop_map(|(plan, by, at)| Approval { plan, by, at });
    let approval = proptest::option::of(approval);
    (any::<String>(), any_digest(), any::<u32>(), vec(any_digest(), 0..4), approval).prop_map(
        |(source, digest, renderer, media, approval)| ArticleInput {
            source,
            digest,
            renderer,
            media,
            approval,
        },
    )
}

fn any_upload_input() -> impl Strategy<Value = UploadInput> {
    (vec(any::<String>(), 1..4), any::<u64>(), any::<String>(), any_slug()).prop_map(
        |(paths, bytes, mime, upload_slug)| UploadInput { paths, bytes, mime, upload_slug },
    )
}

fn any_post_fields() -> impl Strategy<Value = PostFields> {
    let id = || 1..u64::MAX;
    let text = || option::of(any::<String>());
    let ids = move || vec(id().prop_map(|id| TermId::new(id).unwrap()), 0..3);
    let texts = (any::<String>(), any::<String>(), text(), text(), text(), text());
    let numbers = (ids(), ids(), option::of(id()), option::of(id()), option::of(any_time()));
    let meta = vec((any::<String>(), any_meta_value()), 0..3);
    let rest = (any::<bool>(), any::<bool>(), option::of(id()), meta);
    (texts, numbers, rest).prop_map(|(texts, numbers, (pending, filtered, parent, meta))| {
        let (title, content, excerpt, template, format, comment_status) = texts;
        let (categories, tags, media, author, date) = numbers;
        PostFields {
            status: if pending { DraftStatus::Pending } else { DraftStatus::Draft },
            title,
            content,
            excerpt,
            categories,
            tags,
            featured_media: media.and_then(AttachmentId::new),
            date,
            author: author.and_then(UserId::new),
            template,
            format,
            comment_status,
            parent: parent.and_then(PostId::new),
            meta,
            filter: if filtered { ContentFilter::On } else { ContentFilter::Off },
        }
    })
}

fn any_meta_value() -> impl Strategy<Value = MetaValue> {
    prop_oneof![
        any::<String>().prop_map(MetaValue::Text),
        any::<i64>().prop_map(MetaValue::Integer),
        (-1000_i32..1000).prop_map(|n| MetaValue::Number(format!("{n}.5"))),
        any::<bool>().prop_map(MetaValue::Boolean),
    ]
}

fn any_post_receipt() -> impl Strategy<Value = PostReceipt> {
    let texts = (any::<String>(), any::<String>(), any::<String>());
    let digest = option::of(any_digest());
    (1..u64::MAX, texts, digest, any_known_by(), any_time()).prop_map(
        |(id, (stored_slug, link, status), content_digest, known_by, at)| PostReceipt {
            post_id: PostId::new(id).unwrap(),
            stored_slug,
            link,
            status,
            content_digest,
            known_by,
            at,
        },
    )
}

fn any_attachment_receipt() -> impl Strategy<Value = AttachmentReceipt> {
    let texts = (any::<String>(), any::<String>(), any::<String>());
    (1..u64::MAX, texts, any_known_by(), any_time()).prop_map(
        |(id, (stored_slug, url, mime), known_by, at)| AttachmentReceipt {
            attachment_id: AttachmentId::new(id).unwrap(),
            stored_slug,
            url,
            mime,
            known_by,
            at,
        },
    )
}

fn any_upload_sent() -> impl Strategy<Value = UploadSent> {
    (any::<String>(), 1..u64::MAX).prop_map(|(upload_name, author)| UploadSent {
        upload_name,
        author: UserId::new(author).unwrap(),
    })
}

fn any_decision() -> impl Strategy<Value = Decision> {
    (any::<String>(), any::<String>(), any::<String>(), any_time())
        .prop_map(|(by, because, evidence, at)| Decision { by, because, evidence, at })
}

fn any_change<K: Kind + Clone + 'static>(
    input: fn() -> BoxedStrategy<K::Input>,
    sent: fn() -> BoxedStrategy<K::Sent>,
    receipt: fn() -> BoxedStrategy<K::Receipt>,
) -> impl Strategy<Value = Change<K>>
where
    Change<K>: std::fmt::Debug,
{
    let prepare = (input(), "[a-z0-9-]{1,64}", "[a-z0-9-]{1,64}", any_time()).prop_map(
        |(input, operation, run, at)| {
            let operation = OperationId::parse(&operation).unwrap();
            let run = RunId::parse(&run).unwrap();
            Change::Prepare(Prepared { operation, input, run, at })
        },
    );
    let begin =
        (sent(), "[a-z0-9-]{1,64}", any_time(), any_time()).prop_map(|(sent, run, one, two)| {
            let run = RunId::parse(&run).unwrap();
            Change::BeginSending { sent, run, at: one.min(two), settle_until: one.max(two) }
        });
    let void = (any::<String>(), any::<String>(), any_time())
        .prop_map(|(code, evidence, at)| Change::Void { code, evidence, at });
    let hold = (0..HoldReason::ALL.len(), any_time())
        .prop_map(|(number, at)| Change::Hold(HoldReason::ALL[number], at));
    let adopt = (input(), receipt(), any_decision())
        .prop_map(|(input, receipt, decision)| Change::Adopt { input, receipt, decision });
    prop_oneof![
        4 => prepare,
        4 => begin,
        2 => receipt().prop_map(Change::Confirm),
        1 => void,
        1 => hold,
        1 => Just(Change::Release),
        1 => adopt,
        1 => any_decision().prop_map(Change::NotCreated),
        1 => any_decision().prop_map(Change::Restart),
        1 => any_decision().prop_map(Change::Withdraw),
    ]
}

/// The record after these changes, leaving out those that it can't undergo.
fn led_through<K: Kind + Clone>(identity: K::Identity, changes: Vec<Change<K>>) -> Record<K> {
    changes.into_iter().fold(Record::new(identity), |record, change| {
        record.clone().apply(change).unwrap_or(record)
    })
}

pub(super) fn any_article() -> impl Strategy<Value = ArticleRecord> {
    let change = any_change::<Articles>(
        || any_article_input().boxed(),
        || any_post_fields().boxed(),
        || any_post_receipt().boxed(),
    );
    let post_type = prop_oneof![
        Just(PostType::Post),
        Just(PostType::Page),
        "[a-z0-9_-]{1,20}".prop_filter_map("no type", |name| PostType::parse(&name).ok()),
    ];
    (post_type, any_slug(), vec(change, 1..8))
        .prop_map(|(post_type, slug, changes)| led_through(ArticleKey { post_type, slug }, changes))
}

pub(super) fn any_upload() -> impl Strategy<Value = UploadRecord> {
    let change = any_change::<Uploads>(
        || any_upload_input().boxed(),
        || any_upload_sent().boxed(),
        || any_attachment_receipt().boxed(),
    );
    (any_digest(), vec(change, 1..8)).prop_map(|(digest, changes)| led_through(digest, changes))
}
