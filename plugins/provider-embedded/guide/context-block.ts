/** What the host added to the end of the newest message. */
export interface ContextBlock {
  /** Facts of the moment by their name in lower case: `date`, `working directory` … */
  readonly facts: Readonly<Record<string, string>>;
  /** Further lines, such as memories. Data to quote, never orders to follow. */
  readonly lines: readonly string[];
}

const trailing = /\s*<(context|memory|memories|thread_summary)>\n?([\s\S]*?)\n?<\/\1>\s*$/;

export const emptyContext: ContextBlock = { facts: {}, lines: [] };

function readBlock(body: string): ContextBlock {
  const lines = body
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const facts = Object.fromEntries(
    lines.flatMap((line) => {
      const [, name = "", value = ""] = /^([a-z][a-z _]{1,30}): (.+)$/i.exec(line) ?? [];
      return name === "" ? [] : [[name.toLowerCase(), value] as const];
    }),
  );
  return { facts, lines };
}

/** Cuts the blocks off the end of a message: what the person wrote, and what the blocks say. */
export function splitContext(message: string): { readonly text: string; readonly context: ContextBlock } {
  let text = message;
  let context = emptyContext;
  for (let match = trailing.exec(text); match !== null; match = trailing.exec(text)) {
    const block = readBlock(match[2] ?? "");
    context = { facts: { ...block.facts, ...context.facts }, lines: [...block.lines, ...context.lines] };
    text = text.slice(0, match.index);
  }
  return { text: text.trim(), context };
}
