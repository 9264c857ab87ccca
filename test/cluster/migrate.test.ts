import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { chatReply, toolContext, type MockScript } from "@pergola/sdk/testing";
import {
  needsPostgres,
  sharedServer,
  type PostgresServer,
} from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { openSqlite } from "../../plugins/storage-sqlite/open-sqlite.ts";
import { openService, type Service } from "../faults/support/service.ts";
import { officialPlugins } from "../support/host.ts";
import { openProject, type Project } from "../support/pergola.ts";

interface Part {
  readonly kind: string;
  readonly name: string;
  readonly source: { readonly count: number; readonly digest: string };
  readonly equal: boolean;
}

interface Moved {
  readonly finished: boolean;
  readonly sourceInUse: boolean;
  readonly compared: readonly Part[];
}

interface Bed {
  readonly id: string;
  readonly kind: string;
}

interface Sent {
  readonly role: string;
  readonly content: unknown;
}

/** A turn with "work" calls a tool first. */
const script: MockScript = ({ body }) => {
  const { messages } = body as { readonly messages: readonly Sent[] };
  const last = messages.findLast(({ role }) => role === "user");
  const isAnswered = messages.at(-1)?.role === "tool";
  if (!isAnswered && JSON.stringify(last?.content).includes("work in"))
    return chatReply({
      toolCalls: [{ name: "effects", arguments: { operation: "once", before: 5, after: 5 } }],
    });
  return chatReply({ text: `answer ${messages.length}` });
};

const plugins = officialPlugins(["bundle-standard", "provider-embedded", "provider-scripted"]);

/** Writes the settings of a project with a few others, into its own file or another one. */
function settingsWriter({ folder }: Project): (more: object, file?: string) => string {
  const own = path.join(path.dirname(folder), "settings.json");
  const before = JSON.parse(readFileSync(own, "utf8")) as object;
  return (more, file = own) => {
    writeFileSync(file, JSON.stringify({ ...before, ...more }));
    return file;
  };
}

/** One by one, so that a difference is shown. */
function expectSame(now: Readonly<Record<string, string>>, before: typeof now): void {
  for (const [route, answer] of Object.entries(before)) expect(now[route], route).to.equal(answer);
}

