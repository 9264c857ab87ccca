/** What differs from run to run, and with each build: times, ids, figures of tokens, addresses, places. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/\d+ \w{3}, \d\d:\d\d/g, "DAY, TIME"],
  [/\b\d\d:\d\d\b/g, "TIME"],
  [/\b\d+(\.\d+)? m?s\b/g, "DURATION"],
  [/\b[\d,]+ tokens\b/g, "N tokens"],
  [/Context \d+ %/g, "Context N %"],
  [/http:\/\/127\.0\.0\.1:\d+/g, "ORIGIN"],
  [/-[0-9a-f]{8}(?=\.\w+)/g, "-HASH"],
  [/\/[^\s"']*pergola-[^\s"',:]+/g, "FOLDER"],
  [/pergola-test-\w+/g, "FOLDER"],
  [/\b(run_|apr_)?[0-9a-f]{8}-[0-9a-f-]{27}\b/g, "ID"],
  [/\b(run|apr|call)_\w+/g, "ID"],
];

/** A text of the page with signs in place of what differs from run to run. */
export const withoutVarying = (text: string): string =>
  varying.reduce((before, [pattern, sign]) => before.replace(pattern, sign), text);
