# Why something was not done. Each says what to do next; nothing is ever lost by a refusal.

denied-no-table = There is no table { $table }. `/games` lists yours.
denied-journal = I could not write that down just now, so nothing has changed. Please try again in a moment.
denied-fault = Something went wrong on my side and nothing has changed. Please try again; if it goes wrong again, tell whoever runs me.

refused-repeated = That is done already. `/board` shows how the game stands.
refused-not-begun = This game has not begun yet: a seat is still free, or somebody has not answered. It begins by itself once everybody sits.
refused-begun = This game has begun, so its seats are fixed. `/play` opens another.
refused-over = This game is over. `/play` starts a new one.
refused-not-seated = You have no seat at this table, so you can only watch. `/play` opens one of your own.
refused-seated = You are sitting at this table already. `/board` shows it.
refused-resigned = You have given up this game already. `/play` starts a new one.
refused-full = Every seat is taken. `/play` opens another table.
refused-turn = It is not your turn: { $who } is to move. `/board` shows how the game stands.
refused-stale = The game has moved on since that board. Here is how it stands now.
refused-no-such-offer = This game does not know such an offer. `/rules` says how it ends, and `/resign` gives it up.
refused-offer-stands = There is an offer already that waits for the other side's answer. Wait for it, or play on: the next move withdraws it.
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
refused-plan-move = In your plan `{ $text }` does not work there: { $why }
refused-no-plan = You have planned nothing like that.
refused-shared = Nothing can be counted yet: both sides still reach some of the same squares. Offer again when they are walled off from each other.
refused-not-proven = The sides are walled off, but I could not prove in reasonable time what each has left. Proven so far: { $bounds }. Play a little further, then offer again.
refused-no-game = I know no game called “{ $name }”. `/help` lists them.

unreadable-found = I stopped reading at `{ $found }`: { $wanted } should come there.
unreadable-short = That stops too early: { $wanted } should come next.
unreadable-example = A move looks like this: `{ $move }`.
wanted-cell = a square such as d7
wanted-direction = a direction
wanted-end = nothing more

refusal-no-such-cell = This board has no { $cell }. Letters and numbers stand at its edges.
refusal-nothing = No piece stands on { $at }. `/board` shows where yours are.
refusal-not-yours = The piece on { $at } is not yours: it belongs to { $whose }. Move one of your own.
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
setup-unknown = This game has no option “{ $option }”. Leave it out: it belongs to another game.
setup-value = The option “{ $option }” cannot be “{ $value }”. Pick one of the values offered while you type.
setup-no-layouts = This game always starts from the same position, so it takes no layout. Leave `layout` out.
setup-line = The position cannot be read at character { $at }: { $wanted } is needed there.

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
rule-soccer-spin = The penguin on { $a } can turn by at most { $b } eighths.
rule-amoeba-not-controlled = The stack on { $a } is not yours to move: the other side's piece is on top.
rule-amoeba-stuck = The stack on { $a } cannot move: { $b } points is further than the board goes in every direction.
rule-amoeba-too-few-points = The stack on { $a } goes { $c } points, and the board ends before that towards { $b }.
rule-amoeba-full-height = A stack goes exactly as far as it is high: from { $a } that is { $c } points, to { $b }.
rule-amoeba-nothing-to-split = There is only one piece on { $a }, so there is nothing to split.
rule-amoeba-no-swap = There is nothing to swap: sides can be swapped only once, right after the first move, in a game that allows it.
