import { connect, jsonLines, program, versionOf, type Client } from "../client.ts";

interface Line {
  readonly type: string;
  readonly result?: string;
}

export const qwenCode: Client = {
  name: "Qwen Code",
  row: "qwen-code",
  packages: ["@qwen-code/qwen-code"],
  // It shows a call once it is whole.
  lacks: ["arguments"],
  tool: {
    names: ["run_shell_command"],
    // Now and then it sees nothing of a command that ends at once.
    arguments: (stone) => ({
      command: `cat quarry/stone-${stone}.txt; sleep 1`,
      description: "Read a stone",
      is_background: false,
    }),
  },
  prepare: (place) => connect(place, "qwen-code"),
  check: versionOf("qwen"),
  command: ({ prompt, before }, place) => ({
    words: [
      program(place, "qwen"),
      ...["--output-format", "stream-json", "--include-partial-messages", "--approval-mode", "yolo"],
      ...(before === undefined ? [] : ["--continue"]),
      prompt,
    ],
  }),
  answer: (output) => jsonLines<Line>(output).findLast(({ type }) => type === "result")?.result ?? "",
};
