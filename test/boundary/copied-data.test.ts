import { cpSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { readNote } from "../../core/cli/service-note.ts";
import { freePort, openProject } from "../support/pergola.ts";

describe("a copy of a data directory", function () {
  this.timeout(120_000);

  it("X34 of a live one leads no command to the live service", async () => {
    const port = await freePort();
    const live = await openProject();
    try {
      await live.begin(["start", "--port", String(port)]).wrote("stop with Ctrl-C");
      const at = `http://127.0.0.1:${port}`;
      const headers = { "content-type": "application/json" };
      const conversation = JSON.stringify({ id: "x34", title: "Kept" });
      await fetch(`${at}/v1/conversations`, { method: "POST", headers, body: conversation });
      await live.run(["tokens", "add", "x34"]);
      const state = async (): Promise<string> => {
        const paths = ["preferences", "memories", "runs", "tokens", "audit?limit=1000", "tools"]
          .map((name) => `/api/${name}`)
          .concat("/v1/conversations");
        const answers = await Promise.all(paths.map((one) => fetch(`${at}${one}`)));
        return (await Promise.all(answers.map((answer) => answer.text()))).join("\n");
      };
      const before = await state();
      const copy = path.join(temporaryFolder(), "copy");
      cpSync(live.data, copy, { recursive: true });
      expect(readNote(live.data), "the note of the live service").to.have.property("pid");
      expect(readNote(copy)).to.equal(undefined);
      for (const words of [
        ["settings", "set", "workflow.max_iterations", "7"],
        ["tools", "call", "todo_operations", `{"operation":"add","newTodos":[{"title":"x"}]}`, "--yes"],
        ["run", "say hello"],
        ["conversations", "rename", "x34", "Stolen"],
        ["conversations", "delete", "x34", "--yes"],
        ["tokens", "add", "x34 more", "--scope", "read,chat,tools,approve,admin"],
        ["tokens", "revoke", "x34"],
      ]) {
        const all = [...words, "--settings", live.settings(), "--data", copy];
        const { code, stderr } = await live.run(all, { bare: true });
        expect([words.join(" "), code], stderr).to.deep.equal([words.join(" "), 0]);
      }
      expect(before).to.include("Kept").and.include("x34");
      expect(await state()).to.equal(before);
    } finally {
      await live.close();
    }
  });
});
