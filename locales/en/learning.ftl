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
