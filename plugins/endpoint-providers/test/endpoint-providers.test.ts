import { expect } from "chai";
import { AppError, type EndpointAnswer, type ProviderQuota, type ProviderStatus } from "@pergola/sdk";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import { copilotQuota, listProviders, providerQuota, startLogin } from "../routes.ts";

const status = (given: Partial<ProviderStatus>): ProviderStatus => ({
  id: "mine",
  type: "custom",
  name: "Mine",
  prefix: "custom",
  isLocal: true,
  baseUrl: "http://127.0.0.1:9",
  enabled: true,
  status: "unknown",
  lastError: null,
  modelCount: 0,
  key: { set: true, from: "file" },
  fixed: true,
  ...given,
});

const quota: ProviderQuota = {
  available: true,
  source: "github-copilot",
  login: "ada",
  plan: "individual",
  entitlement: 300,
  used: 30,
  remaining: 270,
  percentUsed: 10,
  percentRemaining: 90,
  overageCount: 0,
  overagePermitted: false,
  unlimited: false,
  resetDate: "2026-12-01T00:00:00.000Z",
};

const bodyOf = (answer: EndpointAnswer): unknown => ("body" in answer ? answer.body : undefined);

describe("GET /api/providers", () => {
  it("shows the documented fields and no other, secrets included", async () => {
    const leaky = { ...status({}), apiKey: "sk-secret" };
    const services = fakeServices({ models: { providers: async () => [leaky] } });
    expect(bodyOf(await listProviders.handle(endpointRequest(), services))).to.deep.equal({
      providers: [
        {
          id: "mine",
          type: "custom",
          name: "Mine",
          prefix: "custom",
          is_local: true,
          base_url: "http://127.0.0.1:9",
          enabled: true,
          status: "unknown",
          lastError: null,
          modelCount: 0,
          key: { set: true, from: "file" },
          fixed: true,
        },
      ],
    });
  });
});

describe("POST /api/providers/{id}/login", () => {
  it("hands on what the person has to do, and nothing beside", async () => {
    const login = { userCode: "ABCD-1234", verificationUri: "https://example.org/device", expiresIn: 900 };
    const services = fakeServices({
      models: { login: async (id) => ({ ...login, deviceCode: `secret of ${id}` }) },
    });
    expect(
      bodyOf(await startLogin.handle(endpointRequest({ params: { id: "mine" } }), services)),
    ).to.deep.equal(login);
  });

  it("passes a refusal on", async () => {
    const refuse = async (): Promise<never> => {
      throw new AppError({ code: "invalid_value", message: "None." });
    };
    const asked = async () =>
      startLogin.handle(
        endpointRequest({ params: { id: "mine" } }),
        fakeServices({ models: { login: refuse } }),
      );
    expect(await asked().catch((cause: unknown) => cause)).to.have.property("code", "invalid_value");
  });
});

describe("the quota", () => {
  const asked: unknown[][] = [];
  const services = (providers: readonly ProviderStatus[]) =>
    fakeServices({
      models: {
        providers: async () => providers,
        quota: async (id, { refresh }) => {
          asked.push([id, refresh]);
          return quota;
        },
      },
    });
  beforeEach(() => asked.splice(0));

  it("is the provider's, asked anew when the query says so", async () => {
    for (const refresh of [false, true]) {
      const answer = await providerQuota.handle(
        endpointRequest({ params: { id: "mine" }, query: { refresh } }),
        services([]),
      );
      expect(bodyOf(answer)).to.deep.equal(quota);
    }
    expect(asked).to.deep.equal([
      ["mine", false],
      ["mine", true],
    ]);
  });

  it("under the older path is that of the first provider of the kind", async () => {
    const list = [
      status({}),
      status({ id: "second", type: "github-copilot" }),
      status({ id: "third", type: "github-copilot" }),
    ];
    expect(
      bodyOf(await copilotQuota.handle(endpointRequest({ query: { refresh: true } }), services(list))),
    ).to.deep.equal(quota);
    expect(asked).to.deep.equal([["second", true]]);
  });

  it("under the older path is not available where there is no such provider", async () => {
    const body = bodyOf(await copilotQuota.handle(endpointRequest(), services([status({})])));
    expect(body).to.have.property("available", false);
    expect(asked).to.deep.equal([]);
  });
});
