import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import { expect } from "chai";
import { foldEvents, nameOfCall, newAnswer, turnsOf, type Part } from "../page/state/fold-run.ts";
import { GrowingText } from "../page/text/growing.ts";
import { visible } from "../page/text/format.ts";
import type { Message } from "../page/link/wire.ts";

const folder = path.join(import.meta.dirname, "../page");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.(tsx?|css)$/.test(file),
);
const read = (file: string): string => readFileSync(path.join(folder, file), "utf8");

const built = path.join(import.meta.dirname, "../dist/files");
const gzipped = (pattern: RegExp): number =>
  readdirSync(built)
    .filter((file) => file.endsWith(".br") && pattern.test(file))
    .map((file) => brotliDecompressSync(readFileSync(path.join(built, file))))
    .reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0);

const text = `# Title

A *paragraph* with \`code\`, a formula $a+b$ and
a second line.

- one
- two

  still two

| a | b |
|---|---|
| 1 | 2 |

\`\`\`ts
const a = 1;

const b = 2;
\`\`\`

The end.`;

/** What of tokens makes a difference on the page. */
const shape = (blocks: ReturnType<GrowingText["read"]>) =>
  blocks.filter(({ token }) => token.type !== "space").map(({ token }) => [token.type, token.raw.trim()]);

describe("the code of the page", () => {
  it("puts no text into the page as markup, and asks the service in one place only", () => {
    const forbidden =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySetInnerHTML|\beval\(|style="/;
    expect(files.filter((file) => forbidden.test(read(file)))).to.deep.equal([]);
    const asking = files.filter((file) =>
      /\bfetch\(|XMLHttpRequest|EventSource\b|WebSocket|sendBeacon/.test(read(file)),
    );
    expect(asking).to.deep.equal(["link/api.ts"]);
  });

  it("has at most 5,000 lines, and no file over 300", () => {
    const sizes = files.map((file) => [file, read(file).split("\n").length - 1] as const);
    expect(sizes.reduce((sum, [, lines]) => sum + lines, 0)).to.be.below(5000);
    const long = sizes.filter(([, lines]) => lines > 300);
    expect(long).to.deep.equal([]);
  });

  it("weighs at most 65 KB at first, and 120 KB with all but formulas, gzipped", () => {
    const first = /^(index|main-|chunk-|icon-)/;
    expect(gzipped(first)).to.be.within(10_000, 65 * 1024);
    expect(gzipped(/^(?!temml-|licenses-)/)).to.be.below(120 * 1024);
    expect(gzipped(/^temml-/)).to.be.within(1, 60 * 1024);
  });

  it("reads a text that grows letter by letter as it reads the whole", () => {
    const growing = new GrowingText();
    for (let end = 1; end < text.length; end++) growing.read(text.slice(0, end));
    expect(shape(growing.read(text))).to.deep.equal(shape(new GrowingText().read(text)));
  });

  it("reads settled blocks once", () => {
    const growing = new GrowingText();
    const before = growing.read(`${text}\n\nMore`);
    const after = growing.read(`${text}\n\nMore and more`);
    expect(after[0]?.token).to.equal(before[0]?.token);
    expect(after.filter(({ isSettled }) => !isSettled)).to.have.length.below(4);
  });

  it("begins anew with another text", () => {
    const growing = new GrowingText();
    growing.read(text);
    expect(shape(growing.read("Other"))).to.deep.equal([["paragraph", "Other"]]);
  });

  it("shows characters that hide or turn text", () => {
    expect(visible("rm -r build\u202e\u200b\u0007")).to.equal("rm -r build⟨U+202E⟩⟨U+200B⟩⟨U+0007⟩");
    expect(visible("a\tb\nc é 漢 👍")).to.equal("a\tb\nc é 漢 👍");
  });

  it("draws a run from its events: text, calls in their last state, questions once", () => {
    const chunk = (more: object) => ({
      id: "",
      event: "chunk",
      data: JSON.stringify({ choices: [], ...more }),
    });
    const tool = (toolStatus: string) =>
      chunk({ isToolMessage: true, toolExecutionId: "c1", toolName: "t", toolStatus });
    const asks = chunk({ event: { type: "user_input_required", approvalId: "apr_1" } });
    const says = (content: string) => chunk({ choices: [{ delta: { content } }] });
    const answer = newAnswer("run_1", "2026-01-01T00:00:00Z");
    foldEvents(answer, [
      says("A"),
      says("b"),
      tool("running"),
      asks,
      asks,
      tool("success"),
      says("\n\n"),
      says("C"),
    ]);
    const drawn = answer.parts.value.map((part: Part) => {
      if (part.kind === "tool") return part.call.value.status;
      return part.kind === "ask" ? part.id : part.text.value;
    });
    expect(drawn).to.deep.equal(["Ab", "success", "apr_1", "C"]);
  });

  for (const [summary, name] of [
    ["Read file: /home/ada/notes.md", "Read notes.md"],
    ["Edit file: notes.md", "Edit notes.md"],
    ["Append to file: C:\\notes\\todo.md", "Append to todo.md"],
    ["List folder: /home/ada", "List folder: /home/ada"],
    ["Run: cat /etc/hosts", "Run: cat /etc/hosts"],
    ["Read file: a\u202eb", "Read a⟨U+202E⟩b"],
    ["", "notes look_up"],
  ] as const)
    it(`names a call by what it does: ${name}`, () => {
      const call = { id: "1", name: "notes", operation: "look_up", status: "running", summary } as const;
      expect(nameOfCall(call)).to.equal(name);
    });

  it("draws stored messages as turns: what lies between the person's messages is one answer", () => {
    const message = (id: string, role: Message["role"], content: string | null, more = {}): Message =>
      ({ id, role, content, timestamp: "2026-01-01T00:00:00Z", type: "user", ...more }) as Message;
    const toolCalls = [{ id: "c1", function: { name: "t", arguments: "{}" } }];
    const turns = turnsOf([
      message("1", "user", "Hi"),
      message("2", "assistant", null, { toolCalls }),
      message("3", "tool", '{"success":true}', { toolCallId: "c1", toolStatus: "success" }),
      message("4", "assistant", "Done"),
      message("5", "user", "Thanks"),
    ]);
    expect(turns.map(({ kind }) => kind)).to.deep.equal(["user", "answer", "user"]);
    const [, answer] = turns;
    const parts = answer?.kind === "answer" ? answer.parts.value : [];
    expect(parts.map(({ kind }) => kind)).to.deep.equal(["tool", "text"]);
    expect(parts[0]?.kind === "tool" && parts[0].call.value).to.include({
      arguments: "{}",
      status: "success",
    });
  });
});
