--- What each pass did to a function: its timeline, two stages side by side, who changed which line, a pass step by step,
--- the life of an operation and why it is left. The server finds out all of it; here it is shown.

local server = require('fathom.server')
local windows = require('fathom.windows')

local M = {}

local marks = vim.api.nvim_create_namespace('fathom.passes')

--- Asks about a function: `about` has the buffer of the source and what else the question says; or the file of a trace
--- and a part of it, of which the server answers the same.
local function ask(method, about, more, show)
  local function answered(answer)
    if answer.problem then
      return server.notify(answer.problem, vim.log.levels.WARN)
    end
    show(answer)
  end
  if about.trace then
    local question = { uri = about.trace, part = about.part, question = method:gsub('^fathom/', '') }
    return server.ask('fathom/trace', vim.tbl_extend('force', question, more or {}), answered)
  end
  local params = vim.tbl_extend('force', {
    textDocument = { uri = vim.uri_from_bufnr(about.source) },
    ['function'] = about.fn,
    position = about.position,
    sourceNames = true,
  }, more or {})
  server.request(about.source, method, params, answered)
end

--- The function around the cursor of the current window, or the file.
local function here(buffer)
  return { source = buffer or vim.api.nvim_get_current_buf(), position = server.position(vim.api.nvim_get_current_win()) }
end

local function named(about, answer)
  return { source = about.source, fn = answer['function'], position = about.position }
end

-- ---- the timeline

