import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { jsonReply, type MockReply } from "@pergola/sdk/testing";
import { canary } from "../support/canary.ts";
import { ask } from "../support/host.ts";
import { eachItsLab, saying } from "../support/lab-stage.ts";

describe("words of providers", function () {
  this.timeout(60_000);
  const open = eachItsLab();
  const met: string[] = [];
  const other = createServer(({ headers, url }, response) => {
    met.push(JSON.stringify({ headers, url }));
    response.end("{}");
  });
  let elsewhere: string;
  before(async () => {
    other.listen(0, "127.0.0.1");
    await once(other, "listening");
    elsewhere = `http://localhost:${(other.address() as AddressInfo).port}/v1`;
  });
  beforeEach(() => met.splice(0));
  after(() => other.close().closeAllConnections());

  for (const stream of [false, true])
    it(`X74 an error with control sequences and the key in it, ${stream ? "streamed" : "whole"}`, async () => {
      const at = await open();
      const message = `No. \u001b[2J\u202e You sent ${canary.value}`;
      at.provider.play([jsonReply({ error: { message } }, { status: 400 })]);
      const answered = await at.host.request("POST", "/api/chat/completions", ask("Hi", { stream }));
      const text = await answered.text();
      expect(at.provider.requests[0]?.headers["authorization"]).to.equal(`Bearer ${canary.value}`);
      expect(text).to.include("[redacted]").and.not.include(canary.value);
      for (const hidden of ["\u001b", "\\u001b", "\u202e", "\\u202e"]) expect(text).to.not.include(hidden);
    });

  it("X74 a redirect to another host: the key stays here", async () => {
    const at = await open();
    const redirect: MockReply = { status: 307, headers: { location: elsewhere }, body: [] };
    at.provider.play([redirect]);
    const { status } = await at.host.json("POST", "/api/chat/completions", ask("Hi"));
    expect(status).to.be.within(400, 599);
    expect(at.provider.requests).to.have.lengthOf(1);
    expect(met.filter((one) => one.includes(canary.value))).to.deep.equal([]);
  });

  it("X74 an address in the body of a request is refused or ignored", async () => {
    const at = await open();
    at.provider.play(saying("Hello."));
    for (const more of [
      { base_url: elsewhere },
      { service_config: { base_url: elsewhere } },
      { provider: { type: "custom", base_url: elsewhere } },
    ]) {
      const { status } = await at.host.json("POST", "/api/chat/completions", ask("Hi", more));
      expect([200, 400]).to.include(status);
    }
    expect(met).to.deep.equal([]);
  });
});
