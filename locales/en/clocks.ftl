# Time: clocks, reminders, vacation.

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

clock-named = { $name } ({ $times }; { $end })
clock-own = { $times } ({ $end })
clock-times = { $first } plus { $add } per move, up to { $cap }
clock-times-per-move = { $time } per move
clock-times-plain = { $first } in total
clock-soft = if time runs out, others decide
clock-hard = running out of time loses
clock-grace = no loss on time in the first { $grace }
clock-no-vacation = no vacation

clock-line = Time: { $clocks }
clock-runs = { $who } runs out { $when }
clock-runs-grace = { $who } runs out { $when } (only counts after { $from })
clock-out-grace = { $who } is out of time (only counts after { $from })
clock-up = { $who } is out of time
clock-stands = { $who } has { $left }
clock-rests = { $who } has { $left }, stopped until { $until }

clock-page =
    { $table } · { $clocks }
    { $terms }
clock-says-runs = { $who } has { $left } left, until { $until } ({ $when }).
clock-says-runs-grace = { $who } has { $left } left, until { $until } ({ $when }). Nobody loses before { $from }.
clock-says-out-grace = { $who } is out of time, but nobody loses before { $from }.
clock-says-stands = { $who } has { $left } left.
clock-says-up = { $who } is out of time.
clock-says-rests = { $who } has { $left } left; the clock is stopped until { $until }.
clock-says-paused = The clocks are stopped.
clock-says-terms = Time control: { $clock }.
clock-says-soft = If you run out of time, your opponent can claim the win, give you more time, or let Rookery play on for you. If they do nothing, you lose after 14 days.
clock-says-soft-many = If you run out of time, the others can remove you from the game, give you more time, or let Rookery play on for you. If they do nothing, you're out after 14 days.
clock-says-hard = If you run out of time, you lose at once.
clock-none = { $table } has no time limit.

warned-quarter = { $table } · { $who }, you have a quarter of your time left. It runs out { $when }.
warned-twentieth = { $table } · { $who }, your time is almost up. It runs out { $when }.
warned-late = { $table } · { $who } has moved.
time-up =
    { $table } · { $who } is out of time, but can still move.
    { $others }, claim the win, give more time, or let Rookery play on.
time-up-many =
    { $table } · { $who } is out of time, but can still move.
    { $others }, remove them, give more time, or let Rookery play on.
time-up-all =
    { $table } · { $who } is out of time, but can still move.
    Everyone else can remove them, give more time, or let Rookery play on.
time-up-casual = If Rookery plays on, the game is no longer rated.
time-up-alone = { $table } · { $who }, you're out of time. Nobody here will claim the win: you can still move until { $until }.
time-up-past = { $table } · { $who } ran out of time.
time-given = { $table } · { $by } gave { $who } { $more } more. Time now runs out { $when }.
time-given-past = { $table } · { $by } gave { $who } { $more } more.
given-back =
    { $table } · I was offline for { $lost }, so I've added that time back.
    { $clocks }
pause-over = { $table } · The pause is over: 30 days is the limit. The game is on again.
away-until = { $table } · { $who } is on vacation. Their clock is stopped until { $until }.

away-over = { $table } · { $who } is back from vacation. Their clock is no longer stopped.

button-claim = Claim win
button-claim-out = Remove player
button-give-time = Give { $side } { $more }
button-seat-program = Rookery plays on

claim-done = You've claimed the win in { $table }.
claim-out-done = You've removed them from { $table }. The others play on.
give-done = You've given more time in { $table }.
program-seated = Rookery plays on in { $table }.

refused-no-clock = No clock is running in this game right now.
refused-time-left = There's still time left, until { $until }.
refused-own-time = It's your own clock, so the others decide. You can still move.
refused-out-of-time = You're out of time, so you can't move any more. See the game with `/board`.

command-play-clock = Time control: live, fast, daily, weekly, golem, none, or your own: 48h+24h cap 96h hard
clock-unknown = I can't read the time control { $text }. Try `daily`, `30m`, `3d per move` or `48h+24h cap 96h` (48 hours, plus 24 per move, never over 96). Units are w, d, h, m and s.
clock-empty = A time is missing. Write it like `48h+24h cap 96h`: 48 hours, plus 24 per move, never over 96.
clock-short = That's too short. Start with at least a minute (`1m`).
clock-long = That's too long. Use 100 days (`100d`) or less, or `none` for no time limit.
clock-cap = The cap is lower than the starting time or the time per move. Raise it, or leave it out.

command-clock = See everyone's time, and what happens when it runs out
command-vacation = Take a vacation: your clocks stop, in games that allow it
command-vacation-days = How many days, starting now or on the first day
command-vacation-from = First day, such as 2026-12-24 (leave empty to start now)
command-vacation-until = Last day, such as 2027-01-06
vacation-none = You have no vacation planned. In `/vacation`, use `days:3` to start now, or `from:2026-12-24 until:2027-01-06`.
vacation-now = You're on vacation until { $until }.
vacation-to-come = You have a vacation planned from { $from } to { $until }.
vacation-left = Vacation days left: { $left } of { $most } in any twelve months.
vacation-stands = { $count ->
        [0] It doesn't stop your clock in any of your games.
        [one] It stops your clock in one game. Your opponents there get a message.
       *[other] It stops your clock in { $count } games. Your opponents there get a message.
    }
vacation-runs = Your clock keeps running in { $tables }: no vacation there.
vacation-no-date = { $text } isn't a date I can read. Write it like `2026-12-24`: year, month, day.
vacation-how-long = How long? Give the number of `days`, or the last day in `until`.
vacation-backwards = That vacation is in the past, or ends before it starts. Choose later days.
vacation-too-far = That's more than a year away. Try again closer to the time.
vacation-too-many = That's too many days. You have { $left } of { $most } left in any twelve months, so choose fewer. If you end a vacation early, you get unused days back.
vacation-too-many-instead = That's too many days. If you replace your current vacation, you have { $left } of { $most } left in any twelve months, so choose fewer. If you end a vacation early, you get unused days back.
vacation-apart = You're already on vacation until { $until }. Start the next one by then, or plan it when you're back.
button-vacation-end = End vacation now
button-vacation-drop = Cancel vacation
