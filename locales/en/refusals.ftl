# Why something was not done. Each says what to do next; nothing is ever lost by a refusal.

denied-no-table = There's no game { $table } that you can see. `/games` lists yours.
denied-journal = I couldn't save that, so nothing has changed. Please try again in a moment.
denied-unreadable = I can't open { $table }: its record is damaged or from a newer version of me. Please tell the people who run Rookery.
denied-fault = Something went wrong on my side, and nothing has changed. Try again. If it happens again, tell the people who run Rookery.

access-channel-closed = You can't join { $table }, because you can't see its channel. Ask a moderator to let you in.
access-not-member = You can't join { $table }, because you aren't on its server. Join the server first.
access-link-only = This link only shows the game. To play, join its server.
access-try-again = Discord won't say right now whether you can join { $table }. Nothing has changed. Try again in a minute.

refused-repeated = That's already done. See the game with `/board`.
refused-not-begun = This game hasn't started yet. It starts by itself once everyone has joined.
refused-begun = This game has already started, so you can't change who plays. Start another with `/play`.
refused-over = This game is over. Start a new one with `/play`.
refused-not-seated = You aren't playing in this game, but you can watch. Start your own with `/play`.
refused-seated = You're already playing in this game. See it with `/board`.
refused-resigned = You've already resigned from this game. Start a new one with `/play`.
refused-kept = The free seats are reserved for { $who }. Start your own game with `/play`.
refused-full = This game is full. Start another with `/play`.
refused-turn = It's { $who }'s turn. See the board with `/board`.
refused-stale = The game has moved on. Here's the latest board.
refused-no-such-offer = You can't offer that in this game.
refused-offer-stands = There's already an offer waiting for an answer. Wait, or move to withdraw it.
refused-offer-asks = There's already an offer for you to answer. Press Agree or Play on first.
refused-offer-declined = They've already said no. You can offer it again after the next move.
refused-no-offer = There's no offer to answer. Play on, or make your own with `/draw`, `/count` or `/undo`.
refused-nothing-to-undo = You haven't made a move that you can take back. Move when it's your turn, or cancel the game with `/abort`.
undo-overtaken = You wrote that before the latest move, so nothing was taken back. Write it again if you still want to.
refused-not-rated = This game isn't rated, or its ratings are already updated.
refused-rated = You can't do that in a rated game. Play on, or use `/resign`.
refused-not-paused = The game isn't paused. Just play on.
refused-frozen = The game is paused, because I'm no longer on its server. It goes on when someone there adds me again.
refused-maintenance = All games are paused for maintenance, and no time runs. Try again in a few minutes.
refused-draining = I'm not starting new games right now, because of maintenance. Running games go on. Try again later.
refused-not-over = The game isn't over yet. Play on, or use `/resign`.
refused-only-two = You can't hand over a two-player game. Use `/pause` or `/resign`.
refused-paused-already = The game is already paused. Press Resume or make a move to continue.
refused-not-host = Only the person who started this game can do that.
refused-plan-own-turn = It's your turn. `/if` plans replies for later.
refused-plan-open = Your plan needs a reply at the end: `if` their move `then` your move.
refused-plan-too-long = That's too long. You can plan at most 20 lines of 24 moves each.
refused-plan-twice = You've already planned `{ $move }` for those moves. Delete that plan first.
refused-plan-move = In your plan, { $text } isn't possible. { $why }
refused-no-plan = You have no such plan. See yours with `/if`.
refused-not-proven = The areas are separate, but I couldn't count them exactly in time. So far: { $bounds }. Play a few moves, then offer again.
left-of-side = { $side } { $bounds }
refused-no-game = There's no game called { $name }. `/help` lists the games.
refused-no-game-nearest = There's no game called { $name }. Did you mean { $nearest }?

