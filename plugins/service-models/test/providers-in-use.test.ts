import { expect } from "chai";
import type { Log } from "@pergola/sdk";
import type { ProviderInstance } from "../provider-instance.ts";
import { ProvidersInUse } from "../providers-in-use.ts";

const closed: string[] = [];
const instance = (id: string, enabled = true): ProviderInstance =>
  ({ settings: { id, enabled }, close: async () => void closed.push(id) }) as unknown as ProviderInstance;

describe("the providers in use", () => {
  beforeEach(() => void closed.splice(0));

  it("close what is gone at once, and what still answers with its last answer", async () => {
    const [kept, idle, busy] = [instance("kept"), instance("idle"), instance("busy")];
    const providers = new ProvidersInUse([kept, idle, busy], {} as Log);
    const calls = [providers.begin(), providers.begin()] as const;
    for (const call of calls) Object.assign(call, { modelId: "busy/m", instance: busy });
    providers.replace([kept]);
    expect(closed).to.deep.equal(["idle"]);
    expect(providers.lists("busy/m")).to.equal(true);
    providers.end(calls[0]);
    expect(closed).to.deep.equal(["idle"]);
    providers.end(calls[1]);
    expect(closed).to.deep.equal(["idle", "busy"]);
    await providers.close();
    expect(closed).to.deep.equal(["idle", "busy", "kept"]);
  });

  it("are asked only when they are enabled", () => {
    const providers = new ProvidersInUse([instance("on"), instance("off", false)], {} as Log);
    expect(providers.enabled.map(({ settings }) => settings.id)).to.deep.equal(["on"]);
  });
});
