//! The shared kit: what every game, player and picture is made of.
//!
//! It knows no game, clock, channel, pixel, file or socket.
