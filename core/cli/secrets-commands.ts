import type { Command } from "commander";
import { action, localCommand } from "./define-command.ts";

const examples = `
A settings file refers to a secret as { "secret": "NAME" }. One with the name of a variable, such as
OPENAI_API_KEY, stands for this variable where it is not set. A value is read from the prompt or from stdin,
never from the command line, which other programs can see.
  $ pergola secrets set OPENAI_API_KEY
  $ pergola secrets set mail < password.txt
  $ pergola secrets import-env               keeps the keys that the environment has now`;

/** Defines `pergola secrets …`. */
export function addSecrets(secrets: Command): void {
  const load = () => import("./secrets.ts");
  secrets.addHelpText("after", examples);
  localCommand(secrets, "list", "list the names, and where each secret is kept").action(
    action(load, "listSecrets"),
  );
  localCommand(secrets, "set <name>", "keep a secret, from a prompt or from stdin").action(
    action(load, "setSecret"),
  );
  localCommand(secrets, "remove <name>", "forget a secret").action(action(load, "removeSecret"));
  localCommand(
    secrets,
    "import-env [names...]",
    "keep the keys that the environment has: those of the settings, and every …_API_KEY",
  ).action(action(load, "importEnvironment"));
}
