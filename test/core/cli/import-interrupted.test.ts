import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { writeExports, type ExportedChat } from "../../support/app-exports.ts";
import { freePort, openProject, type Program, type Project } from "../../support/pergola.ts";

interface Report {
  readonly imported: readonly string[];
  readonly present: number;
  readonly messages: number;
  readonly failed: readonly unknown[];
  readonly stopped: boolean | string;
}

interface Detail {
  readonly title: string;
  readonly messages: readonly { readonly content: string }[];
}

describe("an import that is killed", function () {
  this.timeout(120_000);
  let project: Project;
  let folder: string;
  let chats: readonly ExportedChat[];
  let port: number;
  before(async () => {
    project = await openProject();
    project.settings({ "memory.embedding_model": "" });
    folder = path.join(project.folder, "exports");
    chats = writeExports(folder, 30);
    port = await freePort();
  });
  after(() => project.close());

  async function start(): Promise<Program> {
    const service = project.begin(["start", "--port", String(port)]);
    await service.wrote("stop with Ctrl-C");
    return service;
  }
  const get = async <T>(route: string): Promise<T> =>
    (await (await fetch(`http://127.0.0.1:${port}${route}`)).json()) as T;
  const count = async (): Promise<number> =>
    (await get<{ readonly count: number }>("/v1/conversations?limit=1")).count;

  /** Begins an import, and kills something of it once more than so many conversations are here. */
  async function killIn(above: number, victim: (importer: Program) => Program): Promise<Program> {
    const importer = project.begin(["conversations", "import", folder, "--json"]);
    while ((await count()) <= above) await setTimeout(5);
    await victim(importer).end("SIGKILL");
    return importer;
  }

  async function details(): Promise<readonly Detail[]> {
    const all: Detail[] = [];
    for (let offset = 0; ; offset += 100) {
      const page = await get<{ readonly conversations: readonly { readonly id: string }[] }>(
        `/v1/conversations?limit=100&offset=${offset}`,
      );
      for (const { id } of page.conversations) all.push(await get<Detail>(`/v1/conversations/${id}`));
      if (page.conversations.length < 100) return all;
    }
  }

  it("goes on with the rest the next time, whole and once, from every app", async () => {
    let service = await start();
    await killIn(0, (importer) => importer);
    const first = await count();
    expect(first).to.be.within(1, chats.length - 1);
    const cut = await killIn(first + 5, () => service);
    expect(await cut.ended, cut.stderr).to.equal(3);
    expect((JSON.parse(cut.stdout) as Report).stopped).to.be.a("string").that.is.not.empty;
    service = await start();
    const second = await count();
    expect(second).to.be.within(first + 6, chats.length - 1);
    const run = async (): Promise<Report> => {
      const { code, stdout, stderr } = await project.run(["conversations", "import", folder, "--json"]);
      expect(code, stderr).to.equal(0);
      return JSON.parse(stdout) as Report;
    };
    const rest = await run();
    expect(rest).to.deep.include({ present: second, failed: [], stopped: false });
    expect([rest.imported.length, rest.messages]).to.deep.equal([
      chats.length - second,
      2 * (chats.length - second),
    ]);
    const said = (await details()).map(({ title, messages }) =>
      [title, ...messages.map(({ content }) => content)].join("\n"),
    );
    const exported = chats.map(({ title, question, answer }) => [title, question, answer].join("\n"));
    expect(said.toSorted()).to.deep.equal(exported.toSorted());
    expect(await run()).to.deep.include({ imported: [], present: chats.length, messages: 0 });
  });
});
