import { connectionIn, jsonLines, program, versionOf, type Client, type Place } from "../client.ts";

interface Line {
  readonly type: string;
  readonly data?: { readonly content?: string; readonly message?: string };
}

interface Variant {
  readonly name: string;
  /** Variables beside those that `pergola connect` names. */
  readonly variables: (place: Place) => Readonly<Record<string, string>>;
}

const variant = ({ name, variables }: Variant): Client => ({
  name,
  row: "copilot",
  packages: ["@github/copilot"],
  tool: {
    names: ["bash"],
    arguments: (stone) => ({
      command: `cat quarry/stone-${stone}.txt`,
      description: "Read a stone",
      mode: "sync",
    }),
  },
  check: versionOf("copilot"),
  command: ({ prompt, before }, place) => {
    const line = connectionIn(place, "copilot").text.replace(/copilot\n$/, '"$@"');
    return {
      words: [
        ...["sh", "-c", line, "sh", "env"],
        ...Object.entries(variables(place)).map(([key, value]) => `${key}=${value}`),
        program(place, "copilot"),
        ...["-p", prompt, "--allow-all-tools", "--output-format", "json", "--stream", "on"],
        ...(before === undefined ? [] : ["--continue"]),
      ],
      environment: { COPILOT_OFFLINE: "true", COPILOT_AUTO_UPDATE: "false" },
    };
  },
  answer: (output) =>
    jsonLines<Line>(output).findLast(({ type, data }) => type === "assistant.message" && data?.content)?.data
      ?.content ?? "",
});

export const copilot: readonly Client[] = [
  variant({ name: "GitHub Copilot CLI: chat", variables: () => ({}) }),
  variant({
    name: "GitHub Copilot CLI: Responses",
    variables: () => ({ COPILOT_PROVIDER_WIRE_API: "responses" }),
  }),
  variant({
    name: "GitHub Copilot CLI: Messages",
    variables: ({ url }) => ({ COPILOT_PROVIDER_TYPE: "anthropic", COPILOT_PROVIDER_BASE_URL: url }),
  }),
];
