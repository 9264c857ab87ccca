import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { Client as StatelessClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as StatelessTransport } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect } from "chai";
import { commandOf, freePort, openProject, type Program, type Project } from "../../support/pergola.ts";

interface Answer {
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean;
}

/** Resolves once a stream has brought the text. */
async function untilWritten(stream: Readable, text: string): Promise<void> {
  let written = "";
  for await (const piece of stream) {
    written += String(piece);
    if (written.includes(text)) return;
  }
  throw new Error(`"${text}" was not written: ${written}`);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("pergola mcp, with the protocol's own client", function () {
  this.timeout(60_000);
  let project: Project;
  const clients: (Client | StatelessClient)[] = [];
  /** The programs that they have started: the data are theirs until they have ended. */
  const programs: (number | null)[] = [];
  /** For each question, whether the person was shown the file. */
  const asked: boolean[] = [];
  before(async () => {
    project = await openProject();
  });
  afterEach(async () => {
    asked.length = 0;
    for (const client of clients.splice(0)) await client.close();
    for (const pid of programs.splice(0)) while (pid !== null && isAlive(pid)) await setTimeout(20);
  });
  after(() => project.close());

  function starting() {
    const [command = "", ...words] = [...commandOf("build"), "mcp"];
    const args = [...words, "--settings", project.settings(), "--data", project.data];
    return { command, args, env: { ...project.environment }, cwd: project.folder, stderr: "pipe" } as const;
  }

  async function connect(answer?: "allow once" | "deny"): Promise<Client> {
    const capabilities = answer === undefined ? {} : { elicitation: {} };
    const client = new Client({ name: "check", version: "1" }, { capabilities });
    if (answer !== undefined)
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        asked.push(params.message.includes("none.txt"));
        return { action: "accept", content: { answer } };
      });
    const transport = new StdioClientTransport(starting());
    await client.connect(transport);
    clients.push(client);
    programs.push(transport.pid);
    return client;
  }
  const begin = async (port: string): Promise<Program> => {
    const service = project.begin(["start", "--port", port]);
    await service.wrote("stop with Ctrl-C");
    return service;
  };

  /** A client of the revision 2026-07-28. */
  async function connectStateless(answer: "allow once" | "deny"): Promise<StatelessClient> {
    const client = new StatelessClient(
      { name: "check", version: "1" },
      { capabilities: { elicitation: {} }, versionNegotiation: { mode: "auto" } },
    );
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message.includes("none.txt"));
      return { action: "accept", content: { answer } };
    });
    const transport = new StatelessTransport(starting());
    await client.connect(transport);
    clients.push(client);
    programs.push(transport.pid);
    return client;
  }

  const call = async (client: Client | StatelessClient, name: string, args: object): Promise<Answer> =>
    (await client.callTool({ name, arguments: { ...args } })) as Answer;
  const think = { operation: "think", thoughts: "hm" };

  it("lists and calls the tools of a service of its own, and asks its person", async () => {
    const client = await connect("deny");
    expect(client.getServerVersion()?.name).to.equal("pergola");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).to.include("file_operations");
    expect((await call(client, "think", think)).isError ?? false).to.equal(false);
    writeFileSync(path.join(project.folder, "none.txt"), "");
    const removing = { operation: "delete_file", filePath: path.join(project.folder, "none.txt") };
    expect((await call(client, "file_operations", removing)).isError).to.equal(true);
    expect(asked).to.deep.equal([true]);
  });

  it("uses the service that runs, and finds it again after it was started anew", async () => {
    const port = String(await freePort());
    const first = await begin(port);
    const client = await connect();
    expect((await call(client, "think", think)).isError ?? false).to.equal(false);
    const { stderr } = client.transport as StdioClientTransport;
    const isMissed = untilWritten(stderr as Readable, "No service runs on this data");
    await first.end();
    // The client listens for what a service says, and looks for the one that is gone.
    await isMissed;
    const second = await begin(port);
    const again = await Promise.all([call(client, "think", think), call(client, "think", think)]);
    expect(again.map(({ isError = false }) => isError)).to.deep.equal([false, false]);
    await second.end();
  });

  it("serves a client of the revision 2026-07-28, which opens no session, and asks its person", async () => {
    const client = await connectStateless("allow once");
    expect(client.getNegotiatedProtocolVersion()).to.equal("2026-07-28");
    expect((await client.listTools()).tools.map(({ name }) => name)).to.include("file_operations");
    const file = path.join(project.folder, "none.txt");
    writeFileSync(file, "");
    const removing = { operation: "delete_file", filePath: file };
    expect((await call(client, "file_operations", removing)).isError).to.equal(false);
    expect([asked, existsSync(file)]).to.deep.equal([[true], false]);
  });

  it("needs no new client after the service was started anew", async () => {
    const port = String(await freePort());
    const first = await begin(port);
    const client = await connectStateless("allow once");
    expect((await call(client, "think", think)).isError ?? false).to.equal(false);
    await first.end();
    const second = await begin(port);
    expect((await call(client, "think", think)).isError ?? false).to.equal(false);
    await second.end();
  });
});
