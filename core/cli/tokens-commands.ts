import { Option, type Command } from "commander";
import { clientCommand, names, onService } from "./define-command.ts";

const scopes = `
Scopes: read sees everything of the API, chat talks to models and changes conversations, tools lets its runs
use tools with an effect, approve answers approvals, admin changes settings (docs/remote-access.md#scopes).`;

const example = `
  $ pergola tokens add phone --scope read,chat,approve --expires 30d
  $ pergola tokens add laptop --link
  $ pergola tokens revoke phone`;

/** Defines `pergola tokens …`. */
export function addTokens(tokens: Command): void {
  const load = () => import("./tokens.ts");
  tokens.addHelpText("after", example);
  clientCommand(tokens, "add <name>", "make a token; its text is printed once, alone on stdout")
    .option("--scope <scopes>", "read, chat, tools, approve, admin (read,chat)", names)
    .option("--expires <duration>", "how long it is valid, such as 30d, or never (90d)")
    .option("--root <folder>", "the folder that its runs must not leave")
    .option("--link", "print a code that signs a browser in once with it, within 10 minutes")
    .addHelpText("after", scopes)
    .action(onService(load, "addToken"));
  clientCommand(tokens, "list", "list tokens").action(onService(load, "listTokens"));
  clientCommand(tokens, "rotate <token>", "give a token a new text; the old one is valid for a while")
    .option("--overlap <duration>", "how long the old one is valid (24h)")
    .action(onService(load, "rotateToken"));
  clientCommand(tokens, "revoke <token>", "revoke a token, by its id or name")
    .addOption(new Option("--cancel-runs", "cancel its runs too"))
    .action(onService(load, "revokeToken"));
}
