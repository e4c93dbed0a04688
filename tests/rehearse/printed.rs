//! What is printed, to people and to machines.

use serde_json::{Value, json};

use crate::stage::{Stage, json, text};

#[test]
fn people_see_every_scene() {
    let ran = Stage::new().run(&["rehearse"]);
    insta::assert_snapshot!("every_scene", text(&ran.stdout));
    assert_eq!((text(&ran.stderr), ran.status.code()), ("", Some(0)));
    let longest = text(&ran.stdout).lines().map(|line| line.chars().count()).max();
    assert!(longest <= Some(80), "{longest:?} columns");
}

#[test]
fn machines_see_what_each_verdict_comes_from() {
    let ran = Stage::new().run(&["rehearse", "--json"]);
    let object = json(&ran);
    assert_eq!((text(&ran.stderr), ran.status.code()), ("", Some(0)));
    assert_eq!(object["schema"], "oncepress.rehearsal/1");
    assert_eq!((&object["ok"], &object["exit_code"]), (&json!(true), &json!(0)));
    let scenes = object["scenes"].as_array().unwrap();
    assert_eq!(object["counts"], json!({"as_promised": scenes.len(), "broken": 0}));
    for scene in scenes {
        let expected = &scene["expected"];
        let (arrivals, posts) = (&scene["arrivals"], scene["posts"].as_array().unwrap());
        assert_eq!(scene["verdict"], "as_promised", "{scene:#}");
        assert_eq!(arrivals["creates"], expected["creates"], "{scene:#}");
        assert_eq!(arrivals["uploads"], expected["uploads"], "{scene:#}");
        assert_eq!(arrivals["others"], json!([]), "{scene:#}");
        assert_eq!(json!(posts.len()), expected["posts"], "{scene:#}");
        assert_eq!(scene["images"], expected["images"], "{scene:#}");
        for run in scene["runs"].as_array().unwrap() {
            assert_eq!(run["exit_code"], run["expected"]["exit_code"], "{scene:#}");
            assert_eq!(run["killed_at"], run["expected"]["killed_at"], "{scene:#}");
        }
    }
    insta::assert_snapshot!("one_scene", without_chance(&object));
}

/// The third scene, without the times, and without the number that its post has.
fn without_chance(object: &Value) -> String {
    let mut scene = object["scenes"][2].clone();
    let id = scene["posts"][0]["post_id"].clone();
    assert!(id.is_u64(), "{scene:#}");
    for write in scene["arrivals"]["writes"].as_array_mut().unwrap() {
        assert!(write["at"].is_string(), "{write:#}");
        write["at"] = "(a time)".into();
        assert_eq!(write["made"][0]["id"], id);
        write["made"][0]["id"] = "(the post)".into();
    }
    assert_eq!(scene["runs"][2]["articles"][0]["post_id"], id);
    scene["runs"][2]["articles"][0]["post_id"] = "(the post)".into();
    scene["posts"][0]["post_id"] = "(the post)".into();
    serde_json::to_string_pretty(&scene).unwrap()
}

#[test]
fn scenes_can_be_chosen_and_do_not_need_each_other() {
    let object = json(&Stage::new().run(&["rehearse", "--json"]));
    for scene in object["scenes"].as_array().unwrap() {
        let name = scene["scene"].as_str().unwrap();
        let alone = json(&Stage::new().run(&["rehearse", name, "--json"]));
        let found = alone["scenes"].as_array().unwrap().iter().find(|alone| alone["scene"] == name);
        let facts = |scene: &Value| {
            let arrivals = &scene["arrivals"];
            let words = [&scene["verdict"], &arrivals["creates"], &arrivals["uploads"]];
            (words.map(Clone::clone), scene["posts"].clone())
        };
        assert_eq!(found.map(facts), Some(facts(scene)), "{name}");
    }
    let two = json(&Stage::new().run(&["rehearse", "S3", "C1", "--json"]));
    let names: Vec<_> = two["scenes"].as_array().unwrap().iter().map(|s| &s["scene"]).collect();
    assert_eq!(names, ["S3", "C1"]);
}
