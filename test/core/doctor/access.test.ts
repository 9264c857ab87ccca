import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { SandboxState } from "@pergola/sdk/host";
import { temporaryFolder } from "@pergola/sdk/testing";
import { accessFindings } from "../../../core/doctor/access.ts";
import { said } from "../../../core/doctor/findings.ts";
import { rootWarning } from "../../../core/doctor/root-warning.ts";

const preferences: Readonly<Record<string, unknown>> = {
  "auth.loopback": "same-user",
  "server.allow_remote": false,
  "server.trusted_proxies": [],
  "sandbox.programs": "auto",
};

describe("what doctor says of the walls", () => {
  it("O3: names the reason and the remedy where there is no sandbox", async () => {
    const state: SandboxState = { works: false, reason: "bubblewrap is missing", remedy: "Install it." };
    const host = {
      services: { preferences: { get: (key: string) => preferences[key] } },
      sandbox: { state: async () => state },
    };
    const findings = await accessFindings(host as never);
    const walls = findings.filter(({ what }) => what.startsWith("Sandbox of"));
    const line = "does not work here: bubblewrap is missing. Install it.";
    expect(walls.map((one) => [one.level, one.what, said(one)])).to.deep.equal([
      ["note", "Sandbox of programs", line],
      ["note", "Sandbox of plugins", line],
    ]);
    expect(walls.map(({ remedy }) => remedy)).to.deep.equal(["Install it.", "Install it."]);
  });

  it("warns of root outside a container, and of nobody else", () => {
    const root = temporaryFolder();
    expect(rootWarning({ uid: 0, environment: {}, root })).to.include("root outside a container");
    expect(rootWarning({ uid: 1000, environment: {}, root })).to.equal(undefined);
    expect(rootWarning({ uid: 0, environment: { container: "podman" }, root })).to.equal(undefined);
    mkdirSync(path.join(root, "run"));
    writeFileSync(path.join(root, "run/.containerenv"), "");
    expect(rootWarning({ uid: 0, environment: {}, root })).to.equal(undefined);
  });
});