unreadable-found = I can't read { $found }. I expected { $wanted } there.
unreadable-found-example = I can't read { $found }. I expected { $wanted } there. A move looks like this: `{ $move }`.
unreadable-short = The move isn't finished. Next comes { $wanted }.
unreadable-short-example = The move isn't finished. Next comes { $wanted }. A move looks like this: `{ $move }`.
wanted-cell = { $board ->
        [tiles] a tile such as d7
        [points] a point such as d4
       *[other] a square such as d7
    }
wanted-direction = a direction
wanted-end = the end of the move

# $board is "square", or "tiles" (hexagons with their names on them) or "points", which have six directions.
refusal-no-such-cell = This board has no { $cell }. { $board ->
        [tiles] Each tile has its name on it.
       *[other] Check the letters and numbers at its edges.
    }
refusal-nothing = There's no piece on { $at }. Choose one of yours.
refusal-not-yours = The piece on { $at } is { $whose }'s. Move one of your own.
refusal-swapped = The sides were swapped, so you're { $side } now.
refusal-no-step = The piece on { $at } can't stay there. Move it somewhere else.
refusal-not-a-line = { $leg ->
        [shot] You can't aim at { $to } from { $from }: they aren't on a straight or diagonal line.
       *[move] { $board ->
            [square] { $from } can't go to { $to }: they aren't on a straight or diagonal line.
           *[other] { $from } can't go to { $to }: that isn't in one of the six directions.
        }
    }
refusal-blocked = { $leg ->
        [shot] You can't aim at { $to } from { $from }: { $what } on { $at } is in the way.
       *[move] { $from } can't go to { $to }: { $what } on { $at } is in the way.
    }
refusal-goal-taken = { $leg ->
        [shot] You can't aim at { $to }: { $what } is there.
       *[move] { $from } can't go to { $to }: { $what } is there.
    }
refusal-incomplete = The move isn't finished. After `{ $sofar }` comes { $missing }.
refusal-nothing-yet = Start with { $missing }.
refusal-ambiguous = That could mean { $readings }. Type the one you mean.

blocker-something = something
blocker-amazons = a blocked square
blocker-penguins = a hole
blocker-amazon_penguins = a hole
blocker-paper_penguins = a crossed-out cell
blocker-penguin_soccer = something
blocker-amoeba = something

part-piece = the piece to move
part-place = a place
part-goal = where it goes
part-arrow = where the arrow lands
part-spear = where the spear lands
part-direction = the direction
part-direction-arrow = the arrow's direction
part-direction-spear = the spear's direction
part-spin = how far it turns at the end
part-manner = how to move

setup-seats = This game takes { $allowed } players, not { $seats }. Change `players`, or name that many people.
setup-unknown = This game has no option { $option }. Leave it out.
setup-value = The option “{ $option }” can't be { $value }. { $allowed }
setup-takes-one = It can be { $words }.
setup-takes-number = It can be a number from { $least } to { $most }.
setup-takes-size = It can be a size such as { $offered }. Each side can be from { $least } to { $most }.
setup-takes-squares = List the squares with spaces or commas between them, such as `a4 d1`.
setup-no-layouts = This game always starts the same way. Leave out `layout`.
setup-line = In the position, I expected { $wanted } at character { $at }.

