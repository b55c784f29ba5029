# Time: clocks, reminders, days off.

time-days = { $count ->
        [one] 1 day
       *[other] { $count } days
    }
time-hours = { $count ->
        [one] 1 hour
       *[other] { $count } hours
    }
time-minutes = { $count ->
        [one] 1 minute
       *[other] { $count } minutes
    }
time-seconds = { $count ->
        [one] 1 second
       *[other] { $count } seconds
    }

clock-named = clock { $name } ({ $times }; { $end })
clock-own = clock { $times } ({ $end })
clock-times = { $first }, { $add } more a turn, never over { $cap }
clock-times-plain = { $first } in all
clock-soft = when time is up the others decide
clock-hard = who has no time left loses
clock-no-vacation = no days off

clock-line = Time: { $clocks }
clock-runs = { $who }'s ends { $when }
clock-up = { $who }'s is up
clock-stands = { $who } has { $left }
clock-rests = { $who } has { $left } from { $until } on

clock-page = { $table } · { $clocks } { $terms }
clock-says-runs = { $who } has { $left } left, until { $until }.
clock-says-stands = { $who } has { $left } left.
clock-says-up = { $who } has no time left.
clock-says-rests = { $who } has { $left } left; that time stands until { $until }.
clock-says-paused = The game stands still.
clock-says-terms = The { $clock }.
clock-none = { $table } has no clock: nobody can lose on time here.

warned-quarter = { $table } · { $who }, a quarter of your time is left: it ends { $when }.
warned-twentieth = { $table } · { $who }, your time is nearly up: it ends { $when }.
warned-late = { $table } · { $who } has moved since.
time-up = { $table } · { $who }'s time is up. { $others } can claim the win, give more time, or let me play on for { $who }. Until then { $who } can still move.
time-up-alone = { $table } · { $who }, your time is up. Nobody here will claim the win: you can still move, until { $until }.
time-up-past = { $table } · { $who }'s time was up.
time-given = { $table } · { $by } gives { $who } { $more } more. It ends { $when } now.
time-given-past = { $table } · { $by } gave { $who } { $more } more.
given-back = { $table } · I was away for { $lost }; that time is given back. { $clocks }
pause-over = { $table } · This game has stood still for 30 days, which is as long as one may. It goes on now.
away-until = { $table } · { $who } takes days off until { $until }; { $who }'s time stands until then.

button-claim = Claim the win
button-give-time = Give { $more }
button-seat-program = Let Rookery play on

claim-done = The win at table { $table } is yours.
give-done = You have given more time at table { $table }.
program-seated = I play on at table { $table }.

refused-no-clock = Nobody's time runs at this table just now.
refused-time-left = There is still time: until { $until }.
refused-own-time = It is your own time that runs; the others decide about it. Just move.
refused-out-of-time = Your time is up.

command-play-clock = How much time: live, fast, daily, weekly, golem, none, or your own such as 3d+12h cap 6d
command-play-time_up = What happens when somebody's time is up
choice-soft = the others decide: claim the win, give time, or let Rookery play on
choice-hard = the game is lost at once
clock-unknown = “{ $text }” is no length of time. Write a clock such as `daily`, `30m`, or `3d+12h cap 6d`: what one begins with, what a turn adds, and the most one can have, in w, d, h, m and s.
clock-empty = A length of time is missing in that clock. Write it such as `3d+12h cap 6d`.
clock-short = That clock is too short: one needs a minute at least to begin with.
clock-long = That clock is too long: 100 days is the most.
clock-cap = The cap of that clock is less than what one begins with or what a turn adds. Choose a higher one, or leave it out.
