-- SPDX-License-Identifier: Apache-2.0
--
-- cflr.lua: cflr serve in Neovim (0.7 and later), beside other servers for C.
--
--     dofile('cflr.lua').setup({ cmd = { 'cflr', 'serve', '--stdio' } })
local M = {}

local options = { cmd = { 'cflr', 'serve', '--stdio' } }
local clients = {} -- by root

-- The nearest directory upward that looks like the root of a project.
local function root_of(file)
  local directory = vim.fn.fnamemodify(file, ':p:h')
  local at = directory
  while true do
    for _, name in ipairs({ '.cflr.json', 'compile_commands.json', '.git' }) do
      if vim.loop.fs_stat(at .. '/' .. name) then return at end
    end
    local up = vim.fn.fnamemodify(at, ':h')
    if up == at then return directory end
    at = up
  end
end

-- One client for each root. `vim.lsp.start` would do this from Neovim 0.8 on.
local function attach(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  if name == '' then return end
  local root = root_of(name)
  local client = clients[root]
  if not client or not vim.lsp.get_client_by_id(client) then
    client = vim.lsp.start_client({
      name = 'cflr',
      cmd = options.cmd,
      cmd_cwd = root,
      root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
    })
    clients[root] = client
  end
  if client then vim.lsp.buf_attach_client(buffer, client) end
end

-- A request to cflr alone: other servers do not know its commands.
local function execute(command, arguments, take)
  for _, id in pairs(clients) do
    local client = vim.lsp.get_client_by_id(id)
    if client and vim.lsp.buf_is_attached(0, id) then
      client.request('workspace/executeCommand', { command = command, arguments = arguments },
        function(err, result)
          if err then
            vim.notify('cflr: ' .. err.message, vim.log.levels.ERROR)
          elseif take then
            take(result, client)
          end
        end)
    end
  end
end

local function list_aliases(result)
  if not result or result == vim.NIL then
    vim.notify('cflr: no pointer here, or the line has changed since the analysis')
    return
  end
  local items = {}
  for _, place in ipairs(result.places) do
    table.insert(items, {
      filename = vim.uri_to_fname(place.uri),
      lnum = place.range.start.line + 1,
      col = place.range.start.character + 1,
      text = place.text,
    })
  end
  vim.fn.setqflist({}, ' ', { title = 'cflr: aliases', items = items })
  vim.cmd('copen')
end

function M.aliases()
  execute('cflr.aliases', { vim.lsp.util.make_position_params() }, list_aliases)
end

function M.analyze()
  execute('cflr.analyze', {})
end

function M.setup(given)
  options = vim.tbl_extend('force', options, given or {})
  local group = vim.api.nvim_create_augroup('cflr', {})
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = 'c',
    callback = function(event) attach(event.buf) end,
  })
  vim.api.nvim_create_user_command('CflrAliases', M.aliases, {})
  vim.api.nvim_create_user_command('CflrAnalyze', M.analyze, {})
end

return M