# What a position in text needs at some place, in the middle of a sentence. $a to $d are numbers and the like.
need-floe-board = the rows of the board
need-floe-shape = rows of the same length, from 1 to 12, or the island's rows of 7 and 8 (the first row here has { $a })
need-floe-rows = { $a } rows, not { $b }
need-floe-row = a row of { $a }, not { $b }
need-floe-fish = 1, 2 or 3 fish, or `.` for no tile
need-floe-few-tiles = at least { $a } tiles for the pieces, not { $b }
need-floe-pieces = the pieces of every player
need-floe-seats = the pieces of { $a } players, not { $b }
need-floe-free-cell = an empty tile for each piece
need-floe-most = at most { $a } pieces per player
need-floe-turn = the number of the player to move
need-floe-phase = `lay`, `place`, `move` or `over`
need-floe-taken = what each player has taken
need-floe-scores = a score for each of { $a } players, such as `12:7`
need-floe-placing = `one` or `any` with the number of pieces per player, such as `any:4`
need-floe-no-piece = a board without pieces while tiles are being laid
need-floe-chip = a tile that can still be laid
need-floe-cell-each = a free place for every tile
need-floe-piece-left = a piece that can still be placed
need-floe-tile-each = a tile for every piece that is still to be placed
need-floe-all-placed = a place for every piece
need-floe-out = nothing more, or `out:` and the players who resigned
need-floe-one-left = at least one player who hasn't resigned
need-penguins-island = the island with rows of 7, 8, 7, 8, 7, 8, 7 and 8
need-amazon_penguins-rows = rows of the same length, from 3 to 12, or the island
need-paper_penguins-rows = rows of the same length, from 3 to 12
need-amazons-line = a position
need-amazons-row = a row of { $a } squares, not { $b }
need-amazons-gap = a number of empty squares from 1 to { $a }
need-amazons-sign = `Q`, `q`, `*` (an arrow) or a number of empty squares
need-amazons-board = a board from { $a }x{ $a } to { $b }x{ $b }, not { $c }x{ $d }
need-amazons-count = 1 to { $a } amazons a side, not { $b }
need-amazons-turn = `w` or `b` for the side to move
need-amazons-move-number = a move number from 1 to 9999
need-amazons-pie = `pie:ahead`, `pie:open` or `pie:swapped`
need-amazons-pie-side = a pie rule that fits the side to move
need-amazons-end = the end of the line
need-soccer-line = families, ball and turn, separated by spaces
need-soccer-families = 2 or 4 families, not { $a }
need-soccer-three = three penguins (Baby, Papa and Mama), separated by commas
need-soccer-penguin = a square and a direction such as `c3NE` or `e5U`, or `-`
need-soccer-free-square = an empty square
need-soccer-ball = the ball's square, such as `d4`, or `-`
need-soccer-turn = a family's number from 1 to { $a }
need-soccer-out = the numbers of families in a game of four, such as `out:2,4`
need-soccer-one-left = at least one family that hasn't resigned
need-soccer-third = `third:1` to `third:{ $a }`
need-soccer-end = `out:` or `third:`, or the end of the line
need-soccer-home = an empty { $a } (it's another family's Home)
need-soccer-holder = a penguin standing upright with the ball
need-soccer-touched = the ball's square (a penguin in the middle must already have touched it)
need-amoeba-line = rows and the side to move, separated by a space
need-amoeba-rows = { $a } rows, not { $b }
need-amoeba-row = a row of { $a } points, not { $b }
need-amoeba-stack = a stack of `A`, `B`, `K` or `L`, or 1 to 7 empty points
need-amoeba-pieces = one Kernel and at most { $a } other pieces a side, not { $b } and { $c }
need-amoeba-turn = `1` or `2` for the side to move
need-amoeba-pie = `pie:ahead` before side 1 moves, `pie:open` before side 2, or `pie:swapped`
need-amoeba-seen = `seen:1` to `seen:{ $a }`
need-amoeba-going-on = a game that isn't over, since a position has come up before
need-amoeba-end = `pie:` or `seen:`, or the end of the line

rule-amazons-shut-in = The amazon on { $a } is trapped: every square next to her is taken. Move another one.
rule-amazons-no-swap = You can't swap sides now. You can only do that right after the first move, in games with the pie rule.
rule-amazons-off-board = The start uses { $a }, which isn't on this board. Choose another square.
rule-amazons-two-on-one = The start puts two amazons on { $a }. Choose another square for one of them.
rule-amazons-how-many = The start for { $a } needs one to four squares for its amazons.

rule-penguins-lay-first = You can't move yet: tiles are still being laid. Type one empty place for the next tile.
rule-penguins-place-first = { $game ->
        [paper_penguins] You can't move yet: shapes are still being drawn. Type where your next shape goes.
       *[other] You can't move yet: penguins are still being placed. Type where your next penguin goes.
    }
