import { expect } from "chai";
import { temporaryFolder, toolContext } from "@pergola/sdk/testing";
import plugin from "../index.ts";
import { openPostgres } from "../open-postgres.ts";
import { refusal } from "./support/open.ts";
import { needsPostgres, sharedServer } from "./support/postgres-server.ts";

const { log } = toolContext();

describe("one host for each data directory, with PostgreSQL too", () => {
  before(needsPostgres);

  const open = async (dataDirectory: string, settings?: object) =>
    openPostgres({ ...(settings ?? (await sharedServer()).settings()) }, { dataDirectory, log });

  it("refuses a second host, whatever its schema, naming the directory and the process that has it", async () => {
    const dataDirectory = temporaryFolder();
    const first = await open(dataDirectory);
    const { message } = await refusal(open(dataDirectory));
    expect(message).to.include(`${dataDirectory} is in use by another Pergola (process ${process.pid})`);
    await first.collection("things", { indexes: [] }).put({ id: "a" });
    await first.close();
    await (await open(dataDirectory)).close();
  });

  it("gives the directory free again where the database cannot be used", async () => {
    const dataDirectory = temporaryFolder();
    const away = { type: "postgres", url: "postgres://x@/y?host=/nowhere", wait_seconds: 0 };
    expect((await refusal(open(dataDirectory, away))).message).to.match(/does not answer/);
    await (await open(dataDirectory)).close();
  });

  it("lets nobody begin while a backup is put back", async () => {
    const dataDirectory = temporaryFolder();
    const letGo = await plugin.storages![0]!.hold!({}, dataDirectory);
    expect((await refusal(open(dataDirectory))).message).to.match(/is in use by another Pergola/);
    letGo();
    await (await open(dataDirectory)).close();
  });

  it("lets hosts of one database run side by side, each in a directory of its own", async () => {
    const settings = (await sharedServer()).settings();
    const hosts = await Promise.all([open(temporaryFolder(), settings), open(temporaryFolder(), settings)]);
    await Promise.all(hosts.map(async (host) => host.close()));
  });
});
