# What is kept of games: whether it was changed, how it is shown again and handed out.

command-verify = Check that a game's record was not changed and that chance was kept to

chance-sealed = Chance is settled and sealed: `{ $digest }`. It is shown when the game is over; `/verify` checks it.
chance-shown = Chance: seed { $seed }, salt `{ $salt }`, sealed from the start as `{ $digest }`.

verify-clean = **{ $table }: all is as it should be.**
verify-wrong = **{ $table }: something is wrong.** Please tell whoever runs me.
verify-record = Nothing was changed: { $entries ->
        [one] the one entry of the record is as it was written.
       *[other] all { $entries } entries of the record are as they were written.
    } Their seal is `{ $seal }`; it changes with every byte of them.
verify-unsealed = { $entries ->
        [one] The first entry is
       *[other] The first { $entries } entries are
    } from before I sealed entries.
verify-old = This record is from before I sealed entries, so I cannot tell whether it was changed.
verify-altered = The record was changed: entry { $entry } is not as it was written.
verify-missing = The record was changed: entry { $entry } is missing, or there is one too many.
verify-seal-lost = The record was changed: entry { $entry } has lost its seal.
verify-cut-off = The record was changed: its last entries are missing.
verify-game = It tells of { $ply ->
        [0] a table at which nobody has moved.
        [one] a legal game of one move.
       *[other] a legal game of { $ply } moves.
    }
verify-no-game = It tells of no legal game: entry { $entry } cannot be.
verify-unpledged = Its chance was not sealed, so I cannot tell whether it was kept to.
verify-chosen = Whoever opened it chose the seed { $seed }, openly, and the start is what that gives.
verify-sealed = Its chance was settled before anybody joined, sealed as `{ $digest }`, and the start is what was drawn. The seed is shown when the game is over.
verify-kept = Its chance was settled before anybody joined, sealed as `{ $digest }`, and kept to. The seed was { $seed }, the salt `{ $salt }`; count again with `printf 'rookery seed 1\n%s\n%s' { $seed } { $salt } | sha256sum`.
verify-breach-digest = Chance was not kept to: the seed is not the one that was sealed.
verify-breach-layout = Chance was not kept to: the start is not what the seed gives.
verify-breach-seats = Chance was not kept to: the seats are not as drawn.
