# What is kept of games: whether it was changed, how it is shown again and handed out.

command-verify = Check that a game's record was not changed and that chance was kept to

chance-sealed = Chance is settled and sealed: `{ $digest }`. It is shown when the game is over; `/verify` checks it.
lots-sealed = Lots, for ties among votes, are settled and sealed: `{ $digest }`. They are shown when the game is over; `/verify` checks them.
lots-shown = Lots, for ties among votes: { $seed }, salt `{ $salt }`, sealed from the start as `{ $digest }`.
chance-shown = Chance: seed { $seed }, salt `{ $salt }`, sealed from the start as `{ $digest }`.

verify-clean = **{ $table }: all is as it should be.**
verify-wrong = **{ $table }: something is wrong.** Please tell whoever runs me.
verify-record = Nothing was changed: { $entries ->
        [one] the one entry of the record is as it was written.
       *[other] all { $entries } entries of the record are as they were written.
    } Their seal is `{ $seal }`; it changes with every byte of them.
verify-unsealed = { $entries ->
        [one] The first entry is
       *[other] The first { $entries } entries are
    } from before I sealed entries.
verify-old = This record is from before I sealed entries, so I cannot tell whether it was changed.
verify-altered = The record was changed: entry { $entry } is not as it was written.
verify-missing = The record was changed: entry { $entry } is missing, or there is one too many.
verify-seal-lost = The record was changed: entry { $entry } has lost its seal.
verify-cut-off = The record was changed: its last entries are missing.
verify-game = It tells of { $ply ->
        [0] a table at which nobody has moved.
        [one] a legal game of one move.
       *[other] a legal game of { $ply } moves.
    }
verify-no-game = It tells of no legal game: entry { $entry } cannot be.
verify-unpledged = Its chance was not sealed, so I cannot tell whether it was kept to.
verify-chosen = Its seed { $seed } was known from the start (somebody chose it, or it is the second game of a set), and the start is what that gives.
verify-lots-sealed = What is drawn later comes from lots that are sealed as `{ $digest }`, and shown when the game is over.
verify-lots-kept = What was drawn later came from lots that were sealed as `{ $digest }`: { $lots }, salt `{ $salt }`; count again with `printf 'rookery seed 1\n%s\n%s' { $lots } { $salt } | sha256sum`.
verify-sealed = Its chance was settled before anybody joined, sealed as `{ $digest }`, and the start is what was drawn. The seed is shown when the game is over.
verify-kept = Its chance was settled before anybody joined, sealed as `{ $digest }`, and kept to. The seed was { $seed }, the salt `{ $salt }`; count again with `printf 'rookery seed 1\n%s\n%s' { $seed } { $salt } | sha256sum`.
verify-votes = { $held ->
        [one] One vote of a team was counted again and is right.
       *[other] { $held } votes of teams were counted again and are right.
    } { $drawn ->
        [0] None was a tie.
        [one] One was a tie, drawn as the lots say.
       *[other] { $drawn } were ties, drawn as the lots say.
    }
verify-miscounted = A vote was not kept to: entry { $entry } is not what the votes, and the lots, give.
verify-stand-in = Somebody who sat here had their data deleted. Entries call people by stand-ins, so no entry was touched for that: the seals vouch for all of it as before.
verify-forgotten = On { $when } the name of somebody who sat here was deleted at their wish. Entries 1 to { $entries } named them, so they were rewritten and sealed anew. Until then nothing had been changed, up to the seal `{ $seal }`: compare it with one that you noted before. That nothing but the name was changed in that moment the seals cannot show.
verify-forgotten-wrong = On { $when } the name of somebody who sat here was deleted at their wish. Entries 1 to { $entries } were sealed anew then, and **were not as they had been written** already (last seal `{ $seal }`).
verify-breach-digest = Chance was not kept to: the seed, or what lots are drawn from, is not what was sealed.
verify-breach-layout = Chance was not kept to: the start is not what the seed gives.
verify-breach-seats = Chance was not kept to: the seats are not as drawn.

command-export = Take a game's record home, as a file
command-export-as = In which form
export-form-text = plain text
export-form-json = JSON
export-form-abstractplay = Abstract Play's form
export-done = { $table } · the record of { $ply ->
        [0] a game without a move yet
        [one] one move
       *[other] { $ply } moves
    }. `/import` reads it again.
export-unfinished = That form is for games with a result only. The other forms take any game.

command-import = Bring a game or a position, to look at it or to play on from there
command-import-text = The record or the position, as text
command-import-file = The record as a file
command-import-game = Which game a position is of, if that is not clear
command-import-ai = Play on from there against me, this strong
command-import-opponent = Play on from there against somebody
import-nothing = Give me a record or a position: as `text`, or as a `file`.
import-left-out =
    { $count ->
        [one] This game ends one move earlier by Rookery's rules: giving your own Kernel away loses at once. The last move is left out.
       *[other] This game ends { $count } moves earlier by Rookery's rules: giving your own Kernel away loses at once. The last moves are left out.
    }
import-other-winners = By Rookery's rules this game has a different result. I kept the one in the record.
import-no-file = I could not read that file. A record is a text file of at most 256 KiB; `/export` writes some.
import-bad = I cannot read that. { $why } `/export` shows how a record is written.
import-bad-line = I cannot read that. In line { $line }: { $why } `/export` shows how a record is written.

