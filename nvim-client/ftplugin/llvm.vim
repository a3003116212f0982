if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=;\ %s comments=:; suffixesadd=.ll
setlocal shiftwidth=2 softtabstop=2 expandtab
setlocal iskeyword+=$,.,-
let b:undo_ftplugin = 'setlocal commentstring< comments< suffixesadd< shiftwidth< softtabstop< expandtab< iskeyword<'
