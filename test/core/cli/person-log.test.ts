import { expect } from "chai";
import { personLog } from "../../../core/cli/person-log.ts";

describe("the log of a person at a terminal", () => {
  const written: string[] = [];
  const write = process.stderr.write.bind(process.stderr);
  beforeEach(() => {
    written.length = 0;
    process.stderr.write = (text: string | Uint8Array): boolean => written.push(String(text)) > 0;
  });
  afterEach(() => {
    process.stderr.write = write;
  });

  it("P13: is one plain line for an error, without its stack", () => {
    const error = new Error("no luck\nwith hunter2-hunter2");
    personLog(["hunter2-hunter2"]).error({ error, tool: "x" }, "a tool has failed");
    process.stderr.write = write;
    expect(written.join("")).to.match(/^a tool has failed: no luck with \S*\n$/);
    expect(written.join("")).to.not.include("hunter2");
  });
});
