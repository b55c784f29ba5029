# What is kept of games: whether it was changed, how it is shown again and handed out.

command-verify = Check that a game's record is unchanged and its random setup is fair

layout-fixed = The board was shuffled before anyone joined.

verify-clean = **{ $table }: everything checks out.**
verify-wrong = **{ $table }: something is wrong.** Please tell the people who run Rookery.
verify-record = The record is unchanged: { $entries ->
        [one] its one entry matches its checksum.
       *[other] all { $entries } entries match their checksums.
    } The latest is `{ $seal }`.
verify-unsealed = { $entries ->
        [one] The first entry is
       *[other] The first { $entries } entries are
    } too old to have a checksum.
verify-old = This record is too old to have checksums, so I can't tell whether it was changed.
verify-altered = The record was changed: entry { $entry } doesn't match its checksum.
verify-missing = The record was changed: entry { $entry } is missing, or there's one too many.
verify-seal-lost = The record was changed: entry { $entry } has lost its checksum.
verify-cut-off = The record was changed: its last entries are missing.
verify-game = { $ply ->
        [0] Nobody has moved yet.
        [one] The one move played is legal.
       *[other] All { $ply } moves are legal.
    }
verify-no-game = The game breaks the rules: entry { $entry } isn't possible.
verify-unpledged = The random setup wasn't fixed in advance, so I can't check it.
verify-chosen = Seed { $seed } was known from the start (someone chose it, or it's game 2 of a set), and the start matches it.
verify-lots-sealed = Random tie-breaks were fixed in advance as `{ $digest }`. Their seed is shown when the game is over.
verify-lots-kept = Random tie-breaks were fixed in advance as `{ $digest }`: seed { $lots }, salt `{ $salt }`. Check it with `printf 'rookery seed 1\n%s\n%s' { $lots } { $salt } | sha256sum`.
verify-sealed = The random setup was fixed before anyone joined, as `{ $digest }`, and the start matches it. The seed is shown when the game is over.
verify-kept = The random setup was fixed before anyone joined, as `{ $digest }`, and the game used it. The seed was { $seed }, the salt `{ $salt }`. Check it with `printf 'rookery seed 1\n%s\n%s' { $seed } { $salt } | sha256sum`.
verify-votes = { $held ->
        [one] I recounted one team vote, and it's right.
       *[other] I recounted { $held } team votes, and they're right.
    } { $drawn ->
        [0] None was a tie.
        [one] One was a tie, and the random pick is right.
       *[other] { $drawn } were ties, and the random picks are right.
    }
verify-miscounted = A vote is wrong: entry { $entry } doesn't match the votes and the random pick.
verify-stand-in = A player here had their data deleted. The record never held their ID, so every checksum still counts.
verify-forgotten = On { $when }, a player's name was deleted at their request. Entries 1 to { $entries } got new checksums because they held it. Before that nothing had been changed, up to checksum `{ $seal }`: compare it with one you noted earlier. The checksums can't show that only the name changed that day.
verify-forgotten-wrong = On { $when }, a player's name was deleted at their request. Entries 1 to { $entries } got new checksums then, but **they had already been changed** (last checksum `{ $seal }`).
verify-breach-digest = The random setup is wrong: its seed isn't the one that was fixed.
verify-breach-layout = The random setup is wrong: the seed doesn't give this start.
verify-breach-seats = The random setup is wrong: the players aren't in the seats it gave them.

command-export = Download a game's record as a file
command-export-as = File format
export-form-text = plain text
export-form-json = JSON
export-form-abstractplay = Abstract Play format
export-done = { $table } · Here's the record of { $ply ->
        [0] a game without moves
        [one] one move
       *[other] { $ply } moves
    }. Load it with `/import`.
export-unfinished = That format is only for finished games with a result. Choose another one.

command-paper = Get a page to print and play on
command-paper-game = Which game, from the start
command-paper-table = Or a table, at its current position
command-paper-size = Paper size
command-paper-as = File format
paper-size-a4 = A4
paper-size-letter = Letter
paper-form-pdf = PDF
paper-form-svg = SVG
paper-or-game = To print a game from the start, choose it as `game`.
paper-done = { $game } · Here's your page to print.

command-import = Load a game, a position or a picture of a board, to look at it or play on
command-import-text = The record, the moves or the position, as text
command-import-file = The record as a file, or a picture of a board
command-import-game = Which game the position is from, if that isn't clear
command-import-ai = Play on against Rookery at this level
command-import-opponent = Play on against this person
import-nothing = There's nothing to import. Add a record or a position as `text` or as a `file`.
import-file-ignored = I read the text, so I didn't read the file. To import the file, send it without `text`.
import-left-out =
    { $count ->
        [one] The last move is left out: giving away your own Kernel loses at once here, so the game ended before it.
       *[other] The last { $count } moves are left out: giving away your own Kernel loses at once here, so the game ended before them.
    }
