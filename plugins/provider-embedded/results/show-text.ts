const longest = 8000;
const mostLines = 200;

const languageOf = (label: string): string => /\.([a-z0-9]{1,6})$/i.exec(label)?.[1]?.toLowerCase() ?? "";

/** A fence longer than any run of backticks in the text. */
function fenceFor(text: string): string {
  const runs = [...text.matchAll(/`{3,}/g)].map(([run]) => run.length);
  return "`".repeat(Math.max(3, ...runs.map((length) => length + 1)));
}

/** A text in a code block with its label, cut at a line when it is long. */
export function showText(label: string, text: string): string {
  const lines = text.slice(0, longest).split("\n").slice(0, mostLines);
  const cut = lines.join("\n").length < text.length;
  const fence = fenceFor(text);
  const body = `${label === "" ? "" : `${label}:\n\n`}${fence}${languageOf(label)}\n${lines.join("\n").replace(/\n$/, "")}\n${fence}`;
  return cut ? `${body}\n\nThat is the beginning; ask for certain lines to see more.` : body;
}
