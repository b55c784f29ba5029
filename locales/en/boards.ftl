# What a board shows, for people who hear it, and what ended a game.

alt-head = { $game }, { $table }, { $ply ->
        [0] at the start
        [one] after 1 move
       *[other] after { $ply } moves
    }.
alt-last = Last move: { $side } { $move }.
alt-turn = { $side } to move.
alt-gave-up = Resigned: { $sides }.
alt-over = The game is over.
alt-ended = The game is over. { $ending }
alt-changed = Changed: { $facts }
alt-chosen = Chosen: { $cells }.
alt-goals = You can choose: { $cells }.
alt-labels = Numbered: { $labels }.
alt-tinted = Shaded for { $side }: { $cells }.
alt-more = See the text board for the rest.
score = { $side } { $points }
score-tiles = { $side } { $points } on { $tiles ->
        [one] 1 tile
       *[other] { $tiles } tiles
    }
scores = Score: { $scores }.
fact-pieces = { $who }: { $cells }.
fact-gone = { $game ->
        [amazons] Blocked: { $cells }.
        [paper_penguins] Crossed out: { $cells }.
       *[other] Holes: { $cells }.
    }
fact-fish-1 = { $game ->
        [paper_penguins] Ones: { $cells }.
       *[other] One fish: { $cells }.
    }
fact-fish-2 = { $game ->
        [paper_penguins] Twos: { $cells }.
       *[other] Two fish: { $cells }.
    }
fact-fish-3 = { $game ->
        [paper_penguins] Threes: { $cells }.
       *[other] Three fish: { $cells }.
    }
fact-home = { $who }'s Home: { $cells }.
fact-soccer-on = { $who } on the field: { $words }.
fact-soccer-off = { $who } still off the field: { $words }.
fact-soccer-ball-ahead = Ball in the middle of { $cells }.
fact-soccer-ball = Ball: { $cells }.
fact-soccer-ball-held = { $who } has the ball on { $cells }.
fact-amoeba-kernel = { $who }'s Kernel: { $cells }.
fact-amoeba-stacks = Stacks, bottom to top: { $words }.

rules-picture = { $game }: the example positions, numbered.
rules-board = **board { $number }**
rules-designers = Designed by { $who }.
