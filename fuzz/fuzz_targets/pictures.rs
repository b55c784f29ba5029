#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| rookery_fuzz::check("pictures", input));