import-other-winners = By Rookery's rules this game would have a different result. I kept the one in the record.
import-no-file = I can't read that file. Send a text file of at most 256 KiB, like the ones from `/export`.
picture-no-file = I can't open that file as a picture. Send a PNG, JPEG, WebP or GIF.
picture-not-fetched = I couldn't get that picture from Discord. Send it again.
picture-too-large = That picture is too large. Send one of at most 8 MiB and 6,000 pixels a side; an animation must be short.
picture-broken = That picture is damaged, or a part of it is missing. Save it anew, or take a screenshot, and send that.
picture-too-small = That picture is too small to read: it needs at least { $pixels } pixels a side. Send it in its full size, or take a screenshot.
picture-last-frame = It's an animation of { $count } frames. I read the last one.
# The text at the end of the next two is one that `/import` reads.
picture-no-board = I don't see a board of mine in that picture. Send a screenshot, or a photo from straight ahead, with the whole board in it and no marks on it, in a size that `/play` offers. A printed sheet of Paper Pen-guins needs all four corners in the photo. Or give `/import` the position as `text`, like `amazons 1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1`.
picture-unclear-board = There seems to be a board in that picture, but I can't tell what's on its cells. I only read boards of mine: send a sharp screenshot with the whole board in it and no marks on it. Or give `/import` the position as `text`, like `amazons 1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1`.
picture-unclear =
    I'm not sure what is on { $cells }. What do you see there? This is the position as I read it, with these marked:
    `{ $line }`
    Correct it where it's wrong, and send it as `text` to `/import`.
picture-ask =
    What is on { $cell }? { $others ->
        [0] {""}
        [one] One more cell is unclear.
       *[other] { $others } more cells are unclear.
    }
    { $answered ->
        [0] This is the position as I read it, with { $cell } marked:
       *[other] This is the position with your answers, with { $cell } marked:
    }
    `{ $line }`
    You can also correct it, and send it as `text` to `/import`.
# A board without its letters and numbers. The picture shows it with $cell marked.
picture-orientation =
    I read this board, but its letters and numbers aren't in your picture, so I can't tell from which end it is seen. Is { $cell } where I marked it, or at the opposite end?
    Where I marked it: `{ $line }`
    At the opposite end: `{ $turned }`
    You can also send the right one as `text` to `/import`.
picture-orientation-marked = { $cell } is where you marked it
picture-orientation-opposite = { $cell } is at the opposite end
picture-back = Back to the question
picture-before = -# Before your answers: `{ $line }`
picture-stack = Stacks are named from the bottom up.
picture-choose = Choose what is on { $cell }
picture-as-read = As I read it
picture-nothing = Nothing
# $way is upright (U) or the direction in which a penguin lies.
picture-way = { $piece }, { $way ->
        [N] facing north
        [NE] facing north-east
        [E] facing east
        [SE] facing south-east
        [S] facing south
        [SW] facing south-west
        [W] facing west
        [NW] facing north-west
       *[other] upright
    }
# Chosen before which penguin of the side it is, and which way it lies.
picture-lying = { $side }, lying
# Pieces of a stack, which is listed from below.
picture-pieces = { $count } × { $piece }
picture-read =
    Is this your board? { $turn ->
        [known] It's { $side }'s turn.
        [guessed] I can't tell whose turn it is, so I chose { $side }.
       *[over] {""}
    }{ $points ->
        [button] {" "}I can't read the points, so they may be wrong: press **Set points**.
        [unread] {" "}I can't read the points, so they may be wrong.
       *[known] {""}
    }
    { $page ->
        [yes] To change something, press **Open board** and then **Edit this position**. You can also send
       *[no] To change something, send
    } this as `text` to `/import`{ $next ->
        [button] , and name `ai` or `opponent` again:
        [text] , with `ai` or `opponent` to play on:
       *[over] :
    }
    `{ $line }`
picture-turn = Change to { $side }'s turn
picture-set-points = Set points
picture-tiles-of = Tiles of { $side }
picture-points-wrong = { $field }: `{ $typed }` isn't a whole number from 0 to { $most }. Press **Set points** and correct it.
picture-points-refused = { $field }: { $why } Press **Set points** and correct it.
picture-play-on = Yes, start the game
import-bad = I can't read that. { $why } `/export` shows what a record looks like.
import-bad-line = I can't read line { $line }. { $why } `/export` shows what a record looks like.

