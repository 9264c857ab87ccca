import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { AppError, Caller } from "@pergola/sdk";
import type { HeldFile } from "@pergola/sdk/host";
import { temporaryFolder } from "@pergola/sdk/testing";
import { eventually } from "../support/lab-stage.ts";
import { needsSandbox, openPrograms, type ProgramStage } from "./support/program-stage.ts";

interface Answer {
  readonly file: HeldFile;
  readonly error?: { readonly code: string };
}

const owner: Caller = { kind: "owner", id: "", name: "", remote: false, scopes: [], root: null };

describe("files that appear under protected names", function () {
  this.timeout(120_000);
  let stage: ProgramStage;
  before(needsSandbox);
  beforeEach(async () => {
    stage = await openPrograms({ settings: { "authorization.protected_names": [".git/hooks", ".envrc"] } });
  });
  afterEach(() => stage?.end());

  const at = (file: string): string => path.join(stage.folder, file);
  const read = (file: string): string => readFileSync(at(file), "utf8");
  const list = async (): Promise<readonly HeldFile[]> =>
    (await stage.host.json<{ readonly files: readonly HeldFile[] }>("GET", "/api/held-files")).body.files;
  const ask = async (method: string, route: string) => {
    const { status, body } = await stage.host.json<Answer>(method, `/api/held-files/${route}`, {});
    return { status, code: body.error?.code };
  };
  const pending = () =>
    eventually(async () => {
      const { items } = await stage.host.services.approvals.list({ status: "pending" });
      return items[0];
    });
  /** Runs a command; what appeared is asked about, and the answer is no. Its result, for the model. */
  const refuse = async (command: string): Promise<string> => {
    await stage.call("terminal_operations.run_command", { command, explanation: "A test" });
    const { id } = await pending();
    await stage.host.services.approvals.answer(id, { approved: false });
    const ended = await eventually(
      async () => (await stage.host.services.approvals.get(id)).result ?? undefined,
    );
    return JSON.stringify(ended);
  };

  it("are listed after a no, and come back when the person wants them back", async () => {
    const told = await refuse(
      "mkdir -p deep/.git/hooks; echo hook > deep/.git/hooks/pre-commit; echo evil > .envrc",
    );
    const held = await list();
    expect(held.map((file) => file.path)).to.have.members([at("deep/.git"), at(".envrc")]);
    for (const file of held) expect(told).to.include(file.id);
    for (const { tool, operation, runId } of held)
      expect({ tool, operation, runId }).to.deep.equal({
        tool: "terminal_operations",
        operation: "run_command",
        runId: null,
      });
    rmSync(at("deep"), { recursive: true });
    for (const { id } of held) expect(await ask("POST", `${id}/restore`)).to.deep.include({ status: 200 });
    expect(read("deep/.git/hooks/pre-commit")).to.equal("hook\n");
    expect(read(".envrc")).to.equal("evil\n");
    expect(await list()).to.deep.equal([]);
    expect(await ask("POST", `${held[0]?.id}/restore`)).to.deep.equal({ status: 404, code: "not_found" });
    expect(readdirSync(path.join(stage.host.dataDirectory, "changes/held"))).to.deep.equal([]);
  });

  it("of a command in the background wait there for the person, who was not asked", async () => {
    await stage.call("terminal_operations.run_command", {
      command: "echo later > .envrc",
      explanation: "A test",
      isBackground: true,
    });
    const held = await eventually(async () => (await list())[0]);
    expect(existsSync(at(".envrc"))).to.equal(false);
    expect(await ask("POST", `${held.id}/restore`)).to.deep.include({ status: 200 });
    expect(read(".envrc")).to.equal("later\n");
  });

  it("do not come back over something else, through a link, or for a token of another folder", async () => {
    await refuse("mkdir deep; echo evil > deep/.envrc");
    const [held] = await list();
    const again = `${held?.id}/restore`;
    writeFileSync(at("deep/.envrc"), "mine");
    expect(await ask("POST", again)).to.deep.equal({ status: 409, code: "conflict" });
    expect(read("deep/.envrc")).to.equal("mine");
    const { heldFiles } = stage.host.services.tools;
    const elsewhere = { ...owner, kind: "token", root: path.join(stage.folder, "other") } as const;
    expect(await heldFiles.list(elsewhere)).to.deep.equal([]);
    for (const way of ["restore", "remove"] as const)
      expect(await heldFiles[way](held?.id ?? "", elsewhere).catch(({ code }: AppError) => code)).to.equal(
        "not_found",
      );
    const outside = temporaryFolder();
    rmSync(at("deep"), { recursive: true });
    symlinkSync(outside, at("deep"));
    expect(await ask("POST", again)).to.deep.equal({ status: 409, code: "conflict" });
    expect(readdirSync(outside)).to.deep.equal([]);
    expect(await list()).to.have.length(1);
  });

  it("are thrown away by the person, and with the days of backups", async () => {
    await refuse("echo one > .envrc");
    await refuse("echo two > .envrc");
    const [two, one] = await list();
    expect(await ask("DELETE", two?.id ?? "")).to.deep.include({ status: 200 });
    expect(await ask("DELETE", "..")).to.deep.include({ status: 404 });
    expect((await list()).map(({ id }) => id)).to.deep.equal([one?.id]);
    await refuse("echo three > .envrc");
    const note = path.join(stage.host.dataDirectory, "changes/held", one?.id ?? "", "note.json");
    const days = stage.host.services.preferences.get<number>("tools.file.backup_days");
    const longAgo = new Date(Date.now() - (days + 1) * 86_400_000).toISOString();
    writeFileSync(note, JSON.stringify({ ...one, at: longAgo }));
    await refuse("echo four > .envrc");
    expect(await list()).to.have.length(2);
    expect(existsSync(path.dirname(note))).to.equal(false);
  });

  /** A command that waits until the work is done, and then does something itself; its result. */
  const during = async (work: () => Promise<unknown>, then = "true"): Promise<string> => {
    const running = stage.call("terminal_operations.run_command", {
      command: `echo > begun; while [ ! -e go ]; do sleep 0.05; done; ${then}; rm begun go`,
      explanation: "A test",
    });
    await eventually(async () => existsSync(at("begun")) || undefined);
    await work();
    writeFileSync(at("go"), "");
    return JSON.stringify(await running);
  };
  const create = (filePath: string, content: string) =>
    stage.call("file_operations.create_file", { filePath: at(filePath), content, overwrite: true });

  it("stay when a call itself wrote them while a program ran, and the program left them alone", async () => {
    const result = await during(async () => {
      expect(await create(".envrc", "approved")).to.include({ success: true });
    });
    expect(result).to.include('"success":true').and.not.include("approval");
    expect(read(".envrc")).to.equal("approved");
    expect(await list()).to.deep.equal([]);
  });

  it("are moved away when the program changed what a call had written", async () => {
    await during(() => create(".envrc", "approved"), "echo evil >> .envrc");
    expect((await list()).map((file) => file.path)).to.deep.equal([at(".envrc")]);
    expect(existsSync(at(".envrc"))).to.equal(false);
  });

  it("stay when the person put them back while a program ran, as long as it leaves them alone", async () => {
    for (const then of ["true", "echo evil > repo/.git/hooks/post-checkout"]) {
      await refuse("mkdir -p repo/.git/hooks; echo hook > repo/.git/hooks/pre-commit");
      const [held] = await list();
      rmSync(at("repo"), { recursive: true });
      await during(() => ask("POST", `${held?.id}/restore`), then);
      expect((await list()).length, then).to.equal(then === "true" ? 0 : 1);
      expect(existsSync(at("repo/.git")), then).to.equal(then === "true");
      rmSync(at("repo"), { recursive: true });
    }
  });

  it("stay when another account made them meanwhile; a program has no such files", async function () {
    if (process.getuid?.() !== 0) return this.skip();
    await during(async () => {
      writeFileSync(at(".envrc"), "of another");
      chownSync(at(".envrc"), 65_534, 65_534);
    });
    expect(read(".envrc")).to.equal("of another");
    expect(await list()).to.deep.equal([]);
    mkdirSync(at("old"));
    writeFileSync(at("old/script"), "of another, from before");
    chownSync(at("old/script"), 65_534, 65_534);
    await refuse("mv old/script old/.envrc");
    expect((await list()).map((file) => file.path)).to.deep.equal([at("old/.envrc")]);
  });
});
