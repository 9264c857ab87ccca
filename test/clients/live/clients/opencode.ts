import { connect, jsonLines, program, versionOf, type Client } from "../client.ts";

interface Line {
  readonly type: string;
  readonly sessionID?: string;
  readonly part?: { readonly text?: string };
}

interface Variant {
  readonly name: string;
  /** The AI SDK's package that speaks to Pergola. */
  readonly npm: string;
}

const variant = ({ name, npm }: Variant): Client => ({
  name,
  row: "opencode",
  packages: ["opencode-ai"],
  // Its headless mode prints whole parts.
  lacks: ["stream", "arguments"],
  tool: {
    names: ["bash"],
    arguments: (stone) => ({ command: `cat quarry/stone-${stone}.txt`, description: "Read a stone" }),
  },
  prepare: (place) => connect(place, "opencode", (text) => text.replace("@ai-sdk/openai", npm)),
  check: versionOf("opencode"),
  command: ({ prompt, before }, place) => {
    const session = jsonLines<Line>(before ?? "").find(({ sessionID: id }) => id !== undefined)?.sessionID;
    return {
      words: [
        program(place, "opencode"),
        "run",
        ...["--format", "json", "--auto"],
        ...(session === undefined ? [] : ["--session", session]),
        prompt,
      ],
      environment: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
    };
  },
  answer: (output) => jsonLines<Line>(output).findLast(({ type }) => type === "text")?.part?.text ?? "",
});

export const opencode: readonly Client[] = [
  variant({ name: "opencode: chat", npm: "@ai-sdk/openai-compatible" }),
  variant({ name: "opencode: Responses", npm: "@ai-sdk/openai" }),
  variant({ name: "opencode: Messages", npm: "@ai-sdk/anthropic" }),
];
