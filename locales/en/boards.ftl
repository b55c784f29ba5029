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

ending-won = { $who } won: { $how }.
ending-shared = { $who } share the victory: { $how }.
# Where how it ended is a sentence of its own.
ending-told = { $head }. { $how }
# The first line of a picture; the second one says why.
ending-head = { $winners ->
        [0] No result
        [one] { $who } won
       *[other] { $who } share the victory
    }
reason-no-moves = the other side cannot move any more
reason-points = nobody can move any more, and the points decide
reason-tiles = equal points, and more tiles
reason-goal = the ball is in the goal
reason-kernel = the enemy Kernel was taken over
reason-repetition = the same position came up for the third time
reason-stuck = nobody can move any more
cause-resigned = the other side resigned
cause-resigned-by = { $who } resigned
cause-on-time = on time
cause-abandoned = Nobody did anything here for a very long time, so this game is over without a result.
cause-counted = what is left was counted
cause-counted-margin = what is left was counted, ahead by { $margin }
cause-agreed = agreed
cause-proven = nothing was shared any more, and the exact count proves it
cause-proven-margin = nothing was shared any more, and the exact count proves a lead of { $margin }
cause-aborted = The game was called off; it counts for nobody.
cause-closed = The host closed this table before the game began.
cause-refused = The challenge was turned down.
cause-refused-by = The challenge was turned down by { $who }.
cause-imported = This game was brought along to be looked at.
cause-expired = Nobody came in time, so this table is closed.

rules-picture = { $game }: a board some turns after the start.
rules-designers = Designed by { $who }.
