import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Entity, Storage } from "@pergola/sdk";
import { startTestHost, temporaryFolder, type TestHost } from "@pergola/sdk/testing";
import { openSqlite } from "../../plugins/storage-sqlite/open-sqlite.ts";
import { currentId, renamedPlugins } from "../../core/plugins/renamed-plugins.ts";
import { pluginFolders } from "../architecture/tree.ts";
import { openProject } from "../support/pergola.ts";
import { recordingLog } from "../support/recording-log.ts";

const oldIds = Object.keys(renamedPlugins);
const oldPackages = oldIds.map((id) => `@pergola/${id}`);
const needed = ["@pergola/storage-sqlite", "@pergola/endpoint-conversations", "@pergola/endpoint-debug"];
const statusOf = async (host: TestHost, route: string) => (await host.request("GET", route)).status;
const at = "2026-01-02T03:04:05.000Z";
const ids = {
  topic: "11111111-1111-4111-8111-111111111111",
  folder: "22222222-2222-4222-8222-222222222222",
  prompt: "33333333-3333-4333-8333-333333333333",
  download: "44444444-4444-4444-8444-444444444444",
} as const;

const oneRoute = {
  folders: "/api/folders",
  topics: "/api/topics",
  prompts: "/api/prompts/system",
  personalities: "/api/personalities",
  downloads: "/api/models/download",
  changes: "/api/changes?conversationId=none",
} as const;

describe("plugins that have a new id", () => {
  it("are there under it, and under no old one", () => {
    expect(pluginFolders()).to.include.members(Object.values(renamedPlugins));
    expect(oldIds.filter((id) => pluginFolders().includes(id))).to.deep.equal([]);
    expect(currentId("tool-think")).to.equal("tool-think");
    expect(currentId("constructor")).to.equal("constructor");
  });
});

describe("a settings file with old ids of plugins", function () {
  this.timeout(60_000);
  const log = recordingLog();
  let host: TestHost;
  const open = async (options: Parameters<typeof startTestHost>[0]) => {
    host = await startTestHost({ log, ...options });
    return host;
  };
  const warnings = () => log.lines.filter(({ level }) => level === "warn").map(({ message }) => message);
  afterEach(() => host.stop());

  it("runs the plugins of now, once each, and says their names", async () => {
    await open({ plugins: [...needed, ...oldPackages] });
    const features = host.services.system.plugins().filter(({ kind }) => kind === "feature");
    expect(features.map(({ id }) => id).toSorted()).to.deep.equal(
      [...new Set(Object.values(renamedPlugins))].toSorted(),
    );
    expect(features.map(({ state }) => state)).to.deep.equal(features.map(() => "running"));
    for (const id of oldIds)
      expect(warnings().join("\n")).to.contain(
        `plugins names @pergola/${id}, which is now @pergola/${currentId(id)}.`,
      );
  });

  it("hands the settings of such an entry on", async () => {
    const use = "@pergola/service-changes";
    await open({ plugins: [...needed, { use, settings: { "changes.retention_days": 7 } }] });
    expect(host.services.preferences.get("changes.retention_days")).to.equal(7);
  });

  it("disables a plugin by the old id of its part", async () => {
    await open({ settings: { disabled: ["service-topics"] } });
    const found = host.services.system.plugins().find(({ id }) => id === "feature-topics");
    expect(found?.state).to.equal("disabled");
    expect(await statusOf(host, oneRoute.topics)).to.equal(404);
    expect(warnings().at(-1)).to.match(/disabled names service-topics, which is now feature-topics\.$/);
  });

  for (const [group, route] of Object.entries(oneRoute))
    it(`takes away the routes alone by the old id endpoint-${group}`, async () => {
      await open({ settings: { disabled: [`endpoint-${group}`] } });
      const others = Object.entries(oneRoute).filter(([other]) => other !== group);
      expect(await statusOf(host, route)).to.equal(404);
      for (const [, other] of others) expect(await statusOf(host, other), other).not.to.equal(404);
      const running = host.services.system.plugins().find(({ id }) => id === currentId(`endpoint-${group}`));
      expect(running?.state).to.equal("running");
      expect(warnings().at(-1)).to.contain(`set endpoints.${group}.enabled to false`);
    });
});

