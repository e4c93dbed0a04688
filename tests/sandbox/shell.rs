//! `oncepress completions` and `oncepress man`.

use std::fs;
use std::process::Command;

use crate::support::*;

/// What bash offers for the last of these words, once it has read the script.
fn offered(project: &Project, words: &[&str]) -> Vec<String> {
    let script = project.run(&["completions", "bash"]);
    assert_eq!((script.code, script.stderr.as_str()), (Some(0), ""), "{script:?}");
    project.write("completions.bash", &script.stdout);
    let ask = "source ./completions.bash\n\
               COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); last=$((COMP_CWORD - 1))\n\
               _oncepress oncepress \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[last]}\"\n\
               printf '%s\\n' \"${COMPREPLY[@]}\"";
    let output = Command::new("bash")
        .args(["--norc", "-c", ask, "bash"])
        .args(words)
        .current_dir(project.path())
        .output()
        .expect("bash is there");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_options_and_values() {
    let project = Project::new("sandbox:");
    assert_eq!(offered(&project, &["oncepress", "pu"]), ["push"]);
    assert_eq!(offered(&project, &["oncepress", "push", "--lo"]), ["--lock-wait"]);
    assert_eq!(offered(&project, &["oncepress", "push", "--color", "a"]), ["auto", "always"]);
    assert_eq!(offered(&project, &["oncepress", "status", "--ver"]), ["--verbose"]);
}

#[test]
fn every_shell_has_its_script() {
    let project = Project::new("sandbox:");
    for (shell, start) in [
        ("bash", "_oncepress() {\n"),
        ("elvish", "\nuse builtin;\n"),
        ("fish", "# Print an optspec for argparse"),
        ("powershell", "\nusing namespace System.Management.Automation\n"),
        ("zsh", "#compdef oncepress\n"),
    ] {
        let ran = project.run(&["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{shell}");
        assert!(ran.stdout.starts_with(start), "{shell}: {}", &ran.stdout[..60]);
        assert!(ran.stdout.contains("push"), "{shell}");
        let told = project.run(&["completions", shell, "--json"]).json();
        assert_eq!(told["schema"], "oncepress.completions/1");
        assert_eq!(told["script"], ran.stdout);
    }
    let ran = project.run(&["completions", "tcsh", "--json"]);
    assert_eq!(ran.in_a_line(), "\"bad_arguments\" exit 2");
}

#[test]
fn there_is_a_page_for_each_command() {
    let project = Project::new("sandbox:");
    let page = project.run(&["man"]);
    assert_eq!((page.code, page.stderr.as_str()), (Some(0), ""), "{page:?}");
    assert!(page.stdout.contains(".TH oncepress 1"), "{}", page.stdout);

    let told = project.run(&["man", "--out", "share/man1", "--json"]).json();
    let written = told["written"].as_array().expect("a list");
    assert_eq!(written[0], "share/man1/oncepress.1");
    let first = fs::read_to_string(project.path().join("share/man1/oncepress.1")).expect("written");
    assert_eq!(first, page.stdout);
    let push = fs::read_to_string(project.path().join("share/man1/oncepress-push.1"));
    let push = push.expect("written");
    assert!(push.contains("\\fB\\-\\-lock\\-wait\\fR"), "{push}");
    assert!(push.contains("\\fB\\-\\-json\\fR"), "the options of all commands: {push}");
    let help = project.run(&["-h"]).stdout;
    let (_, commands) = help.split_once("\nCommands:\n").expect("commands");
    let names = commands.lines().take_while(|line| !line.is_empty());
    for name in names.filter(|line| line.starts_with("  ") && !line.starts_with("   ")) {
        let name = name.split_whitespace().next().expect("a name");
        assert!(project.exists(&format!("share/man1/oncepress-{name}.1")), "{name}");
    }
}

#[test]
fn a_folder_that_takes_no_pages_is_told() {
    let project = Project::new("sandbox:");
    project.write("share", "a file");
    let ran = project.run(&["man", "--out", "share", "--json"]);
    assert_eq!(ran.in_a_line(), "\"man_not_written\" exit 2", "{ran:?}");
}
