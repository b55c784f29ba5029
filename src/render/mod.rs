//! From a scene to a picture: themes, letters, sprites, palette PNG. Knows no game.
