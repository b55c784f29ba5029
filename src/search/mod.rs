//! Players that search, generic over the kit: alpha-beta, Monte-Carlo, exact endings. Plain threads, no async.
