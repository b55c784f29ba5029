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

clock-terms = clock { $clock }
clock-named = { $name } ({ $times }; { $end })
clock-own = { $times } ({ $end })
clock-times = { $first }, { $add } more a turn, never over { $cap }
clock-times-plain = { $first } in all
clock-soft = when time is up the others decide
clock-hard = who has no time left loses
clock-grace = nobody loses in the first { $grace }
clock-no-vacation = no days off

clock-line = Time: { $clocks }
clock-runs = { $who }'s ends { $when }
clock-runs-grace = { $who }'s ends { $when }, and nobody loses before { $from }
clock-out-grace = { $who }'s is used up, which counts from { $from } on
clock-up = { $who }'s is up
clock-stands = { $who } has { $left }
clock-rests = { $who } has { $left } from { $until } on

clock-page = { $table } · { $clocks } { $terms }
clock-says-runs = { $who } has { $left } left, until { $until } ({ $when }).
clock-says-runs-grace = { $who } has { $left } left, until { $until } ({ $when }); nobody loses before { $from }.
clock-says-out-grace = { $who } has used up the time; it counts from { $from } on, for nobody loses in the first minutes of a game.
clock-says-stands = { $who } has { $left } left.
clock-says-up = { $who } has no time left.
clock-says-rests = { $who } has { $left } left; that time stands until { $until }.
clock-says-paused = The game stands still.
clock-says-terms = The clock: { $clock }.
clock-says-soft = When somebody's time is up, the others can claim the win, give more time, or let me play on; if nobody does, the game is lost after 14 days.
clock-says-soft-many = When somebody's time is up, the others can count them out and play on without them, give more time, or let me play on; if nobody does, they are out after 14 days.
clock-says-hard = Whoever has no time left loses at once.
clock-none = { $table } has no clock: nobody can lose on time here.

warned-quarter = { $table } · { $who }, a quarter of your time is left: it ends { $when }.
warned-twentieth = { $table } · { $who }, your time is nearly up: it ends { $when }.
warned-late = { $table } · { $who } has moved since.
time-up = { $table } · { $who }'s time is up. { $others } can claim the win, give more time, or let me play on for { $who }. Until then { $who } can still move.
time-up-many = { $table } · { $who }'s time is up. { $others } can count { $who } out and play on, give more time, or let me play on for { $who }. Until then { $who } can still move.
time-up-casual = If I play on, the game is a casual one from then on.
time-up-alone = { $table } · { $who }, your time is up. Nobody here will claim the win: you can still move, until { $until }.
time-up-past = { $table } · { $who }'s time was up.
time-given = { $table } · { $by } gives { $who } { $more } more. It ends { $when } now.
time-given-past = { $table } · { $by } gave { $who } { $more } more.
given-back = { $table } · I was away for { $lost }; that time is given back. { $clocks }
pause-over = { $table } · This game has stood still for 30 days, which is as long as one may. It goes on now.
away-until = { $table } · { $who } takes days off until { $until }; { $who }'s time stands until then.

away-over = { $table } · { $who } is back from days off; { $who }'s time runs again.

button-claim = Claim the win
button-claim-out = Count them out
button-give-time = Give { $more }
button-seat-program = Let Rookery play on

claim-done = The win at table { $table } is yours.
claim-out-done = They are out at table { $table }; the game goes on among the others.
give-done = You have given more time at table { $table }.
program-seated = I play on at table { $table }.

refused-no-clock = Nobody's time runs at this table just now.
refused-time-left = There is still time: until { $until }.
refused-own-time = It is your own time that runs; the others decide about it. Just move.
refused-out-of-time = Your time is up.

command-play-clock = How much time: live, fast, daily, weekly, golem, none, or such as 48h+24h cap 96h hard
clock-unknown = { $text } is no length of time. Write a clock such as `daily`, `daily hard`, `30m`, or `48h+24h cap 96h hard`: what one begins with, what a turn adds, the most one can have, in w, d, h, m and s, and `hard` if who has no time left loses.
clock-empty = A length of time is missing in that clock. Write it such as `48h+24h cap 96h`: 48 hours to begin with, 24 more a turn, never over 96.
clock-short = That clock is too short: one needs a minute at least to begin with. Write `1m` or more.
clock-long = That clock is too long: 100 days is the most. Write `100d` or less, or `none` for a game without a clock.
clock-cap = The cap of that clock is less than what one begins with or what a turn adds. Choose a higher one, or leave it out.

command-clock = Show everybody's time at a table, and what happens when it is up
command-vacation = Take days off: your clocks stand meanwhile, in games that allow it
command-vacation-days = How many days, from now or from the first day
command-vacation-from = The first day, such as 2026-12-24; now if you leave it out
command-vacation-until = The last day, such as 2027-01-06
vacation-none = You have no days off. `/vacation` takes some: `days:3` from now on, or `from:2026-12-24 until:2027-01-06`.
vacation-now = You have days off until { $until }.
vacation-to-come = You have days off from { $from } until { $until }.
vacation-left = { $left } of { $most } days in twelve months are left.
vacation-stands = { $count ->
        [0] None of your games that go on has a clock that stands meanwhile.
        [one] In one of your games time stands meanwhile; the others there are told when it begins.
       *[other] In { $count } of your games time stands meanwhile; the others there are told when it begins.
    }
vacation-runs = Days off do not count at { $tables }: there your time runs on.
vacation-no-date = { $text } is no day. Write it such as `2026-12-24`: the year, the month, the day.
vacation-how-long = Say how long: either how many `days`, or the last day under `until`.
vacation-backwards = Those days are over, or end before they begin. Choose days to come.
vacation-too-far = Those days are more than a year away. Take them when they are nearer.
vacation-too-many = You have { $left } of { $most } days in twelve months left. Take fewer; days that you end early come back to you, except those already begun.
vacation-too-many-instead = In place of the days off that you have you can take { $left } of { $most } days in twelve months. Take fewer; days that you end early come back to you, except those already begun.
vacation-apart = You have days off until { $until }, and I keep one stretch at a time: those would end now, and your clocks would run. Let the new ones begin by then, so that it is one stretch, or take them when you are back.
button-vacation-end = I am back: end them now
button-vacation-drop = Give them up
