import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { startTestHost, temporaryFolder } from "@pergola/sdk/testing";
import { notesOperations } from "../index.ts";
import { notebook } from "./notebook.ts";

describe("notes_operations", () => {
  it("T01: runs every operation", async () => {
    const calls = {
      create_note: { title: "A", body: "text" },
      append_note: { note_name: "A", text: "more" },
      search: { query: "more" },
      get_note: { note_name: "A" },
      list_folders: {},
      list_notes: {},
    };
    const { data } = notebook();
    expect(Object.keys(calls)).to.have.members(notesOperations.operations.map(({ name }) => name));
    for (const [name, args] of Object.entries(calls))
      expect(await data(name, args), name).to.match(/\bA\b|note/);
  });

  it("T11: has an operation behind each bare name", () => {
    const names = notesOperations.operations.map(({ name }) => name);
    expect(notesOperations.aliases).to.include({ search_notes: "search", append_note: "append_note" });
    expect(new Set(Object.values(notesOperations.aliases ?? {}))).to.deep.equal(new Set(names));
  });

  it("A10: has no path among its parameters, and reaches the one folder that the settings name", () => {
    for (const {
      name,
      effect,
      place,
      recovery,
      reconcile,
      touches,
      parameters,
      examples = [],
    } of notesOperations.operations) {
      expect([place, touches], name).to.deep.equal(["external", undefined]);
      expect([recovery, reconcile !== undefined], name).to.deep.equal(
        effect === "write" ? ["reconcile", true] : [undefined, false],
      );
      expect(Object.values(parameters).map(({ format }) => format)).to.not.include("path");
      expect(examples.length, name).to.be.at.least(2);
    }
  });
});

describe("notes_operations in a host", function () {
  this.timeout(30_000);
  const own = { use: path.resolve(import.meta.dirname, ".."), isolation: "trusted" };
  const start = (settings: object = {}) =>
    startTestHost({ plugins: ["@pergola/bundle-standard", own], settings: { ...settings } });
  const execute = async (
    host: Awaited<ReturnType<typeof start>>,
    toolName: string,
    args: object,
    more: object = {},
  ) =>
    (
      await host.json<{ success: boolean; result: string }>("POST", "/debug/mcp/execute", {
        toolName,
        arguments: args,
        ...more,
      })
    ).body;

  it("asks the person before it writes, and reads without a question", async () => {
    const host = await start();
    try {
      const refused = await execute(host, "create_note", { title: "A", body: "x" }, { waitSeconds: 0 });
      expect(refused).to.include({ success: false, error_code: "approval_required" });
      expect(existsSync(path.join(host.dataDirectory, "notes"))).to.equal(false);
      expect(await execute(host, "list_notes", {})).to.include({
        success: true,
        result: "There are no notes.",
      });
    } finally {
      await host.stop();
    }
  });

  it("keeps notes in the data directory, or where the preference says", async () => {
    for (const chosen of [undefined, path.join(temporaryFolder(), "my notes")]) {
      const host = await start(chosen === undefined ? {} : { tools: { notes: { path: chosen } } });
      try {
        const made = await execute(host, "create_note", { title: "A", body: "x" }, { isUserInitiated: true });
        expect(made).to.include({ success: true, result: 'Created the note "A".' });
        expect(readdirSync(chosen ?? path.join(host.dataDirectory, "notes"))).to.deep.equal(["A.md"]);
        expect((await execute(host, "get_note", { noteName: "A" })).result).to.match(/x$/);
      } finally {
        await host.stop();
      }
    }
  });
});
