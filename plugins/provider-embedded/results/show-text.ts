const languageOf = (label: string): string => /\.([a-z0-9]{1,6})$/i.exec(label)?.[1]?.toLowerCase() ?? "";

/** A fence longer than any run of backticks in the text. */
function fenceFor(text: string): string {
  const runs = [...text.matchAll(/`{3,}/g)].map(([run]) => run.length);
  return "`".repeat(Math.max(3, ...runs.map((length) => length + 1)));
}

/** A text in a code block, under its label. */
export function showText(label: string, text: string): string {
  const fence = fenceFor(text);
  const block = `${fence}${languageOf(label)}\n${text.replace(/\n$/, "")}\n${fence}`;
  if (label === "") return block;
  return `${label}:\n\n${block}`;
}
