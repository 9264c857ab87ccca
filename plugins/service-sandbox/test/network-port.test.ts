import { once } from "node:events";
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import type { Gate } from "../network-gate.ts";
import { openPort } from "../network-port.ts";
import { createDial } from "../dial.ts";

describe("a proxy on a port of the computer's own loopback", () => {
  let gate: Gate;
  let other: Server;
  let met = 0;
  before(async () => {
    other = createServer((_asked, answer) => answer.end("other")).listen(0, "127.0.0.1");
    other.on("connection", () => (met += 1));
    await once(other, "listening");
    gate = await openPort({ hosts: "public", dial: createDial({ privateHosts: [] }) });
  });
  after(async () => {
    other?.close();
    await gate?.close();
  });

  async function statusOf(method: string, secret?: string): Promise<number | undefined> {
    const target = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    const asked = request({
      host: "127.0.0.1",
      port: gate.port,
      method,
      path: method === "CONNECT" ? target : `http://${target}/`,
      headers: secret === undefined ? {} : { "proxy-authorization": `Basic ${btoa(secret)}` },
    }).end();
    const answered = (await once(asked, method === "CONNECT" ? "connect" : "response")) as [IncomingMessage];
    asked.destroy();
    return answered[0].statusCode;
  }

  it("answers only who brings its password, which no two programs share", async () => {
    const { username, password } = new URL(gate.env["http_proxy"] ?? "");
    for (const method of ["GET", "CONNECT"]) {
      for (const secret of [undefined, "pergola:", `${username}:${password}x`, `:${password}`])
        expect(await statusOf(method, secret), `${method} ${secret}`).to.equal(407);
      // The proxy itself then refuses this computer.
      expect(await statusOf(method, `${username}:${password}`)).to.equal(403);
    }
    expect(met).to.equal(0);
    const second = await openPort({ hosts: "public", dial: createDial({ privateHosts: [] }) });
    expect(new URL(second.env["http_proxy"] ?? "").password).to.not.equal(password);
    await second.close();
  });

  it("goes in front of no command line, and shows Node and its script where they are", () => {
    expect(gate.enter("git", ["fetch"])).to.deep.equal({ program: "git", args: ["fetch"] });
    for (const mount of gate.mounts)
      expect(typeof mount === "string" || mount.from === mount.to).to.equal(true);
  });
});
