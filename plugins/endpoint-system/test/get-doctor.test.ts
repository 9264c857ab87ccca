import { expect } from "chai";
import { AppError, type Services } from "@pergola/sdk";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import { doctor, getDoctor } from "../doctor.ts";

describe("GET /api/doctor", () => {
  it("answers with the report of the host", async () => {
    const report = { findings: [], checkedAt: "2026-01-01T00:00:00.000Z" };
    const services = fakeServices({ doctor: { check: async () => report } });
    expect(await getDoctor.handle(endpointRequest(), services)).to.deep.equal({ body: report });
  });

  it("is for those who may administer the service", () => {
    expect([getDoctor.scope, getDoctor.protected]).to.deep.equal(["admin", true]);
  });

  it("is not there where nothing looks at the installation", () => {
    const services = { doctor: undefined } as unknown as Services;
    const ask = (): unknown => doctor.routes[0]?.handle(endpointRequest(), services);
    expect(ask).to.throw(AppError, "No plugin that looks at the installation is installed.");
  });
});
