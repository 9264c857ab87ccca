import { expect } from "chai";
import { officialPlugins, openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

describe("a host without the plugin of a route", () => {
  let stage: Stage;
  before(async () => {
    const except = ["bundle-standard", "provider-embedded", "provider-scripted", "feature-transfer"];
    stage = await openStage(undefined, { plugins: officialPlugins(except) });
  });
  after(() => stage.end());

  verifies("http:unknown-path", "says route_not_found for the export of a conversation (C32)", async () => {
    const { body } = await stage.host.json<{ id: string }>("POST", "/v1/conversations", {});
    const path = `/v1/conversations/${body.id}/export`;
    const answer = await stage.host.json<{ error: { code: string } }>("GET", path);
    expect([answer.status, answer.body.error.code]).to.deep.equal([404, "route_not_found"]);
  });
});
