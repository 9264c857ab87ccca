import { createHmac } from "node:crypto";
import { expect } from "chai";
import { endOf } from "../end-of.ts";
import { signedHeaders } from "../sign.ts";

describe("feature-notices", () => {
  it("signs id, time and body with the key in the secret", () => {
    const of = { id: "evt_1", seconds: 1_700_000_000, body: '{"a":1}' };
    const headers = signedHeaders(`whsec_${Buffer.from("key").toString("base64")}`, of);
    const expected = createHmac("sha256", "key").update('evt_1.1700000000.{"a":1}').digest("base64");
    expect(headers).to.include({ "webhook-id": "evt_1", "webhook-timestamp": "1700000000" });
    expect(headers["webhook-signature"]).to.equal(`v1,${expected}`);
  });

  it("tells of the ends of runs in the background alone, by their reasons", () => {
    const run = { id: "run_1", conversationId: "c", annotations: { background: true } };
    const typeOf = (completionReason: string, more: object = {}) =>
      endOf({ ...run, completionReason, ...more } as never)?.type;
    expect(typeOf("workflow_complete")).to.equal("response.completed");
    expect(typeOf("max_iterations_reached")).to.equal("response.incomplete");
    expect(typeOf("cancelled")).to.equal("response.cancelled");
    expect(typeOf("error")).to.equal("response.failed");
    expect(typeOf("tool_execution_failed")).to.equal("response.failed");
    expect(typeOf("workflow_complete", { annotations: {} })).to.equal(undefined);
    expect(typeOf("workflow_complete", { annotations: undefined })).to.equal(undefined);
  });
});
