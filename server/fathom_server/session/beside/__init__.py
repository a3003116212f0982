"""The process beside the server's, which works out what takes longer than a key may: from outside (`process.py`), from
inside (`inside.py`), what they tell each other (`messages.py`, and `answers.py` where code of a workspace is run), and
what is asked of it about open documents (`questions.py`)."""
