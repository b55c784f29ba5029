# What a board shows, for people who hear it, and what ended a game.

alt-head = { $game }, table { $table }, { $ply ->
        [0] at the start
        [one] after 1 move
       *[other] after { $ply } moves
    }.
alt-last = Last move: { $side } { $move }.
alt-turn = { $side } is to move.
alt-gave-up = Gave up: { $sides }.
alt-over = The game is over.
alt-ended = The game is over. { $ending }
alt-changed = Changed: { $facts }
alt-chosen = Chosen: { $cells }.
alt-goals = Can be chosen: { $cells }.
alt-labels = Numbered: { $labels }.
alt-tinted = Tinted for { $side }: { $cells }.
alt-more = The text board has the rest.
score = { $side } { $points }
score-tiles = { $side } { $points } on { $tiles ->
        [one] 1 tile
       *[other] { $tiles } tiles
    }
scores = Score: { $scores }.
fact-pieces = { $who }: { $cells }.
fact-gone = { $game ->
        [amazons] Blocked: { $cells }.
       *[other] Gone: { $cells }.
    }
fact-fish-1 = One fish: { $cells }.
fact-fish-2 = Two fish: { $cells }.
fact-fish-3 = Three fish: { $cells }.
fact-soccer-on = { $who } on the field: { $words }.
fact-soccer-off = { $who } not on the field yet: { $words }.
fact-soccer-ball-ahead = The ball comes in on { $cells }.
fact-soccer-ball = Ball: { $cells }.
fact-soccer-ball-held = { $who } has the ball on { $cells }.
fact-amoeba-kernel = { $who } Kernel: { $cells }.
fact-amoeba-stacks = Stacks, from the bottom: { $words }.

rules-picture = { $game }: a board some turns after the start.
rules-designers = Designed by { $who }.
