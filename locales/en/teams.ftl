# Seats that several people play together.

team-everyone = everyone in { $channel }
team-everyone-here = everyone
team-role = { $role }
team-more = { $people } and { $more ->
        [one] one more
       *[other] { $more } more
    }

command-play-team = Several people play as you: everyone, a @role or @people. Add vote 6h for votes, vs for another team
team-uncalled = I can't ping { $roles }. Ask someone who manages roles to turn on “Allow anyone to @mention this role”, or to give me “Mention @everyone, @here and All Roles”.
team-not-pinged = I won't ping { $roles }, because you can't mention them here. Tell them yourself, or ask someone who manages roles to turn on “Allow anyone to @mention this role”.
team-unknown = I don't understand { $word } in `team`. Try `everyone`, `@red vote 6h 5` or `@red vs @blue`. `/help` explains teams.
team-nobody = Your team is empty. Put `everyone`, a @role or @people in `team`.
team-alone = You can't be a team alone. Add @people to `team`, or write `everyone`.
team-mixed = A team can't mix everyone, roles and people. Choose one of them, and write `vs` between two teams.
team-large = A team of named people can have at most { $most }. Give them a role and use that in `team`.
team-opponent = { $who } can't play on both sides. Take them out of `team`, or choose another opponent.
team-same = The same role, or everyone, can't play on both sides. Name another team after `vs`.
team-many = At most { $most } teams can play. Leave one out.
team-short = A vote must last at least { $least }. Choose a longer time.
team-long = A vote can last at most { $most }. Choose a shorter time.
team-votes = The number of votes must be from 2 to 1000. To play any member's move at once, write `free`.
team-free = A `free` team doesn't vote, so it takes no time and no number. Leave them out, or write `vote`.
team-dm = Teams can't play in a direct message with me. Use `/play` with `team` in a channel or a group chat.
team-outside = { $people } can't read this channel, so they can't play here. Start the game in a channel they can see.
team-rated = Team games can't be rated. Leave out `rated`.

terms-team-of = { $who }: { $how }
terms-team-free = free team: anyone's first legal move counts
terms-team-vote = team vote, at most { $time } a turn{ $enough ->
        [0] { "" }
       *[other] , or until a move has { $enough } votes
    }

refused-not-of-team = Only { $who } can play here, but you can watch. Start your own game with `/play`.
refused-not-captain = Only your captain, { $captain }, can resign, make offers and answer them. You can move and vote.
refused-team-votes = You can't plan moves ahead, because your team votes on each one.
refused-ballot-full = There's no room for another proposal. Vote for one that's there.
refused-no-ballot = That vote is over. See the latest board for the move.

team-left = { $table } · You've left the team and won't be pinged for it. Rejoin with `/back`.
team-back = { $table } · You're back on your team.

board-votes = Your team votes until { $until }. Propose a move with Move, or type it.
board-votes-still = Your team can vote while the game is paused. Propose a move with Move, or type it.
board-tally = So far: { $tally }
board-voted = { $number }. { $move } ({ $votes } of { $of } votes)
board-drawn = { $number }. { $move } ({ $votes } of { $of } votes, random pick from { $tied } tied moves)

tally-open =
    { $table } · Move { $number } · Vote by { $who }. Closes { $when }.
    Press a move to vote; you can change your mind.
tally-still = { $table } · Move { $number } · Vote by { $who }. The game is paused, so the vote won't close yet.
tally-over = { $table } · Move { $number } · Vote over: `{ $move }` won with { $votes } of { $of } votes.
tally-drawn = { $table } · Move { $number } · Vote over: `{ $move }` was picked at random from { $tied } tied moves, with { $votes } of { $of } votes each.
tally-line = { $number }. `{ $move }` · { $votes ->
        [one] 1 vote
       *[other] { $votes } votes
    } · proposed by { $by }
tally-line-short = { $number }. `{ $move }` · { $votes }
tally-caption = { $number } · { $move }
tally-picture = The proposed moves, one board each: { $moves }.
tally-picture-move = { $number }, { $move }, { $votes ->
        [one] 1 vote
       *[other] { $votes } votes
    }
button-vote = { $number } · { $move } ({ $votes })
button-propose = Propose
button-propose-other = Propose another

panel-confirm-vote = Propose `{ $move }` to your team? Here's how it will look.
vote-proposed = { $table } · You proposed `{ $move }` and voted for it.
vote-cast = { $table } · You voted for `{ $move }`. It now has { $votes ->
        [one] 1 vote
       *[other] { $votes } votes
    }.
vote-settled = { $table } · Your vote decided it: `{ $move }` is played.
vote-same = { $table } · You've already voted for that move.
