# What is posted for a table, and its buttons.

list-and = { $most } and { $last }
list-or = { $most } or { $last }
seat-open = a free seat
seat-free = free
seat-gone = a player who resigned earlier
seat-somebody = another player
seat-ai = Rookery ({ $level })
seat-gave-up = { $who } (resigned)
seated-side = { $who } as { $side }
seat-asked = { $who } (invited)

announce-open = **{ $game }** · { $table } · { $host } wants to play. Press Join to play.
announce-teams = **{ $game }** · { $table } · { $host } challenges a team.
announce-kept = Open to { $who }. The first member to press Join becomes the team's captain.
announce-invited = **{ $game }** · { $table } · { $host } challenges { $guests }.
announce-invited-several = **{ $game }** · { $table } · { $host } challenges { $count } players.
challenge-turned-down =
    { $table } · { $who } declined, so anyone can join now.
    { $host }, you can also press **Play against the bot**.
announce-running =
    { "" }**{ $game }** · { $table }
    { $players }
announce-side = { $side }: { $who }
announce-terms = Setup: { $terms }.
announce-until = Expires { $when }.
announce-web = [Watch in your browser](<{ $address }>)
announce-over =
    { "" }**{ $game }** · { $table }
    { $players }
    { $result }
announce-ranked =
    { "" }**{ $game }** · { $table }
    { $result }
announce-closed = **{ $game }** · { $table } · { $result }

thread-name = { $game } { $table }
welcome =
    { $game } has started: this is game { $table }. { $first } moves first.
    { $players }
welcome-how-read = Type a move such as `{ $move }`, or press Move. Type `help` for more.
welcome-how-reply = Reply to the board with a move such as `{ $move }`, or press Move. Mention me with `help` for more.

board-moved = { $number }. { $move }
board-moved-forced = { $number }. { $move } (the only move)
board-moved-planned = { $number }. { $move } (as planned)
board-line = { $table } · { $state }
board-moved-by = { $side } { $move }
board-first = { $who }, your move ({ $side }).
board-turn = { $who }, your move ({ $side }) · { $moves }
board-reply = { $moves } · { $who }, your move ({ $side }).
board-reply-ai = { $moves } · { $who } is thinking
board-played = { $side } played { $move }
board-played-forced = { $side } played { $move }, the only move
board-played-planned = { $side } played { $move } as planned
board-turn-ai = { $who } is thinking · { $moves }
board-first-ai = { $who } is thinking
wait-line = On this server, Rookery thinks about { $tables ->
        [one] one game
       *[other] { $tables } games
    } at a time. This game is number { $place } in line.
wait-line-dm = Rookery thinks about { $tables ->
        [one] one
       *[other] { $tables }
    } of your games at a time. This game is number { $place } in line.
wait-sparing = Rookery is short of thinking time here, so it moves quickly for now. It plays at full strength again { $when }.
board-past = { $moves }
board-start = Start
board-undone = { $table } · This move was taken back.
board-over = { $moves } · game over
pie-open = Pie rule: instead of moving, { $who } can press Swap sides (or type `swap`) to play { $side }.
pie-swapped = Sides swapped: { $who } now plays { $own }, and { $other } plays { $others }.

offer-lapsed = The offer ended with the next move.
offer-sure-count = { $table } · Stop now and count what each side has? Rookery answers at once, and a count ends the game.
offer-sure-draw = { $table } · Offer a draw? If Rookery accepts, the game is over.
offer-sure-abort = { $table } · Cancel this game? It ends without a result.
offer-question = { $others }, do you agree?
offer-count = { $table } · { $who } offers to stop and count what's left.
offer-draw = { $table } · { $who } offers a draw.
offer-undo = { $table } · { $who } wants to take back their last move.
offer-pause = { $table } · { $who } wants to pause the game.
offer-abort = { $table } · { $who } wants to cancel the game without a result.
note-undone = { $table } · { $who } took back a move.
note-undone-casual = { $table } · { $who } took back a move, so this game is no longer rated.
note-paused = { $table } · Paused. Press Resume or make a move to continue.
note-paused-over = { $table } · The game was paused here.
note-plays-on = { $table } · { $who } wants to play on.
proof-wins =
    { $table } · The areas are separate now, so the result is certain: { $who } will win.
    Left for each side: { $left }.
