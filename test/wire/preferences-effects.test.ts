import { chatReply, mockProviderServer, type MockProviderServer, type TestHost } from "@pergola/sdk/testing";
import { expect } from "chai";
import type { Json } from "@pergola/sdk";
import { ask, officialPlugins } from "../support/host.ts";
import { calling, labCall, labPlugin, saying } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { openPlain, patch } from "../support/preference-stage.ts";
import { verifies } from "../support/verifies.ts";

interface Heard {
  readonly status: number;
  readonly text: string;
  /** The frames of a stream, or the one answer. */
  readonly frames: readonly {
    readonly object?: string;
    readonly usage?: object | null;
    readonly choices?: readonly {
      readonly delta?: { readonly content?: string };
      readonly message?: { readonly content: string };
    }[];
    readonly service_metadata?: {
      readonly workflow: { readonly max_iterations: number; readonly completion_reason: string };
    };
    readonly error?: { readonly code: string };
  }[];
}

describe("changed preferences", () => {
  let host: TestHost;
  let provider: MockProviderServer;
  before(async () => {
    lab.reset();
    provider = await mockProviderServer();
    host = await openPlain({ plugins: [...officialPlugins(), labPlugin] });
    await set({
      "providers.list": [{ type: "custom", base_url: provider.baseUrl, retry_count: 0 }],
      "models.overrides": { "custom/test": { supportsTools: true } },
      "memory.embedding_model": "",
      default_model: "custom/test",
    });
  });
  after(async () => {
    await host.stop();
    await provider.close();
  });

  const set = async (changes: Readonly<Record<string, Json>>): Promise<void> => {
    const { status, body } = await patch(host, changes);
    expect([status, body.error?.message]).to.deep.equal([200, undefined]);
  };
  /** With these preferences; afterwards they are as before. */
  const under = async <T>(changes: Readonly<Record<string, Json>>, work: () => Promise<T>): Promise<T> => {
    const before = Object.fromEntries(
      Object.keys(changes).map((key) => [key, host.services.preferences.get(key)]),
    );
    await set(changes);
    return work().finally(() => set(before));
  };

  for (const stream of [false, true]) {
    const hear = async (more: object = {}): Promise<Heard> => {
      const answer = await host.request("POST", "/api/chat/completions", ask("Hello", { stream, ...more }));
      const text = await answer.text();
      const parts = stream
        ? text.split("\n").flatMap((line) => (line.startsWith("data: {") ? [line.slice(6)] : []))
        : [text];
      return {
        status: answer.status,
        text,
        frames: parts.map((part) => JSON.parse(part) as Heard["frames"][number]),
      };
    };
    const said = ({ frames }: Heard): string =>
      frames
        .map(({ choices = [] }) => choices[0]?.delta?.content ?? choices[0]?.message?.content ?? "")
        .join("");
    const workflowOf = ({ frames }: Heard) =>
      frames.find((frame) => frame.service_metadata !== undefined)?.service_metadata?.workflow;

    describe(`in ${stream ? "streams" : "whole answers"}`, () => {
      verifies("preferences:effects", "choose another model at once", async () => {
        provider.play(chatReply({ text: "Good day." }));
        expect(said(await hear())).to.equal("Good day.");
        const lost = await under({ default_model: "custom-2/none" }, () => hear());
        expect(lost.text).to.include("model_not_found");
        expect(said(await hear())).to.equal("Good day.");
      });

      verifies("preferences:effects", "limit the iterations of runs", async () => {
        provider.play(() => calling(labCall("peek", "again")));
        const limited = workflowOf(await under({ "workflow.max_iterations": 1 }, () => hear()));
        expect(limited).to.include({ max_iterations: 1, completion_reason: "max_iterations_reached" });
        provider.play(chatReply({ text: "Done." }));
        expect(workflowOf(await hear())?.max_iterations).to.equal(300);
      });

      verifies("preferences:effects", "blank out personal data", async () => {
        provider.play(chatReply({ text: "Write to ada@example.org today." }));
        expect(said(await hear())).to.include("ada@example.org");
        expect(said(await under({ "output.redaction": "pii" }, () => hear()))).to.not.include(
          "ada@example.org",
        );
      });

      verifies("preferences:effects", "hand requests to the provider as they are", async () => {
        provider.play(chatReply({ text: "As it is." }));
        await under({ "server.bypass_mode": true }, () => hear());
        expect((provider.requests.at(-1)?.body as { tools?: unknown }).tools).to.equal(undefined);
        await hear();
        expect((provider.requests.at(-1)?.body as { tools?: unknown[] }).tools).to.not.deep.equal([]);
      });

      verifies("preferences:effects", "let operations run that would have asked", async () => {
        const wipe = (name: string) => [calling(labCall("wipe", name)), saying("ok")];
        provider.play(wipe(`allowed ${stream}`));
        await under({ "authorization.auto_approve": ["lab.wipe"] }, () => hear());
        expect(lab.log).to.include(`end allowed ${stream}`);
      });
    });
  }

  const streamed = async (): Promise<string> =>
    (
      await host.request("POST", "/api/chat/completions", ask("Hello", { stream: true, stream_options: {} }))
    ).text();

  verifies("preferences:effects", "leave out usage chunks and tool events", async () => {
    const script = () => provider.play([calling(labCall("peek", "a")), saying("ok")]);
    const usage = /"choices":\[\],[^\n]*"usage":\{/;
    script();
    const all = await streamed();
    script();
    const none = await under({ "stream.usage_chunk": "never", "stream.tool_events": false }, streamed);
    expect([usage.test(all), usage.test(none)]).to.deep.equal([true, false]);
    expect([all.includes("toolExecutionId"), none.includes("toolExecutionId")]).to.deep.equal([true, false]);
  });

  verifies("preferences:effects", "open and close doors", async () => {
    const statusOf = async (path: string, headers = {}) =>
      (await host.request("GET", path, undefined, headers)).status;
    const page = { origin: "https://page.example" };
    expect([await statusOf("/api/tools"), await statusOf("/api/runs", page)]).to.deep.equal([200, 403]);
    await under({ "endpoints.tools.enabled": false, "server.allowed_origins": [page.origin] }, async () => {
      expect([await statusOf("/api/tools"), await statusOf("/api/runs", page)]).to.deep.equal([404, 200]);
    });
    expect([await statusOf("/api/tools"), await statusOf("/api/runs", page)]).to.deep.equal([200, 403]);
    await under({ "server.max_body_bytes": 1024 }, async () => {
      expect((await host.request("POST", "/api/chat/completions", ask("x".repeat(2000)))).status).to.equal(
        413,
      );
    });
  });

  verifies("preferences:effects", "ask a tool family anew whether it can be used", async () => {
    const terminal = async () =>
      (
        await host.json<{ available: boolean; unavailableReason: string }>(
          "GET",
          "/api/tools/terminal_operations",
        )
      ).body;
    expect((await terminal()).available).to.equal(true);
    await under({ "tools.terminal.shell": "no-such-shell" }, async () => {
      expect((await terminal()).unavailableReason).to.include("no-such-shell");
    });
    expect((await terminal()).available).to.equal(true);
  });
});