describe("pergola migrate", function () {
  this.timeout(180_000);
  let server: PostgresServer;
  before(needsPostgres);
  before(async () => {
    server = await sharedServer();
  });

  let service: Service | undefined;
  let project: Project | undefined;
  afterEach(async () => {
    await service?.close();
    await project?.close();
    [service, project] = [undefined, undefined];
  });

  const migrate = async (at: Project, ...words: readonly string[]) => {
    const { code, stdout, stderr } = await at.run(["migrate", ...words, "--json"]);
    return { code, stderr, moved: stdout === "" ? undefined : (JSON.parse(stdout) as Moved) };
  };
  const digests = (moved: Moved | undefined) =>
    moved?.compared
      .filter(({ source }) => source.count > 0)
      .map(({ name, source }) => [name, source.count, source.digest]);

  /** What a person sees of what was kept. */
  async function seen({ request }: Service): Promise<Readonly<Record<string, string>>> {
    const routes = [
      "/v1/conversations?limit=100",
      "/v1/conversations/garden",
      "/v1/conversations/garden?view=all",
      "/v1/conversations/garden/branches",
      "/v1/conversations/other",
      "/api/memories?query=roses",
      "/api/topics",
      "/api/preferences",
      "/api/tokens",
      "/api/runs",
    ];
    const answers: Record<string, string> = {};
    for (const route of routes) {
      const answer = await request("GET", route);
      // Each start has a port of its own.
      const text = (await answer.text()).replace(/"server\.port":\d+/, "");
      answers[route] = `${answer.status} ${text}`;
    }
    return answers;
  }

  async function live({ json }: Service): Promise<void> {
    const say = (conversationId: string, content: string, more: object = {}) =>
      json("POST", "/api/chat/completions", {
        model: "custom/test",
        conversationId,
        messages: [{ role: "user", content }],
        ...more,
      });
    await say("garden", "Which roses?");
    await say("garden", "work in the garden");
    await say("other", "Größe 🌿 \u0000 end");
    const { body } = await json<{ readonly messages: readonly { readonly id: string }[] }>(
      "GET",
      "/v1/conversations/garden",
    );
    await say("garden", "Or tulips?", { parentMessageId: body.messages[1]!.id });
    const memory = { conversationId: "garden", content: "The roses are cut in March", tags: ["roses"] };
    expect((await json("POST", "/api/memories", memory)).status).to.equal(201);
    expect((await json("POST", "/api/topics", { name: "Plants" })).status).to.equal(201);
    expect((await json("POST", "/api/tokens", { name: "phone" })).status).to.equal(201);
    expect((await json("PATCH", "/api/preferences", { "runs.max_parallel": 3 })).status).to.equal(200);
  }

  it("moves to PostgreSQL and back; the service then answers as before", async () => {
    service = await openService(script);
    const { project: at } = service;
    const storage = server.settings();
    const use = settingsWriter(at);
    await service.start();
    await live(service);
    const first = await seen(service);
    expect(first["/v1/conversations/garden?view=all"])
      .to.include("effects")
      .and.include("work in the garden");
    expect(first["/api/memories?query=roses"]).to.include("cut in March");
    const target = use({ storage }, path.join(at.folder, "postgres.json"));

    const early = await migrate(at, "--to", target);
    expect([early.code, early.moved?.sourceInUse, early.moved?.finished]).to.deep.equal([1, true, false]);
    await service.program.end();
    const there = await migrate(at, "--to", target);
    expect([there.code, there.stderr, there.moved?.finished]).to.deep.equal([0, "", true]);
    const names = there.moved?.compared.filter(({ source }) => source.count > 0).map(({ name }) => name);
    expect(names).to.include.members([
      "conversations",
      "messages",
      "runs",
      "memories",
      "policy-access/tokens",
    ]);

    use({ storage });
    await service.start();
    expectSame(await seen(service), first);
    const found = await service.request("GET", "/api/search?q=roses");
    expect(await found.text()).to.include("Which roses?");
    await service.program.end();

    const last = await migrate(at, "--to", "sqlite:back.db");
    expect([last.code, last.moved?.finished]).to.deep.equal([0, true]);
    use({ storage: { type: "sqlite", file: "back.db" } });
    await service.start();
    expectSame(await seen(service), first);
  });

  it("goes on after it was killed half way, and doubles nothing", async () => {
    project = await openProject();
    settingsWriter(project)({ plugins });
    mkdirSync(project.data, { recursive: true });
    const count = 30_000;
    const storage = await openSqlite({}, { dataDirectory: project.data, log: toolContext().log });
    storage.collection("things", { indexes: ["kind"] });
    const thing = (at: number) => ({ id: `t${at}`, kind: String(at % 7), body: "x".repeat(200) });
    for (let from = 0; from < count; from += 1000)
      await storage.commit(
        Array.from({ length: 1000 }, (_, at) => ({ collection: "things", put: thing(from + at) })),
      );
    await storage.close();
    const { type, url, schema } = server.settings();
    const target = settingsWriter(project)(
      { storage: { type, url, schema } },
      path.join(project.folder, "target.json"),
    );
    const copied = async (): Promise<number> => {
      const [row] = await server
        .query<{ readonly count: string }>(`SELECT count(*) FROM ${schema}.records_1`)
        .catch(() => []);
      return Number(row?.count ?? 0);
    };
    const killed = project.begin(["migrate", "--to", target]);
    const early = killed.ended.then((code) => expect.fail(`it ended with ${code}: ${killed.stderr}`));
    early.catch(() => undefined);
    while ((await copied()) === 0) await Promise.race([setTimeout(5), early]);
    expect(await killed.end("SIGKILL")).to.equal("SIGKILL");
    expect(await copied()).to.be.within(1, count - 1);
    const whole = await migrate(project, "--to", target);
    expect([whole.code, whole.moved?.finished, digests(whole.moved)?.length]).to.deep.equal([0, true, 1]);
    expect(await copied()).to.equal(count);
    await server.query(
      `UPDATE ${schema}.records_1 SET body = replace(body, 'xx', 'xy') WHERE body LIKE '%t77"%'`,
    );
    const checked = await project.run(["migrate", "--to", target, "--check"]);
    expect(checked.code).to.equal(1);
    expect(checked.stdout).to.include("things: DIFFERENT");
    const again = await migrate(project, "--to", target);
    expect([again.code, again.stderr.includes("data of its own")]).to.deep.equal([2, true]);
  });

  it("takes along what belongs to plugins that the settings of the target leave out, there and back", async () => {
    project = await openProject();
    const use = settingsWriter(project);
    use({ plugins });
    mkdirSync(project.data, { recursive: true });
    const own = await openSqlite({}, { dataDirectory: project.data, log: toolContext().log });
    const beds = own.collection<Bed>("tool-garden/beds", { indexes: ["kind"] });
    for (const [id, kind] of Object.entries({ a: "roses", b: "tulips", c: "roses" }))
      await beds.put({ id, kind });
    const texts = own.search("tool-garden/texts", { fields: { text: 1 }, dimensions: 0 });
    await texts.index([{ id: "a", scope: "garden", fields: { text: "red roses" } }]);
    await own.blobs.put("tool-garden/picture", Buffer.from("bytes"));
    await own.close();
    const lone = plugins.filter(({ use: folder }) => folder.endsWith("storage-postgres"));
    const target = use({ plugins: lone, storage: server.settings() }, path.join(project.folder, "lone.json"));
    const there = await migrate(project, "--to", target);
    const parts = [
      ["tool-garden/beds", 3],
      ["tool-garden/texts", 1],
      ["blobs", 1],
    ];
    const counts = (moved: Moved | undefined) => digests(moved)?.map(([name, count]) => [name, count]);
    expect([there.code, counts(there.moved)]).to.deep.equal([0, parts]);
    const back = await migrate(project, "--from", target, "--to", "sqlite:back.db");
    expect([back.code, digests(back.moved)]).to.deep.equal([0, digests(there.moved)]);
    const door = { dataDirectory: project.data, log: toolContext().log };
    const moved = await openSqlite({ file: "back.db" }, door);
    const found = await moved
      .collection<Bed>("tool-garden/beds", { indexes: ["kind"] })
      .find({ kind: "roses" });
    await moved.close();
    expect(found.map(({ id }) => id)).to.deep.equal(["a", "c"]);
  });

  it("reads an address from a variable, and prints no password", async () => {
    project = await openProject();
    const to = ["--to", "env:TARGET_URL"];
    const environment = { TARGET_URL: "postgres://me:hidden-word@127.0.0.1:9/none" };
    settingsWriter(project)({ plugins });
    const { code, stdout, stderr } = await project.run(["migrate", ...to], { environment });
    expect(code).not.to.equal(0);
    expect(stderr).to.include("127.0.0.1:9");
    expect(stdout + stderr).not.to.include("hidden-word");
    const unset = await project.run(["migrate", ...to]);
    expect(unset.stderr).to.include("The variable TARGET_URL is not set");
  });

  it("takes the address of a database, and prints the settings that name it without its password", async () => {
    project = await openProject();
    settingsWriter(project)({ plugins });
    mkdirSync(project.data, { recursive: true });
    const own = await openSqlite({}, { dataDirectory: project.data, log: toolContext().log });
    await own.collection("things", { indexes: [] }).put({ id: "one" });
    await own.close();
    await server.query("DROP SCHEMA IF EXISTS pergola CASCADE");
    // The server asks nobody of this computer for a password: it takes any.
    const address = server.url().replace("@", ":hidden-word@");
    const { code, stdout, stderr } = await project.run(["migrate", "--to", address]);
    expect([code, stderr]).to.deep.equal([0, "Copied: 1 record. Comparing…\n"]);
    const told = `{"type":"postgres","url":"${server.url()}","password":{"env":"PERGOLA_DATABASE_PASSWORD"}}`;
    expect(stdout).to.include(told).and.not.include("hidden-word");
    await server.query("DROP SCHEMA pergola CASCADE");
  });

  it("names what no plugin knows", async () => {
    project = await openProject();
    const { code, stderr } = await project.run(["migrate", "--to", "mysql://me:hidden-word@db/x"]);
    expect(code).to.equal(2);
    expect(stderr).to.include("addresses that begin with mysql:").and.not.include("hidden-word");
    const missing = await project.run(["migrate", "--to", "nowhere.json"]);
    expect(missing.code).to.equal(2);
    expect(missing.stderr).to.include("nowhere.json");
  });
});
