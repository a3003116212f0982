--- For `vim.lsp.enable('fathom')` of Neovim 0.11, in the place of `require('fathom').setup()`.
return require('fathom').config()
