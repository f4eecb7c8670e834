-- An editor that is no test program: it opens a file, edits, is told what is wrong, asks, jumps and renames.

local function check(holds, what)
  if not holds then
    io.stderr:write("\nFAILED: " .. what .. "\n")
    vim.cmd("cquit 1")
  end
end

local function try(run)
  local done, message = pcall(run)
  check(done, tostring(message))
end

try(function()
  vim.o.hidden = true
  vim.cmd("edit " .. vim.env.PROGRAM)
  local client = vim.lsp.start_client({
    name = "echis",
    cmd = { vim.env.ECHIS, "lsp" },
    root_dir = vim.fn.fnamemodify(vim.env.PROGRAM, ":h"),
    handlers = { ["echis/status"] = function() end },
  })
  check(client, "the server starts")
  vim.lsp.buf_attach_client(0, client)

  -- The lines of errors, from 0.
  local function errors_are(wanted)
    return vim.wait(60000, function()
      local lines = {}
      for _, found in ipairs(vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })) do
        table.insert(lines, found.lnum)
      end
      table.sort(lines)
      return vim.inspect(lines) == vim.inspect(wanted)
    end, 20)
  end

  local function ask(method, params)
    local answers = vim.lsp.buf_request_sync(0, method, params, 60000)
    local answer = answers and answers[client]
    check(answer and not answer.err, method .. " is answered: " .. vim.inspect(answer))
    return answer.result
  end

  local function at(line, column)
    vim.api.nvim_win_set_cursor(0, { line, column })
    return vim.lsp.util.make_position_params()
  end

  check(errors_are({ 3 }), "the error is told")
  vim.api.nvim_buf_set_lines(0, 1, 2, true, { "", "function one(): Int ensures result > 0 { 1 " })
  check(vim.wait(60000, function()
    local found = vim.diagnostic.get(0)
    return #found > 0 and found[1].code == "parser.error"
  end, 20), "an error of syntax is told")
  vim.api.nvim_buf_set_lines(0, 1, 3, true, { "", "function one(): Int ensures result > 0 { 0 }" })
  check(errors_are({ 2, 4 }), "the edited program is verified")

  local hover = ask("textDocument/hover", at(4, 49))
  check(hover.contents.value:find("function one", 1, true), "the declaration is shown")
  at(4, 49)
  vim.lsp.buf.definition()
  check(vim.wait(60000, function() return vim.api.nvim_win_get_cursor(0)[1] == 3 end, 20), "the editor jumps")
  vim.lsp.buf.rename("two")
  check(vim.wait(60000, function()
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n"):find("r.f := two()", 1, true)
  end, 20), "the name is changed everywhere")

  local items = ask("textDocument/prepareCallHierarchy", at(4, 58))
  local needs = ask("callHierarchy/incomingCalls", { item = items[1] })
  local names = {}
  for _, call in ipairs(needs) do
    table.insert(names, call.from.name)
  end
  check(vim.tbl_contains(names, "r.f := two()"), "the assertion needs the assignment: " .. vim.inspect(names))
  local told = ask("echis/dependencies", { textDocument = vim.lsp.util.make_text_document_params() })
  check(told.command == "deps" and #told.nodes > 0, "the dependencies are told")
  vim.lsp.stop_client(client)
end)
vim.cmd("qall!")
