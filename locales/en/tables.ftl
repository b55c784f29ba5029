# What is posted for a table, and its buttons.

list-and = { $most } and { $last }
list-or = { $most } or { $last }
seat-open = a free seat
seat-gone = somebody who gave up earlier
seat-somebody = somebody else
seat-ai = Rookery ({ $level })
seat-gave-up = { $who } (gave up)
seated-side = { $who } as { $side }
seat-asked = { $who } (asked)

announce-open = **{ $game }** · { $table } · { $host } is looking for somebody to play. Press Join to sit down.
announce-seats = { $count } seats, { $free ->
        [0] none
       *[other] { $free }
    } free: { $taken }.
announce-teams = **{ $game }** · { $table } · { $host } challenges a team.
announce-kept = Wanted: { $who }. Whoever of them presses Join first sits down for all, and speaks for them.
announce-invited = **{ $game }** · { $table } · { $host } challenges { $guests }.
challenge-turned-down = { $table } · { $who } has turned the challenge down, so a seat is free for anybody now. { $host } can give it to me with **Fill with Rookery**.
announce-running = **{ $game }** · { $table } · { $players }
announce-terms = Terms: { $terms }.
announce-until = Runs out { $when }.
announce-web = [Watch in the browser](<{ $address }>)
announce-over = **{ $game }** · { $table } · { $players } · { $result }
announce-closed = **{ $game }** · { $table } · { $result }

thread-name = { $game } { $table }
welcome = { $players }: this is table { $table }, { $game }. { $first } moves first.
welcome-how-read = Type a move here, such as `{ $move }`, or press Move. `help` shows what else can be typed.
welcome-how-reply = Answer the board with a move, such as `{ $move }`, or press Move. Mention me with `help` to see what else can be typed.

board-moved = { $number }. { $move }
board-moved-forced = { $number }. { $move } (the only move)
board-moved-planned = { $number }. { $move } (as planned)
board-line = { $table } · { $state }
board-moved-by = { $side } { $move }
board-first = { $who }, your move as { $side }
board-turn = { $who }, your move as { $side } · { $moves }
board-turn-ai = { $moves } · { $who } is thinking
board-first-ai = { $who } is thinking
wait-line = I think at { $tables ->
        [one] one table
       *[other] { $tables } tables
    } of this server at a time; this one is number { $place } in line.
wait-line-dm = I think at { $tables ->
        [one] one table
       *[other] { $tables } tables
    } of yours at a time; this one is number { $place } in line.
wait-sparing = My share of thinking is used up here for now: I move at a glance, and think at length again { $when }.
board-past = { $moves }
board-start = the start
board-undone = { $table } · this was taken back
board-over = { $moves } · game over
pie-open = Pie rule: instead of moving { $who } may write `swap`, or press Swap sides, and play { $side }.
pie-swapped = Sides are swapped: { $who } plays { $own } now, { $other } { $others }.

offer-question = { $others }, do you agree?
offer-count = { $table } · { $who } offers to stop here and count what is left.
offer-draw = { $table } · { $who } offers a draw.
offer-undo = { $table } · { $who } asks to take back their last move.
offer-pause = { $table } · { $who } asks to let the game stand still for a while.
offer-abort = { $table } · { $who } asks to call the game off without a result.
note-undone = { $table } · { $who } took back to here.
note-undone-casual = { $table } · { $who } took back to here, so the game is a casual one from now on.
note-paused = { $table } · The game stands still. Whoever wants to go on presses Resume, writes `resume` or moves.
note-paused-over = { $table } · The game stood still here.
note-plays-on = { $table } · { $who } plays on.
proof-wins = { $table } · Nothing is shared any more, and it is proven how this ends. Still to take: { $left }. { $who } will win.
proof-won = { $table } · Nothing is shared any more, and it is proven how this ends. Still to take: { $left }. { $who } wins; this is how.
proof-shared = { $table } · Nothing is shared any more, and it is proven how this ends. Still to take: { $left }. { $who } share the victory.
proof-question = { $others }, do you accept that, or play on?
proof-shown = { $table } · Each region belongs to one side, and the number on it is what is still to take there. In all: { $left }. Played out: { $moves }
note-stands-in = { $table } · { $left } leaves the table for now; { $who } plays on in their place.
note-stands-in-for-good = { $table } · Whoever played { $side } has left for good; { $who } plays on in their place.
note-stands-in-casual = { $table } · { $who } plays on in { $left }'s place, so the game is a casual one from now on.
note-gave-up = { $table } · { $who } gives up; the others play on.
note-out-of-time = { $table } · { $who } has no time left and is out; the others play on.
note-casual = { $table } · I have taken a seat. With me a game of more than two does not count for ratings, so this is a casual one.
note-back = { $table } · { $who } is back and plays on.
note-resumed = { $table } · { $who } takes the game up again.
more = { $table } · What would you like to do?
offer-declined = { $table } · { $who } says no: the game goes on.
result = **{ $table } is over.** { $result }
result-not-begun = **{ $table } does not begin.** { $result }

