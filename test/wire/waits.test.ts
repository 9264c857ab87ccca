import { chatReply, mockProviderServer } from "@pergola/sdk/testing";
import { expect } from "chai";
import { ask, openStage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

const busy = (retryAfter: number) => chatReply({ error: { status: 429, retryAfter } });

describe("a provider that asks to wait", () => {
  let ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(ends.map((end) => end()));
    ends = [];
  });

  /** A stage whose model is busy, and may be asked again ten times. */
  const openPatient = async (settings: Record<string, number>, retryAfter: number) => {
    const provider = await mockProviderServer(busy(retryAfter));
    const list = [{ type: "custom", base_url: provider.baseUrl, retry_count: 10 }];
    const stage = await openStage([], { settings: { "providers.list": list, ...settings } });
    ends.push(
      () => stage.end(),
      () => provider.close(),
    );
    return { host: stage.host, provider };
  };

  verifies("W09", "is waited for no longer than providers.max_wait_seconds in all", async () => {
    const { host, provider } = await openPatient({ "providers.max_wait_seconds": 1 }, 1);
    const begun = performance.now();
    const { status, body } = await host.json<{ error: { code: string } }>(
      "POST",
      "/api/chat/completions",
      ask("Hello"),
    );
    const took = performance.now() - begun;
    expect([status, body.error.code]).to.deep.equal([429, "provider_rate_limited"]);
    expect(provider.requests).to.have.lengthOf(2);
    expect(took).to.be.within(900, 3000);
  });

  verifies(
    "W09",
    "is not waited for when it asks for more than a minute; two minutes in all are the usual limit",
    async () => {
      const { host, provider } = await openPatient({}, 61);
      const { status, headers } = await host.json("POST", "/api/chat/completions", ask("Hello"));
      const most = host.services.preferences.get("providers.max_wait_seconds");
      expect([status, headers.get("retry-after"), most]).to.deep.equal([429, "61", 120]);
      expect(provider.requests).to.have.lengthOf(1);
    },
  );
});
