"""An open `.ll` file: its text in units, what its names mean, and what its values are. All of it is read off the text
token by token, so that it is there while a part of the file is broken."""
