import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import type { Stage } from "../support/host.ts";
import { approvals, openLab, type Outcome } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";

interface Executed {
  readonly success: boolean;
  readonly result: string;
  readonly error_code?: string;
  readonly approvalId?: string;
  readonly toolResult: Outcome;
}

/** The working directory of every call, with a folder beside it, and a link that leads there. */
function makeFolders() {
  const base = temporaryFolder();
  const [work, outside, beside] = ["work", "outside", "work-beside"].map((name) => `${base}/${name}`) as [
    string,
    string,
    string,
  ];
  for (const folder of [work, outside, beside, `${work}/.git/hooks`, `${base}/keys`, `${base}/data`])
    mkdirSync(folder, { recursive: true });
  for (const file of [`${work}/a.txt`, `${outside}/b.txt`, `${beside}/c.txt`, `${base}/keys/id`])
    writeFileSync(file, "text\n");
  symlinkSync(outside, `${work}/link`);
  symlinkSync(`${outside}/b.txt`, `${work}/b.txt`);
  return { base, work, outside, beside };
}

describe("the policy", () => {
  const { base, work, outside, beside } = makeFolders();
  let stage: Stage;
  before(async () => {
    const settings = { "authorization.protected_paths": [`${base}/keys`], storage: { type: "sqlite" } };
    stage = await openLab([], { settings, dataDirectory: `${base}/data` });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  const execute = async (tool: string, args: object): Promise<Executed> => {
    const body = { tool, arguments: args, workingDirectory: work };
    return (await stage.host.json<Executed>("POST", "/debug/mcp/execute", body)).body;
  };
  /** `allow`, `ask`, or the code of the refusal. */
  const treatment = async (tool: string, args: object): Promise<string> => {
    const { success, error_code: code = "" } = await execute(tool, args);
    if (success) return "allow";
    return code === "approval_required" ? "ask" : code;
  };
  const doing = (operation: string, file?: string) =>
    treatment("lab", { operation, name: operation, ...(file === undefined ? {} : { file }) });

  verifies("policy:table", "treats effects and places as documented", async () => {
    const rows = [
      ["note", undefined, "allow"],
      ["peek", undefined, "allow"],
      ["scan", "a.txt", "allow"],
      ["scan", outside, "allow"],
      ["keep", undefined, "allow"],
      ["change", "new/x.txt", "allow"],
      ["change", `${outside}/x`, "ask"],
      ["mail", undefined, "ask"],
      ["wipe", undefined, "ask"],
      ["wipe", "a.txt", "ask"],
      ["launch", undefined, "ask"],
      ["launch", "a.txt", "ask"],
    ] as const;
    for (const [operation, file, expected] of rows)
      expect(await doing(operation, file), `${operation} ${file ?? ""}`).to.equal(expected);
    expect(lab.log.filter((line) => line.startsWith("start"))).to.have.lengthOf(6);
    for (const approval of await approvals(stage.host)) expect(approval.reason).to.match(/\w+ \w+/);
  });

  verifies(
    ["policy:table", "A11", "A12"],
    "lets files in the working directory be edited, and asks before they are deleted",
    async () => {
      expect(await treatment("create_file", { filePath: "new.txt", content: "one" })).to.equal("allow");
      expect(
        await treatment("replace_string", { filePath: "new.txt", oldString: "one", newString: "two" }),
      ).to.equal("allow");
      expect(await treatment("write_file", { filePath: "new.txt", content: "three" })).to.equal("allow");
      expect(await treatment("create_directory", { filePath: "folder" })).to.equal("allow");
      expect(readFileSync(`${work}/new.txt`, "utf8")).to.equal("three");
      expect(await treatment("delete_file", { filePath: "new.txt" })).to.equal("ask");
      expect(existsSync(`${work}/new.txt`)).to.equal(true);
    },
  );

  verifies(["policy:table", "A08", "A09"], "goes by the real path, segment by segment", async () => {
    const asks = [
      "link/x.txt",
      "b.txt",
      "link",
      `${work}/link/deep/x`,
      `${beside}/c.txt`,
      `${work}-none/x`,
      "~/x.txt",
    ];
    for (const filePath of asks)
      expect(`${filePath} ${await treatment("write_file", { filePath, content: "x" })}`).to.equal(
        `${filePath} ask`,
      );
    expect(readFileSync(`${outside}/b.txt`, "utf8")).to.equal("text\n");
    for (const filePath of ["../outside/x", "a/../../x", ".."])
      expect(await treatment("write_file", { filePath, content: "x" })).to.equal("path_escape");
    expect(await treatment("write_file", { filePath: "folder/../ok.txt", content: "x" })).to.equal("allow");
    for (const filePath of ["", "a\0b"])
      expect(await treatment("read_file", { filePath })).to.equal("invalid_value");
  });

  verifies(
    ["policy:table", "A10"],
    "looks at every path: both ends of a rename, each element of an array, those in a patch",
    async () => {
      const move = (paths: readonly string[], also?: string) =>
        treatment("lab", { operation: "move", paths, ...(also === undefined ? {} : { also }) });
      expect(await move(["a.txt", "c.txt"])).to.equal("allow");
      expect(await move(["a.txt", "c.txt", `${outside}/x`])).to.equal("ask");
      expect(await move(["a.txt", "b.txt"])).to.equal("ask");
      expect(await move(["a.txt"], "c.txt")).to.equal("ask");
      expect(await move(["a.txt"], "../x")).to.equal("path_escape");
      expect(await treatment("rename_file", { oldPath: "a.txt", newPath: `${outside}/a.txt` })).to.equal(
        "ask",
      );
      expect(await treatment("rename_file", { oldPath: `${outside}/b.txt`, newPath: "moved.txt" })).to.equal(
        "ask",
      );
      const replace = (filePath: string) => ({ filePath, oldString: "text", newString: "new" });
      expect(
        await treatment("multi_replace_string", {
          replacements: [replace("a.txt"), replace(`${outside}/b.txt`)],
        }),
      ).to.equal("ask");
      const patch = `*** Begin Patch\n*** Add File: ${outside}/added.txt\n+x\n*** End Patch`;
      expect(await treatment("file_operations", { operation: "apply_patch", patch })).to.equal("ask");
      const removing = "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch";
      expect(await treatment("file_operations", { operation: "apply_patch", patch: removing })).to.equal(
        "ask",
      );
      expect(readdirSync(outside)).to.deep.equal(["b.txt"]);
      expect(readFileSync(`${work}/a.txt`, "utf8")).to.equal("text\n");
    },
  );

  verifies(
    ["policy:protected"],
    "asks before credential stores are read and trusted files are written",
    async () => {
      expect(await doing("scan", `${base}/keys/id`)).to.equal("ask");
      expect(await treatment("read_file", { filePath: `${base}/keys/id` })).to.equal("ask");
      expect(await treatment("list_dir", { filePath: `${base}/keys` })).to.equal("ask");
      for (const filePath of [
        ".git/hooks/pre-commit",
        ".git/config",
        ".vscode/tasks.json",
        ".mcp.json",
        "sub/.gitmodules",
        ".bashrc",
        "pergola.config.json",
      ])
        expect(`${filePath} ${await treatment("create_file", { filePath, content: "x" })}`).to.equal(
          `${filePath} ask`,
        );
      expect(await treatment("rename_file", { oldPath: "a.txt", newPath: ".vscode/settings.json" })).to.equal(
        "ask",
      );
      expect(await treatment("create_file", { filePath: "git/hooks.txt", content: "x" })).to.equal("allow");
      expect(existsSync(`${work}/.mcp.json`)).to.equal(false);
    },
  );

  verifies(["policy:never", "A25"], "refuses the service's own files, however they are reached", async () => {
    const data = stage.host.dataDirectory;
    const secret =
      readdirSync(data)
        .map((name) => `${data}/${name}`)
        .find((file) => statSync(file).isFile()) ?? "";
    expect(secret).to.not.equal("");
    symlinkSync(data, `${work}/data`);
    symlinkSync(secret, `${work}/store`);
    linkSync(secret, `${work}/hard`);
    const before = (await approvals(stage.host)).length;
    const ways = [
      secret,
      `${data}/x/../${secret.slice(data.length + 1)}`,
      "store",
      "hard",
      `data${secret.slice(data.length)}`,
      `${data}/new-file`,
      secret.toUpperCase(),
    ];
    for (const filePath of ways) {
      expect(`${filePath} ${await treatment("read_file", { filePath })}`).to.equal(
        `${filePath} permission_denied`,
      );
      expect(`${filePath} ${await treatment("write_file", { filePath, content: "x" })}`).to.equal(
        `${filePath} permission_denied`,
      );
    }
    expect(await treatment("rename_file", { oldPath: "store", newPath: "mine" })).to.equal(
      "permission_denied",
    );
    expect(await treatment("list_dir", { filePath: "data" })).to.equal("permission_denied");
    const { result } = await execute("list_dir", { filePath: base });
    const { entries } = JSON.parse(result) as { entries: { name: string }[] };
    expect(entries.map(({ name }) => name)).to.deep.equal([
      "data.pergola.json",
      "keys",
      "outside",
      "work",
      "work-beside",
    ]);
    const found = await execute("grep_search", { query: "SQLite format", isRegexp: false });
    expect(found.result).to.not.include("store").and.to.not.include("hard");
    expect((await approvals(stage.host)).length).to.equal(before);
  });

  verifies(
    "A15",
    "judges a call without a conversation as one of the hidden conversation of its own",
    async () => {
      const { approvalId, success } = await execute("lab.wipe", { name: "loose" });
      const { body } = await stage.host.json<{ conversationId: string }>(
        "GET",
        `/api/approvals/${approvalId ?? ""}`,
      );
      const owner = await stage.host.json<{ alias: string; hidden: boolean }>(
        "GET",
        `/v1/conversations/${body.conversationId}`,
      );
      expect([success, owner.body.alias, owner.body.hidden]).to.deep.equal([false, "debug", true]);
      expect((await execute("lab.keep", { name: "kept" })).success).to.equal(true);
    },
  );
});
