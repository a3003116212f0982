"""What a text or a file holds that is given to Fathom: its parts, its module, and what is wrong with that.

`splitting` divides it, `loading` makes a verified module of a part. Commands and the server ask it alike.
"""
