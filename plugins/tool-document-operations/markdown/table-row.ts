/** A cell's text on one line, its bars escaped. */
export const cellText = (text: string): string => text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|");

/** A row of a Markdown table; below the head stands the line that makes it a table. */
export function tableRow(cells: readonly string[], isHead: boolean): string {
  const row = `| ${cells.join(" | ")} |`;
  if (!isHead) return row;
  return `${row}\n|${" --- |".repeat(cells.length)}`;
}
