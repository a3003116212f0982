"""The page that `fathom explore` shows in a browser, and the server behind it."""