button-join = Join
button-leave = Leave
button-accept = Accept
button-decline = Decline
button-move = Move
button-board = Board
button-text = As text
button-resign = Resign
button-more = More
button-swap = Swap sides
button-stop = Stop
button-rematch = Rematch
button-replay = Replay
button-analyse = Analyse
button-stand-in = Let Rookery play for me
button-back-in = Take my seat back
button-proof = Show the proof
button-resume = Resume
button-offer-count = Stop and count
button-offer-draw = Draw
button-offer-undo = Take back
button-offer-pause = Pause
button-offer-abort = Call off
button-resign-yes = Yes, resign
button-resign-no = No, play on
button-agree = Agree
button-disagree = Play on
button-back = Back
button-play = Play it

panel-choose = { $table } · choose { $part }.
panel-so-far = { $table } · `{ $sofar }` so far; choose { $part }.
panel-column = { $column } …
panel-way = { $arrow } { $goal }
panel-way-split = split { $arrow } { $goal }
panel-confirm = { $table } · `{ $move }` on the board as it would be. Play it?
step-move = move the whole stack
step-split = split the stack
step-swap = swap sides
# Penguin Soccer: who waits off the ice comes in.
step-enter-1 = Baby comes in
step-enter-2 = Papa comes in
step-enter-3 = Mama comes in
step-stand = stand up
step-no-spin = no turn
step-left = turn left, { $turns } of 8
step-right = turn right, { $turns } of 8
readings = { $table } · that can be read in more than one way. Which move do you mean?
row-line = { $table } · { $line }: { $cells }.
row-none = { $table } · this board has no row or column { $line }.
see-line = { $cells }, then { $what } on { $at }
see-open = { $cells }, up to the edge
see-shut = { $what } on { $at } at once
see-lines = { $table } · { $cell } ({ $what }) sees: { $lines }.
see-moves = { $table } · { $cell } ({ $what }) can make these moves: { $moves }.
see-nothing = { $table } · { $cell } ({ $what }): nothing can be done from there now.
see-no-cell = { $table } · this board has no { $cell }.
last-move = { $table } · the last move was { $side } `{ $move }`, turn { $number }. { $turn }
last-none = { $table } · nobody has moved yet. { $turn }
cell-free = free
cell-pieces = a piece of { $who }
cell-gone = { $game ->
        [amazons] blocked
       *[other] gone
    }
cell-fish-1 = one fish
cell-fish-2 = two fish
cell-fish-3 = three fish
cell-soccer-ball-ahead = the ball may come in here
cell-soccer-ball = the ball
cell-soccer-ball-held = with the ball
cell-amoeba-kernel = with the Kernel of { $who }
cell-amoeba-stacks = a stack, from the bottom { $words }
cell-soccer-on = a penguin of { $who }: { $words }
panel-ahead = { $table } · suppose: `{ $sofar }`. For { $who }, choose { $part }.
plan-no-answer = That move ends the game, so there is nothing to answer it with.
button-plan-add = Choose a plan
plan-sure = { $table } · planned like this?
    { $plans }
    Nobody else sees it, and nothing counts until you confirm it.
plan-list = { $table } · you have planned:
    { $plans }
    I play it as soon as it comes true. More with `/if`.
plan-none = { $table } · you have planned nothing. `/if` takes a plan such as `if` their move `then` yours; several with `;` between, longer ones with another `if … then …` behind.
fill-sure = { $table } · how strong am I to play on the free seats?
fill-sure-casual = { $table } · how strong am I to play on the free seats? With me a game of more than two does not count for ratings: it would be a casual one.
play-on-level = { $table } · how strong am I to play on?
play-on-casual = { $table } · how strong am I to play on? This game counts for ratings; if I play on, it is a casual one from then on.
fill-level = how strong
button-fill = Fill with Rookery
plan-in-the-open = Here everybody could read your plan, and so could whoever you play against: I do not take it. Plan with `/if`, which you alone see, or write it to me in a direct message.
button-plan = Plan ahead
button-plan-yes = Yes, plan that
button-plan-no = No
button-unplan = Cancel { $number }: { $move }
button-unplan-all = Cancel all
lobby = **Open challenges**
    { $challenges }

    { "" }**Games going on**
    { $games }

    { "" }`/play` opens a table.
lobby-no-challenges = Nobody is looking for somebody to play just now.
lobby-no-games = None just now.
lobby-challenge = { $table } · { $game } · { $people } · { $free ->
        [one] 1 seat
       *[other] { $free } seats
    } free
button-join-table = Join { $table }
panel-not-now = { $table } · it is not your turn: { $who } is to move. `/board` shows how the game stands.

terms-rated = rated
terms-from = from a position that was brought along, not from the start
terms-seed = layout from seed { $seed }
terms-drawn = layout drawn by chance
terms-tiles = a layout of their own
terms-set = game { $number } of a set of two with the same start and the seats swapped

set-first = Game 1 of a set of two. The second has the same start, with the seats swapped.
set-second = Game 2 of a set of two: the same start, the seats swapped. So far: { $score }.
set-first-on = Game 1 of 2 (0 : 0)
set-second-on = Game 2 of 2. So far: { $score }.
set-first-over = The set so far: { $score }. The second game, with the same start and the seats swapped, is at table { $table }.
set-first-ends = The set so far: { $score }. The second game is about to open.
set-called-off = This was called off, so the set ends here.
set-over = The set is over: { $score }. { $result }
set-points = { $who } { $points }
set-won = { $who } wins the set.
set-shared = It is shared.
