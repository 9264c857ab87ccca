import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { officialPlugins, openStage, type Stage } from "../support/host.ts";
import { needsSandbox, runningWith, until } from "./support/program-stage.ts";

const script = path.join(import.meta.dirname, "support/nosy-server.mjs");

describe("MCP servers in the sandbox", function () {
  this.timeout(60_000);
  let stage: Stage;
  let canary: Server;
  let met = 0;
  const folder = temporaryFolder();
  const mark = String(330_000 + process.pid / 1e7);
  before(needsSandbox);
  before(async () => {
    mkdirSync(path.join(folder, "data"));
    writeFileSync(path.join(folder, "data", ".mcp.json"), "before");
    writeFileSync(path.join(folder, "secret"), "canary");
    canary = createServer((_asked, answer) => answer.end("canary")).listen(0, "127.0.0.1");
    canary.on("connection", () => (met += 1));
    await once(canary, "listening");
    const nosy = {
      command: process.execPath,
      args: [script],
      effects: { look: "read" },
      sandbox: true,
      read: [script],
      write: [path.join(folder, "data")],
      network: "public",
    };
    stage = await openStage(undefined, {
      plugins: officialPlugins(),
      settings: { mcp: { servers: { nosy } } },
    });
  });
  after(async () => {
    canary?.close();
    await stage?.end();
  });

  const look = async (code: string): Promise<unknown> => {
    const { body } = await stage.host.json<{ success: boolean; result: string }>(
      "POST",
      "/debug/mcp/execute",
      {
        tool: "mcp_nosy.look",
        arguments: { code },
        isUserInitiated: true,
      },
    );
    expect(body.success, JSON.stringify(body)).to.equal(true);
    return JSON.parse(body.result);
  };

  it("X71: read no home and no key, reach no loopback, and leave nobody behind", async () => {
    const files = [
      path.join(homedir(), ".ssh"),
      path.join(folder, "secret"),
      "/etc/shadow",
      stage.host.dataDirectory,
      `/proc/${process.pid}/environ`,
    ];
    const read = `const fs = await load("node:fs/promises"); const found = [];
      for (const file of ${JSON.stringify(files)}) found.push(await fs.stat(file).then(() => file, (error) => error.code));
      return found;`;
    expect(await look(read)).to.deep.equal(files.map(() => "ENOENT"));
    expect(
      await look('return (await (await load("node:fs/promises")).readdir(process.env.HOME)).length;'),
    ).to.equal(0);
    const write = `const fs = await load("node:fs/promises"); const at = ${JSON.stringify(path.join(folder, "data"))};
      await fs.writeFile(at + "/own", "x");
      return [at + "/.mcp.json", ${JSON.stringify(script)}, "/usr/x"].reduce(async (done, file) => [...(await done), await fs.writeFile(file, "evil").catch((error) => error.code)], []);`;
    expect(await look(write)).to.deep.equal(["EROFS", "EROFS", "EROFS"]);
    expect(readFileSync(path.join(folder, "data", ".mcp.json"), "utf8")).to.equal("before");
    expect(readFileSync(path.join(folder, "data", "own"), "utf8")).to.equal("x");
    const { port } = canary.address() as AddressInfo;
    const ports = [port, Number(new URL(stage.host.url).port)];
    const ask = `const http = await load("node:http");
      const get = (options) => new Promise((resolve) => http.get(options, (answer) => { answer.resume(); resolve(answer.statusCode); }).on("error", (error) => resolve(error.code)));
      const answers = [];
      for (const port of ${JSON.stringify(ports)})
        answers.push(await get({ host: "127.0.0.1", port }), await get({ host: "127.0.0.1", port: 3128, path: "http://127.0.0.1:" + port + "/" }));
      return answers;`;
    expect(await look(ask)).to.deep.equal(["ECONNREFUSED", 403, "ECONNREFUSED", 403]);
    expect(met).to.equal(0);
    const spawn = `const { spawn } = await load("node:child_process");
      spawn("setsid", ["sleep", "${mark}"], { detached: true, stdio: "ignore", env: {} }).unref(); return "spawned";`;
    expect(await look(spawn)).to.equal("spawned");
    await until("the child runs", () => runningWith(mark).length > 0);
    const { body } = await stage.host.json<{ result: string }>("POST", "/debug/mcp/execute", {
      tool: "mcp_servers.list_servers",
    });
    const [status] = JSON.parse(body.result) as readonly object[];
    expect(status).to.include({ server: "nosy", sandbox: "sandboxed" });
    await look("setTimeout(() => process.exit(0), 50); return 1;");
    await until("nobody is left", () => runningWith(mark).length === 0);
  });
});
