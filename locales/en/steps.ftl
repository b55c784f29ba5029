# Moves chosen in steps, and why an answer in a lesson is wrong.

# The number is the one on the picture.
step-numbered = { $number } · { $label }
step-from-to = { $from } to { $to }

# $named is "false" where the player has not learnt to read $move yet.
answer-right = ✅ { $named ->
        [true] `{ $move }`. { $why }
       *[other] { $why }
    }
answer-wrong = ❌ { $named ->
        [true] `{ $move }` · { $why }
       *[other] { $why }
    }
answer-legal = ❌ { $named ->
        [true] `{ $move }` is legal, but { $why } Try again.
       *[other] Legal, but { $why } Try again.
    }

lesson-amazons-door-left = now she's on { $second }'s side.
lesson-amazons-door-open = the gap on c3 is still open, so { $second } can come through.
lesson-amazons-win-short = it doesn't trap { $second }: { $goal } stays open.
lesson-amazons-room-cut = your arrow on b1 cuts you off from your other square.

lesson-amazon_penguins-spear-short = { $points ->
    [0] it spears no fish.
    [one] it spears only one fish.
   *[other] it spears only { $points } fish.
}
lesson-amazon_penguins-back-short = the three fish are still on d1. Your penguin there has to leave before you can spear them.
lesson-amazon_penguins-shut-short = the blue penguin can still go to { $goal }.
lesson-amazon_penguins-room-cut = with b1 gone, your penguin can't reach your other square.

lesson-penguins-fish-short = { $points ->
    [one] the tile you left had only one fish.
   *[other] the tile you left had only { $points } fish.
}
lesson-penguins-shut-short = Blue can still slide to { $goal }.
lesson-penguins-win-short = it ends { $points } to { $other }: Blue has more fish.

lesson-paper_penguins-place-short = { $points ->
    [one] it scores only one point.
   *[other] it scores only { $points } points.
}
lesson-paper_penguins-score-short = { $points ->
    [one] it scores only one point.
   *[other] it scores only { $points } points.
}
lesson-paper_penguins-shut-short = the circle can still get out to { $goal }.
lesson-paper_penguins-win-short = it ends { $points } to { $other }: Circle has more points.

lesson-penguin_soccer-enter-offer-0 = Baby, north-east
lesson-penguin_soccer-enter-offer-1 = Baby, south-west
lesson-penguin_soccer-enter-offer-2 = Papa, north
lesson-penguin_soccer-enter-offer-3 = Mama, west
lesson-penguin_soccer-lie-offer-0 = Slide north
lesson-penguin_soccer-lie-offer-1 = Stand up
lesson-penguin_soccer-lie-offer-2 = Slide east
lesson-penguin_soccer-spin-other = that brings in another penguin. Slide Baby on c3.
lesson-penguin_soccer-spin-astray = Baby doesn't slide north.
lesson-penguin_soccer-spin-straight = Baby didn't spin: it still faces north.
lesson-penguin_soccer-spin-left = Baby spun left. North-east is to the right of north.
lesson-penguin_soccer-spin-far = Baby spun too far. North-east is only 45° to the right.
lesson-penguin_soccer-pass-other = the ball doesn't move. Only Papa, who has it, can pass it.
lesson-penguin_soccer-pass-astray = the ball misses Baby on c3.
lesson-penguin_soccer-tackle-other = that penguin can't get at the ball. Use Baby on b5.
lesson-penguin_soccer-tackle-stand = Baby only gets up. Slide into the penguin with the ball.
lesson-penguin_soccer-goal-other = the ball doesn't move. Only Papa, who has it, can score.
lesson-penguin_soccer-goal-astray = the ball doesn't end in h8.

lesson-amoeba-split-whole = the whole stack moved, so you control no more stacks than before. Split it.
lesson-amoeba-split-short = no piece lands on one of { $second }'s stacks, so you control no more than before.
lesson-amoeba-win-short = { $second } still controls the Kernel on g4.
lesson-amoeba-safe-short = { $second }'s stack on { $from } can still take your Kernel.
