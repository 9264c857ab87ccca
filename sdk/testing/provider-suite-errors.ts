import { expect } from "chai";
import { AppError } from "@pergola/sdk";
import { collectEvents } from "./collect-events.ts";
import type { ProviderStage } from "./provider-stage.ts";

/** HTTP statuses of a provider, and the codes that callers see (docs/errors.md). */
const codes: Readonly<Record<number, string>> = {
  400: "provider_rejected",
  401: "provider_auth_failed",
  403: "provider_auth_failed",
  404: "provider_rejected",
  408: "provider_timeout",
  409: "provider_rejected",
  413: "provider_rejected",
  422: "provider_rejected",
  429: "provider_rate_limited",
  500: "provider_error",
  502: "provider_error",
  503: "provider_error",
  504: "provider_timeout",
  529: "provider_error",
};

/** How a provider fails: the part of `describeProvider` for benches that play errors. */
export function describeProviderErrors(stage: ProviderStage): void {
  for (const [status, code] of Object.entries(codes)) {
    it(`rejects with ${code} when the provider answers ${status}`, async () => {
      const { events, error } = await collectEvents(
        await stage.play({ error: { status: Number(status), message: "no" } }),
      );
      expect(events).to.deep.equal([]);
      expect(AppError.is(error) && error).to.include({ code });
      expect(AppError.is(error) && error.details).to.include({ status: Number(status) });
    });
  }

  it("hands on how long the provider asks to wait", async () => {
    const { error } = await collectEvents(
      await stage.play({ error: { status: 429, message: "slow down", retryAfter: 7 } }),
    );
    expect(error).to.include({ code: "provider_rate_limited", retryAfter: 7 });
  });

  it("tells a context that is too long from other refusals", async () => {
    const message = "This model's maximum context length is 8192 tokens, your messages have 9000.";
    const { error } = await collectEvents(await stage.play({ error: { status: 400, message } }));
    expect(error).to.include({ code: "context_length_exceeded" });
  });
}
