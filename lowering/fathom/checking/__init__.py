"""What comments say that functions give, and whether they do: see `comments` for the language, and `running`."""
