# Hints, analysis, lessons.

command-hint = Get a hint for your move (the other players will see that you did)
button-hint = Hint
button-play-hint = Play it
hint-move = { $table } · I'd play `{ $move }`: { $value }.
hint-line = { $table } · I'd play `{ $move }`: { $value }. The game may go on with { $line }
hint-busy = I'm busy with other games right now. Please try again in a moment.
note-hinted = { $table } · { $who } got a hint for this move.
refused-no-help = No hints or analysis during a rated game. Try again when it's over.

value-won = { $side } is certain to win
value-lost = { $side } loses against best play
value-even = it's certain to be a draw
value-level = it looks even
value-ahead = { $side } looks ahead by { $lead }
value-behind = { $side } looks behind by { $lead }

command-analyse = Review a finished game: who was ahead, and which moves decided it
command-analyse-move = Show the best moves after this move (0 is the start)
analyse-running = This game isn't over. Analyse it afterwards; until then, `/hint` helps on your turn.
analyse-nothing = No moves were played, so there's nothing to analyse.
analyse-over = The game ends there, so there are no moves to compare. Choose an earlier move.
review-two = **{ $table } · { $game }: how it went.** The line shows how far ahead { $side } was. { $turned ->
        [0] No single move changed much.
       *[other] Turning points:
    }
review-many = **{ $table } · { $game }: how it went.** The lines show how each side stood on its own turns: { $sides }. { $turned ->
        [0] No single move changed much.
       *[other] Turning points:
    }
review-won = won
review-lost = lost
review-chart-two = { $game ->
        [amazons] Lead in moves · { $side } is ahead above 0, { $other } below
        [paper_penguins] Lead in points · { $side } is ahead above 0, { $other } below
        [penguin_soccer] Lead in squares · { $side } is ahead above 0, { $other } below
        [amoeba] Lead in stacks · { $side } is ahead above 0, { $other } below
       *[other] Lead in fish · { $side } is ahead above 0, { $other } below
    }
review-chart-many = { $game ->
        [amazons] Lead in moves · the higher, the better
        [paper_penguins] Lead in points · the higher, the better
        [penguin_soccer] Lead in squares · the higher, the better
        [amoeba] Lead in stacks · the higher, the better
       *[other] Lead in fish · the higher, the better
    }
review-chart-moves = Moves played
review-picture = Chart of { $side }'s lead over { $turns ->
        [one] one move
       *[other] { $turns } moves
    }: highest { $most }, lowest { $least }, { $end } at the end.
button-turning = Move { $number }
turning-played = { $move } was played
turning-better = { $move } was better
turning-picture = Two boards: after the move played, and after the better move. { $line }
