import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { needsPrograms } from "../boundary/support/needs-programs.ts";
import { ModelSource } from "../support/model-source.ts";
import { fences, placeOf, type Fence } from "./fences.ts";
import { openStage, type Stage } from "./stage.ts";
import { isTutorial, singleFiles, wayOf } from "./ways.ts";

/** What a page's reader has done before, and what stands in the place of an id that ends with dots. */
type Scene = (reader: Reader) => Promise<Readonly<Record<string, string>>>;

/** Sends a request as JSON and resolves with the answer. */
type Send = <T>(method: string, route: string, body?: object) => Promise<T>;

interface Reader {
  readonly stage: Stage;
  readonly folder: string;
  readonly send: Send;
  /** Has the guide make a file in the page's folder; resolves with the run's id. */
  readonly makeFile: (name: string) => Promise<string>;
}

interface Answer {
  readonly service_metadata: { readonly run_id: string };
}

interface Plugins {
  readonly plugins: readonly { readonly id: string; readonly state: string; readonly permissions: object }[];
}

interface Waiting {
  readonly approvals: readonly { readonly id: string }[];
}

const scenes: Readonly<Record<string, Scene>> = {
  "docs/undo.md": async ({ makeFile, send }) => {
    const [undone, other] = [await makeFile("old.txt"), await makeFile("src/leaf.txt")];
    await makeFile("new.txt");
    const { revertId } = await send<{ readonly revertId: string }>("POST", `/api/runs/${undone}/revert`, {});
    return { "run_…": other, "rev_…": revertId };
  },
  "docs/troubleshooting.md": async ({ send, folder }) => {
    writeFileSync(path.join(folder, "draft.txt"), "old roses\n");
    const messages = [
      { role: "user", content: "delete draft.txt" },
      {
        role: "assistant",
        content: "Shall I do this: delete file (file path “draft.txt”)? Answer yes or no.",
      },
      { role: "user", content: "yes" },
    ];
    const service_config = { working_directory: folder };
    await send("POST", "/v1/chat/completions", {
      model: "default",
      background: true,
      messages,
      service_config,
    });
    for (;;) {
      const [first] = (await send<Waiting>("GET", "/api/approvals")).approvals;
      if (first !== undefined) return { "apr_…": first.id };
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  },
  "docs/remote-access.md": async ({ stage, send }) => {
    mkdirSync(path.join(stage.home, "projects", "garden"), { recursive: true });
    await send("POST", "/api/tokens", { name: "first" });
    return {};
  },
};

/** What is typed at the commands of a page that read a line. */
const typed: Readonly<Record<string, string>> = {
  "README.md": "What can you do?\n",
  "docs/secrets.md": "sk-not-a-key\n",
};

/** Pages that undo the newest run, so that no other may change files meanwhile. */
const undoing = ["docs/undo.md"];

/** The files that the reader puts where tools are found. */
const tools = fences.filter((fence) => fence.page === singleFiles && fence.file !== undefined);

const running = fences.filter((fence) => wayOf(fence) === "run" && !isTutorial(fence.page));

/** The programs of the documentation, run as they stand by a reader with an empty home. */
describe("the commands and programs of the documentation", function () {
  this.timeout(300_000);
  const file = "name-Q4_K_M.gguf";
  let source: ModelSource;
  let stage: Stage;

  before(async function () {
    needsPrograms.call(this, ["curl", "openssl", "python3"]);
    source = await ModelSource.open({ [file]: { size: 400_000 } });
    stage = await openStage();
    const own = path.join(stage.home, ".config", "pergola");
    mkdirSync(path.join(own, "tools"), { recursive: true });
    for (const { file: name = "", text } of tools) writeFileSync(path.join(own, "tools", name), text);
    writeFileSync(
      path.join(own, "pergola.config.json"),
      JSON.stringify({ downloads: { base_url: source.url }, "plugins.require_sandbox": false }),
    );
    await stage.serve(stage.folderOf("service"));
  });
  after(async () => {
    await stage?.close();
    await source?.close();
  });

  const send: Send = async <T>(method: string, route: string, body?: object) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(stage.url + route, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return JSON.parse(text) as T;
  };

  const readerOf = (page: string): Reader => {
    const folder = stage.folderOf(page);
    const service_config = { working_directory: folder };
    const say = (conversationId: string, content: string): Promise<Answer> => {
      const messages = [{ role: "user", content }];
      return send("POST", "/v1/chat/completions", {
        model: "default",
        conversationId,
        service_config,
        messages,
      });
    };
    const makeFile = async (name: string): Promise<string> => {
      await say(name, `make a new file ${name} that says roses`);
      const { service_metadata } = await say(name, "yes");
      return service_metadata.run_id;
    };
    return { stage, folder, send, makeFile };
  };

  /** Runs a page's blocks, one after the other, and compares what they print with what is promised. */
  async function follow(page: string, blocks: readonly Fence[]): Promise<void> {
    const stands = Object.entries((await scenes[page]?.(readerOf(page))) ?? {});
    for (const block of blocks) {
      const text = stands.reduce((now, [hole, id]) => now.replaceAll(hole, id), block.text);
      const output = await stage.run({ ...block, text }, typed[page]);
      if (block.marker?.kind === "prints") expect(output, placeOf(block)).to.include(block.marker.text);
    }
  }

  const pages = [...new Set(running.map((block) => block.page))];
  const blocksOf = (page: string): readonly Fence[] => running.filter((block) => block.page === page);
  const others = pages.filter((page) => !undoing.includes(page));

  for (const page of undoing)
    it(`of ${page} run as they stand (${blocksOf(page).length})`, () => follow(page, blocksOf(page)));

  it(`of ${others.join(", ")} run as they stand (${others.flatMap(blocksOf).length})`, async () => {
    const waiting = [...others];
    const work = async (): Promise<void> => {
      for (let page = waiting.shift(); page !== undefined; page = waiting.shift())
        await follow(page, blocksOf(page));
    };
    await Promise.all([work(), work()]);
  });

  it(`of ${singleFiles} are tools that run, and may reach what they say`, async () => {
    const { plugins } = await send<Plugins>("GET", "/api/plugins");
    const found = plugins.filter(({ id }) => id.startsWith("file-"));
    const names = tools.map(({ file: name = "" }) => path.parse(name).name.replaceAll("_", "-"));
    expect(found.map(({ id, state }) => `${id} ${state}`)).to.have.members(
      names.map((name) => `file-${name} running`),
    );
    const reach = found.find(({ id }) => id === "file-address")?.permissions;
    expect(reach).to.deep.equal({ network: ["api.ipify.org"] });
  });
});
