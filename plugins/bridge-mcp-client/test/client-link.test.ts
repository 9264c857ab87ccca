import { mock } from "node:test";
import * as protocol from "@modelcontextprotocol/client";
import { expect } from "chai";
import { ClientLink } from "../client-link.ts";

const line = { connect: async () => undefined, ending: () => "", close: async () => undefined };

describe("the list of a server's tools", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  for (const [era, isStale] of [
    ["modern", true],
    ["legacy", false],
  ] as const)
    it(`is ${isStale ? "" : "not "}read again after a minute from a ${era} server that says nothing`, async () => {
      const client = { request: async () => ({ tools: [] }), getProtocolEra: () => era };
      const link = new ClientLink(client as unknown as protocol.Client, protocol, 1000, line);
      expect(link.stale).to.equal(true);
      await link.list();
      mock.timers.tick(59_000);
      expect(link.stale).to.equal(false);
      mock.timers.tick(1000);
      expect(link.stale).to.equal(isStale);
    });
});
