import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Readable } from "node:stream";
import { expect } from "chai";
import type { SandboxNetwork } from "@pergola/sdk/host";
import { temporaryFolder } from "@pergola/sdk/testing";
import { openSandbox } from "../sandbox.ts";
import { needsSandbox } from "./needs-sandbox.ts";

const limits = {
  dataBytes: Infinity,
  fileBytes: Infinity,
  scratchBytes: 2 ** 24,
  processes: Infinity,
  files: Infinity,
};

const nodeFolder = path.dirname(process.execPath);

const serving =
  "const s=require('http').createServer((q,a)=>a.end('other '+q.headers.host)).listen(0,'127.0.0.1',()=>console.log(s.address().port))";

describe("a program with a network gate", function () {
  this.timeout(20_000);
  const sandbox = openSandbox({ dataDirectory: temporaryFolder(), preference: () => undefined });
  let own: Server;
  let other: ChildProcess;
  let met = 0;
  let [ownPort, otherPort] = [0, 0];
  before(needsSandbox);
  before(async () => {
    own = createServer((_asked, answer) => answer.end("own")).listen(0, "127.0.0.1");
    own.on("connection", () => (met += 1));
    await once(own, "listening");
    ownPort = (own.address() as AddressInfo).port;
    other = spawn(process.execPath, ["-e", serving], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(other.stdout as Readable, "data")) as [Buffer];
    otherPort = Number(line);
  });
  after(async () => {
    own?.close();
    other?.kill("SIGKILL");
  });

  async function shell(script: string, network: SandboxNetwork): Promise<string> {
    const folder = temporaryFolder();
    const plan = {
      read: [nodeFolder],
      write: [folder],
      keep: [],
      network,
      limits,
      workingDirectory: folder,
    };
    const { program, args, env, release } = await sandbox.wrap({ kind: "program", ...plan }, "sh", [
      "-c",
      script,
    ]);
    const child = execFile(program, args, {
      env: { PATH: `${nodeFolder}:/usr/bin:/bin`, ...env },
      timeout: 15_000,
    });
    const pieces: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (piece: string) => pieces.push(piece));
    await once(child, "close");
    await release();
    return pieces.join("");
  }
  /** Requests through the proxy and without it, by Node alone. */
  const ask = (host: string, port: number): string =>
    `node -e 'const http=require("http");const say=(a)=>a.on("data",(d)=>console.log(a.statusCode,String(d)));
    http.get({host:"127.0.0.1",port:3128,path:"http://${host}:${port}/"},say);
    http.get({host:"${host}",port:${port}},say).on("error",(e)=>console.log(e.code))'`;

  it("reaches what is listed, through the proxy only", async () => {
    const output = await shell(ask("127.0.0.1", otherPort), {
      hosts: "public",
      privateHosts: [`127.0.0.1:${otherPort}`],
    });
    expect(output).to.include(`200 other 127.0.0.1:${otherPort}`).and.include("ECONNREFUSED");
  });

  it("never reaches this process, listed or not", async () => {
    const network = { hosts: "public", privateHosts: ["127.0.0.1", "localhost"] } as const;
    const output = await shell(`${ask("127.0.0.1", ownPort)}; ${ask("localhost", ownPort)}`, network);
    expect(output.match(/403 Pergola/g), output).to.have.length(2);
    expect(output.match(/ECONNREFUSED/g), output).to.have.length(2);
    expect(met).to.equal(0);
  });

  it("is nobody's child, and ends with the program", async () => {
    const output = await shell(
      "wait; jobs; grep -h ^PPid /proc/[0-9]*/status; cat /proc/$$/task/*/children",
      {
        hosts: "public",
        privateHosts: [],
      },
    );
    expect(output).to.match(/PPid:\t1\n/);
    expect(output.trim().split("\n").at(-1)).to.match(/^PPid|^\d* *$/);
  });

  it("tunnels for ssh", async () => {
    const script = `printf 'GET / HTTP/1.0\\r\\n\\r\\n' | /run/pergola/node /run/pergola/gate/gate.cjs connect`;
    const address = "http://127.0.0.1:3128";
    const network = { hosts: "public", privateHosts: [`127.0.0.1:${otherPort}`] } as const;
    expect(await shell(`${script} 127.0.0.1 ${otherPort} ${address}`, network)).to.include("other");
    expect(await shell(`${script} 127.0.0.1 ${ownPort} ${address}`, network)).to.include(
      "may not be reached",
    );
  });
});