--- A line for each pass that changed something, and one for those between that did not.
local function rows(passes)
  local lines, at, before = {}, {}, 'source'
  local idle = {}
  local function flush()
    if #idle > 0 then
      table.insert(lines, ('%8s %15s %6s  %s: nothing changed'):format('', '', '', table.concat(idle, ', ')))
      idle = {}
    end
  end
  for _, pass in ipairs(passes) do
    if pass.changed or pass.failed then
      flush()
      local count = pass.before == pass.after and tostring(pass.before) or ('%d -> %d'):format(pass.before, pass.after)
      local failed = pass.failed and ': it failed' or ''
      local steps = pass.steps > 0 and tostring(pass.steps) or ''
      local name = pass['pass'] .. (pass.options or '') .. failed
      local time = pass.milliseconds and ('%.1f'):format(pass.milliseconds) or ''
      table.insert(lines, ('%8s %15s %6s  %s'):format(time, count, steps, name))
      at[#lines] = { before = before, stage = pass.stage }
      before = pass.stage
    else
      table.insert(idle, pass['pass'])
    end
  end
  flush()
  return lines, at
end

--- Puts the stages below the passes into their list, as soon as LLVM has made them.
local function list_below(about, shown, at)
  ask('fathom/below', about, nil, function(answer)
    if not vim.api.nvim_buf_is_valid(shown) then
      return
    end
    local lines = {}
    for _, each in ipairs(answer.stages) do
      local count = each.instructions and tostring(each.instructions) or ''
      local more = each.problem and (': ' .. each.problem) or each.bytes and (', %d bytes'):format(each.bytes) or ''
      table.insert(lines, ('%8s %15s %6s  %s%s'):format('', count, '', each.title, more))
      at[vim.api.nvim_buf_line_count(shown) + #lines - 1] = not each.problem and { below = each.stage } or nil
    end
    vim.bo[shown].modifiable = true
    vim.api.nvim_buf_set_lines(shown, -1, -1, false, lines)
    vim.bo[shown].modifiable = false
    local window = vim.fn.bufwinid(shown)
    if window ~= -1 then
      vim.api.nvim_win_set_height(window, math.min(15, vim.api.nvim_buf_line_count(shown) + 1))
    end
  end)
end

--- Lists the passes that ran, in a window below.
local function list(about, more)
  ask('fathom/timeline', about, more, function(answer)
    if not about.trace then
      about = named(about, answer)
    end
    local lines, at = rows(answer.passes)
    table.insert(lines, 1, ('%8s %15s %6s  %s'):format('ms', 'operations', 'steps', 'pass'))
    local shown = windows.list('timeline', lines)
    local function with_pass(action)
      return function()
        local pass = at[vim.api.nvim_win_get_cursor(0)[1] - 1]
        if pass then
          action(pass)
        end
      end
    end
    windows.map(shown, '<CR>', with_pass(function(pass)
      if pass.below then
        return M.blame(pass.below, about)
      end
      M.difference(pass.before, pass.stage, about)
    end))
    windows.map(shown, 's', with_pass(function(pass)
      if pass.stage then
        M.steps(pass.stage, about)
      end
    end))
    windows.map(shown, 'b', with_pass(function(pass) M.blame(pass.below or pass.stage, about) end))
    if not about.trace and not (more and more.tool) then
      list_below(about, shown, at)
    end
  end)
end

--- Shows the passes that ran on the function at the cursor, or those of a tool of other people, in a window below.
function M.timeline(tool, buffer)
  list(here(buffer), { tool = tool })
end

--- Shows what a trace tells of passes, a file that `fathom opt --record` wrote; of one of the parts of its input, from 1
--- on, which are asked for where there are several.
function M.trace(path, part)
  local uri = vim.uri_from_fname(vim.fn.fnamemodify(vim.fn.expand(path), ':p'))
  server.ask('fathom/trace', { uri = uri }, function(answer)
    local function open(number)
      if number then
        list { trace = uri, part = number - 1 }
      end
    end
    if part or #answer.parts < 2 then
      return open(part or 1)
    end
    local numbers = {}
    for number in ipairs(answer.parts) do
      table.insert(numbers, number)
    end
    vim.ui.select(numbers, {
      prompt = 'Which part of the input?',
      format_item = function(number) return ('part %d: %s'):format(number, answer.parts[number].pipeline) end,
    }, open)
  end)
end

-- ---- two stages

--- Shows two stages side by side, in diff mode, in a tab page of their own.
function M.difference(before, after, about)
  about = about or here()
  ask('fathom/difference', about, { before = before, after = after }, function(answer)
    windows.compare({ title = before, text = answer.before.text }, { title = after, text = answer.after.text }, 'mlir')
  end)
end

-- ---- blame

--- What stages below the LLVM dialect are written in.
local filetypes = { ['llvm-ir'] = 'llvm', ['llvm-optimized'] = 'llvm', assembly = 'asm', object = 'asm' }

local tell

--- Shows a stage, with who last changed each line behind it; <CR> goes to where that comes from, and K tells of the
--- operation there what became of it and why it was left.
function M.blame(stage, about)
  about = about or here()
  ask('fathom/blame', about, { stage = stage }, function(answer)
    vim.cmd('rightbelow vsplit')
    local shown = windows.scratch('blame ' .. stage, answer.text, filetypes[stage] or 'mlir')
    local count = vim.api.nvim_buf_line_count(shown)
    for number, who in ipairs(answer.lines) do
      if who ~= vim.NIL and number <= count then
        local text = { { '  ' .. who.title, 'Comment' } }
        vim.api.nvim_buf_set_extmark(shown, marks, number - 1, 0, { virt_text = text, virt_text_pos = 'eol' })
      end
    end
    windows.map(shown, '<CR>', function()
      local who = answer.lines[vim.api.nvim_win_get_cursor(0)[1]]
      local window = about.source and vim.fn.bufwinid(about.source) or -1
      if who and who ~= vim.NIL and who.source and window ~= -1 then
        vim.api.nvim_set_current_win(window)
        vim.api.nvim_win_set_cursor(window, { who.source.start.line + 1, 0 })
      end
    end)
    windows.map(shown, 'K', function()
      tell(about, { stage = stage, target = server.position(vim.api.nvim_get_current_win()) })
    end)
  end)
end

-- ---- a pass step by step

--- Shows what a step made of the module, with what it changed highlighted.
local function show_step(view)
  local step = view.steps[view.at]
  ask('fathom/step', view.about, { stage = view.stage, run = step.run, number = step.number }, function(answer)
    if not vim.api.nvim_buf_is_valid(view.buffer) then
      return
    end
    local lines = vim.split(answer.after.text:gsub('\n+$', ''), '\n', { plain = true })
    vim.bo[view.buffer].modifiable = true
    vim.api.nvim_buf_set_lines(view.buffer, 0, -1, false, lines)
    vim.bo[view.buffer].modifiable = false
    vim.api.nvim_buf_clear_namespace(view.buffer, marks, 0, -1)
    local first
    for _, change in ipairs(answer.changes) do
      for _, range in ipairs(change.kind == 'renamed' and {} or change.after) do
        local line = range.start.line
        first = math.min(first or line, line)
        vim.api.nvim_buf_set_extmark(view.buffer, marks, line, 0, { end_row = line + 1, hl_group = 'FathomLinked', hl_eol = true, strict = false })
      end
    end
    local said = ('%d of %d: %s%s'):format(view.at, #view.steps, step.title, step.operation and (' on ' .. step.operation) or '')
    vim.b[view.buffer].fathom_step = said
    vim.api.nvim_buf_set_extmark(view.buffer, marks, 0, 0, { virt_text = { { '  ' .. said, 'WarningMsg' } }, virt_text_pos = 'eol' })
    local window = vim.fn.bufwinid(view.buffer)
    if first and window ~= -1 then
      vim.api.nvim_win_set_cursor(window, { first + 1, 0 })
    end
  end)
end

--- Goes through a pass step by step, with `]s` and `[s`.
function M.steps(stage, about)
  about = about or here()
  ask('fathom/steps', about, { stage = stage }, function(answer)
    local steps = vim.tbl_filter(function(step) return step.number > 0 and step.depth == 0 end, answer.steps)
    if #steps == 0 then
      return server.notify(('%s has no steps'):format(stage))
    end
    vim.cmd('rightbelow vsplit')
    local view = { about = about, stage = stage, steps = steps, at = 1, buffer = windows.scratch('steps ' .. stage, '', 'mlir') }
    local function go(by)
      return function()
        local to = view.at + by * vim.v.count1
        view.at = math.max(1, math.min(#steps, to))
        show_step(view)
      end
    end
    windows.map(view.buffer, ']s', go(1))
    windows.map(view.buffer, '[s', go(-1))
    show_step(view)
  end)
end

-- ---- an operation

local function float(lines)
  vim.lsp.util.open_floating_preview(#lines > 0 and lines or { 'nothing' }, 'text', { border = 'single', max_width = 120 })
end

local function life_lines(answer)
  local lines = {}
  for _, step in ipairs(answer.steps) do
    table.insert(lines, step.title)
    local note = step.note or (#step.after == 0 and 'gone' or nil)
    for _, text in ipairs(step.after) do
      table.insert(lines, '    ' .. text)
    end
    if note then
      table.insert(lines, ('    (%s)'):format(note))
    end
  end
  return lines
end

local function why_lines(answer)
  local lines = {}
  for _, pass in ipairs(answer.passes) do
    table.insert(lines, pass['pass'] .. (pass.note and (': ' .. pass.note) or ''))
    for _, reason in ipairs(pass.reasons) do
      table.insert(lines, ('    %s: %s'):format(reason.pattern, reason.reason))
    end
  end
  return lines
end

--- Tells of an operation of a stage what became of it, and why it was left.
function tell(about, place)
  ask('fathom/life', about, place, function(lived)
    ask('fathom/whyNot', about, place, function(left)
      local lines = { lived.operation or '', 'what became of it:' }
      vim.list_extend(lines, life_lines(lived))
      table.insert(lines, 'why it was left:')
      float(vim.list_extend(lines, why_lines(left)))
    end)
  end)
end

--- Shows what became of the operation at the cursor, step by step, up to the object file.
function M.life(buffer)
  ask('fathom/life', here(buffer), nil, function(answer) float(life_lines(answer)) end)
end

--- Shows why the operation at the cursor, or at `position`, is left by the passes that it outlives, or by one, the
--- stage behind it.
function M.why(stage, buffer, position)
  local about = here(buffer)
  about.position = position or about.position
  ask('fathom/whyNot', about, { stage = stage }, function(answer) float(why_lines(answer)) end)
end

return M