describe("pergola doctor and old ids of plugins", function () {
  this.timeout(60_000);

  it("says which names of the settings file to change", async () => {
    const project = await openProject();
    project.settings({ disabled: ["service-topics"] });
    const { stdout } = await project.run(["doctor", "--json"]);
    await project.close();
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly { readonly detail: string }[] };
    const found = findings.find(({ detail }) => detail.includes("service-topics"));
    expect(found).to.include({ level: "note", what: "Settings" });
    expect(found?.detail).to.match(/: disabled names service-topics, which is now feature-topics\.$/);
  });
});

async function writeAll(storage: Storage, records: Readonly<Record<string, Entity>>): Promise<void> {
  for (const [collection, record] of Object.entries(records))
    await storage.collection(collection, { indexes: [] }).put(record);
}

/** What the plugins stored under their old ids: a record of each, and the content of a changed file. */
async function fillOldStore(dataDirectory: string, file: string): Promise<void> {
  const storage = await openSqlite({}, { dataDirectory, log: recordingLog() });
  const old = Buffer.from("old");
  const id = createHash("sha256").update(old).digest("hex");
  const now = createHash("sha256").update("new").digest("hex");
  const state = { kind: "file", size: 3, mode: 0o600 };
  await writeAll(storage, {
    topics: { id: ids.topic, name: "Plans", key: "plans", description: "", createdAt: at, updatedAt: at, workspace: null }, // prettier-ignore
    topics_names: { id: "plans", holder: ids.topic },
    folders: { id: ids.folder, name: "Work", key: "work", color: null, icon: null, isCollapsed: false },
    folders_names: { id: "work", holder: ids.folder },
    "service-prompts/system": { id: ids.prompt, name: "Poet", key: "poet", description: "", content: "Rhyme.", builtIn: false, createdAt: at, modifiedAt: at }, // prettier-ignore
    "service-downloads/downloads": { id: ids.download, asked: { repoId: "a/b", filename: "x.gguf", revision: "main", sha256: null, url: null }, keepPartial: false, status: "failed", error: "It was cut.", files: [], modelId: null, startedAt: at, updatedAt: at }, // prettier-ignore
    "service-changes/contents": { id, bytes: 3, stored: true },
    "service-changes/changes": { id: "chg_1", seq: Date.now() * 1000, ownerId: "call_old", rootId: "call_old", lineage: "call_old/", runId: null, callId: "call_old", revertId: null, conversationId: "c", tool: "file_operations", operation: "write_file", path: file, from: null, kind: "modified", byProgram: false, before: { ...state, sha256: id }, after: { ...state, sha256: now }, state: "done", lost: null, revertedBy: null, at: new Date().toISOString(), contentId: id, undoes: [] }, // prettier-ignore
  } as Readonly<Record<string, Entity>>);
  await storage.blobs.put(`service-changes/${id}`, old);
  await storage.close();
}

describe("a store that was written under the old ids", function () {
  this.timeout(60_000);
  let host: TestHost;
  const file = path.join(realpathSync(temporaryFolder()), "notes.txt");
  before(async () => {
    const dataDirectory = path.join(temporaryFolder(), "data");
    mkdirSync(dataDirectory);
    writeFileSync(file, "new", { mode: 0o600 });
    await fillOldStore(dataDirectory, file);
    host = await startTestHost({ dataDirectory });
  });
  after(() => host.stop());

  it("opens with every topic, folder, prompt and download", async () => {
    const get = async (route: string) => (await host.json<Record<string, unknown>>("GET", route)).body;
    expect(await get(`/api/topics/${ids.topic}`)).to.include({ name: "Plans" });
    expect((await get("/api/folders"))["folders"]).to.deep.include({
      id: ids.folder,
      name: "Work",
      color: null,
      icon: null,
      isCollapsed: false,
    });
    expect(await get(`/api/prompts/system/${ids.prompt}`)).to.include({ content: "Rhyme." });
    expect(await get(`/api/models/download/${ids.download}/status`)).to.include({ error: "It was cut." });
  });

  it("still takes back what a call changed then", async () => {
    const listed = await host.json<{ changes: readonly object[] }>("GET", "/api/runs/call_old/changes");
    expect(listed.body.changes[0]).to.include({ id: "chg_1", revertible: true });
    const { body } = await host.json<{ success: boolean }>("POST", "/api/runs/call_old/revert", {});
    expect(body).to.include({ success: true });
    expect(readFileSync(file, "utf8")).to.equal("old");
  });
});
