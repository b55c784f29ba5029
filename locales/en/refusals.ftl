# Why something was not done. Each says what to do next; nothing is ever lost by a refusal.

denied-no-table = There is no table { $table } that you can see right now. `/games` lists yours.
denied-journal = I could not write that down just now, so nothing has changed. Please try again in a moment.
denied-unreadable = I can't open table { $table }: a newer version of me saved it, or its record is damaged. It stays as it is, and whoever runs me can see this in the log.
denied-fault = Something went wrong on my side and nothing has changed. Please try again; if it goes wrong again, tell whoever runs me.

access-channel-closed = Table { $table } is in a channel that you can't see, so you can't take a seat there. Ask its moderators to let you in, then try again.
access-not-member = Table { $table } belongs to a server that you're not on. Join the server, then try again.
access-link-only = A link only shows the game. To play, join its server.
access-try-again = Discord isn't telling me whether you can join table { $table }. Nothing has changed; please try again in a minute.

refused-repeated = That is done already. `/board` shows how the game stands.
refused-not-begun = This game has not begun yet: a seat is still free, or somebody has not answered. It begins by itself once everybody sits.
refused-begun = This game has begun, so its seats are fixed. `/play` opens another.
refused-over = This game is over. `/play` starts a new one.
refused-not-seated = You have no seat at this table, so you can only watch. `/play` opens one of your own.
refused-seated = You are sitting at this table already. `/board` shows it.
refused-resigned = You have given up this game already. `/play` starts a new one.
refused-kept = The free seats are kept for { $who }, and you do not belong there, as far as I can see. `/play` opens a table of your own.
refused-full = Every seat is taken. `/play` opens another table.
refused-turn = It is not your turn: { $who } is to move. `/board` shows how the game stands.
refused-stale = The game has moved on since that board. Here is how it stands now.
refused-no-such-offer = This game does not know such an offer. `/rules` says how it ends, and `/resign` gives it up.
refused-offer-stands = There is an offer already that waits for the other side's answer. Wait for it, or play on: the next move withdraws it.
refused-offer-asks = There is an offer already that waits for your own answer. Answer it first: press Agree or Play on, or write `yes` or `no`.
refused-offer-declined = That was turned down already. You can offer it again after the next move.
refused-no-offer = There is no offer to answer any more. Play on, or make one of your own: `/count`, `/draw`, `/undo`.
refused-nothing-to-undo = You have not moved yet, so there is nothing to take back. Make your move when it is your turn, or call the game off with `/abort`.
refused-not-rated = This game does not count for ratings, or its result has been entered.
refused-rated = This game counts for ratings, where that is not done. Play on, or give up with `/resign`.
refused-not-paused = This game does not stand still: it goes on as it is. `/pause` asks to let it stand still.
refused-frozen = I was taken out of this game's server, so the game stands still. It goes on when somebody there invites me again.
refused-not-over = This game is not over yet. Play on, or give up with `/resign`.
refused-only-two = In a game of two nobody stands in for you: `/pause` asks for a rest, `/resign` gives the game up.
refused-paused-already = This game stands still already. `resume` or its Resume button takes it up again.
refused-not-host = Only whoever opened this table can do that.
refused-plan-own-turn = It is your turn, so there is nothing to wait for: just play.
refused-plan-open = A plan ends with a move of your own: `if` their move `then` yours.
refused-plan-too-long = That is more than I keep: at most 20 branches of at most 24 moves each.
refused-plan-twice = For the same moves you have planned `{ $move }` already. Cancel that plan first.
refused-plan-move = In your plan { $text } does not work there: { $why }
refused-no-plan = You have planned nothing like that.
refused-not-proven = The sides are walled off, but I could not prove in reasonable time what each has left. Proven so far: { $bounds }. Play a little further, then offer again.
refused-no-game = I know no game called { $name }. `/help` lists them.

unreadable-found = I stopped reading at { $found }: { $wanted } should come there.
unreadable-short = That stops too early: { $wanted } should come next.
unreadable-example = A move looks like this: `{ $move }`.
wanted-cell = a square such as d7
wanted-direction = a direction
wanted-end = nothing more

refusal-no-such-cell = This board has no { $cell }. Letters and numbers stand at its edges.
refusal-nothing = No piece stands on { $at }. `/board` shows where yours are.
refusal-not-yours = The piece on { $at } is not yours: it belongs to { $whose }. Move one of your own.
refusal-swapped = Sides were swapped: you play { $side } now.
refusal-no-step = The piece would stay on { $at }, but a turn begins with a move.
refusal-not-a-line = { $leg ->
        [shot] The shot cannot go from { $from } to { $to }: it flies in a straight line, and none joins the two.
       *[move] { $from } cannot go to { $to }: it moves in a straight line, and none joins the two.
    }
refusal-blocked = { $leg ->
        [shot] The shot cannot go from { $from } to { $to }: { $what } on { $at } is in the way.
       *[move] { $from } cannot go to { $to }: { $what } on { $at } is in the way.
    }
