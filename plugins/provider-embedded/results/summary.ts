/**
 * What a text is about as far as its own first words tell: title, first paragraph and headings. No words are
 * made up.
 */
export function outline(label: string, text: string): string {
  const blocks = text
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== "");
  const prose = blocks.filter((block) => !/^(?:#|```|[-*|<]|\[!|!\[)/.test(block));
  const title = /^#\s+(.+)$/m.exec(text)?.[1];
  const headings = [...text.matchAll(/^#{2,3}\s+(.+)$/gm)].map((match) => match[1]).slice(0, 12);
  const lines = text.split("\n").length;
  const first = (prose[0] ?? blocks[0] ?? "").slice(0, 600);
  const parts = [
    title === undefined ? "" : `**${title}**`,
    first,
    headings.length === 0 ? "" : `Its sections: ${headings.join(", ")}.`,
  ];
  return [
    `I can only quote, not summarise. ${label} has ${lines} lines and begins:`,
    ...parts.filter((part) => part !== ""),
  ].join("\n\n");
}
