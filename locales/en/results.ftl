# How games ended: who won, by how much, and why. The same sentence everywhere: thread, lists, pages, alt texts.
#
# Arguments of `result-*` and `why-*`:
# $winner the sole winner, or all who share the win; $loser the other players still in the game, or who resigned;
# $winners how many won; $seats how many played; $game the key of the game;
# $margin "none", or a number; $amount the same with its unit, "4 fish";
# $best and $second the two highest scores, $tiles and $fewer their tiles (numbers; 0 without scores).

# A player in a result: the side in brackets.
result-name = { $who } ({ $side })
# The bot where another seat is the bot's too, or with more than two players.
result-name-ai = Rookery ({ $level }, { $side })

# A margin with its unit.
result-amount = { $game ->
        [amazons] { $margin ->
            [one] 1 move
           *[other] { $margin } moves
        }
        [penguins] { $margin } fish
        [amazon_penguins] { $margin } fish
        [paper_penguins] { $margin ->
            [one] 1 point
           *[other] { $margin } points
        }
        [amoeba] { $margin ->
            [one] 1 stack
           *[other] { $margin } stacks
        }
       *[other] { $margin }
    }

result-no-moves = { $margin ->
        [none] { $winner } won: { $loser } has no moves left.
        [0] { $winner } won by the last move: { $loser } has no moves left.
       *[other] { $winner } won by { $amount }: { $loser } has no moves left.
    }
result-points = { $winners ->
        [one] { $seats ->
            [2] { $winner } won by { $amount }, { $best } to { $second }.
           *[other] { $winner } won by { $amount }.
        }
       *[other] { $seats ->
            [2] { $winner } drew, { $best } to { $second }.
           *[other] { $winner } share the win with { $best } each.
        }
    }
result-tiles = { $seats ->
        [2] { $winner } won with more tiles, { $tiles } to { $fewer }: both have { $best } fish.
       *[other] { $winner } won with more tiles after a tie at { $best } fish.
    }
result-goal = { $winner } won: the ball is in the goal.
result-kernel = { $winner } won: { $loser } lost their Kernel.
result-repetition = { $winners ->
        [one] { $margin ->
            [none] { $winner } won: the same position came up three times.
           *[other] { $winner } won by { $amount }, { $best } to { $second }: the same position came up three times.
        }
       *[other] { $winner } drew: the same position came up three times.
    }
result-stuck = { $winner } drew: nobody can move.
result-resigned = { $winner } won: { $loser } resigned.
result-on-time = { $seats ->
        [2] { $winner } won on time against { $loser }.
       *[other] { $winner } won on time.
    }
result-counted = { $winners ->
        [one] { $margin ->
            [none] { $winner } won after a count.
            [0] { $winner } won by the last move after a count.
           *[other] { $winner } won by { $amount } after a count.
        }
       *[other] { $winner } drew after a count.
    }
result-proven = { $winners ->
        [one] { $margin ->
            [none] { $winner } won after an exact count.
            [0] { $winner } won by the last move after an exact count.
           *[other] { $winner } won by { $amount } after an exact count.
        }
       *[other] { $winner } drew after an exact count.
    }
result-agreed = { $winner } agreed to a draw.
result-imported = { $winners ->
        [0] Imported game.
        [one] { $winner } won. Imported game.
       *[other] { $winner } drew. Imported game.
    }
result-abandoned = No result: nobody moved for too long.
result-aborted = Game cancelled; it doesn't count.
result-closed = The host closed this game before it started.
result-refused = The challenge was declined.
result-refused-by = { $loser } declined the challenge.
result-expired = Nobody joined in time, so this game is closed.

# What follows that sentence: the scores of two players, or all players in order of rank.
result-with-scores =
    { $result }
    Score: { $scores }.
result-score = { $who } { $points }
result-with-places =
    { $result }
    { $places }
result-place = { $place }. { $who }
result-place-out = { $place }. { $who } (out)
result-place-score = { $place }. { $who } { $points }
result-place-score-out = { $place }. { $who } { $points } (out)
result-place-tiles = { $place }. { $who } { $points } on { $tiles ->
        [one] 1 tile
       *[other] { $tiles } tiles
    }

# The two lines of a picture: who won by how much, and why.
result-head = { $winners ->
        [0] No result
        [one] { $margin ->
            [none] { $winner } won
            [0] { $winner } won by the last move
           *[other] { $winner } won by { $amount }
        }
       *[other] { $winner } drew
    }
why-no-moves = No moves left for { $loser }
why-points = Nobody can move
why-tiles = Equal fish, more tiles
why-goal = The ball is in the goal
why-kernel = The enemy Kernel was taken
why-repetition = Same position three times
why-stuck = Nobody can move
why-resigned = { $loser } resigned
why-on-time = On time
why-counted = After a count
why-proven = After an exact count
why-agreed = Draw agreed
why-imported = Imported game
why-abandoned = Nobody moved for too long
why-aborted = Game cancelled; it doesn't count
why-closed = The host closed this game
why-refused = The challenge was declined
why-expired = Nobody joined in time

# The same in a list of games, in a few words.
games-state-result = { $winners ->
        [one] { $how ->
            [resigned] { $winner } won by resignation
            [on-time] { $winner } won on time
           *[other] { $margin ->
                [none] { $winner } won
                [0] { $winner } won by the last move
               *[other] { $winner } won by { $amount }
            }
        }
       *[other] { $winner } drew
    }

# Sets of two games. $won and $lost are the points of the two players.
set-over = { $draw ->
        [yes] Set over: { $winner } drew, { $won } to { $lost }.
       *[no] Set over: { $winner } won the set { $won } to { $lost }.
    }

# Asked to count while the sides still meet.
refused-shared = Too early to count: some squares can still be reached by both sides.

# Territory, under the picture and in its description: free squares by who can still reach them.
territory-two = Cells only { $first } can reach: { $mine } · only { $second }: { $theirs } · both: { $shared } (hatched)
territory-many = Cells only one side can reach: { $alone } · shared: { $shared } (hatched)
territory-alone = { $side }: { $count }
alt-shared = Hatched, for more than one side: { $cells }.
alt-territory = { $territory }.
web-territory-rated = Territory is hidden while a rated game is being played.

# Analysis: a turn that cost much, who is ahead at a turn, and the best moves there.
review-turn = Move { $number }: { $side } played `{ $played }`, which cost { $cost }; `{ $better }` was better. { $whose }'s lead before and after: { $before }, { $after }.
review-cost-game = the game
review-lead = { $side }'s lead: { $lead }.
analyse-lines = Best moves for { $side }:
analyse-line = { $number }. { $line } · { $value }

# The description of a replay: its course, then its last board.
replay-alt = Moves { $from } to { $to } of { $of }. { $board }
