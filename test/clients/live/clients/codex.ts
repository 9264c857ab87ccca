import { connect, jsonLines, program, versionOf, type Client } from "../client.ts";

interface Line {
  readonly type: string;
  readonly thread_id?: string;
  readonly message?: string;
  readonly item?: { readonly type: string; readonly text?: string };
}

export const codex: Client = {
  name: "Codex",
  row: "codex",
  packages: ["@openai/codex"],
  // Its headless mode prints whole items.
  lacks: ["stream", "arguments"],
  tool: {
    names: ["exec_command", "shell_command", "shell"],
    arguments: (stone, name) => {
      const command = `cat quarry/stone-${stone}.txt`;
      if (name === "shell") return { command: ["sh", "-c", command] };
      return name === "exec_command" ? { cmd: command } : { command };
    },
  },
  prepare: (place) => connect(place, "codex"),
  check: versionOf("codex"),
  command: ({ prompt, before }, place) => {
    const session = jsonLines<Line>(before ?? "").find(({ thread_id: id }) => id !== undefined)?.thread_id;
    return {
      words: [
        program(place, "codex"),
        "exec",
        ...["--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
        ...(session === undefined ? [] : ["resume", session]),
        prompt,
      ],
    };
  },
  answer: (output) =>
    jsonLines<Line>(output).findLast(({ item }) => item?.type === "agent_message")?.item?.text ?? "",
};
