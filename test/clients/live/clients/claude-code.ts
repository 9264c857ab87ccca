import { connect, jsonLines, program, versionOf, type Client } from "../client.ts";

interface Line {
  readonly type: string;
  readonly result?: string;
  readonly session_id?: string;
}

export const claudeCode: Client = {
  name: "Claude Code",
  row: "claude-code",
  packages: ["@anthropic-ai/claude-code"],
  tool: {
    names: ["Bash"],
    arguments: (stone) => ({ command: `cat quarry/stone-${stone}.txt`, description: "Read a stone" }),
  },
  prepare: (place) => connect(place, "claude-code"),
  check: versionOf("claude"),
  command: ({ prompt, before }, place) => {
    const session = jsonLines<Line>(before ?? "").find(({ session_id: id }) => id !== undefined)?.session_id;
    return {
      words: [
        program(place, "claude"),
        "-p",
        prompt,
        ...["--output-format", "stream-json", "--verbose", "--include-partial-messages"],
        ...["--allowedTools", "Bash"],
        ...(session === undefined ? [] : ["--resume", session]),
      ],
      environment: {
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      },
    };
  },
  answer: (output) => jsonLines<Line>(output).findLast(({ type }) => type === "result")?.result ?? "",
};
