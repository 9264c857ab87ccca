import { expect } from "chai";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import { getHealth } from "../routes.ts";

describe("GET /health", () => {
  it("R14: tells status, version and seconds since the start", async () => {
    const storageFault = async (): Promise<null> => null;
    const system = { stopping: false, version: "1.2.3", uptime: () => 12.5, storageFault };
    const services = fakeServices({ system });
    expect(await getHealth.handle(endpointRequest(), services)).to.deep.equal({
      body: { status: "ok", version: "1.2.3", uptime_seconds: 12.5 },
    });
  });

  it("S13: proves which service it is for a challenge, at the address where that arrived", async () => {
    const prove = (challenge: string, address: string): string => `${challenge} at ${address}`;
    const system = {
      stopping: false,
      version: "1.2.3",
      uptime: () => 12.5,
      storageFault: async () => null,
      prove,
    };
    const request = endpointRequest({ query: { challenge: "c" }, localAddress: "127.0.0.1:8080" });
    expect(await getHealth.handle(request, fakeServices({ system }))).to.have.nested.property(
      "body.proof",
      "c at 127.0.0.1:8080",
    );
  });

  it("turns to 503 when the service begins to stop", async () => {
    const answer = await getHealth.handle(endpointRequest(), fakeServices({ system: { stopping: true } }));
    expect(answer).to.deep.include({ status: 503, body: { status: "stopping" } });
  });

  it("R11: is 503 degraded, with the reason, while the store cannot be written", async () => {
    const system = { stopping: false, storageFault: async () => "The disk is full; nothing was written." };
    const answer = await getHealth.handle(endpointRequest(), fakeServices({ system }));
    expect(answer).to.deep.include({
      status: 503,
      body: { status: "degraded", reason: "The disk is full; nothing was written." },
    });
  });

  it("needs no token", () => {
    expect(getHealth.scope).to.equal("open");
  });
});