rule-penguins-all-placed = { $game ->
        [paper_penguins] All shapes are drawn, so { $a } alone isn't a move. Type where your shape is and where it goes.
       *[other] All penguins are placed, so { $a } alone isn't a move. Type where your penguin is and where it goes.
    }
rule-penguins-laid = { $a } already has its tile. Choose an empty place.
rule-penguins-occupied = { $game ->
        [paper_penguins] There's already a shape on { $a }. Choose another cell.
        [amazon_penguins] There's already a penguin on { $a }. Choose another square.
       *[other] There's already a penguin on { $a }. Choose another tile.
    }
rule-penguins-no-tile = { $a } is gone. Choose another place.
rule-penguins-one-fish-only = You can place penguins only where there's one fish, and { $a } has more. Choose another.
rule-penguins-out-of-reach = { $game ->
        [paper_penguins] None of your shapes can go to { $a }. Choose another cell.
       *[other] None of your penguins can go to { $a }. Choose another place.
    }
rule-penguins-layout-twice = You've already chosen a layout. Leave the option “layout” at “random”.
rule-penguins-few-cells = A board of { $a } tiles is too small for { $b } pieces. Choose a larger board or fewer pieces.
rule-penguins-hex-size = The hexagonal board has only one size. Leave out `size`, or choose the square board.
rule-penguins-classic-size = The classic layout is only for 8x8, not { $a }. Change `size` or `layout`.
rule-soccer-stuck = The penguin on { $a } can't do anything this turn. Choose another one.
rule-soccer-on-the-ice = Your { $a ->
        [1] Baby
        [2] Papa
       *[3] Mama
    } is already on the field. Type its square, { $b }, instead.
rule-soccer-home-taken = There's a penguin on your Home { $a }, so nobody can enter now. Choose another move.
rule-soccer-not-away = A penguin entering on { $a } must slide away from its Home, and { $b } doesn't lead away. Choose another direction.
rule-soccer-lies = The penguin on { $a } lies facing { $b }, so it can't slide { $c }. Slide { $b }, or stand up first.
rule-soccer-stands = The penguin on { $a } is already standing.
rule-soccer-only-kick = The penguin on { $a } has the ball, so it can only kick.
rule-soccer-nothing-to-kick = The penguin on { $a } has no ball to kick.
rule-soccer-edge = You can't slide { $b } from { $a }: that's the edge. Choose another direction.
rule-soccer-kick-edge = The ball on { $a } can't be kicked { $b }: it's at the edge. Choose another direction.
rule-soccer-friend = The slide from { $a } must go its full distance, and your own penguin on { $b } is in the way.
rule-soccer-opponent = The slide from { $a } must go its full distance, and the penguin on { $b }, which doesn't have the ball, is in the way.
rule-soccer-full-distance = Slides and kicks go their full distance: from { $a } that way, it ends on { $b }.
rule-soccer-other-home = That slide would end on { $a }, which is another player's Home.
rule-soccer-pushed-home = That slide would push the penguin on { $a } onto the Home { $b }.
rule-soccer-short-no-spin = The slide stops early on { $a }, so the penguin can't spin.
rule-soccer-spin = The penguin on { $a } can spin at most { $b ->
        [1] 45°
        [2] 90°
        [3] 135°
       *[other] { $b } × 45°
    }.
rule-amoeba-not-controlled = You can't move the stack on { $a }: your opponent's piece is on top.
rule-amoeba-stuck = The stack on { $a } can't move: { $b } points would take it off the board in every direction.
rule-amoeba-too-few-points = The stack on { $a } moves { $c ->
        [one] 1 point
       *[other] { $c } points
    }, but the board ends sooner towards { $b }.
rule-amoeba-full-height = A stack moves exactly as far as it is high: from { $a } that's { $c ->
        [one] 1 point
       *[other] { $c } points
    }, to { $b }.
rule-amoeba-nothing-to-split = There's only one piece on { $a }, so you can't split it.
rule-amoeba-no-swap = You can't swap sides now. You can only do that right after the first move, in games with the pie rule.
