# Seats that several people play together.

team-everyone = everyone in { $channel }
team-everyone-here = everyone
team-role = { $role }
team-more = { $people } and { $more ->
        [one] one more
       *[other] { $more } more
    }

command-play-team = Share your seat: everyone, a @role or @people; vote 6h 5 or free; vs and others for teams
team-uncalled = Discord does not let me call { $roles } when it is their turn: somebody who manages roles can switch on “Allow anyone to @mention this role” for it, or give me the permission “Mention @everyone, @here and All Roles”.
team-not-pinged = I only ping roles that you can mention here yourself, so { $roles } won't be pinged. Tell them about the game, or ask someone who manages roles to switch on “Allow anyone to @mention this role”.
team-unknown = I do not understand { $word } in `team`. Write `everyone`, a @role, or @people; after it `free` or `vote`, and with `vote` a time such as `6h` and a number of votes that is enough, such as `5`; then `vs` and another team, if there is to be one.
team-nobody = Say who plays with you: write `everyone`, a @role, or @people in `team`.
team-alone = A team needs somebody beside you. Name them in `team` as @people, or write `everyone`.
team-mixed = A team is everyone, or one role, or people by name: choose one of them, and write `vs` between two teams.
team-large = A team of people by name has { $most } people at most. Give them a role, and name that in `team`.
team-opponent = { $who } cannot play on both sides. Take them out of `team`, or challenge somebody else.
team-same = A role, or everyone, can play on one side only. Name somebody else after `vs`.
team-many = At most { $most } teams can play each other.
team-short = A vote lasts at least { $least }, so that more than one can take part.
team-long = A vote lasts { $most } at most.
team-votes = Give a number of votes from 2 to 1000. With 1 the first move would count: write `free` for that.
team-free = A team that plays freely needs no time and no number of votes. Write `vote` for that.
team-dm = A team plays where all of it can see the board, not in direct messages with me. Use `/play` with `team` in a channel, or in a conversation of your own.
team-outside = { $people } can't read this channel, so they can't play here. Open the game in a channel they can read.
team-rated = Games with a team do not count for ratings: leave `rated` out.

terms-team-of = { $who }: { $how }
terms-team-free = the team plays freely: the first legal move of anybody counts
terms-team-vote = the team votes, for { $time } a turn at most{ $enough ->
        [0] { "" }
       *[other] , or until a move has { $enough } votes
    }

refused-not-of-team = This table is played by { $who }, so from here you can only watch. `/play` opens a table of your own.
refused-not-captain = { $captain } speaks for your team: resigning, offers and answers are theirs to give. You can move, and vote.
refused-team-votes = Your team votes on its moves, so nothing can be decided beforehand.
refused-ballot-full = As many moves are proposed as there is room for. Vote for one of them.
refused-no-ballot = That vote is over. The latest board shows what was played.

team-left = { $table } · you play with this team no more, and are not called for it. `/back` takes you in again.
team-back = { $table } · you play with your team again.

board-votes = By vote: propose a move with Move, or by typing it. There is time until { $until }.
board-votes-still = By vote, while the game stands still: propose a move with Move, or by typing it.
board-tally = So far: { $tally }
board-voted = { $number }. { $move } ({ $votes } of { $of } votes)
board-drawn = { $number }. { $move } ({ $votes } of { $of } votes, drawn among { $tied })

tally-open = { $table } · move { $number } · vote of { $who }. Closes { $when }. Press a move to vote for it; you can change your mind until then.
tally-still = { $table } · move { $number } · vote of { $who }. The game stands still, and so does the vote's time.
tally-over = { $table } · move { $number } · the vote is over: `{ $move }` with { $votes } of { $of } votes.
tally-drawn = { $table } · move { $number } · the vote is over: `{ $move }`, drawn by lot among { $tied } moves with { $votes } of { $of } votes each. `/verify` draws again.
tally-line = { $number }. `{ $move }` · { $votes ->
        [one] 1 vote
       *[other] { $votes } votes
    } · proposed by { $by }
tally-line-short = { $number }. `{ $move }` · { $votes }
tally-caption = { $number } · { $move }
tally-picture = The moves put to the vote, one board each: { $moves }.
tally-picture-move = { $number }, { $move }, { $votes ->
        [one] 1 vote
       *[other] { $votes } votes
    }
button-vote = { $number } · { $move } ({ $votes })
button-propose = Propose it
button-propose-other = Propose another

panel-confirm-vote = { $table } · `{ $move }` on the board as it would be. Propose it to your team?
vote-proposed = { $table } · you proposed `{ $move }`, and your vote is for it.
vote-cast = { $table } · your vote is for `{ $move }`. It has { $votes ->
        [one] 1 vote
       *[other] { $votes } votes
    } now.
vote-settled = { $table } · your vote settled it: `{ $move }` is played.
vote-same = { $table } · your vote is for that move already. Nothing has changed.
