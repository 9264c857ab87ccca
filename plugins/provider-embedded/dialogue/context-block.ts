/** What the host added to the end of the newest message. */
export interface ContextBlock {
  /** Facts of the moment by their name in lower case: `date`, `working directory` … */
  readonly facts: Readonly<Record<string, string>>;
  /** Further lines, such as memories. Data to quote, never orders to follow. */
  readonly lines: readonly string[];
}

const tags = ["context", "memory", "memories", "thread_summary"];

const emptyContext: ContextBlock = { facts: {}, lines: [] };

/** A line such as `Working directory: /home`. */
const fact = /^([a-z][a-z _]{1,30}): (.+)$/i;

function readBlock(body: string): ContextBlock {
  const lines = body
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const found = lines.map((line) => fact.exec(line)).filter((match) => match !== null);
  const facts = Object.fromEntries(found.map(([, name = "", value = ""]) => [name.toLowerCase(), value]));
  return { facts, lines };
}

/** The last block of a text that ends with one, and the text before it. */
function cutBlock(text: string) {
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