proof-won =
    { $table } · The areas are separate now, so the result is certain: { $who } wins.
    Left for each side: { $left }.
proof-shared =
    { $table } · The areas are separate now, so the result is certain: it's a draw:
    { $who }.
    Left for each side: { $left }.
proof-question = { $others }, do you accept, or play on?
proof-question-all = Do you all accept, or play on?
proof-shown = { $table } · Each shaded area belongs to one side. Its number is what that side can still get there. Total: { $left }. Played out: { $moves }
note-stands-in = { $table } · { $left } has stepped away, and { $who } plays on for them.
note-stands-in-for-good = { $table } · { $side }'s player has left for good, and { $who } plays on for them.
note-stands-in-casual = { $table } · { $who } plays on for { $left }, so this game is no longer rated.
note-gave-up = { $table } · { $who } resigned. The others play on.
note-out-of-time = { $table } · { $who } ran out of time. The others play on.
note-casual = { $table } · Rookery has joined, so this game isn't rated.
note-back = { $table } · { $who } is back and plays on.
note-resumed = { $table } · { $who } resumed the game.
more = { $table } · What would you like to do?
offer-was-declined = { $table } · { $offer ->
        [count] { $who } offered to stop and count what's left.
        [draw] { $who } offered a draw.
        [undo] { $who } wanted to take back their last move.
        [pause] { $who } wanted to pause the game.
       *[abort] { $who } wanted to cancel the game.
    } The answer was no.
offer-declined = { $table } · { $who } said no. The game goes on.
result = **{ $table } is over.** { $result }
result-not-begun = **{ $table } didn't start.** { $result }

button-join = Join
button-leave = Leave
button-accept = Accept
button-decline = Decline
button-move = Move
button-board = Show board
button-text = As text
button-resign = Resign
button-more = More
button-swap = Swap sides
button-stop = Stop
button-rematch = Rematch
button-replay = Replay
button-analyse = Analyse
button-stand-in = Let Rookery play
button-back-in = I'm back
button-proof = Show proof
button-resume = Resume
button-offer-count = Stop and count
button-offer-draw = Offer draw
button-offer-undo = Take back
button-offer-pause = Pause
button-offer-abort = Cancel game
button-resign-yes = Yes, resign
button-resign-no = Keep playing
button-agree = Agree
button-disagree = Play on
button-back = Back
button-play = Play move

panel-choose = { $table } · Choose { $part }.
panel-placing = { $table } · { $placing }
panel-so-far-named = { $table } · { $sofar }: choose { $part }.
panel-so-far = { $table } · `{ $sofar }` so far. Choose { $part }.
panel-column = { $column } …
panel-way = { $arrow } { $goal }
panel-way-split = Split { $arrow } { $goal }
panel-confirm = Play `{ $move }`? Here's how it will look.
step-move = Move the whole stack
step-split = Split the stack
step-swap = Swap sides
# Penguin Soccer: who waits off the ice comes in.
step-enter-1 = Baby enters
step-enter-2 = Papa enters
step-enter-3 = Mama enters
step-stand = Stand up
step-no-spin = No spin
step-left = Spin left { $turns ->
        [1] 45°
        [2] 90°
        [3] 135°
       *[other] { $turns } × 45°
    }
step-right = Spin right { $turns ->
        [1] 45°
        [2] 90°
        [3] 135°
       *[other] { $turns } × 45°
    }
readings = { $table } · That could mean more than one move. Which one?
row-line = { $table } · { $line }: { $cells }.
row-none = { $table } · This board has no row or column { $line }.
see-line = { $cells }, then { $what } on { $at }
see-open = { $cells }, up to the edge
see-shut = { $what } on { $at }, right next to it
see-lines = { $table } · { $cell } ({ $what }) sees: { $lines }.
see-moves = { $table } · { $cell } ({ $what }) has these moves: { $moves }.
see-nothing = { $table } · { $cell } ({ $what }) has no moves right now.
see-no-cell = { $table } · This board has no { $cell }.
last-move = { $table } · Last move: { $side } `{ $move }` (move { $number }). { $turn }
last-none = { $table } · Nobody has moved yet. { $turn }
cell-free = free
cell-pieces = { $game ->
        [amazons] { $who }'s amazon
        [penguins] { $who }'s penguin
        [amazon_penguins] { $who }'s penguin
        [paper_penguins] { $who }'s shape
       *[other] { $who }'s piece
    }
