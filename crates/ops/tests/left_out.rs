//! Says what `cargo test` alone does not check. Not a test: it has nothing to fail.

fn main() {
    println!(
        "\n**********************************************************************\n\
         LEFT OUT by `cargo test`: the comparison of every operation with\n\
         TensorFlow and the tests with TensorFlow's client, which need Python.\n\
         `cargo xtask test` runs them too.\n\
         **********************************************************************\n"
    );
}
