import { cpSync, rmSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { startHost } from "./support/host-process.ts";
import { openBuilt } from "./support/open-built.ts";
import { refusalOf } from "./support/refusal-of.ts";

describe("one host for each data directory", function () {
  this.timeout(20_000);

  it("refuses a second host, naming the directory and the process that has it", async () => {
    const dataDirectory = temporaryFolder();
    const first = await startHost(dataDirectory);
    await first.line();
    const { message } = await refusalOf(dataDirectory, { file: "other.db" });
    expect(message).to.include(dataDirectory);
    expect(message).to.include(`process ${first.pid}`);
    expect(await first.ask("put a")).to.equal("done");
    await first.stop();
  });

  it("R12: refuses a second host when the lock was removed, by what the database says", async () => {
    const dataDirectory = temporaryFolder();
    const first = await startHost(dataDirectory);
    await first.line();
    for (const name of ["pergola.lock", "pergola.pid"]) rmSync(path.join(dataDirectory, name));
    expect((await refusalOf(dataDirectory)).message).to.include(`process ${first.pid}`);
    expect(await first.ask("put a")).to.equal("done");
    await first.kill();
    await (await openBuilt(dataDirectory)).close();
  });

  it("R12: lets a host work on a copy of the data of another that is at work", async () => {
    const [dataDirectory, copy] = [temporaryFolder(), path.join(temporaryFolder(), "copy")];
    const first = await startHost(dataDirectory);
    await first.line();
    cpSync(dataDirectory, copy, { recursive: true });
    await (await openBuilt(copy)).close();
    await first.stop();
  });

  it("refuses a second host in the same process", async () => {
    const dataDirectory = temporaryFolder();
    const first = await openBuilt(dataDirectory);
    expect((await refusalOf(dataDirectory)).message).to.include(`process ${process.pid}`);
    await first.close();
  });

  it("lets the next host in when the first was closed", async () => {
    const dataDirectory = temporaryFolder();
    await (await openBuilt(dataDirectory)).close();
    await (await openBuilt(dataDirectory)).close();
  });

  it("lets the next host in when the first was killed", async () => {
    const dataDirectory = temporaryFolder();
    const first = await startHost(dataDirectory);
    await first.line();
    await first.ask("put a");
    await first.kill();
    const second = await openBuilt(dataDirectory);
    expect(await second.collection("lines", { indexes: [] }).count({})).to.equal(1);
    await second.close();
  });

  it("lets hosts of different data directories run side by side", async () => {
    const storages = await Promise.all([openBuilt(temporaryFolder()), openBuilt(temporaryFolder())]);
    await Promise.all(storages.map((storage) => storage.close()));
  });
});
