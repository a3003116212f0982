--- Arguments as a person types them, and results as a person reads them. Pure: no server.

local M = {}

--- Splits `2.0 [1, 2] {"shape": [4]}` at the spaces and commas that are outside of brackets and strings.
local function split(text)
  local words, word, depth, in_string, index = {}, '', 0, false, 1
  while index <= #text do
    local char = text:sub(index, index)
    if in_string and char == '\\' then
      char = text:sub(index, index + 1)
      index = index + 1
    elseif char == '"' then
      in_string = not in_string
    elseif not in_string and (char == '[' or char == '{') then
      depth = depth + 1
    elseif not in_string and (char == ']' or char == '}') then
      depth = depth - 1
    end
    if depth == 0 and not in_string and char:match('^[%s,]$') then
      if word ~= '' then
        table.insert(words, word)
      end
      word = ''
    else
      word = word .. char
    end
    index = index + 1
  end
  if word ~= '' then
    table.insert(words, word)
  end
  return words
end

--- Reads one argument. It is JSON, but `nan`, `inf` and `-inf` need no quotes, and a number with more digits than
--- Neovim's JSON writer keeps (14) is sent as its digits.
---@return any value, string|nil problem
function M.read_argument(text)
  local word = vim.trim(text)
  local lower = word:lower()
  if lower == 'nan' or lower == '-nan' then
    return 'nan'
  end
  if lower == 'inf' or lower == '-inf' then
    return lower
  end
  local digits = word:gsub('[eE].*$', ''):gsub('%D', '')
  if word:match('^-?%d[%d.]*[eE]?[-+]?%d*$') and #digits > 14 then
    return word
  end
  local decoded, value = pcall(vim.json.decode, word)
  if decoded then
    return value
  end
  return nil, ('%s is not a value: write a number, true, false, [1, 2] or {"shape": [4], "fill": 0}'):format(word)
end

--- Reads the arguments of `:FathomRun`.
---@return any[]|nil values, string|nil problem
function M.read_arguments(text)
  local values = {}
  for _, word in ipairs(split(text)) do
    local value, problem = M.read_argument(word)
    if problem then
      return nil, problem
    end
    table.insert(values, value)
  end
  return values
end

local function is_list(value)
  return type(value) == 'table' and (vim.islist or vim.tbl_islist)(value)
end

--- One value as lines: a list of lists row by row, everything else in one.
local function show_value(value)
  if type(value) == 'string' then
    return { value }
  end
  if not is_list(value) or not is_list(value[1]) then
    local line = vim.json.encode(value):gsub(',', ', '):gsub(':', ': ')
    return { line }
  end
  local lines = {}
  for index, row in ipairs(value) do
    for number, line in ipairs(show_value(row)) do
      table.insert(lines, (index == 1 and number == 1 and '[' or ' ') .. line)
    end
    lines[#lines] = lines[#lines] .. (index == #value and ']' or ',')
  end
  return lines
end

local function add_typed(lines, typed, fallback)
  local label = ('  %s : %s = '):format(typed.name or fallback, typed.type)
  local shown = show_value(typed.value)
  if typed.truncated then
    shown[#shown] = ('%s and %d more'):format(shown[#shown], typed.truncated)
  end
  if #shown == 1 then
    table.insert(lines, label .. shown[1])
    return
  end
  table.insert(lines, (label:gsub('%s+$', '')))
  for _, line in ipairs(shown) do
    table.insert(lines, '    ' .. line)
  end
end

--- What the program did to an argument, as lines: how many elements it changed, and the first of them.
local function add_changes(lines, typed)
  if not typed.changed then
    return
  end
  local total = 1
  for _, extent in ipairs(typed.shape or {}) do
    total = total * extent
  end
  local function show(change)
    return table.concat(show_value(change.before), ' ') .. ' -> ' .. table.concat(show_value(change.after), ' ')
  end
  if total == 1 and #typed.changes == 1 and #typed.changes[1].index == 0 then
    table.insert(lines, '    changed: ' .. show(typed.changes[1]))
    return
  end
  table.insert(lines, ('    %d of %d %s changed'):format(typed.changed, total, total == 1 and 'element' or 'elements'))
  for _, change in ipairs(typed.changes) do
    table.insert(lines, ('      [%s]: %s'):format(table.concat(change.index, ', '), show(change)))
  end
  if typed.changed > #typed.changes then
    table.insert(lines, ('      and %d more'):format(typed.changed - #typed.changes))
  end
end

function M.show_milliseconds(milliseconds)
  if milliseconds < 1 then
    return ('%.0f µs'):format(milliseconds * 1000)
  end
  return milliseconds < 1000 and ('%.1f ms'):format(milliseconds) or ('%.2f s'):format(milliseconds / 1000)
end

--- The call as a person would write it: `@saxpy(2.0, [1, 2])`.
local function show_call(name, values)
  local shown = {}
  for _, value in ipairs(values) do
    local text = vim.json.encode(value):gsub(',', ', '):gsub(':', ': ')
    table.insert(shown, text)
  end
  return ('@%s(%s)'):format(name, table.concat(shown, ', '))
end

--- How long a call takes, as lines.
---@param result table BenchFunctionResult of docs/protocol.md
---@return string[]
function M.show_bench(name, values, result)
  local _, last = result.message:find('@' .. name .. ': ', 1, true)
  local message = last and result.message:sub(last + 1) or result.message
  return { show_call(name, values), (result.status == 'error' and '  error: ' or '  ') .. message }
end

--- The whole answer to a run, as lines.
---@param name string
---@param result table RunFunctionResult of docs/protocol.md
---@return string[]
function M.show_run(name, values, result)
  local lines = { show_call(name, values) }
  if result.status == 'error' then
    for _, line in ipairs(vim.split(result.message or result.kind or 'unknown error', '\n')) do
      table.insert(lines, (#lines == 1 and '  error: ' or '    ') .. line)
    end
  end
  for index, typed in ipairs(result.results) do
    add_typed(lines, typed, 'result ' .. (index - 1))
  end
  if #result.arguments > 0 then
    table.insert(lines, '  afterwards:')
  end
  for index, typed in ipairs(result.arguments) do
    add_typed(lines, typed, 'argument ' .. (index - 1))
    add_changes(lines, typed)
  end
  if result.output ~= '' then
    table.insert(lines, '  printed:')
    for _, line in ipairs(vim.split(result.output:gsub('%s+$', ''), '\n')) do
      table.insert(lines, '    ' .. line)
    end
  end
  for _, note in ipairs(result.notes or {}) do
    table.insert(lines, '  note: ' .. note)
  end
  local compiled, ran = M.show_milliseconds(result.compileMilliseconds), M.show_milliseconds(result.runMilliseconds)
  table.insert(lines, ('  compiled in %s, ran in %s'):format(compiled, ran))
  return lines
end

return M
