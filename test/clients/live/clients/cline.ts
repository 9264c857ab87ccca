import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { connectionIn, jsonLines, program, versionOf, type Client } from "../client.ts";

interface Line {
  readonly type?: string;
  readonly text?: string;
}

export const cline: Client = {
  name: "Cline",
  row: "cline",
  packages: ["cline"],
  // It goes on with a session in its screen only.
  // It shows a call once it is whole.
  lacks: ["resume", "arguments"],
  tool: {
    names: ["run_commands", "execute_command", "bash"],
    arguments: (stone, name) => {
      const command = `cat quarry/stone-${stone}.txt`;
      return name === "run_commands" ? { commands: [command] } : { command, requires_approval: false };
    },
  },
  prepare: async (place) => {
    const line = connectionIn(place, "cline").text.replace(/^cline /, '"$0" ');
    const env = {
      ...process.env,
      HOME: place.home,
      PATH: `${place.bin}${path.delimiter}${process.env["PATH"]}`,
    };
    await promisify(execFile)("sh", ["-c", line, program(place, "cline")], { cwd: place.home, env });
  },
  check: versionOf("cline"),
  command: ({ prompt }, place) => ({
    words: [program(place, "cline"), "--json", "--auto-approve", "true", prompt],
  }),
  answer: (output) => jsonLines<Line>(output).findLast(({ text }) => text !== undefined)?.text ?? "",
};
