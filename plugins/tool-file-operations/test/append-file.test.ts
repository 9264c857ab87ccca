import { expect } from "chai";
import { workspace } from "./context.ts";

describe("append_file", () => {
  it("adds exactly the text, to old and new files", async () => {
    const { data, text } = workspace({ "a.txt": "one" });
    expect(await data("append_file", { filePath: "a.txt", content: " twö\r\n" })).to.deep.equal({
      filePath: "a.txt",
      bytes: 7,
    });
    expect(text("a.txt")).to.equal("one twö\r\n");
    await data("append_file", { filePath: "b/new.txt", content: "x" });
    expect(text("b/new.txt")).to.equal("x");
  });

  it("loses nothing when several appends run at once", async () => {
    const { run, text } = workspace();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        run("append_file", { filePath: "log", content: `${index}\n` }),
      ),
    );
    expect(text("log").trim().split("\n")).to.have.length(20);
  });

  it("takes what is already there after a crash as unknown", async () => {
    const place = workspace({ "a.txt": "one two" });
    expect(await place.outcome("append_file", { filePath: "a.txt", content: "three" })).to.equal(
      "did_not_happen",
    );
    expect(await place.outcome("append_file", { filePath: "a.txt", content: "two" })).to.equal("unknown");
    expect(await place.outcome("append_file", { filePath: "none", content: "two" })).to.equal(
      "did_not_happen",
    );
  });
});
