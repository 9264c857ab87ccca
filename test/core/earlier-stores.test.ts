import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import { openLastingDatabase } from "@pergola/kit-storage/directory";
import { startTestHost, temporaryFolder, toolContext, type TestHost } from "@pergola/sdk/testing";
import { openBackup } from "../../core/backup/open-backup.ts";
import { writeBackup } from "../../core/backup/write-backup.ts";
import sqlite from "../../plugins/storage-sqlite/index.ts";
import { root } from "../architecture/tree.ts";

const formats = path.join(root, "plugins/storage-sqlite/test/formats");
/** The days of the versions that made them, and how many memories their conversations had made. */
const stores = {
  "2026-11-20-morning": 0,
  "2026-11-20-evening": 1,
  "2026-11-22": 1,
  "2026-11-25": 1,
} as const;
const { log } = toolContext();

interface Lists {
  readonly conversations?: readonly { readonly id: string }[];
  readonly runs?: readonly { readonly id: string }[];
}

/** What the service shows of everything that the stores hold. */
interface Shown {
  readonly result: { readonly content: string };
  readonly conversations: readonly unknown[];
  readonly messages: string;
  readonly runs: readonly unknown[];
  readonly memories: { readonly count: number };
}

async function read<T>(host: TestHost, route: string): Promise<T> {
  const { status, body } = await host.json<T>("GET", route);
  expect(status, route).to.equal(200);
  return body;
}

async function shownBy(host: TestHost): Promise<Shown> {
  const { conversations = [] } = await read<Lists>(host, "/v1/conversations");
  const { runs = [] } = await read<Lists>(host, "/api/runs");
  const messages: unknown[] = [];
  for (const { id } of conversations) messages.push(await read(host, `/v1/conversations/${id}/messages`));
  const details: unknown[] = [];
  for (const { id } of runs) details.push(await read(host, `/api/runs/${id}`));
  const [, resultId = ""] = /"resultId":"([^"]+)"/.exec(JSON.stringify(messages)) ?? [];
  const result = await read<Shown["result"]>(host, `/api/tool_result?resultId=${resultId}`);
  const memories = await read<Shown["memories"]>(host, "/api/memories");
  return { result, conversations, messages: JSON.stringify(messages), runs: details, memories };
}

/** A data directory with the store of an earlier Pergola. */
function unpacked(name: string): string {
  const folder = path.join(temporaryFolder("pergola-earlier-"), "data");
  mkdirSync(folder);
  writeFileSync(
    path.join(folder, "pergola.db"),
    gunzipSync(readFileSync(path.join(formats, `${name}.db.gz`))),
  );
  return folder;
}

/** With what reads the stores, and nothing else. */
const plugins = [
  "storage-sqlite",
  "policy-authorization",
  "endpoint-conversations",
  "endpoint-runs",
  "endpoint-memories",
  "endpoint-results",
  "service-memory",
].map((name) => `@pergola/${name}`);

const start = (dataDirectory: string): Promise<TestHost> =>
  startTestHost({ dataDirectory, log, plugins, settings: { "memory.embedding_model": "" } });

/** All rows of the collections of a store, as text. */
function rowsIn(dataDirectory: string): string {
  const database = openLastingDatabase(path.join(dataDirectory, "pergola.db"), { readonly: true });
  const names = database.prepare("SELECT number, name FROM collections ORDER BY number").all() as readonly {
    readonly number: number;
  }[];
  const rows = names.map(({ number }) => database.prepare(`SELECT * FROM records_${number}`).all());
  database.close();
  return JSON.stringify([names, rows]);
}

describe("the stores of earlier versions", function () {
  this.timeout(90_000);
  const definition = sqlite.storages![0]!;

  it("are those of the folder", () => {
    const files = readdirSync(formats).filter((file) => file.endsWith(".db.gz"));
    expect(files).to.have.members(Object.keys(stores).map((name) => `${name}.db.gz`));
  });

  for (const [name, memories] of Object.entries(stores))
    it(`${name}: is read whole, is the same after a second start, and comes back from a backup`, async () => {
      const dataDirectory = unpacked(name);
      let host = await start(dataDirectory);
      const first = await shownBy(host);
      expect(first.messages).to.include("Tea grows in the hills.").and.include("Grüße 🌿");
      expect(first.messages).to.include("Tea needs rain.");
      expect(first.memories.count).to.equal(memories);
      expect(first.result.content).to.include("A line of a large file.");
      expect(first.conversations).to.have.length(2);
      expect(first.runs).to.have.length(7);

      await host.stop();
      host = await start(dataDirectory);
      expect(await shownBy(host)).to.deep.equal(first);

      const file = `${dataDirectory}.tar.gz`;
      const options = { dataDirectory, definition, settings: {}, version: "test", tell: () => undefined };
      await writeBackup(file, options);
      await host.stop();
      const restored = await openBackup(file, temporaryFolder(), { definition, settings: {}, log });
      expect(rowsIn(restored)).to.equal(rowsIn(dataDirectory));
    });

  it("are refused, with a clear line, by a version that came before", async () => {
    const dataDirectory = unpacked("2026-11-25");
    const database = openLastingDatabase(path.join(dataDirectory, "pergola.db"));
    database.pragma("user_version = 99");
    database.close();
    const failure = await start(dataDirectory).catch((error: unknown) => error as Error);
    expect(failure)
      .to.be.instanceOf(Error)
      .with.property("message")
      .that.matches(/was written by a later Pergola \(format 99; this one knows formats up to \d+\)/);
  });
});
