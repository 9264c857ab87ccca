import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { freePort, openProject, type Project } from "../../support/pergola.ts";

describe("pergola tools", function () {
  this.timeout(30_000);
  let project: Project;
  before(async () => {
    project = await openProject();
    await writeFile(path.join(project.folder, "notes.txt"), "milk\tand \u001b[1mbread");
    await project.begin(["start", "--port", String(await freePort())]).wrote("stop with Ctrl-C");
  });
  after(() => project.close());
  const call = (...words: readonly string[]) => project.run(["tools", "call", ...words]);

  it("lists the families with their operations", async () => {
    const { code, stdout } = await project.run(["tools", "list"]);
    expect(code).to.equal(0);
    expect(stdout).to.match(/^file_operations\n {2}Read, search.*\n {2}.*read_file.*grep_search/m);
  });

  it("lists them as JSON", async () => {
    const { stdout } = await project.run(["tools", "list", "--json"]);
    const { tools } = JSON.parse(stdout) as {
      readonly tools: readonly { readonly name: string; readonly inputSchema: object }[];
    };
    expect(tools.find(({ name }) => name === "file_operations")?.inputSchema).to.have.property("properties");
  });

  it("calls one with name=value arguments; its result goes out as it is", async () => {
    const { code, stdout, stderr } = await call("file_operations.read_file", "filePath=notes.txt");
    expect([code, stdout, stderr]).to.deep.equal([0, "milk\tand \u001b[1mbread\n", ""]);
  });

  it("calls one with a JSON object, in another folder", async () => {
    const { code, stdout } = await call(
      "file_operations",
      `{"operation": "list_dir", "path": "."}`,
      "--directory",
      "..",
      "--json",
    );
    const { success, result } = JSON.parse(stdout) as { readonly success: boolean; readonly result: string };
    expect([code, success, result.includes("settings.json")]).to.deep.equal([0, true, true]);
  });

  it("ends with 1 when the tool fails, and says on stderr what to try", async () => {
    const { code, stdout, stderr } = await call("file_operations.read_file", "filePath=note.txt");
    expect([code, stdout]).to.deep.equal([1, ""]);
    expect(stderr).to.include("note.txt").and.include("notes.txt");
  });

  it("P7: asks no approval with --yes only, and leaves no question behind", async () => {
    const write = ["file_operations.delete_file", "filePath=notes.txt"] as const;
    const asked = await call(...write);
    expect([asked.code, asked.stderr.includes("Add --yes")]).to.deep.equal([1, true]);
    const left = await project.run(["approvals", "list"]);
    expect(left.stdout, "P7").to.equal("");
    expect((await call(...write, "--yes")).code).to.equal(0);
  });

  for (const [words, said] of [
    [["x", "filePath"], `"filePath" is no argument. Write name=value`],
    [["x", "{oops"], "The arguments are not JSON"],
    [[], "missing required argument 'name'"],
  ] as const)
    it(`ends with 2 for a call of: ${words.join(" ")}`, async () => {
      const { code, stderr } = await call(...words);
      expect([code, stderr.includes(said)], stderr).to.deep.equal([2, true]);
    });
});
