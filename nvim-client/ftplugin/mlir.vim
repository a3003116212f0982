if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=//\ %s comments=:// suffixesadd=.mlir
setlocal shiftwidth=2 softtabstop=2 expandtab
" `%x`, `@f`, `^bb0`, `!t` and `#a` are words, dots and all: `*` and completion see whole names.
setlocal iskeyword=@,48-57,_,$,.,-,%,64,!,#,^^
let b:undo_ftplugin = 'setlocal commentstring< comments< suffixesadd< shiftwidth< softtabstop< expandtab< iskeyword<'
