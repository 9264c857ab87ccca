import { expect } from "chai";
import { startTestHost, temporaryFolder, type TestHostOptions } from "@pergola/sdk/testing";
import { officialPlugins } from "../../support/host.ts";
import { writePlugin, type PluginSource } from "../../support/plugins/write-plugin.ts";
import { recordingLog } from "../../support/recording-log.ts";

const guard = (more: Partial<PluginSource> = {}): string =>
  writePlugin(temporaryFolder(), {
    id: "policy-tokens",
    kind: "policy",
    provides: { hooks: ["authenticate"] },
    code: `export default { register: (host) => host.tap("authenticate", () => undefined) };`,
    ...more,
  });

/** The message of a start that is refused. */
const refusalOf = (options: TestHostOptions): Promise<string> =>
  startTestHost({ ...options, log: recordingLog() }).then(
    async (host) => {
      await host.stop();
      return "it started";
    },
    (error: Error) => error.message,
  );

/** All that Pergola brings but its own plugin that checks tokens. */
const others = () => officialPlugins().filter(({ use }) => !use.endsWith("policy-access"));

describe("a start that needs a plugin which checks tokens (A6)", () => {
  const settings = { storage: { type: "memory" }, "auth.loopback": "token" };
  const start = (entry: object, more: object = {}): Promise<string> =>
    refusalOf({
      plugins: [...others(), entry as { use: string }],
      settings: { ...settings, ...more },
    });

  it("A6: gives the fault of one that may not run as it is listed", async () => {
    expect(await start({ use: guard() })).to.match(
      /auth\.loopback needs a plugin that checks tokens.*policy-tokens was left out: .*"isolation": "trusted"/,
    );
  });

  it("A6: gives the fault of one that fails when it is loaded", async () => {
    const use = guard({ code: `throw new Error("no key file");` });
    expect(await start({ use, isolation: "trusted" })).to.match(/policy-tokens was left out: .*no key file/);
  });

  it("A6: gives the fault of one whose manifest cannot be read, which may be it", async () => {
    const use = guard({ manifest: { kind: "polcy" } });
    expect(await start({ use, isolation: "trusted" })).to.match(
      /policy-tokens was left out: .*kind must be one of/,
    );
  });

  it("A6: names one that is disabled", async () => {
    const use = guard();
    const refusal = await start({ use, isolation: "trusted" }, { disabled: ["policy-tokens"] });
    expect(refusal).to.include("policy-tokens is disabled");
  });

  it("starts with one that works", async () => {
    expect(await start({ use: guard(), isolation: "trusted" })).to.equal("it started");
  });
});
