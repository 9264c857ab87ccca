import { expect } from "chai";
import type { JsonObject } from "@pergola/sdk";
import { startTestHost, type TestHost } from "@pergola/sdk/testing";

interface Wire extends JsonObject {
  readonly id: string;
  readonly state: string;
}

interface Fact {
  readonly action: string;
  readonly target: string | null;
  readonly caller: { readonly kind: string } | null;
}

describe("/api/plugins", function () {
  this.timeout(60_000);
  let host: TestHost;
  before(async () => {
    host = await startTestHost({ settings: { disabled: ["tool-weather-operations"] } });
  });
  after(() => host.stop());

  const get = (id: string) => host.json<Wire>("GET", `/api/plugins/${id}`);
  const turn = (id: string, enabled: boolean) =>
    host.json<JsonObject & { readonly error?: { readonly code: string } }>("PATCH", `/api/plugins/${id}`, {
      enabled,
    });

  it("lists all, and shows one", async () => {
    const { body } = await host.json<{ readonly plugins: readonly Wire[]; readonly count: number }>(
      "GET",
      "/api/plugins",
    );
    expect(body.plugins).to.have.length(body.count);
    const { body: one } = await get("tool-math-operations");
    expect(body.plugins).to.deep.include(one);
    expect(one).to.include({
      kind: "tool",
      official: true,
      isolation: "trusted",
      sandbox: null,
      state: "running",
      fault: null,
      digest: null,
      canDisable: true,
      canRetry: false,
      restartRequired: false,
    });
    expect((await get("tool-weather-operations")).body.state).to.equal("disabled");
    expect((await get("tool-nothing")).status).to.equal(404);
  });

  it("switches one off from the next start, and on again", async () => {
    const { status, body } = await turn("tool-math-operations", false);
    expect(status).to.equal(200);
    expect(body).to.include({ success: true, restartRequired: true });
    const pending = async (): Promise<unknown> => (await get("tool-math-operations")).body["restartRequired"];
    expect(body["plugin"]).to.include({ state: "running", restartRequired: true });
    expect(await pending()).to.equal(true);
    await turn("tool-math-operations", true);
    expect(await pending()).to.equal(false);
    await turn("tool-math-operations", false);
    await host.restart();
    expect((await get("tool-math-operations")).body.state).to.equal("disabled");
    expect(await pending()).to.equal(false);
    expect((await turn("tool-math-operations", true)).status).to.equal(200);
    expect(await pending()).to.equal(true);
    await host.restart();
    expect((await get("tool-math-operations")).body.state).to.equal("running");
    const { body: audit } = await host.json<{ readonly entries: readonly Fact[] }>("GET", "/api/audit");
    const facts = audit.entries.filter(({ action }) => action.startsWith("plugin."));
    expect(facts.map(({ action, target, caller }) => [action, target, caller?.kind])).to.deep.equal([
      ["plugin.disable", "tool-math-operations", "owner"],
      ["plugin.enable", "tool-math-operations", "owner"],
      ["plugin.disable", "tool-math-operations", "owner"],
      ["plugin.enable", "tool-math-operations", "owner"],
    ]);
  });

  it("leaves alone what the host needs, what the settings decide, and what is not there", async () => {
    const codes: Readonly<Record<string, string>> = {
      "service-runs": "in_use",
      "storage-sqlite": "in_use",
      "bundle-host": "in_use",
      "tool-nothing": "not_found",
    };
    for (const [id, code] of Object.entries(codes))
      expect((await turn(id, false)).body.error?.code, id).to.equal(code);
    expect((await turn("tool-weather-operations", true)).body.error?.code).to.equal("set_elsewhere");
  });
});
