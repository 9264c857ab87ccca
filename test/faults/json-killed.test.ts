import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { ask } from "../support/host.ts";
import { openService, type Service } from "./support/service.ts";

describe("a JSON chat that is killed in its first model call (R7)", function () {
  this.timeout(30_000);
  let service: Service;

  after(() => service?.close());

  it("R7: leaves nothing behind, as if it had been refused", async () => {
    service = await openService(chatReply([{ hang: true }]));
    await service.start();
    const asked = service.request("POST", "/api/chat/completions", ask("Hi")).then(
      () => "answered",
      () => "cut",
    );
    await service.project.model.request(0);
    await service.restart();
    expect(await asked).to.equal("cut");
    const runs = await service.json<{ count: number }>("GET", "/api/runs");
    const conversations = await service.json<{ count: number }>("GET", "/v1/conversations");
    expect([runs.body.count, conversations.body.count]).to.deep.equal([0, 0]);
  });
});
