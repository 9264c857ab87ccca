import { expect } from "chai";
import { endpointRequest } from "@pergola/sdk/testing";
import { requestsScene, seen } from "./requests-scene.ts";

describe("what requests carry, and what is wrong with it", () => {
  const scene = requestsScene();
  const { ask } = scene;

  describe("bodies", () => {
    const right = { model: "m", messages: [{ role: "user" }] };

    it("come in canonical form with defaults, and as they were", async () => {
      const sent = {
        model: "m",
        max_tokens: 5,
        messages: [{ role: "TOOL", tool_call_id: "c" }],
        unknown_key: { a_b: 1 },
      };
      await ask("/things", "POST", sent);
      expect(seen[0]?.body).to.deep.equal({
        model: "m",
        maxTokens: 5,
        stream: false,
        messages: [{ role: "tool", toolCallId: "c" }],
        unknown_key: { a_b: 1 },
      });
      expect(seen[0]?.rawBody).to.deep.equal(sent);
    });

    const wrong: readonly [body: unknown, code: string, param: string | undefined][] = [
      [{}, "missing_field", "model"],
      [{ model: "m" }, "missing_field", "messages"],
      [{ ...right, model: 5 }, "invalid_value", "model"],
      [{ ...right, model: null }, "invalid_value", "model"],
      [{ ...right, stream: "true" }, "invalid_value", "stream"],
      [{ ...right, temperature: "1" }, "invalid_value", "temperature"],
      [{ ...right, temperature: 2.1 }, "out_of_range", "temperature"],
      [{ ...right, temperature: -0.1 }, "out_of_range", "temperature"],
      [{ ...right, max_tokens: 0 }, "out_of_range", "maxTokens"],
      [{ ...right, max_tokens: 1.5 }, "invalid_value", "maxTokens"],
      [{ ...right, messages: [] }, "invalid_value", "messages"],
      [{ ...right, messages: "hi" }, "invalid_value", "messages"],
      [{ ...right, messages: [{ role: "boss" }] }, "invalid_value", "messages[0].role"],
      [{ ...right, messages: [{}] }, "missing_field", "messages[0].role"],
      ["[]", "invalid_value", undefined],
      ["null", "invalid_value", undefined],
      ['"text"', "invalid_value", undefined],
      ["5", "invalid_value", undefined],
      ['{"model":"m","messages":[{"role":"user"}],"temperature":1e400}', "invalid_value", "temperature"],
    ];
    for (const [body, code, param] of wrong) {
      it(`B3: refuses ${typeof body === "string" ? body : JSON.stringify(body)}`, async () => {
        const answer = await ask("/things", "POST", body);
        expect(answer.status).to.equal(400);
        expect(answer.error.code).to.equal(code);
        expect(answer.error.param).to.equal(param);
        expect(seen).to.deep.equal([]);
      });
    }

    it("are refused with all their faults", async () => {
      const { error } = await ask("/things", "POST", { temperature: 5, stream: 1 });
      const { faults } = (error as { details: { faults: readonly { param: string; code: string }[] } })
        .details;
      const found = faults.map(({ param, code }) => `${param} ${code}`);
      expect(found.sort()).to.deep.equal([
        "messages missing_field",
        "model missing_field",
        "stream invalid_value",
        "temperature out_of_range",
      ]);
    });

    it("take the boundaries", async () => {
      for (const temperature of [0, -0, 2])
        expect((await ask("/things", "POST", { ...right, temperature })).status).to.equal(200);
    });

    it("may be absent where none is described", async () => {
      expect((await ask("/things", "DELETE")).status).to.equal(200);
    });
  });

  describe("errors", () => {
    it("R01: have one shape, with the fields that apply", async () => {
      expect((await ask("/no-provider")).json).to.deep.equal({
        error: {
          message: "None.",
          type: "server_error",
          code: "no_provider",
          param: "model",
          details: { a: 1 },
        },
      });
      expect((await ask("/nothing")).json).to.deep.equal({
        error: {
          message: "There is no route /nothing.",
          type: "invalid_request_error",
          code: "route_not_found",
        },
      });
    });

    it("carry Retry-After in whole seconds on 429 and 503", async () => {
      expect((await ask("/late")).headers.get("retry-after")).to.equal("3");
      expect((await ask("/no-provider")).headers.get("retry-after")).to.match(/^[1-9]\d*$/);
      expect((await ask("/nothing")).headers.get("retry-after")).to.equal(null);
    });

    for (const path of ["/bug", "/loop", "/bad-header"]) {
      it(`S07: a fault of the service (${path}) is logged with its stack under the request id, and not shown`, async () => {
        const answer = await ask(path, "GET", undefined, { "X-Request-Id": "my-request" });
        expect(answer.status).to.equal(500);
        expect(answer.json["error"]).to.deep.equal({
          message: "The service failed. Its log has the details under the request id my-request.",
          type: "server_error",
          code: "internal_error",
        });
        expect(scene.logged).to.have.lengthOf(1);
        expect(scene.logged[0]?.fields).to.include({ requestId: "my-request" });
        expect((scene.logged[0]?.fields["error"] as Error).stack).to.include("Error");
      });
    }
  });

  describe("request ids", () => {
    it("are echoed when they are well-formed, and made otherwise, each once", async () => {
      const id = async (sent: string) =>
        (await ask("/text", "GET", undefined, { "X-Request-Id": sent })).headers.get("x-request-id");
      expect(await id("A-b_1")).to.equal("A-b_1");
      const made = await Promise.all(["", "a b", "x".repeat(65), "é", "a;b"].map((sent) => id(sent)));
      for (const one of made) expect(one).to.match(/^[A-Za-z0-9_-]{1,64}$/);
      expect(new Set(made).size).to.equal(made.length);
    });

    it("reach the handler, as headers, caller and signal do", async () => {
      await ask("/things", "GET", undefined, { "X-Request-Id": "r1", "X-Session-Id": "s" });
      expect(seen[0]).to.deep.include({ id: "r1", caller: endpointRequest().caller });
      expect(seen[0]?.headers).to.include({ "x-session-id": "s" });
      expect(seen[0]?.signal).to.be.instanceOf(AbortSignal);
    });
  });
});
