" Older versions take these for other languages.
autocmd BufRead,BufNewFile *.ll set filetype=llvm
