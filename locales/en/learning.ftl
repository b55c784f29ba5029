# Hints, analysis, lessons.

command-hint = Have a hint for your move; the others are told that you had one
button-hint = Hint
button-play-hint = Play it
hint-move = { $table } · I would play `{ $move }`: { $value }.
hint-line = { $table } · I would play `{ $move }`: { $value }. What I expect: { $line }
hint-busy = I have my hands full with other games just now. Please try again in a moment.
note-hinted = { $table } · { $who } had a hint from me for this move.
refused-no-help = Engine help about a running rated game is refused, to players and to those who watch. When the game is over, all is open again.

value-won = { $side } wins for certain
value-lost = { $side } loses against the best play
value-even = it ends level for certain
value-level = it looks level to me
value-ahead = { $side } looks ahead by { $lead }
value-behind = { $side } looks behind by { $lead }

command-analyse = Look over a finished game: who was ahead, and the moves that decided it
analyse-running = This game still goes on. It can be analysed when it is over; until then `/hint` helps whoever is to move.
analyse-nothing = Nothing was played in this game, so there is nothing to analyse.
review-two = **{ $table } · { $game }: how it went.** The line is how far { $side } was ahead as I see it. { $turned ->
        [0] No single turn changed much.
       *[other] It turned here:
    }
review-many = **{ $table } · { $game }: how it went.** The lines are how good it looked to me for each on their own turns: { $sides }. { $turned ->
        [0] No single turn changed much.
       *[other] It turned here:
    }
review-won = decided, won
review-lost = decided, lost
review-picture = A plot of how far { $side } was ahead over { $turns ->
        [one] one turn
       *[other] { $turns } turns
    }: at most { $most }, at least { $least }, at the end { $end }.
button-turning = Turn { $number }
turning-before = before
turning-played = { $move } was played
turning-better = { $move } was better
turning-picture = Three boards: before, after what was played, after what was better. { $line }
