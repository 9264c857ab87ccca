import { expect } from "chai";
import { readOutcome } from "../results/outcome.ts";
import { reportOf } from "../results/report.ts";

const report = (result: object, args: object = {}): string =>
  reportOf(readOutcome({ id: "c", name: "tool", arguments: JSON.stringify(args) }, JSON.stringify(result)));
const ok = (data: unknown, message = "") => ({ success: true, data: JSON.stringify(data), message });

describe("reports of results of any tool", () => {
  it("show matches with file and line", () => {
    const matches = [{ filePath: "a.ts", lineNumber: 3, lineText: "  // TODO" }];
    expect(report(ok({ matches, totalCount: 1 }))).to.equal(
      "- matches (1):\n  - a.ts:3: line text   // TODO\n- total count: 1",
    );
  });

  it("show an unknown shape by its fields", () => {
    expect(report(ok([{ plant: "rose", height: 40 }]))).to.equal("- plant rose, height 40");
    expect(report(ok([{ name: "rose", height: 40 }]))).to.equal("- rose (height 40)");
  });

  it("give the operation's message first, and all of its data", () => {
    const data = { id: "mem_1", similar: [], tags: ["a", "b"], duplicate: false };
    expect(report(ok(data, "Stored."))).to.equal(
      "Stored.\n\n- id: mem_1\n- similar: none\n- tags (2):\n  - a\n  - b\n- duplicate: false",
    );
  });

  it("G1: never take an empty list beside other data for an empty result, and lose nothing beside a list", () => {
    expect(report(ok({ rolls: [3, 5], sum: 8 }))).to.equal("- rolls (2):\n  - 3\n  - 5\n- sum: 8");
    expect(report(ok({ warnings: [], stored: 3 }))).to.equal("- warnings: none\n- stored: 3");
    expect(report(ok([], "No errors."))).to.equal("No errors.\n\nThe list is empty.");
  });

  it("say nothing of where a whole list begins and ends, and all of it where there is more", () => {
    const page = { entries: ["a", "b"], count: 2, totalCount: 2, hasMore: false, offset: 0, limit: 100 };
    expect(report(ok(page))).to.equal("- entries (2):\n  - a\n  - b");
    expect(report(ok({ ...page, totalCount: 9, hasMore: true }))).to.equal(
      "- entries (2):\n  - a\n  - b\n- count: 2\n- total count: 9\n- has more: true\n- offset: 0\n- limit: 100",
    );
    expect(report(ok({ ...page, hasMore: false, offset: 7, totalCount: 9 }))).to.include("- offset: 7");
  });

  it("leave nothing out of a long list", () => {
    const many = Array.from({ length: 80 }, (_, index) => ({ name: `f${index}` }));
    expect(report(ok(many)).split("\n")).to.have.length(80);
  });

  it("hand on a text as it is", () => {
    expect(report({ success: true, data: "User response: blue", message: "" })).to.equal(
      "User response: blue",
    );
    expect(report({ success: true, data: "", message: "" })).to.equal("Done; the tool returned nothing.");
  });

  it("G2: leave text as the tool wrote it, also where it looks like a number", () => {
    for (const data of ["5050", "1e3", "007", "true", '"quoted"', "1.0\n2.50"])
      expect(report({ success: true, data, message: "The code ran." })).to.include(data);
  });

  it("G8: leave the names of settings in hints as they are", () => {
    const message = "The operator can set tools.web.searxng_url, rate_limit.burst or `a_b.c`; see read_file.";
    const text = report({ success: false, error: "No engine answered", message });
    expect(text).to.include("tools.web.searxng_url, rate_limit.burst or `a_b.c`; see “read file”.");
  });

  it("show a chunk of a stored result and where it goes on", () => {
    const data =
      "[TOOL_RESULT_CHUNK]\nOffset: 0\nLength: 5\nTotal Length: 9\nHas More: true\nNext Offset: 5\n\nhello";
    expect(report({ success: true, data, message: "" })).to.equal(
      "```\nhello\n```\n\nThere is more, from offset 5 on.",
    );
  });

  it("tell error and hint of a failure", () => {
    const failed = {
      success: false,
      error: "The person said no",
      error_code: "denied",
      message: "Do not do it",
    };
    expect(report(failed)).to.equal("That did not work. The person said no. Do not do it.");
  });

  it("fence a text that holds fences", () => {
    const result = { success: true, data: "{}", content: "```js\nx\n```\n", message: "" };
    expect(report(result, { filePath: "a.md" })).to.equal("a.md:\n\n````md\n```js\nx\n```\n````");
  });

  it("take a result that is no JSON for its text", () => {
    const call = { id: "c", name: "tool", arguments: "{}" };
    expect(reportOf(readOutcome(call, "plain words"))).to.equal("plain words");
  });
});