fault-empty = There is nothing in it.
fault-unknown = That is neither a record nor a position of any game here.
fault-several = That could be a position of { $games }. Say which under `game`.
fault-no-game = There is no game called { $found }; `/help` lists those there are.
fault-no-start = The first position is missing, and this game has no usual one.
fault-variants = It was played in the variant { $found }, which may begin elsewhere than usual, and does not say where. Put the first position into its `header` as `startingPosition`.
fault-too-long = There are more than { $most } turns, and I read no more.
fault-cannot-resign = Seat { $found } cannot give up there: it is not in the game, or nobody could go on.
fault-no-seat = There is no seat { $found }.
fault-move = Move { $number }, { $move }, cannot be played. { $why }
fault-after-result = Nothing may follow the result, and { $found } does.
fault-result = { $found } is no result for { $seats } seats.
fault-no-header = The header { $found } is missing.
fault-not-a-header = A header is written `[Name "text"]`.
fault-header-name = { $found } is no name of a header: only letters and digits are.
fault-not-json = This is no JSON from character { $at } on.
fault-json-part = In this JSON { $found } is missing, or not as it is in a record.
fault-json-other = This JSON is no record.
fault-format = The format is { $found }, and I read “{ $wanted }”.
import-no-seat = In that position there is one seat beside yours. Name an `opponent` or choose a level under `ai`, not both.
import-alone = All but one have given up there, so there is nobody to play on with. Without an opponent I show it to you.
import-over = That game is over, so there is nothing to play on. Without an opponent I show it to you.

command-replay = Show a game again: to step through, as a moving picture, as pictures or as text
command-replay-from = From after so many moves
command-replay-to = To after so many moves
command-replay-as = In which form
replay-form-steps = to step through
replay-form-gif = a moving picture
replay-form-images = pictures
replay-form-text = text
replay-backwards = Move { $to } comes before move { $from }: give the earlier one as `from` and the later one as `to`.
replay-span = { $table } · moves { $from } to { $to }

menu-replay = Replay from here
menu-side = From my side
menu-aloud = Read aloud as text
menu-import = Import this game
menu-no-board = I know no game of that message. Choose one of my boards, or use `/replay`.

viewer-start = { $table } · the beginning, { $of ->
        [0] without a move yet
        [one] of one move
       *[other] of { $of } moves
    }
viewer-at = { $table } · move { $number } of { $of } · { $side } `{ $move }`
viewer-beginning = the beginning
viewer-jump = Jump to a move
# Of a game longer than a list; `every` is 2 or more.
viewer-jump-near = Jump near a move: one in { $every } is listed
viewer-rated = This is a rated game that goes on, and I help nobody in it: not those who play, nor those who watch.
button-first = First
button-step-back = ◀ Back
button-run = Play
button-next = Next ▶
button-last = Last
button-turn = Turn round
button-tint = Territory
button-untint = No territory
button-play-from = Play from here

command-watch = Follow a game without playing in it
command-watch-how = How you hear of it
command-unwatch = Follow a game no more
watch-in-thread = in its thread, silently
watch-each-move = in its thread, silently, named with every move
watch-in-dm = in one direct message a day
watch-thread = You watch table { $table }: its thread is among yours now. `/unwatch` ends it.
watch-thread-closed = You watch table { $table }, but I could not bring you into its thread; `/games` has the link.
watch-digest = You watch table { $table }: what happened there comes once a day in a direct message, at nine where you live. `/unwatch` ends it.
watch-digest-utc = You watch table { $table }: what happened there comes once a day in a direct message, at nine UTC; with a time zone of yours in `/settings`, at nine there. `/unwatch` ends it.
watch-done = You watch table { $table } no more.
watch-none = You do not watch table { $table }. `/watch` begins it.
watch-plays = You play at this table, so you hear of it anyway.
watch-is-over = This game is over. `/replay` shows it again.
watch-joins = { $who } watches.
watch-moved = { $who }: `{ $move }`
watch-over = { $who }: the game that you watched is over.
digest-title = **Games that you watch**

import-too-many = You have { $count } games open that you took up from a position. Finish one first; `/games` lists them.
import-enough = You have brought { $count } games to look at since yesterday, and I keep no more than that in a day. Try again tomorrow; to play on from a position, say against whom with `ai` or `opponent`.
command-tv = Keep the best running game of this server on one board in this channel
command-tv-where = In this channel (as it is if nothing is said), or nowhere
tv-here = in this channel
tv-off = nowhere
tv-there = From now on this channel shows the best game that is running on this server, by how strong the players are and how close it is: one message that changes with every move. Only games are shown that whoever reads this channel can see where they are played: those in channels open to the whole server, and in channels with the very same members. `/tv` with “nowhere” ends it.
tv-gone = There is no board with the best game any more.
tv-begins = 📺 **On now:** { $table } · { $game } · { $players } · { $who } begins. { $where }
tv-shows = 📺 **On now:** { $table } · { $game } · { $players } · { $moves } · { $who } to move. { $where }
tv-over = 📺 **Just over:** { $state } · { $where }
tv-nothing = 📺 Nothing is on just now. `/play` starts a game here: against somebody, open to whoever comes, or with Rookery on every seat.
