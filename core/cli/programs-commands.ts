import type { Command } from "commander";
import { action, clientCommand, names, onService } from "./define-command.ts";

const examples = {
  mcp: `
Programs that only start commands, such as Claude Desktop, get Pergola's tools by it. It uses the service
that runs, or one of its own. pergola connect claude-desktop shows its settings.`,
  connect: `
Without a client it lists those that it knows. The settings name the service that runs, or the one that the
settings file describes. They never hold a token: where one is wanted, they say where the client finds it.
  $ pergola connect
  $ pergola connect codex --model openai/gpt-5
  $ pergola connect zed --write            shows the change, asks, and keeps a copy of the file`,
  import: `
The file is that of Claude Code (.mcp.json), Claude Desktop, Cursor, LM Studio or VS Code (mcp.json). Each
server is shown before it is added. Values of env and headers become secrets; variables in them, such as
\${API_KEY}, get the values that they have now. The same file twice adds nothing twice.
  $ pergola mcp import ~/.cursor/mcp.json
  $ pergola mcp import .vscode/mcp.json --only github`,
  servers: `
show --check connects now. A server that has changed is approved on the page: pergola open, MCP servers. One
that a settings file names is changed there.
  $ pergola mcp show wiki --check
  $ pergola mcp sign-in wiki`,
} as const;

/** Defines the commands for programs that use Pergola, and for those whose servers it takes over. */
export function addPrograms(program: Command): void {
  clientCommand(program, "connect [client]", "show or write the settings with which another program uses it")
    .option("--model <id>", "model (default: the preference default_model)")
    .option("--write", "write them into the client's own file, after showing the change")
    .option("--yes", "do not ask")
    .addHelpText("after", examples.connect)
    .action(action(() => import("./connect.ts"), "connect"));
  const mcp = clientCommand(program, "mcp", "serve Pergola's tools to an MCP client, on stdin and stdout")
    .enablePositionalOptions()
    .addHelpText("after", examples.mcp)
    .action(action(() => import("./mcp.ts"), "mcp"));
  clientCommand(mcp, "import <file>", "take over the MCP servers of another program's file")
    .option("--only <names>", "only the servers with these names", names)
    .option("--yes", "do not ask")
    .addHelpText("after", examples.import)
    .action(action(() => import("./mcp-import.ts"), "importMcp"));
  addServers(mcp);
}

/** Defines the commands for the MCP servers that Pergola uses. */
function addServers(mcp: Command): void {
  const load = () => import("./mcp-servers.ts");
  clientCommand(mcp, "list", "list the MCP servers whose tools Pergola uses, and how each is").action(
    onService(load, "listServers"),
  );
  clientCommand(mcp, "show <name>", "show an MCP server: its state, its tools, and what to do next")
    .option("--check", "connect to it now")
    .addHelpText("after", examples.servers)
    .action(onService(load, "showServer"));
  clientCommand(mcp, "remove <name>", "remove an MCP server with its secrets")
    .option("--yes", "do not ask")
    .action(onService(load, "removeServer"));
  clientCommand(mcp, "sign-in <name>", "sign in at an MCP server that asks for it, in the browser")
    .option("--print", "only print the address to sign in at")
    .action(onService(load, "signIn"));
  clientCommand(mcp, "sign-out <name>", "give up the sign-in at an MCP server").action(
    onService(load, "signOut"),
  );
}
