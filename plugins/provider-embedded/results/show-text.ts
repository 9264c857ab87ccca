const languageOf = (label: string): string => /\.([a-z0-9]{1,6})$/i.exec(label)?.[1]?.toLowerCase() ?? "";

/** A fence longer than any run of backticks in the text. */
function fenceFor(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  return "`".repeat(longest + 1);
}

/** A text in a code block, under its label. */
export function showText(label: string, text: string): string {
  const fence = fenceFor(text);
  const block = `${fence}${languageOf(label)}\n${text.replace(/\n$/, "")}\n${fence}`;
  if (label === "") return block;
  return `${label}:\n\n${block}`;
}
