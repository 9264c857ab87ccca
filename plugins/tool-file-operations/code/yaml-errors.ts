import type { SyntaxFault } from "@pergola/kit-code-symbols";
import { Composer, LineCounter, Parser, type CST } from "yaml";

const mostFaults = 20;
/** The library makes nodes of the text by recursion, which very deep nesting would end with the process. */
const deepest = 200;
const tooDeep: SyntaxFault = { line: 1, column: 1, message: "Nested too deeply to be checked" };

/** What is wrong with the documents of a YAML text: at most 20 faults, as one mostly causes others. */
export function yamlErrors(text: string): readonly SyntaxFault[] {
  const lines = new LineCounter();
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  if (isTooDeep(tokens)) return [tooDeep];
  const documents = [...new Composer({ prettyErrors: false }).compose(tokens)];
  return documents
    .flatMap(({ errors }) => errors)
    .slice(0, mostFaults)
    .map(({ pos: [start], message }) => {
      const { line, col } = lines.linePos(start);
      return { line, column: col, message };
    });
}

function isTooDeep(tokens: readonly CST.Token[]): boolean {
  let level: readonly CST.Token[] = tokens;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true;
    level = level.flatMap(inside);
  }
  return false;
}

/** The tokens directly inside of another. */
function inside(token: CST.Token): readonly CST.Token[] {
  if (token.type === "document") return token.value ? [token.value] : [];
  if (!("items" in token)) return [];
  return token.items.flatMap(({ key, value }) =>
    [key, value].filter((one) => one !== undefined && one !== null),
  );
}
