import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { strToU8, zipSync } from "fflate";
import { AppError } from "@pergola/sdk";
import { startTestHost, temporaryFolder, type TestHost } from "@pergola/sdk/testing";
import { importFile } from "../import.ts";
import type { ImportReport } from "../sending/report.ts";
import type { OnConflict, Service } from "../sending/service.ts";

const exportsFolder = path.join(import.meta.dirname, "exports");

interface Sample {
  /** What the person imports: a file, or a folder. */
  readonly name: string;
  readonly conversations: number;
  /** The files of it, as they lie in an archive of the app. */
  readonly archived: Readonly<Record<string, string>>;
  /** What changes in a later export of the same conversations; nothing that was said. */
  readonly later: (text: string) => string;
}

const listed = (text: string): object[] => JSON.parse(text) as object[];

const samples: Readonly<Record<string, Sample>> = {
  chatgpt: {
    name: "chatgpt.json",
    conversations: 1,
    archived: { "export/conversations-000.json": "chatgpt.json" },
    later: (text) => JSON.stringify(listed(text).toReversed()).replace('"auto"', '"gpt-6"'),
  },
  claude: {
    name: "claude.json",
    conversations: 2,
    archived: { "conversations.json": "claude.json" },
    later: (text) => JSON.stringify(listed(text).toReversed()),
  },
  "open-webui": {
    name: "open-webui.json",
    conversations: 1,
    archived: { "chat-export-1700000000.json": "open-webui.json" },
    later: (text) => text.replace('"pinned": true', '"pinned": false'),
  },
  "lm-studio": {
    name: "lm-studio.conversation.json",
    conversations: 1,
    archived: { "conversations/moved/lm-studio.conversation.json": "lm-studio.conversation.json" },
    later: (text) => text.replace('"Knots"', '"All of my knots"'),
  },
  jan: {
    name: "jan",
    conversations: 1,
    archived: {
      "threads/jan_1700000000/thread.json": "jan/jan_1700000000/thread.json",
      "threads/jan_1700000000/messages.jsonl": "jan/jan_1700000000/messages.jsonl",
    },
    later: (text) => text.replace('"updated": 1700000060', '"updated": 1700009999'),
  },
};

/** The files of an export as they are said to be later, in a folder of another name. */
function laterExport({ archived, later }: Sample): string {
  const folder = temporaryFolder();
  for (const [name, source] of Object.entries(archived)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), later(readFileSync(path.join(exportsFolder, source), "utf8")));
  }
  return folder;
}

function archiveOf({ archived }: Sample): string {
  const file = path.join(temporaryFolder(), "export.zip");
  const entries = Object.entries(archived).map(
    ([name, source]) => [name, strToU8(readFileSync(path.join(exportsFolder, source), "utf8"))] as const,
  );
  writeFileSync(file, zipSync(Object.fromEntries(entries)));
  return file;
}

describe("an import that is repeated", () => {
  let host: TestHost;
  before(async () => {
    host = await startTestHost({
      settings: { "memory.embedding_model": "" },
    });
  });
  after(() => host.stop());

  const service: Service = {
    send: async <T>(method: string, route: string, body?: unknown): Promise<T> => {
      const answer = await host.json<T & { readonly error?: { code: string; message: string } }>(
        method,
        route,
        body,
      );
      if (answer.body.error !== undefined) throw new AppError(answer.body.error);
      return answer.body;
    },
  };

  const run = async (file: string, onConflict?: OnConflict): Promise<ImportReport> => {
    const { signal } = new AbortController();
    const how = { service, file, from: "auto", signal, onProgress: () => undefined };
    return (await importFile({ ...how, ...(onConflict && { onConflict }) })).report;
  };

  /** All that is stored, word by word. */
  const stored = async (): Promise<readonly unknown[]> => {
    const { conversations } = await service.send<{ readonly conversations: readonly { id: string }[] }>(
      "GET",
      "/v1/conversations?limit=100",
    );
    const ids = conversations.map(({ id }) => id).toSorted();
    return Promise.all(ids.map((id) => service.send("GET", `/v1/conversations/${id}?view=all`)));
  };

  for (const [app, sample] of Object.entries(samples)) {
    it(`from ${app} makes nothing twice, whatever its file is called`, async () => {
      const { name, conversations } = sample;
      const file = path.join(exportsFolder, name);
      const first = await run(file);
      expect(first.imported).to.have.lengthOf(conversations);
      const before = await stored();
      const copied = path.join(temporaryFolder(), name);
      cpSync(file, copied, { recursive: true });
      for (const again of [file, copied, archiveOf(sample), laterExport(sample)]) {
        for (const onConflict of [undefined, "skip", "replace"] as const) {
          const { imported, replaced, messages, present, grown, continued, failed } = await run(
            again,
            onConflict,
          );
          const about = `${again} ${onConflict}`;
          expect({ imported, replaced, grown, continued, failed }, about).to.deep.equal({
            imported: [],
            replaced: [],
            grown: [],
            continued: [],
            failed: [],
          });
          expect([messages, present], about).to.deep.equal([0, conversations]);
        }
        expect(await stored(), again).to.deep.equal(before);
      }
    });
  }

  it("as copies makes one more of each, and refused where that is wanted nothing", async () => {
    const before = (await stored()).length;
    const all = Object.values(samples).reduce((sum, { conversations }) => sum + conversations, 0);
    const { failed } = await run(exportsFolder, "fail");
    expect([failed.length, (await stored()).length]).to.deep.equal([all, before]);
    expect((await run(exportsFolder, "new_id")).imported).to.have.lengthOf(all);
    expect(await stored()).to.have.lengthOf(before + all);
  });
});
