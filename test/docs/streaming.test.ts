import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { read, root } from "../architecture/tree.ts";
import { fencesOf } from "./fences.ts";
import { record, type Recordings } from "./recordings.ts";

const page = "docs/streams.md";

/** What differs from run to run, and what takes its place in a comparison. */
const changing: readonly (readonly [form: RegExp, instead: string])[] = [
  [/\b(chatcmpl-|run_|call_|apr_)[0-9A-Za-z]{24,}/g, "$1…"],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "uuid"],
  [/(?<=id: |"startId":")[0-9a-f]{16}/g, "start"],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time"],
  [/"(created|duration_ms|duration_seconds|prompt_tokens|total_tokens)":[\d.]+/g, '"$1":0'],
];

/** A text without what differs from run to run. */
const settled = (text: string): string =>
  changing.reduce((now, [form, instead]) => now.replaceAll(form, instead), text).trimEnd();

/** Puts the recordings into the page, for somebody to read. */
function rewrite(recordings: Recordings): void {
  const text = read(page).replaceAll(
    /<!-- recorded: (.+) -->\n```text\n[^]*?```/g,
    (_, name: string) => `<!-- recorded: ${name} -->\n\`\`\`text\n${recordings[name]?.trimEnd()}\n\`\`\``,
  );
  writeFileSync(path.join(root, page), text);
}

/** With PERGOLA_RECORD_DOCS=1, the page is written instead. */
describe("the events that the page on streams shows", function () {
  this.timeout(60_000);
  let recordings: Recordings;

  before(async () => {
    recordings = await record();
    if (process.env["PERGOLA_RECORD_DOCS"] === "1") rewrite(recordings);
  });

  it("are those of a real run", () => {
    const shown = fencesOf(page).filter(({ marker }) => marker?.kind === "recorded");
    for (const { marker, text } of shown)
      expect(settled(text), marker?.text).to.equal(settled(recordings[marker!.text] ?? ""));
    expect(shown.map(({ marker }) => marker?.text)).to.have.members(Object.keys(recordings));
  });
});
