//! The command line as its users see it: what `tests/command_line/*.md` shows is what is printed.
//!
//! `TRYCMD=overwrite cargo test -p downpour-cli --test command_line` writes the outputs anew.

#[test]
fn commands_print_what_the_pages_show() {
    trycmd::TestCases::new().case("tests/command_line/*.md");
}
