import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Files } from "@pergola/sdk";
import { OwnName, type Parts } from "@pergola/sdk/host";
import { temporaryFolder, toolContext } from "@pergola/sdk/testing";
import { Contents } from "../../plugins/feature-changes/contents.ts";
import { Journal } from "../../plugins/feature-changes/journal.ts";
import { openRecords, type StoredChange } from "../../plugins/feature-changes/records.ts";
import { RecordedFiles } from "../../plugins/feature-changes/recorded-files.ts";
import { revertOwner } from "../../plugins/feature-changes/owners.ts";
import { openHost } from "../../plugins/storage-postgres/test/support/open.ts";
import { needsPostgres, sharedServer } from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import {
  commanding,
  deleting,
  openChanges,
  unasked,
  writing,
  type ChangesScene,
} from "../support/changes-scene.ts";
import { ask } from "../support/host.ts";
import { calling, eventually, saying, type ChatAnswer } from "../support/lab-stage.ts";

interface Refusal {
  readonly error?: { readonly code: string; readonly details?: object };
}

describe("undo at several hosts on one PostgreSQL", function () {
  this.timeout(60_000);
  let one: ChangesScene;
  let two: ChangesScene;
  let settings: NonNullable<Parameters<typeof openChanges>[0]>["settings"];

  before(needsPostgres);
  before(async () => {
    const storage = (await sharedServer()).settings({ host_timeout_seconds: 3 });
    settings = { ...unasked, storage, "cluster.label": "one" };
    one = await openChanges({ settings });
    two = await openChanges({ settings: { ...settings, "cluster.label": "two", "workspace.shared": true } });
  });
  after(async () => {
    await one?.end();
    await two?.end();
  });

  const runAt = async (scene: ChangesScene, conversationId: string, call: ReturnType<typeof writing>) => {
    scene.provider.play([calling(call), saying("Done.")]);
    const body = ask("Do it", { service_config: { working_directory: one.folder }, conversationId });
    const { body: answer } = await scene.host.json<ChatAnswer>("POST", "/api/chat/completions", body);
    return answer.service_metadata.run_id;
  };

  it("takes back at one what another has done, while both list it all the time", async () => {
    let isOver = false;
    const list = async (): Promise<void> => {
      while (!isOver)
        await Promise.all(
          [one, two].map((scene) => scene.host.json("GET", "/api/changes?conversationId=undone")),
        );
    };
    const listing = list();
    try {
      for (let at = 0; at < 8; at++) {
        one.put("file.txt", "before");
        const call = [
          commanding("echo after > file.txt"),
          deleting("file.txt"),
          writing("file.txt", "after"),
        ];
        const [here, there] = at % 2 === 0 ? [one, two] : [two, one];
        const { success, refused } = await there.revert(await runAt(here, "undone", call[at % 3]!));
        expect([success, refused, one.read("file.txt")]).to.deep.equal([true, [], "before"]);
      }
    } finally {
      isOver = true;
      await listing;
    }
  });

  it("is one host's where two are asked at once", async () => {
    one.put("file.txt", "before");
    const run = await runAt(one, "twice", writing("file.txt", "after"));
    const ends = await Promise.all([one, two].map((scene) => scene.revert(run)));
    expect(ends.filter(({ success }) => success)).to.have.lengthOf(1);
    expect(ends.map(({ error }) => error?.code)).to.include("already_reverted");
    expect(one.read("file.txt")).to.equal("before");
  });

  it("is left to the host whose files they are, as uploads and calls by hand are", async () => {
    one.put("file.txt", "before");
    const run = await runAt(one, "placed", writing("file.txt", "after"));
    const three = await openChanges({ settings: { ...settings, "cluster.label": "three" } });
    try {
      const { host } = three;
      const answers = [
        await host.json<Refusal>("POST", `/api/runs/${run}/revert`, {}),
        await host.json<Refusal>("GET", "/v1/conversations/placed/files"),
      ];
      for (const { status, body } of answers)
        expect([status, body.error?.code, body.error?.details]).to.deep.equal([
          409,
          "wrong_host",
          { host: "one" },
        ]);
      const { body: called } = await host.json<{ error_code: string }>("POST", "/debug/mcp/execute", {
        conversationId: "placed",
        ...{ tool: "file_operations", arguments: { operation: "read_file", filePath: "file.txt" } },
      });
      expect(called.error_code).to.equal("wrong_host");
    } finally {
      await three.end();
    }
    expect(one.read("file.txt")).to.equal("after");
  });
});

/** Real files, of which only what a journal looks at is there. */
const files = {
  resolve: async (file: string) => ({ real: file, exists: true }),
  stat: async (file: string) => ({
    kind: "file",
    size: statSync(file).size,
    mode: statSync(file).mode & 0o777,
  }),
  read: async (file: string) => new Uint8Array(readFileSync(file)),
} as unknown as Files;

describe("a change of a file that a host makes", () => {
  before(needsPostgres);

  async function openJournal(server: object) {
    const storage = await openHost(server);
    const commit: Parts["stores"]["commit"] = async (writes, options) => storage.commit(writes, options);
    const parts = {
      stores: { storage, commit },
      clock: { now: () => Date.now() },
      timestamp: () => new Date().toISOString(),
      preferences: { get: () => 1_000_000 },
      log: toolContext().log,
    } as unknown as Parts;
    const records = openRecords(storage);
    const makers = new OwnName(parts, "changes/");
    return {
      storage,
      records,
      makers,
      journal: new Journal(parts, records, new Contents(parts, records), makers),
    };
  }

  it("is left alone by others while that host is there, and looked at when it is gone", async () => {
    const server = (await sharedServer()).settings({ host_timeout_seconds: 3 });
    const [one, two] = [await openJournal(server), await openJournal(server)];
    const file = path.join(temporaryFolder("pergola-undo-"), "file.txt");
    writeFileSync(file, "before");
    const pending = async (): Promise<StoredChange | undefined> =>
      (await two.records.changes.find({ path: file }))[0];
    let isSettled = false;
    two.makers.watch(async () => {
      await two.journal.settle((await pending())!, files);
      isSettled = true;
    });
    const write = async (): Promise<never> => {
      writeFileSync(file, "after");
      const found = await pending();
      expect(await two.journal.settle(found!, files)).to.deep.include({ state: "pending" });
      await one.storage.close();
      await eventually(() => (isSettled ? true : undefined));
      throw new Error("The host is gone.");
    };
    const door = { ...files, write } as never;
    const recorded = new RecordedFiles(
      door,
      one.journal,
      revertOwner("rev_1", { conversationId: "c", personsConversationId: "c" }),
    );
    await recorded.write(file, "after").catch(() => undefined);
    const { state, contentId } = (await pending())!;
    expect(state).to.equal("done");
    expect(await two.journal.contents.get(contentId!)).to.deep.equal(new Uint8Array(Buffer.from("before")));
  });
});
