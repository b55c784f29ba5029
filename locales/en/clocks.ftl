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

command-play-clock = How much time: live, fast, daily, weekly, golem, none, or such as 48h+24h cap 96h hard
clock-unknown = “{ $text }” is no length of time. Write a clock such as `daily`, `daily hard`, `30m`, or `48h+24h cap 96h hard`: what one begins with, what a turn adds, the most one can have, in w, d, h, m and s, and `hard` if who has no time left loses.
clock-empty = A length of time is missing in that clock. Write it such as `48h+24h cap 96h`: 48 hours to begin with, 24 more a turn, never over 96.
clock-short = That clock is too short: one needs a minute at least to begin with. Write `1m` or more.
clock-long = That clock is too long: 100 days is the most. Write `100d` or less, or `none` for a game without a clock.
clock-cap = The cap of that clock is less than what one begins with or what a turn adds. Choose a higher one, or leave it out.
