import { structuredPatch } from "diff";

/** Lines of context around a change. */
const context = 2;

/** What a text loses and gains, as lines that begin with `-`, `+` or a space, with a few around them. */
export function changedLines(before: string, after: string): readonly string[] {
  const { hunks } = structuredPatch("", "", before, after, undefined, undefined, { context });
  return hunks.flatMap(({ lines }, at) => [
    ...(at > 0 ? ["  …"] : []),
    // What begins with a backslash says that the last line has no end.
    ...lines.filter((line) => !line.startsWith("\\")).map((line) => `${line.charAt(0)} ${line.slice(1)}`),
  ]);
}
