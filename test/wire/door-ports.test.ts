import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import net, { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import type { Context } from "mocha";
import { startTestHost } from "@pergola/sdk/testing";
import { hasIPv6 } from "../support/has-ipv6.ts";
import { ask, officialPlugins } from "../support/host.ts";
import { commandOf, freePort, openProject, watchProgram, type Project } from "../support/pergola.ts";
import { writePlugin } from "../support/plugins/write-plugin.ts";
import { promised } from "../support/promised.ts";
import { rawRequest } from "../support/raw-request.ts";
import { verifies } from "../support/verifies.ts";

const statusOf = (url: string): Promise<number> =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  );

describe("the port of a service", function () {
  this.timeout(60_000);
  let project: Project;

  before(async () => {
    project = await openProject();
  });
  after(() => project.close());

  verifies("door:both-loopbacks", "S22: is open on 127.0.0.1 and on ::1", async function (this: Context) {
    if (!hasIPv6()) this.skip();
    const host = await startTestHost({
      plugins: officialPlugins(),
      settings: { storage: { type: "memory" } },
    });
    const { port } = new URL(host.url);
    for (const name of ["127.0.0.1", "[::1]", "localhost"])
      expect([name, await statusOf(`http://${name}:${port}/api/runs`)]).to.deep.equal([name, 200]);
    await host.stop();
    for (const name of ["127.0.0.1", "[::1]"])
      expect([name, await statusOf(`http://${name}:${port}/health`)]).to.deep.equal([name, 0]);
  });

  verifies(
    "door:both-loopbacks",
    "S22: is shared with nobody by the name localhost",
    async function (this: Context) {
      if (!hasIPv6()) this.skip();
      const stranger = createServer((socket) => socket.end()).listen(0, "::1");
      await once(stranger, "listening");
      const { port } = stranger.address() as AddressInfo;
      const program = project.begin(["start", "--port", String(port)], { mode: "source" });
      await program.wrote("stop with Ctrl-C");
      expect(program.stdout + program.stderr).to.include(`Another program listens on [::1]:${port}`);
      const url = `http://127.0.0.1:${port}`;
      expect(await statusOf(`${url}/api/runs`)).to.equal(200);
      for (const headers of [
        `Host: localhost:${port}`,
        `Host: [::1]:${port}`,
        `Host: 127.0.0.1\r\nOrigin: http://localhost:${port}`,
        `Host: 127.0.0.1\r\nOrigin: http://[::1]:${port}`,
      ]) {
        const { status } = await rawRequest(url, `GET /api/runs HTTP/1.1\r\n${headers}\r\n\r\n`);
        expect([headers, status]).to.deep.equal([headers, 403]);
      }
      expect(await program.end()).to.equal(0);
      stranger.close();
    },
  );

  verifies(
    "door:half-open",
    "R8: answers while 500 others never finish a header",
    async function (this: Context) {
      if (process.platform !== "linux") this.skip();
      const port = await freePort();
      const { folder, data, environment } = project;
      const command = [...commandOf("source"), "start", "--settings", project.settings(), "--data", data];
      const child = spawn(
        "sh",
        ["-c", 'ulimit -n 600; exec "$@"', "sh", ...command, "--port", String(port)],
        {
          cwd: folder,
          env: environment,
        },
      );
      const program = watchProgram(child);
      await program.wrote("stop with Ctrl-C");
      const half = await Promise.all(
        Array.from({ length: 500 }, async () => {
          const socket = net.connect(port, "127.0.0.1").on("error", () => undefined);
          await once(socket, "connect");
          socket.write("GET /health HTTP/1.1\r\nHost: loc");
          return socket;
        }),
      );
      for (let round = 0; round < 5; round++)
        expect(await statusOf(`http://127.0.0.1:${port}/api/runs`)).to.equal(200);
      for (const socket of half) socket.destroy();
      expect(await program.end()).to.equal(0);
    },
  );

  verifies("door:stopping", "R9: answers 503 until the last plugin has stopped", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "pergola-stopping-"));
    const [stops, go] = [promised(), promised()];
    const test = { stops: stops.keep, go: go.promise };
    Object.assign(globalThis, { pergolaStopping: test });
    const slow = writePlugin(folder, {
      id: "policy-slow",
      kind: "policy",
      code: "export default { async stop() { pergolaStopping.stops(); await pergolaStopping.go; } };",
    });
    const host = await startTestHost({
      plugins: [...officialPlugins(), { use: slow, isolation: "trusted" }],
      settings: { storage: { type: "memory" } },
    });
    const stopped = host.stop();
    await stops.promise;
    const health = await host.request("GET", "/health");
    expect([health.status, await health.json()]).to.deep.equal([503, { status: "stopping" }]);
    for (const [method, route] of [
      ["POST", "/api/chat/completions"],
      ["GET", "/api/runs"],
      ["GET", "/nothing"],
    ] as const) {
      const answer = await host.request(method, route, method === "POST" ? ask("Hi") : undefined);
      const { error } = (await answer.json()) as { readonly error: { readonly code: string } };
      expect([route, answer.status, error.code]).to.deep.equal([route, 503, "shutting_down"]);
      expect(Number(answer.headers.get("retry-after"))).to.be.above(0);
    }
    go.keep();
    await stopped;
    expect(await statusOf(`${host.url}/health`)).to.equal(0);
    rmSync(folder, { recursive: true });
    Reflect.deleteProperty(globalThis, "pergolaStopping");
  });
});
