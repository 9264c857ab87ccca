import { expect } from "chai";
import { needsPostgres, sharedServer } from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { openService, type Service } from "../faults/support/service.ts";
import { freePort } from "../support/pergola.ts";

describe("two services on one data directory, with PostgreSQL", function () {
  this.timeout(60_000);
  let service: Service;
  before(needsPostgres);
  before(async () => {
    service = await openService(undefined, { storage: { ...(await sharedServer()).settings() } });
    await service.start();
  });
  after(() => service?.close());

  it("R12: the second is refused and says which process has it; the first goes on", async () => {
    const second = await service.project.run(["start", "--port", String(await freePort())]);
    expect(second.code).to.equal(3);
    expect(second.stderr).to.include(`is in use by another Pergola (process ${service.program.child.pid})`);
    expect((await service.request("GET", "/health")).status).to.equal(200);
  });

  it("R12: the next one starts at once where the first was killed", async () => {
    await service.restart();
    expect((await service.request("GET", "/health")).status).to.equal(200);
  });
});
