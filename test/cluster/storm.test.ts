import { expect } from "chai";
import { needsPostgres } from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { storm } from "./storm.ts";

describe("three hosts, killed, stopped and cut from the database", function () {
  this.timeout(120_000);
  before(needsPostgres);

  it("lose nothing that was acknowledged, do nothing twice, and settle every run", async () => {
    const report = await storm({
      hosts: 3,
      conversations: 12,
      duration: 15_000,
      think: 100,
      blows: [
        ["kill", 0],
        ["stop", 1],
        ["cut", 2],
      ],
      pause: 500,
      length: 4000,
    });
    const { odd, missing, twice, unsettled } = report;
    const nothing = { odd: [], missing: [], twice: [], unsettled: [] };
    expect({ odd, missing, twice, unsettled }).to.deep.equal(nothing);
    expect(report.blows).to.be.greaterThan(2);
    expect(report.acknowledged, JSON.stringify(report)).to.be.greaterThan(10);
    expect(report.answeredElsewhere, JSON.stringify(report)).to.be.greaterThan(0);
  });
});
