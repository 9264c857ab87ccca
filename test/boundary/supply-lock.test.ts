import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { freePort } from "../support/pergola.ts";
import { openSupplyScene, type SupplyScene } from "../support/supply-scene.ts";
import { needsSandbox } from "./support/program-stage.ts";

interface Called {
  readonly success: boolean;
  readonly error?: string;
  readonly result?: unknown;
}

const body = `try { await context.files.write(args.path, "evil"); return { data: "written" }; }
  catch (error) { return { data: error.code }; }`;

describe("the lock, the key and the audit", function () {
  this.timeout(240_000);
  let scene: SupplyScene;
  let url: string;
  before(needsSandbox);
  before(async () => {
    scene = await openSupplyScene();
    await scene.add(
      scene.dice({
        permissions: { files: "any" },
        effect: "write",
        parameters: { path: { type: "string" } },
        body,
      }),
    );
    const port = await freePort();
    const service = scene.project.begin(["start", "--port", String(port)]);
    await service.wrote("stop with Ctrl-C");
    url = `http://127.0.0.1:${port}`;
  });
  after(() => (scene as SupplyScene | undefined)?.close());

  const call = async (name: string, args: object): Promise<Called> => {
    const answer = await fetch(`${url}/debug/mcp/execute`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        tool: name,
        arguments: args,
        isUserInitiated: true,
        workingDirectory: scene.project.folder,
      }),
    });
    return (await answer.json()) as Called;
  };

  it("X26 no tool reads, writes or deletes the lock, an added plugin, the key or the audit, by no link either", async () => {
    const { project } = scene;
    const good = path.join(project.folder, "good.txt");
    expect(await call("file_operations.write_file", { filePath: good, content: "good" })).to.include({
      success: true,
    });
    const configuration = path.join(project.environment["XDG_CONFIG_HOME"]!, "pergola");
    const files = {
      lock: path.join(project.data, "plugins", "lock.json"),
      plugin: path.join(scene.installed(), "index.js"),
      audit: path.join(project.data, "audit", "audit.jsonl"),
      key: path.join(configuration, "secret.key"),
    };
    mkdirSync(path.dirname(files.audit), { recursive: true });
    mkdirSync(configuration, { recursive: true });
    writeFileSync(files.audit, "as it was", { flag: "a", mode: 0o600 });
    writeFileSync(files.key, "as it was", { mode: 0o600 });
    for (const [name, file] of Object.entries(files)) {
      const before = readFileSync(file);
      const soft = path.join(project.folder, `${name}.soft`);
      symlinkSync(file, soft);
      const targets = [file, soft];
      if (name !== "key") {
        const hard = path.join(project.folder, `${name}.hard`);
        linkSync(file, hard);
        targets.push(hard);
      }
      for (const target of targets)
        for (const operation of ["write_file", "read_file", "delete_file"]) {
          const called = await call(`file_operations.${operation}`, { filePath: target, content: "evil" });
          expect(JSON.stringify(called), `${operation} ${target}`).to.include("permission_denied");
          expect(called.success, `${operation} ${target}`).to.equal(false);
        }
      expect(JSON.stringify(await call("dice.roll", { path: file })), name).to.include("permission_denied");
      // The audit goes on by itself: it tells of the calls.
      const after = name === "audit" ? readFileSync(file).subarray(0, before.length) : readFileSync(file);
      expect(after.equals(before), name).to.equal(true);
    }
  });
});
