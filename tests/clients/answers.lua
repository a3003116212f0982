-- Answers questions from outside (`neovim.py`): each line that comes through the pipe is Lua as a JSON string, each
-- answer a line of JSON, `{ value = … }` or `{ error = … }`.
local loop = vim.uv or vim.loop

local function answer(question)
  local is_done, value = pcall(function() return assert(loadstring(vim.json.decode(question)))() end)
  local is_said, line = pcall(vim.json.encode, is_done and { value = value } or { error = tostring(value) })
  return is_said and line or vim.json.encode({ error = line })
end

local pipe = loop.new_pipe(false)
assert(pipe:bind(vim.env.FATHOM_TESTS_PIPE))
pipe:listen(1, function()
  local client = loop.new_pipe(false)
  pipe:accept(client)
  local pending = ''
  client:read_start(function(_, data)
    pending = pending .. (data or '')
    for question in pending:gmatch('([^\n]*)\n') do
      vim.schedule(function() client:write(answer(question) .. '\n') end)
    end
    pending = pending:match('[^\n]*$')
  end)
end)