fault-empty = It's empty.
fault-unknown = It isn't a record, moves or a position of any game here.
fault-several = It could be from { $games }. Choose one with `game`.
fault-no-start = The starting position is missing, and this game has no standard one.
fault-variants = It's the variant { $found }, and its starting position is missing. Add it to the `header` as `startingPosition`.
fault-too-long = It has more than { $most } moves, and that's the limit.
fault-cannot-resign = Seat { $found } can't resign there: it isn't in the game, or nobody else could play on.
fault-no-seat = There's no seat { $found }.
fault-move = Move { $number }, { $move }, isn't possible. { $why }
fault-after-result = The result must come last, but { $found } follows it.
fault-result = { $found } isn't a result for { $seats } players.
fault-no-header = The header { $found } is missing.
fault-not-a-header = A header looks like this: `[Name "text"]`.
fault-header-name = { $found } can't be a header's name. Use only letters and digits.
fault-not-json = The JSON is broken at character { $at }.
fault-json-part = In the JSON, { $found } is missing.
fault-json-unknown = Records don't have a field { $found }. Remove it from the JSON.
fault-json-other = The JSON isn't a record.
fault-format = The format is { $found }, but it must be “{ $wanted }”.
import-no-seat = There's only one other seat in that position. Choose either `opponent` or `ai`.
import-alone = Everyone else has resigned there, so you can't play on. Leave out `opponent` and `ai` to look at it.
import-over = That game is over, so you can't play on. Leave out `opponent` and `ai` to look at it.

command-replay = Watch a game again: step by step, or as a GIF, pictures or text
command-replay-from = Start after this move
command-replay-to = Stop after this move
command-replay-as = Format
replay-form-steps = step by step
replay-form-gif = GIF
replay-form-images = pictures
replay-form-text = text
replay-backwards = Move { $to } comes before move { $from }. Swap `from` and `to`.
replay-span = { $table } · Moves { $from } to { $to }

menu-replay = Replay from here
menu-side = From my side
menu-aloud = Read aloud as text
menu-import = Read this board
menu-nothing-to-import = There's nothing to import in that message. Choose one with a record, a position or a picture of a board.
# $count is at least 2.
menu-first-picture = There are { $count } pictures in that message. This is about the first one.
menu-no-board = There's no game in that message. Choose a message with one of my boards, or use `/replay`.

viewer-start = { $table } · Start · { $of ->
        [0] no moves yet
        [one] 1 move
       *[other] { $of } moves
    }
viewer-at = { $table } · Move { $number } of { $of } · { $side } `{ $move }`
viewer-beginning = Start
viewer-jump = Jump to a move
viewer-rated = I can't help with a rated game until it's over. That goes for viewers too.
button-first = First
button-step-back = ◀ Back
button-run = Animate
button-next = Next ▶
button-last = Last
button-turn = Flip board
button-tint = Territory
button-untint = Hide territory
button-play-from = Play Rookery from here
button-lines = Best moves

command-watch = Follow a game that you don't play in
command-watch-how = How you hear about moves
command-unwatch = Stop following a game
watch-in-thread = in its thread, silently
watch-each-move = in its thread, with a silent mention for every move
watch-in-dm = one direct message a day
watch-thread = You're watching { $table }. Stop with `/unwatch`.
watch-thread-closed = You're watching { $table }, but I couldn't add you to its thread. `/games` has the link.
watch-digest = You're watching { $table }. You get one direct message a day, at 9:00 your time. Stop with `/unwatch`.
watch-digest-utc = You're watching { $table }. You get one direct message a day, at 9:00 UTC. Set your time zone in `/settings`. Stop with `/unwatch`.
watch-done = You've stopped watching { $table }.
watch-none = You aren't watching { $table }. Start with `/watch`.
watch-plays = You're playing in this game, so you hear about it anyway.
watch-is-over = This game is over. Watch it again with `/replay`.
watch-joins = { $who } is watching.
watch-moved = { $who }: `{ $move }`
watch-over = { $who }: the game you're watching is over.
digest-title = **Games you watch**

import-too-many = You already have { $count } open games that started from a position. Finish one first. `/games` lists them.
import-enough = You've imported { $count } games to look at since yesterday, and that's the limit. Try again tomorrow, or play on with `ai` or `opponent`.
command-tv = Show this server's best running game on a board in this channel
command-tv-where = In this channel (the default), or nowhere
tv-here = in this channel
tv-off = nowhere
tv-there = This channel now shows the best game on this server, updated after every move. Only games everyone here can see are shown. To stop, use `/tv` with “nowhere”.
tv-gone = Stopped. This server no longer shows its best game.
tv-begins =
    📺 **On now:** { $table } · { $game }
    { $players }
    { $who } to start. { $where }
tv-shows =
    📺 **On now:** { $table } · { $game }
    { $players }
    { $moves } · { $who } to move. { $where }
tv-over = 📺 **Just ended:** { $state } · { $where }
tv-nothing = 📺 Nothing's on right now. Start a game with `/play`.
