import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect } from "chai";
import type { Json } from "@pergola/sdk";
import { escapeStage, type EscapeStage } from "./support/escape-stage.ts";
import { needsPrograms } from "./support/needs-programs.ts";

type Outcomes = Readonly<Record<string, readonly string[]>>;
interface Listed {
  readonly plugins: readonly { readonly id: string; readonly state: string; readonly fault: string | null }[];
}

// eslint-disable-next-line no-control-regex -- what must not reach a person as it is
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\udb40[\udc00-\udc7f]/;

/** All texts in a value. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

describe("an isolated plugin at the door", function () {
  this.timeout(60_000);
  let stage: EscapeStage | undefined;
  const open = async (
    manifest?: (manifest: Record<string, Json>) => void,
    settings = {},
  ): Promise<EscapeStage> => {
    stage = await escapeStage({ ...(manifest && { manifest }), settings });
    return stage;
  };
  before(function () {
    needsPrograms.call(this, ["bwrap"]);
  });
  afterEach(async () => {
    await stage?.stop();
    stage = undefined;
  });

  it("X17 what its manifest does not name, and the context of a call that has ended", async () => {
    const { home, port, attempt, request } = await open();
    const outside = path.join(home, ".ssh/id_ed25519");
    await request("POST", "/api/conversations", { title: "canary" });
    const args = { outside, port };
    await attempt("door", args);
    const outcomes = await attempt<Outcomes>("door", args);
    const { files, network, programs, secrets, preferences, collections, run, late } = outcomes;
    expect(files).to.have.length(4);
    const granted = [files, network, secrets].flat().filter((outcome) => outcome?.startsWith("DONE"));
    expect(granted).to.deep.equal([]);
    expect(programs).to.equal("permission_denied");
    // A list of providers holds keys; what is not secret may be read.
    expect(preferences).to.be.oneOf(["permission_denied", "DONE undefined", "DONE []"]);
    // The names are the plugin's own, whatever they look like: nothing of others is in them.
    expect(collections).to.deep.equal(Array(5).fill("DONE []"));
    expect(run).to.equal("DONE undefined");
    expect(late).to.equal("cancelled");
  });

  it("X17 the service's own address, though it may call every host and this one is listed as private", async () => {
    const { home, port, attempt } = await open(
      (manifest) => {
        manifest["permissions"] = { network: "any" };
      },
      { "tools.web.allowed_private_hosts": ["127.0.0.1", "localhost"] },
    );
    const { network = [] } = await attempt<Outcomes>("door", { outside: home, port });
    expect(network.slice(0, 2)).to.deep.equal(["permission_denied", "permission_denied"]);
    const elsewhere = createServer((_asked, answer) => answer.end("other")).listen(0, "127.0.0.1");
    await once(elsewhere, "listening");
    const other = (elsewhere.address() as AddressInfo).port;
    const listed = await attempt<Outcomes>("door", { outside: home, port: other });
    elsewhere.close();
    expect(listed["network"]?.slice(0, 2)).to.deep.equal(Array(2).fill("DONE [object Response]"));
  });

  it("X18 answers its own approval, or calls a tool as if a person had", async () => {
    const { port, attempt, request } = await open();
    const asked = request("POST", "/debug/mcp/execute", {
      tool: "file_operations.delete_file",
      arguments: { path: "victim" },
    });
    const { fetched, connected } = await attempt<Outcomes>("network", { port, sockets: [] });
    const { network } = await attempt<Outcomes>("door", { port, outside: "/etc/shadow" });
    const outcomes = [fetched, connected, network].flat();
    expect(outcomes).to.have.length(10);
    expect(outcomes.filter((outcome) => outcome?.startsWith("DONE"))).to.deep.equal([]);
    void asked.catch(() => undefined);
  });

  it("X19 takes the name of another family, or an id with a way out", async () => {
    const named = async (change: (manifest: Record<string, Json>) => void) => {
      const { request, stop } = await open(change);
      const { plugins } = (await (await request("GET", "/debug/tools/available")).json()) as Listed;
      await stop();
      stage = undefined;
      return plugins;
    };
    const family = await named((manifest) => {
      manifest["provides"] = { tools: { terminal_operations: ["attempt", "read_only"] } };
    });
    expect(family.find(({ id }) => id === "tool-escape-artist")?.state).to.equal("left out");
    expect(family.find(({ id }) => id === "tool-terminal-operations")?.state).to.equal("running");
    const way = await named((manifest) => {
      manifest["id"] = "../../../escape";
    });
    expect(way.filter(({ id, state }) => id.includes("escape") && state === "running")).to.deep.equal([]);
  });

  it("X19 writes through the door in an operation that says that it reads", async () => {
    const { home, call } = await open((manifest) => {
      manifest["permissions"] = { files: "any" };
    });
    const folder = path.join(home, "data", "workspaces");
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(home, "victim"), "x");
    const before = readdirSync(home).toSorted();
    const { success, result } = await call("escape_artist.read_only", { name: "write" });
    expect({ success, outcomes: JSON.parse(result) as unknown }).to.deep.equal({
      success: true,
      outcomes: Array(5).fill("permission_denied"),
    });
    expect(readdirSync(home).toSorted()).to.deep.equal(before);
    expect(existsSync(path.join(home, "mark"))).to.equal(false);
  });

  it("X20 control and direction characters in its description and its errors are shown, not obeyed", async () => {
    const { request, call } = await open();
    const { result } = await call("escape_artist.read_only", { name: "error" });
    expect(result).to.include("approve all");
    expect(invisible.test(result), JSON.stringify(result)).to.equal(false);
    const routes = ["/api/tools", "/api/tools/escape_artist"];
    const listed = await Promise.all(routes.map(async (route) => (await request("GET", route)).json()));
    const texts = textsIn(listed);
    expect(texts.filter((text) => text.includes("approve all"))).to.have.length.at.least(2);
    expect(texts.filter((text) => invisible.test(text))).to.deep.equal([]);
    expect(JSON.stringify(await (await request("GET", "/api/approvals")).json())).to.not.include("approved");
  });
});
