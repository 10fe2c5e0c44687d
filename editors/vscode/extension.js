// The client: starts `alphorn lsp`, hands it documents, and shows the last verdict in the status bar.

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function activate(context) {
  const settings = vscode.workspace.getConfiguration("alphorn");
  const languages = ["smt2", "btor2", "aiger"].concat(settings.get("programs") ? ["c"] : []);
  const run = {
    command: settings.get("path"),
    args: ["lsp", ...settings.get("arguments")],
    transport: TransportKind.stdio,
  };
  client = new LanguageClient("alphorn", "Alphorn", { run, debug: run }, {
    documentSelector: languages.map((language) => ({ language })),
  });

  const status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
  const verdicts = new Map();
  const show = () => {
    const editor = vscode.window.activeTextEditor;
    const answers = editor && verdicts.get(editor.document.uri.toString());
    if (!answers) {
      status.hide();
      return;
    }
    status.text = answers.map((one) => `${one.property}: ${one.verdict.toUpperCase()}`).join(", ");
    status.tooltip = answers.map((one) => one.detail).join("\n");
    status.show();
  };
  client.onNotification("alphorn/verdict", ({ uri, answers }) => {
    verdicts.set(vscode.Uri.parse(uri).toString(), answers);
    show();
  });
  const forget = (event) => {
    verdicts.delete(event.document.uri.toString());
    show();
  };

  const here = (command) => () => {
    const editor = vscode.window.activeTextEditor;
    if (editor) {
      const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
      return client.sendRequest("workspace/executeCommand", { command, arguments: [uri] });
    }
  };
  context.subscriptions.push(
    status,
    vscode.window.onDidChangeActiveTextEditor(show),
    vscode.workspace.onDidChangeTextDocument(forget),
    vscode.commands.registerCommand("alphorn.decideHere", here("alphorn.decide")),
    vscode.commands.registerCommand("alphorn.stopHere", here("alphorn.stop")),
  );
  return client.start();
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
