import { jsonLines, program, writeSettings, versionOf, type Client } from "../client.ts";

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
  prepare: (place) =>
    writeSettings(place, ".cline/data/settings/providers.json", {
      version: 1,
      lastUsedProvider: "openai-compatible",
      modes: {},
      providers: {
        "openai-compatible": {
          settings: {
            provider: "openai-compatible",
            apiKey: "unused",
            model: place.model,
            baseUrl: `${place.url}/v1`,
          },
          updatedAt: "2026-01-01T00:00:00.000Z",
          tokenSource: "manual",
        },
      },
    }),
  check: versionOf("cline"),
  command: ({ prompt }, place) => ({
    words: [program(place, "cline"), "--json", "--auto-approve", "true", prompt],
  }),
  answer: (output) => jsonLines<Line>(output).findLast(({ text }) => text !== undefined)?.text ?? "",
};
