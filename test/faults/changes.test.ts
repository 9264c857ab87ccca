import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { chatReply, type MockReply, type ScriptedCall } from "@pergola/sdk/testing";
import { expect } from "chai";
import {
  commanding,
  openChanges,
  unasked,
  writing,
  type WirePage,
  type WireRevert,
} from "../support/changes-scene.ts";
import { ask } from "../support/host.ts";
import { eventually, runOf } from "../support/lab-stage.ts";
import { execute, type Executed } from "../support/tool-scene.ts";
import { openService, type Service } from "./support/service.ts";

const number = 30;
const old = (index: number): string => `old ${index}`;

describe("changes of files and kill -9", function () {
  this.timeout(60_000);
  let service: Service;
  let replies: MockReply[] = [];
  before(async () => {
    service = await openService(() => replies.shift() ?? chatReply({ text: "Done." }), unasked);
    await service.start();
  });
  after(() => service.close());

  const begin = (folder: string, conversationId: string, calls: readonly ScriptedCall[]): void => {
    replies = [chatReply({ toolCalls: [...calls] })];
    const body = ask("Go", {
      conversationId,
      service_config: { working_directory: folder, enable_terminal_access: true },
    });
    void service.request("POST", "/api/chat/completions", body).catch(() => undefined);
  };
  const changesOf = async (id: string) =>
    (await service.json<WirePage>("GET", `/api/runs/${id}/changes?limit=1000`)).body;
  const folderOf = (name: string): string => {
    const folder = path.join(service.project.folder, name);
    mkdirSync(folder);
    return folder;
  };

  for (const after of [1, 7, 18])
    it(`tell what happened and what did not when writes are cut after ${after}, and all goes back`, async () => {
      const folder = folderOf(`cut-${after}`);
      const file = (index: number): string => path.join(folder, `${index}.txt`);
      const text = (index: number): string => readFileSync(file(index), "utf8");
      for (let index = 0; index < number; index += 2) writeFileSync(file(index), old(index));
      const calls = Array.from({ length: number }, (_, index) => writing(`${index}.txt`, `new ${index}`));
      begin(folder, `cut-${after}`, calls);
      await eventually(() => (existsSync(file(after)) && text(after).startsWith("new") ? true : undefined));
      await service.restart();
      const run = await runOf(service, `cut-${after}`);
      const { changes } = await changesOf(run.id);
      const isNew = (index: number): boolean => existsSync(file(index)) && text(index) === `new ${index}`;
      const changed = Array.from({ length: number }, (_, index) => index).filter(isNew);
      expect(changed.length).to.be.at.least(after).and.lessThan(number);
      expect(changes.map((one) => one.path).toSorted()).to.deep.equal(changed.map(file).toSorted());
      expect(changes.map(({ state, revertible }) => `${state} ${revertible}`)).to.deep.equal(
        changes.map(() => "done true"),
      );
      const { body } = await service.json<WireRevert>("POST", `/api/runs/${run.id}/revert`, {});
      expect(body).to.deep.include({ success: true, refused: [] });
      for (let index = 0; index < number; index++)
        expect(existsSync(file(index)) ? text(index) : undefined).to.equal(
          index % 2 === 0 ? old(index) : undefined,
        );
      expect(readdirSync(folder).filter((name) => name.startsWith("."))).to.deep.equal([]);
    });

  it("find what a command had changed when it was cut, and say that the list may hold more", async () => {
    const folder = folderOf("command");
    const file = path.join(folder, "a.txt");
    writeFileSync(file, "before");
    begin(folder, "command", [commanding("printf after > a.txt; printf new > b.txt; exec sleep 20")]);
    await eventually(() => (existsSync(path.join(folder, "b.txt")) ? true : undefined));
    await service.restart();
    const run = await runOf(service, "command");
    const { changes, complete, gaps } = await changesOf(run.id);
    expect(changes.map(({ kind, path: at }) => `${kind} ${path.basename(at)}`)).to.deep.equal([
      "created b.txt",
      "modified a.txt",
    ]);
    expect([complete, gaps[0]?.reason.includes("stopped while a program ran")]).to.deep.equal([false, true]);
    expect((await service.json<WireRevert>("POST", `/api/runs/${run.id}/revert`, {})).body.success).to.equal(
      true,
    );
    expect([readFileSync(file, "utf8"), readdirSync(folder)]).to.deep.equal(["before", ["a.txt"]]);
  });

  it("leave a file alone when the disk does not take what stood in it", async function () {
    if (spawnSync("prlimit", ["--version"]).status !== 0) return this.skip();
    const folder = folderOf("full");
    const file = path.join(folder, "a.txt");
    const large = "x".repeat(10_000_000);
    writeFileSync(file, large);
    const write = async (): Promise<Executed> => {
      const args = { operation: "write_file", filePath: "a.txt", content: "small" };
      return execute({ host: service as never }, "file_operations", args, {
        workingDirectory: folder,
        isUserInitiated: true,
      });
    };
    const store = readdirSync(service.project.data).map((name) =>
      statSync(path.join(service.project.data, name)),
    );
    const limit = Math.max(...store.map((stats) => (stats.isFile() ? stats.size : 0))) + 1_000_000;
    const pid = String(service.program.child.pid);
    spawnSync("prlimit", ["--pid", pid, `--fsize=${limit}:`]);
    const refused = await write();
    spawnSync("prlimit", ["--pid", pid, "--fsize=unlimited:"]);
    expect([refused.success, refused.error_code]).to.deep.equal([false, "storage_unavailable"]);
    expect(readFileSync(file, "utf8")).to.equal(large);
    const { body } = await service.json<WirePage>("GET", "/api/changes?conversationId=debug");
    expect(body.count).to.equal(0);
    expect((await write()).success).to.equal(true);
    expect(readFileSync(file, "utf8")).to.equal("small");
  });
});

describe("a thousand changes of files in one run", function () {
  this.timeout(60_000);

  it("are found, listed in pages, and taken back", async () => {
    const scene = await openChanges();
    try {
      for (let index = 0; index < 500; index++) scene.put(`d${index % 10}/${index}.txt`, old(index));
      const command =
        "for i in $(seq 0 499); do printf new > d$((i % 10))/$i.txt; printf new > d$((i % 10))/more$i.txt; done";
      const run = await scene.run([commanding(command)], {
        service_config: { enable_terminal_access: true },
      });
      const { count, changes } = await scene.changes(run, "?limit=10&offset=990");
      expect([count, changes.length]).to.deep.equal([1000, 10]);
      const done = await scene.revert(run);
      expect([done.success, done.reverted.length]).to.deep.equal([true, 1000]);
      expect([scene.read("d7/7.txt"), readdirSync(scene.at("d7")).length]).to.deep.equal([old(7), 50]);
      rmSync(scene.at("d1"), { recursive: true });
      expect((await scene.revert(done.revertId ?? "", { partial: true })).refused).to.have.length(50);
      expect(scene.read("d7/more7.txt")).to.equal("new");
    } finally {
      await scene.end();
    }
  });
});