refusal-goal-taken = { $leg ->
        [shot] The shot cannot land on { $to }: { $what } is there.
       *[move] { $from } cannot go to { $to }: { $what } is there.
    }
refusal-incomplete = `{ $sofar }` is fine so far; now add { $missing }.
refusal-nothing-yet = Begin with { $missing }.
refusal-ambiguous = That can be read in more than one way: { $readings }. Write the one you mean.

blocker-piece = a piece of { $whose }
blocker-something = something
blocker-amazons = a blocked square
blocker-penguins = a hole
blocker-amazon_penguins = a hole
blocker-paper_penguins = a crossed-out square
blocker-penguin_soccer = something
blocker-amoeba = something

part-piece = which piece moves
part-place = the place
part-goal = where it goes
part-arrow = where the arrow lands
part-spear = where the spear lands
part-direction = the direction
part-spin = how it turns
part-manner = how to move

setup-seats = This game is for { $allowed } players, and { $seats } were asked for. Name as many people, or say how many under `players`.
setup-unknown = This game has no option { $option }. Leave it out: it belongs to another game.
setup-value = The option “{ $option }” cannot be { $value }. { $allowed }
setup-takes-one = It can be { $words }.
setup-takes-number = It can be a number from { $least } to { $most }.
setup-takes-size = It can be a size such as { $offered }: both sides from { $least } to { $most }.
setup-takes-squares = It takes squares with blanks or commas between them, such as `a4 d1`.
setup-no-layouts = This game always starts from the same position, so it takes no layout. Leave `layout` out.
setup-line = The position cannot be read at character { $at }. Needed there: { $wanted }.

# What a position in text needs at some place, in the middle of a sentence. $a to $d are numbers and the like.
need-floe-board = the rows of the board
need-floe-shape = rows of one length, 1 to 12, or the island's rows of 7 and 8 (the first row here has { $a })
need-floe-rows = { $a } rows instead of { $b }
need-floe-row = a row of { $a } instead of { $b }
need-floe-fish = 1, 2 or 3 fish, or `.` for no tile
need-floe-few-tiles = a layout of at least { $a } tiles for the pieces, instead of { $b }
need-floe-pieces = the pieces of every seat
need-floe-seats = the pieces of as many seats as can play ({ $a }) instead of { $b }
need-floe-free-cell = a free cell with a tile, for each piece
need-floe-most = at most { $a } pieces a seat
need-floe-turn = the seat that is to move
need-floe-phase = `lay`, `place`, `move` or `over`
need-floe-taken = what every seat has taken
need-floe-scores = a score for each of { $a } seats, such as `12:7`
need-floe-placing = `one` or `any` with the pieces of a seat, such as `any:4`
need-floe-no-piece = a board without pieces while tiles are laid
need-floe-chip = a tile left to be laid
need-floe-cell-each = a cell left for every tile
need-floe-piece-left = a piece left to be placed
need-floe-tile-each = a tile for every piece to be placed
need-floe-all-placed = the place of every piece
need-floe-out = nothing more, or `out:` and the seats that gave up
need-floe-one-left = one seat at least that has not given up
need-penguins-island = the island with its rows of 7, 8, 7, 8, 7, 8, 7 and 8
need-amazon_penguins-rows = a board with rows of one length, 3 to 12, or the island
need-paper_penguins-rows = a board with rows of one length, 3 to 12
need-amazons-line = a position
need-amazons-row = a row of { $a } squares instead of { $b }
need-amazons-gap = a number of squares from 1 to { $a }
need-amazons-sign = `Q`, `q`, `*` (an arrow) or a number of free squares
need-amazons-board = a board from { $a }x{ $a } to { $b }x{ $b } instead of { $c }x{ $d }
need-amazons-count = a board with 1 to { $a } amazons of each side, instead of { $b }
need-amazons-turn = `w` or `b`, the side to move
need-amazons-move-number = the number of the move, 1 to 9999
need-amazons-pie = `pie:ahead`, `pie:open` or `pie:swapped`
need-amazons-pie-side = a pie rule that fits the side to move
need-amazons-end = the end of the line
need-soccer-line = families, ball and turn, with blanks between
need-soccer-families = 2 or 4 families instead of { $a }
need-soccer-three = a family of three penguins, Baby, Papa and Mama, with commas between
need-soccer-penguin = a square and a direction such as `c3NE` or `e5U`, or `-`
need-soccer-free-square = a square on which nobody stands yet
need-soccer-ball = the ball's square such as `d4`, or `-`
need-soccer-turn = the number of a family, 1 to { $a }
need-soccer-out = the numbers of families of a game of four, as in `out:2,4`
need-soccer-one-left = one family at least that has not given up
need-soccer-third = `third:1` to `third:{ $a }`
need-soccer-end = `out:` or `third:`, or the end of the line
need-soccer-home = an empty { $a }, since that is another family's Home
need-soccer-holder = a ball whose holder is upright
need-soccer-touched = the ball's square, since somebody stands in the middle and must have touched it
need-amoeba-line = rows and the side to move, with a blank between
need-amoeba-rows = { $a } rows instead of { $b }
need-amoeba-row = a row of { $a } points instead of { $b }
need-amoeba-stack = a stack of `A`, `B`, `K`, `L`, or 1 to 7 empty points
need-amoeba-pieces = a board with one Kernel and at most { $a } other pieces a side (here { $b } and { $c })
need-amoeba-turn = `1` or `2`, the side to move
need-amoeba-pie = `pie:ahead` before side 1 moves, `pie:open` before side 2, or `pie:swapped`
need-amoeba-seen = `seen:1` to `seen:{ $a }`
need-amoeba-going-on = a game that goes on, where a position has been seen before
need-amoeba-end = `pie:` or `seen:`, or the end of the line

