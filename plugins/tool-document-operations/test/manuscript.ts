/** Markdown with everything that the writers know. */
export const manuscript = `# Annual report

An introduction with **bold words**, *slanted words*, \`inline code\` and a [link](https://example.com/a).

## Figures

| Item | Price |
| --- | --- |
| Tea & milk | 3.50 |
| Coffee <large> | 12 |

## Steps

1. Boil water
2. Add leaves
   - green ones
   - black ones
3. Wait

### Details

> A quoted line

\`\`\`
let x = 1;
  x += 1;
\`\`\`

---

Last line.
`;

/** What each format must still say, in this order. */
export const words = [
  "Annual report",
  "bold words",
  "slanted words",
  "inline code",
  "Figures",
  "Tea & milk",
  "3.5",
  "Coffee <large>",
  "12",
  "Steps",
  "Boil water",
  "Add leaves",
  "green ones",
  "black ones",
  "Wait",
  "Details",
  "A quoted line",
  "let x = 1;",
  "Last line.",
];

/** The words that a text holds, one after the other; stops at the first that is missing. */
export function inOrder(text: string, wanted: readonly string[]): readonly string[] {
  const flat = text.replaceAll(/[\s\u00a0]+/g, " ");
  let at = 0;
  const found: string[] = [];
  for (const word of wanted) {
    at = flat.indexOf(word, at);
    if (at < 0) return found;
    found.push(word);
    at += word.length;
  }
  return found;
}
