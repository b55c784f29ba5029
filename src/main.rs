//! The `rookery` program: reads the words after the name and wires the parts together.
fn main() {}
