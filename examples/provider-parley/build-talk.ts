import type { ChatMessage, ModelCall } from "@pergola/sdk";

const speakers = { system: "stage", user: "guest", assistant: "voice", tool: "guest" } as const;

/** The sampling fields that Parley has, by its own names. */
const fields: Readonly<Record<string, string>> = { temperature: "warmth", maxTokens: "most" };

function wordsOf(content: ChatMessage["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => (part.type === "text" ? part.text : "(a picture)")).join("\n");
}

/** The body of a call, and what Parley cannot be asked for. */
export function buildTalk({ model, messages, sampling, defaultedSampling: unasked = [] }: ModelCall): {
  readonly body: string;
  readonly warnings: readonly string[];
} {
  const wishes = Object.entries(sampling);
  const known = wishes.flatMap(([name, value]) =>
    fields[name] === undefined ? [] : [[fields[name], value]],
  );
  const others = wishes
    .map(([name]) => name)
    .filter((name) => fields[name] === undefined && !(unasked as readonly string[]).includes(name));
  const turns = messages.map(({ role, content }) => ({ by: speakers[role], words: wordsOf(content) }));
  return {
    body: JSON.stringify({ voice: model, turns, ...Object.fromEntries(known) }),
    warnings: others.map((name) => `${name} was left out: Parley does not take it`),
  };
}
