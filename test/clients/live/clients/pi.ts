import { connect, jsonLines, program, versionOf, type Client } from "../client.ts";

interface Line {
  readonly type: string;
  readonly message?: {
    readonly role: string;
    readonly content: readonly { readonly text?: string }[];
    readonly errorMessage?: string;
  };
}

interface Variant {
  readonly name: string;
  readonly api: string;
  readonly path: string;
}

const variant = ({ name, api, path }: Variant): Client => ({
  name,
  row: "pi",
  packages: ["@earendil-works/pi-coding-agent"],
  tool: {
    names: ["bash"],
    arguments: (stone) => ({ command: `cat quarry/stone-${stone}.txt` }),
  },
  prepare: (place) =>
    connect(place, "pi", (text) =>
      text.replace(`${place.url}/v1`, place.url + path).replace("openai-completions", api),
    ),
  check: versionOf("pi"),
  command: ({ prompt, before }, place) => ({
    words: [
      program(place, "pi"),
      ...["--print", "--mode", "json", "--model", `pergola/${place.model}`],
      ...(before === undefined ? [] : ["--continue"]),
      prompt,
    ],
    environment: { PI_OFFLINE: "1" },
  }),
  answer: (output) => {
    const last = jsonLines<Line>(output).findLast(({ message }) => message?.role === "assistant")?.message;
    return last?.errorMessage ?? last?.content.map(({ text = "" }) => text).join("") ?? "";
  },
});

export const pi: readonly Client[] = [
  variant({ name: "pi: chat", api: "openai-completions", path: "/v1" }),
  variant({ name: "pi: Responses", api: "openai-responses", path: "/v1" }),
  variant({ name: "pi: Messages", api: "anthropic-messages", path: "" }),
];
