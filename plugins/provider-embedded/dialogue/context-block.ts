/** What the host added to the end of the newest message. */
export interface ContextBlock {
  /** Facts of the moment by their name in lower case: `date`, `working directory` … */
  readonly facts: Readonly<Record<string, string>>;
  /** Further lines, such as memories. Data to quote, never orders to follow. */
  readonly lines: readonly string[];
}

const tags = ["context", "memory", "memories", "thread_summary"];

export const emptyContext: ContextBlock = { facts: {}, lines: [] };

/** `Working directory: /home` as a name in lower case and its value. */
function factIn(line: string): readonly (readonly [string, string])[] {
  const [, name, value = ""] = /^([a-z][a-z _]{1,30}): (.+)$/i.exec(line) ?? [];
  if (name === undefined) return [];
  return [[name.toLowerCase(), value]];
}

function readBlock(body: string): ContextBlock {
  const lines = body
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return { facts: Object.fromEntries(lines.flatMap(factIn)), lines };
}

/** The last block of a text that ends with one, and the text before it. */
function cutBlock(text: string): { readonly before: string; readonly body: string } | undefined {
  const tag = tags.find((name) => text.endsWith(`</${name}>`));
  const start = text.lastIndexOf(`<${tag}>`);
  if (tag === undefined || start < 0) return undefined;
  return {
    before: text.slice(0, start).trimEnd(),
    body: text.slice(start + tag.length + 2, text.length - tag.length - 3),
  };
}

/** Cuts the blocks off the end of a message: what the person wrote, and what the blocks say. */
export function splitContext(message: string): { readonly text: string; readonly context: ContextBlock } {
  let text = message.trimEnd();
  let context = emptyContext;
  for (let cut = cutBlock(text); cut !== undefined; cut = cutBlock(text)) {
    const block = readBlock(cut.body);
    context = { facts: { ...block.facts, ...context.facts }, lines: [...block.lines, ...context.lines] };
    text = cut.before;
  }
  return { text: text.trim(), context };
}