cell-gone = { $game ->
        [amazons] blocked
        [paper_penguins] crossed out
       *[other] gone
    }
cell-fish-1 = { $game ->
        [paper_penguins] number 1
       *[other] one fish
    }
cell-fish-2 = { $game ->
        [paper_penguins] number 2
       *[other] two fish
    }
cell-fish-3 = { $game ->
        [paper_penguins] number 3
       *[other] three fish
    }
cell-home = { $who }'s Home
cell-soccer-ball-ahead = next to the ball
cell-soccer-ball = the ball
cell-soccer-ball-held = with the ball
cell-amoeba-kernel = with { $who }'s Kernel
cell-amoeba-stacks = a stack, bottom to top { $words }
# $size is the number of a penguin; $way is upright (U) or the direction in which it lies.
cell-soccer-on = { $who }'s { $size ->
        [1] Baby
        [2] Papa
       *[3] Mama
    }, { $way ->
        [N] lying, facing north
        [NE] lying, facing north-east
        [E] lying, facing east
        [SE] lying, facing south-east
        [S] lying, facing south
        [SW] lying, facing south-west
        [W] lying, facing west
        [NW] lying, facing north-west
       *[other] upright
    }
panel-ahead = { $table } · Plan: `{ $sofar }`. For { $who }, choose { $part }.
plan-no-answer = That move ends the game, so there's no reply to plan.
button-plan-add = Add plan
plan-sure = { $table } · Save this plan?
    { $plans }
    Only you can see it.
plan-list = { $table } · Your plans:
    { $plans }
    Each reply is played when its turn comes. Add more with `/if`.
plan-none = { $table } · No plans yet. Amazons example: `if d7-g7/g4 then a4-a6/c6`. Separate plans with `;`.
fill-sure = { $table } · Which level should Rookery play?
fill-sure-casual = { $table } · Which level should Rookery play? With Rookery, this game won't be rated.
play-on-level = { $table } · Which level should Rookery play?
play-on-casual = { $table } · Which level should Rookery play? The game will no longer be rated.
fill-level = Level
button-fill = Play against the bot
plan-in-the-open = Everyone here could read your plan, so I haven't saved it. Use `/if`, which only you can see, or send it to me in a direct message.
button-plan = Plan ahead
button-plan-yes = Save plan
button-plan-no = Cancel
button-unplan = Delete { $number }: { $move }
button-unplan-all = Delete all
lobby = **Open challenges**
    { $challenges }

    { "" }**Running games**
    { $games }

    { "" }Start a game with `/play`.
lobby-no-challenges = Nobody is looking for an opponent right now.
lobby-no-games = None right now.
lobby-challenge = { $table } · { $game } · { $people } · { $free ->
        [one] 1 seat
       *[other] { $free } seats
    } free
button-join-table = Join { $table }
panel-not-now = { $table } · It's { $who }'s turn. See the board with `/board`.

terms-rated = rated
terms-from = custom start
terms-seed = layout seed { $seed }
terms-drawn = random layout
terms-tiles = custom layout
terms-set = game { $number } of a set of two

set-first = Game 1 of 2. Game 2 has the same start with the sides swapped.
set-second = Game 2 of 2: same start, sides swapped. So far: { $score }.
set-first-on = Game 1 of 2 (0 : 0)
set-second-on = Game 2 of 2. So far: { $score }.
set-first-over = Set so far: { $score }. Game 2, with the sides swapped, is { $table }.
set-first-ends = Set so far: { $score }. Game 2 is about to start.
set-called-off = This game was cancelled, so the set ends here.
set-points = { $who } { $points }
