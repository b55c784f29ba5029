# Settings of people and servers, and what is answered about them.

# The language's own name for itself.
language-name = English

setting-line = { $what }: { $value }
setting-theme = Theme
setting-language = Language
setting-patterns = Patterns
setting-text = Text board
setting-large = Large print
setting-side = My side below
setting-confirm = Ask before playing
setting-pings = Pings
setting-quiet = Quiet hours
setting-weekly = Free time each week
setting-vacation = Days off
setting-zone = Time zone
setting-look = Looks and language …
setting-hours = Pings and hours …
setting-channels = Channels for games
setting-lobby = Lobby
setting-threads = A thread for each game
setting-clock = Clock
setting-strongest = My strongest level
setting-ai-games = Games against me at once
setting-ai-shows = Games of mine alone at once
setting-rated = Rated games
setting-pages = Public game pages
setting-places = Channels and looks …
setting-games = Games and clocks …
setting-check = Check permissions

settings-look = **Your settings** · how boards look to you, and how you are answered. Boards that others see as well keep the server's theme, unless you are the only person at the table.
settings-hours = **Your settings** · how you hear that it is your turn, and when not.
settings-patterns = Patterns tell the sides apart without colour, in any theme: dots, stripes, a grid or rings on pieces and on what is somebody's. The theme “strong contrast” goes with them.
settings-week = In your free time each week your clocks stand, in games that allow days off.
settings-week-waits = Your clocks follow a change of your free time once in seven days; until then they keep to the one before.
settings-zone-more = Any other zone: `/settings` with its option `zone`.
settings-no-zone = I know no time zone called { $name }. Type a large city near you under `zone` and pick from the list.
config-places = **This server** · where games are played, and what everybody sees.
config-games = **This server** · what games there may be.
config-thinking = I think here at { $tables ->
        [one] one table
       *[other] { $tables } tables
    } at a time, and { $minutes ->
        [one] one minute
       *[other] { $minutes } minutes
    } an hour: whoever runs me chose that.
config-pages = List of games: { $address }
config-no-server = This is for servers: use it in a channel of one.
config-not-yours = Only those who may manage this server can change that. Ask one of them.
config-channel = Games are played in { $channels } on this server: use `/play` there.
config-level = On this server I play up to level { $level }. Choose that one or a lower one.
config-ai-games = { $count ->
        [0] On this server nobody plays against me. Challenge somebody, or play me in a direct message.
       *[other] { $count } games against me are going on here, and this server allows no more at once. Wait for one to end, or play me in a direct message.
    }

value-on = on
value-off = off
value-none = none
value-any = any
value-everywhere = everywhere
value-usual = as usual here
value-client = as in my Discord
value-server = as this server's in Discord
value-span = { $from } to { $to }

pings-thread = with the board
pings-dm = by direct message
pings-digest = once a day, all games together; time that runs out at once
pings-off = never

theme-walnut = walnut
theme-slate = slate
theme-paper = paper
theme-contrast = strong contrast
theme-ice = ice
theme-deep = deep
theme-light = light
theme-dark = dark
theme-petri = petri dish
theme-day = day
theme-night = night

day-0 = Monday
day-1 = Tuesday
day-2 = Wednesday
day-3 = Thursday
day-4 = Friday
day-5 = Saturday
day-6 = Sunday

config-clock-none = none
config-clock-live = live
config-clock-fast = fast
config-clock-daily = daily
config-clock-weekly = weekly
config-clock-golem = golem

check-well = I have all that I need in { $channel }.
check-lacking = In { $channel } I lack:
check-line = · **{ $permission }**: { $why }
check-how = To grant it: open the settings of { $channel }, then Permissions, choose my role, and allow what is listed above. Then check again.
permission-embed = Embed Links
why-view = without it I do not see the channel at all
why-send = without it I cannot post boards
why-threads-send = without it I cannot post in the threads of games
why-files = without it boards have no pictures
why-history = without it I cannot answer messages
why-embed = without it the rules of games are not shown
why-threads-make = without it games are played in the channel itself

ping-dm = { $table } · it is your turn, as { $side }: { $link }
# AutoMod is what Discord calls a server's own rules for what may be written there.
board-blocked = { $table } · it is your turn, but the server's AutoMod blocks my board at { $link }. `/board` shows it to you alone, and moves count as ever. Whoever manages the server can make an exception for me.
ping-dm-begun = { $table } · your game has begun: { $link }
ping-dm-offer = { $table } · an offer waits for your answer: { $link }
ping-dm-challenge = { $table } · a challenge waits for your answer: { $link }
ping-dm-news = { $text } { $link }
ping-late = { $table } · { $who }, your move
ping-late-offer = { $table } · { $who }, an offer waits for your answer
ping-late-result = { $table } · { $who }, your game is over
ping-dm-result-no-place = { $table } · your game is over. Its channel is gone, so here is the final board.
ping-dm-no-place = { $table } · it's your turn, but nothing can be posted any more where this game was played. Move here, or use `/board` in another channel to go on there.
ping-late-challenge = { $table } · { $who }, this challenge waits for your answer
ping-digest = **Your turn in { $count ->
        [one] one game
       *[other] { $count } games
    }**
ping-digest-line = { $table } · { $game }: { $link }
digest-answers = **Waiting for your answer**
digest-over = **Games of yours that ended**
