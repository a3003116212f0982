--- Which command starts the server, and what is wrong with it. For `server.lua`, and for `:checkhealth`.

local M = {}

--- The first of these that there is: the command given, the Python given, that of the active virtual environment, the
--- `fathom` on the path, the Python there.
---@param options table those of `setup`
---@return string[] command, string origin where it comes from, in words
function M.find(options)
  if options.cmd then
    return options.cmd, 'the option `cmd`'
  end
  local function with(python) return { vim.fn.expand(python), '-m', 'fathom.cli', 'lsp', '--stdio' } end
  if options.python then
    return with(options.python), 'the option `python`'
  end
  local environment = vim.env.VIRTUAL_ENV
  if environment then
    return with(environment .. '/bin/python'), 'the active virtual environment'
  end
  if vim.fn.executable('fathom') == 1 then
    return { 'fathom', 'lsp', '--stdio' }, 'the path'
  end
  return with(vim.fn.executable('python3') == 1 and 'python3' or 'python'), 'the path'
end

--- Another command of Fathom, made of the one that starts its server; nil where that is of another form.
---@param words string[] what stands in the place of `lsp` and what follows
---@return string[]|nil
function M.with(command, words)
  for index, word in ipairs(type(command) == 'table' and command or {}) do
    if word == 'lsp' and index > 1 then
      return vim.list_extend(vim.list_slice(command, 1, index - 1), words)
    end
  end
end

--- The command that prints Fathom's version; nil as above.
---@return string[]|nil
function M.version(command)
  return M.with(command, { '--version' })
end

--- What hinders the command from starting the server, and what to do about it; nil if nothing is known to.
---@return string|nil problem, string|nil advice
function M.problem(command)
  if vim.fn.executable(command[1]) ~= 1 then
    return ('%s cannot be executed'):format(command[1]), "Set `python` or `cmd` in require('fathom').setup."
  end
  if command[2] ~= '-m' then
    return nil
  end
  vim.fn.system { command[1], '-c', 'import fathom.cli, fathom_server' }
  if vim.v.shell_error ~= 0 then
    local advice = "Install it there (`%s -m pip install`, followed by the folder of Fathom's sources), "
      .. "or choose another Python with require('fathom').setup { python = '...' }."
    return ('Fathom is not installed in %s'):format(command[1]), advice:format(command[1])
  end
end

return M
