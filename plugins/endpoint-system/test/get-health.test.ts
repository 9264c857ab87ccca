import { expect } from "chai";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import { getHealth } from "../routes.ts";

describe("GET /health", () => {
  it("R14: tells status, version and seconds since the start", async () => {
    const services = fakeServices({ system: { stopping: false, version: "1.2.3", uptime: () => 12.5 } });
    expect(await getHealth.handle(endpointRequest(), services)).to.deep.equal({
      body: { status: "ok", version: "1.2.3", uptime_seconds: 12.5 },
    });
  });

  it("turns to 503 when the service begins to stop", async () => {
    const answer = await getHealth.handle(endpointRequest(), fakeServices({ system: { stopping: true } }));
    expect(answer).to.deep.include({ status: 503, body: { status: "stopping" } });
  });

  it("needs no token", () => {
    expect(getHealth.open).to.equal(true);
  });
});
