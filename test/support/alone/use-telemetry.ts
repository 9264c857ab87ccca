import { expect } from "chai";
import type { Use, UseOf } from "./use.ts";

/** A run is counted. */
export const useTelemetry: UseOf = async (_, { model }): Promise<Use> => ({
  companions: ["endpoint-chat", "provider-chat-completions"],
  settings: { "providers.list": [{ type: "custom", base_url: model, retry_count: 0 }] },
  check: async ({ ask }) => {
    const messages = [{ role: "user", content: "Plan" }];
    expect((await ask("POST", "/api/chat/completions", { model: "custom/test", messages })).status).to.equal(
      200,
    );
    const { body } = await ask<{ readonly page: string }>("GET", "/metrics");
    expect(body.page).to.match(/^pergola_run_duration_seconds_count\{model="custom\/test",.*\} 1$/m);
  },
});
