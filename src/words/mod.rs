//! Sentences people read, from Fluent files: the one place where data becomes words.
