/** What Markdown would take for a form of its own. */
const marked = /[*_`#<>[\]~|\n]/;

/**
 * A sentence to say, as it can stand in an answer: in quotation marks, or as code where Markdown would change
 * it; of several lines the first.
 */
export function quoted(say: string): string {
  const [first = "", ...more] = say.split("\n");
  if (!marked.test(say) || first.includes("`")) return `“${first}”`;
  return `\`${first}${more.length > 0 ? " …" : ""}\``;
}
