import path from "node:path";
import { connectByCommand, withPergola, writeServiceSettings, type Client, type Place } from "../client.ts";
import { program } from "./program.ts";

interface Editor {
  readonly name: string;
  readonly row: string;
  /** The words of its settings file below its home. */
  readonly file: readonly string[];
}

/**
 * An editor by the protocol's own client: it starts the agent that its settings name, which starts a service
 * of its own. The person allows each command.
 */
const editor = ({ name, row, file }: Editor): Client =>
  program({
    name,
    row,
    packages: ["@agentclientprotocol/sdk"],
    file: "editor",
    // The protocol has whole calls only.
    lacks: ["arguments"],
    tool: {
      names: ["terminal_operations"],
      arguments: (stone) => ({
        operation: "run_command",
        command: `cat quarry/stone-${stone}.txt`,
        explanation: "It reads a stone.",
      }),
    },
    prepare: async (place) => {
      writeServiceSettings(place);
      await connectByCommand(place, row);
    },
    variables: (place: Place) => ({
      ...withPergola(place),
      EDITOR_SETTINGS: path.join(place.home, ...file),
    }),
  });

export const editors: readonly Client[] = [
  editor({ name: "Zed: agent", row: "zed", file: [".config", "zed", "settings.json"] }),
  editor({ name: "JetBrains: agent", row: "jetbrains", file: [".jetbrains", "acp.json"] }),
];
