// SPDX-License-Identifier: Apache-2.0
//
// extension.js: starts `cflr serve` for C files, and two commands that the protocol has no request
// for.
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

function serverOptions() {
  const settings = vscode.workspace.getConfiguration('cflr');
  const folder = vscode.workspace.workspaceFolders && vscode.workspace.workspaceFolders[0];
  return {
    command: settings.get('path'),
    args: ['serve', '--stdio', ...settings.get('arguments')],
    options: { cwd: folder ? folder.uri.fsPath : undefined },
  };
}

// The places of the answer, in the window that lists references.
async function showAliases() {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !client) return;
  const converter = client.code2ProtocolConverter;
  const answer = await client.sendRequest('workspace/executeCommand', {
    command: 'cflr.aliases',
    arguments: [converter.asTextDocumentPositionParams(editor.document, editor.selection.active)],
  });
  if (!answer) {
    vscode.window.showInformationMessage(
      'cflr: no pointer here, or the line has changed since the analysis');
    return;
  }
  const places = answer.places.map((place) => client.protocol2CodeConverter.asLocation(place));
  await vscode.commands.executeCommand(
    'editor.action.showReferences', editor.document.uri, editor.selection.active, places);
}

async function analyzeNow() {
  if (client) {
    await client.sendRequest('workspace/executeCommand', {
      command: 'cflr.analyze',
      arguments: [],
    });
  }
}

async function activate(context) {
  client = new LanguageClient('cflr', 'cflr', serverOptions(), {
    documentSelector: [{ scheme: 'file', language: 'c' }],
  });
  context.subscriptions.push(
    vscode.commands.registerCommand('cflr.showAliases', showAliases),
    vscode.commands.registerCommand('cflr.analyzeNow', analyzeNow));
  await client.start();
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
