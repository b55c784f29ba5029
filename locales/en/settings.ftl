# Settings of people and servers, and what is answered about them.

# The language's own name for itself.
language-name = English

setting-line = { $what }: { $value }
setting-theme = Theme
setting-language = Language
setting-patterns = Patterns
setting-text = Text board
setting-large = Large print
setting-side = My pieces at the bottom
setting-confirm = Confirm moves
setting-pings = Notifications
setting-quiet = Quiet hours
setting-weekly = Weekly time off
setting-vacation = Vacation
setting-zone = Time zone
setting-look = Look
setting-hours = Notifications and hours
setting-channels = Game channels
setting-lobby = Lobby
setting-threads = Thread per game
setting-clock = Time control
setting-strongest = Rookery's top level
setting-ai-games = Games against Rookery at once
setting-ai-shows = Rookery-only games at once
setting-rated = Rated games
setting-motion = Animated moves
setting-pages = Public game pages
setting-places = Channels and look
setting-games = Games and time
setting-check = Check permissions

settings-look = **Your settings** · How boards look. Boards that others see too keep the server's theme.
settings-hours = **Your settings** · When and how you hear that it's your turn.
settings-patterns = Patterns mark each side's pieces and territory, so that you don't need colours. They work well with “strong contrast”.
settings-week = Your clocks stop during your weekly time off, in games that allow vacation.
settings-week-waits = Your clocks keep the old weekly time off for now: it can change once every seven days.
settings-zone-more = For any other time zone, use `/settings` with `zone`.
settings-no-zone = There's no time zone called { $name }. Type a large city near you under `zone` and pick it from the list.
config-places = **This server** · Where games are played and how they look
config-games = **This server** · Which games are allowed
config-thinking = On this server, Rookery thinks about { $tables ->
        [one] one game
       *[other] { $tables } games
    } at a time, for { $minutes ->
        [one] one minute
       *[other] { $minutes } minutes
    } an hour. The people who run Rookery set that.
config-pages = List of games: { $address }
config-no-server = This works only on a server. Use it in one of its channels.
config-not-yours = Only people who manage this server can change that. Ask one of them.
config-channel = You can't start games in this channel. Use `/play` in { $channels }.
config-level = On this server Rookery plays up to level { $level }. Choose that or a lower level.
config-ai-games = { $count ->
        [0] You can't play against Rookery on this server. Challenge someone, or play in a direct message.
        [one] This server allows one game against Rookery at a time. Wait for it to end, or play in a direct message.
       *[other] This server allows { $count } games against Rookery at once. Wait for one to end, or play in a direct message.
    }

value-on = on
value-off = off
value-none = none
value-any = any
value-everywhere = everywhere
value-usual = server default
value-client = same as Discord
value-server = same as this server in Discord
value-span = { $from } to { $to }

pings-thread = with the board
pings-dm = direct message
pings-digest = once a day for all games; at once when time is low
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

check-well = All permissions are fine in { $channel }.
check-lacking = These permissions are missing in { $channel }:
check-line = · **{ $permission }**: { $why }
check-how = Open the settings of { $channel }, go to Permissions, choose Rookery's role, and allow them. Then check again.
permission-embed = Embed Links
why-view = to see the channel
why-send = to post boards
why-threads-send = to post in game threads
why-files = to show boards as pictures
why-history = to reply to messages
why-embed = to show the rules of games
why-threads-make = to give each game a thread

ping-dm = { $table } · Your turn ({ $side }): { $link }
# AutoMod is what Discord calls a server's own rules for what may be written there.
board-blocked = { $table } · It's your turn, but the server's AutoMod blocks the board at { $link }. You can see it with `/board` and move as usual. A server manager can make an exception for Rookery.
ping-dm-begun = { $table } · Your game has started: { $link }
ping-dm-offer = { $table } · You have an offer to answer: { $link }
ping-dm-challenge = { $table } · You have a challenge to answer: { $link }
ping-dm-news = { $text } { $link }
ping-late = { $table } · { $who }, your move
ping-late-offer = { $table } · { $who }, you have an offer to answer
ping-late-result = { $table } · { $who }, your game is over
ping-dm-result-no-place = { $table } · Your game is over. Its channel is gone, so here's the final board.
ping-dm-no-place = { $table } · It's your turn, but I can't post in this game's channel any more. Move here, or use `/board` in another channel to go on there.
ping-late-challenge = { $table } · { $who }, you have a challenge to answer
ping-digest = **Your turn in { $count ->
        [one] one game
       *[other] { $count } games
    }**
ping-digest-line = { $table } · { $game }: { $link }
digest-answers = **Waiting for your answer**
digest-over = **Your finished games**