rule-amazons-shut-in = The amazon on { $a } is shut in: every square next to it is taken. Move another one.
rule-amazons-no-swap = There is nothing to swap: sides can be swapped only once, right after the first move, in a game that allows it.
rule-amazons-off-board = The start names { $a }, which is not on this board.
rule-amazons-two-on-one = The start puts two amazons on { $a }.
rule-amazons-how-many = The start for { $a } needs between one and four squares for its amazons.

rule-penguins-lay-first = Nobody can move yet: the board is still being laid. Write one free cell for the next tile.
rule-penguins-place-first = Nobody can move yet: pieces are still being placed. Write one cell for your next piece.
rule-penguins-all-placed = All pieces are on the board now, so { $a } alone is no move. Write where a piece stands and where it goes.
rule-penguins-laid = { $a } has its tile already. Choose a free cell.
rule-penguins-occupied = A piece stands on { $a } already. Choose another cell.
rule-penguins-no-tile = There is no tile on { $a } any more.
rule-penguins-one-fish-only = Pieces are placed on tiles with one fish, and { $a } has more.
rule-penguins-out-of-reach = None of your pieces can go to { $a }.
rule-penguins-layout-twice = A layout is given already, so the option “layout” must stay at “random”.
rule-penguins-few-cells = A board of { $a } cells is too small for { $b } pieces. Choose a larger board, or fewer pieces.
rule-penguins-hex-size = The board of sixty hexagons has one size only: leave out “size”, or choose the square board.
rule-penguins-classic-size = The classic layout is for 8x8 only, and { $a } was asked for.
rule-soccer-stuck = The penguin on { $a } can do nothing at all this turn. Choose another one.
rule-soccer-on-the-ice = Your penguin of size { $a } is on the field already, on { $b }. Name that square.
rule-soccer-home-taken = Somebody stands on your Home { $a }, so nobody can come in there now.
rule-soccer-not-away = From the Home { $a } a penguin slides away from it, and { $b } does not lead away.
rule-soccer-lies = The penguin on { $a } lies facing { $b }, so it cannot slide { $c }. It slides the way it faces, or stands up first.
rule-soccer-stands = The penguin on { $a } stands already.
rule-soccer-only-kick = The penguin on { $a } has the ball, so it can only kick it.
rule-soccer-nothing-to-kick = The penguin on { $a } has no ball to kick.
rule-soccer-edge = From { $a } there is no ice to slide on towards { $b }.
rule-soccer-kick-edge = The ball on { $a } cannot be kicked { $b }: the edge is there.
rule-soccer-friend = A slide goes its full distance, and from { $a } your own penguin on { $b } is in the way.
rule-soccer-opponent = A slide goes its full distance, and from { $a } the penguin on { $b }, who has no ball, is in the way.
rule-soccer-full-distance = Slides and kicks go their full distance: from { $a } that way it ends on { $b }.
rule-soccer-other-home = That slide would end on { $a }, which is somebody else's Home.
rule-soccer-pushed-home = That slide would push the penguin on { $a } onto the Home { $b }.
rule-soccer-short-no-spin = The slide is stopped short on { $a }, and a penguin that is stopped short does not turn.
rule-soccer-spin = The penguin on { $a } can turn by at most { $b ->
        [one] 1 eighth
       *[other] { $b } eighths
    }.
rule-amoeba-not-controlled = The stack on { $a } is not yours to move: the other side's piece is on top.
rule-amoeba-stuck = The stack on { $a } cannot move: { $b } points is further than the board goes in every direction.
rule-amoeba-too-few-points = The stack on { $a } goes { $c ->
        [one] 1 point
       *[other] { $c } points
    }, and the board ends before that towards { $b }.
rule-amoeba-full-height = A stack goes exactly as far as it is high: from { $a } that is { $c ->
        [one] 1 point
       *[other] { $c } points
    }, to { $b }.
rule-amoeba-nothing-to-split = There is only one piece on { $a }, so there is nothing to split.
rule-amoeba-no-swap = There is nothing to swap: sides can be swapped only once, right after the first move, in a game that allows it.
