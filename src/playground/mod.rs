//! A small Discord of our own on loopback, for trying the bot and for testing it.
