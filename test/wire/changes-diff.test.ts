import { rmSync } from "node:fs";
import { expect } from "chai";
import { canary } from "../support/canary.ts";
import { commanding, deleting, openChanges, renaming, writing } from "../support/changes-scene.ts";
import type { ChangesScene } from "../support/changes-scene.ts";
import { verifies } from "../support/verifies.ts";

interface Answer {
  readonly changeId: string;
  readonly path: string;
  readonly from: string | null;
  readonly kind: string;
  readonly diff: {
    readonly binary: boolean;
    readonly additions: number;
    readonly deletions: number;
    readonly truncated: boolean;
    readonly hunks: readonly { readonly oldStart: number; readonly lines: readonly string[] }[];
  } | null;
  readonly reason: string | null;
}

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("the diff of a change", () => {
  let scene: ChangesScene;
  beforeEach(async () => {
    scene = await openChanges();
  });
  afterEach(() => scene.end());

  const get = (id: string, query = "") => scene.host.json<Answer>("GET", `/api/changes/${id}/diff${query}`);
  const diffOf = async (run: string, name: string, query = ""): Promise<Answer> => {
    const { changes } = await scene.changes(run);
    const { id } = changes.find((change) => change.path === scene.at(name))!;
    const { status, body } = await get(id, query);
    expect(status).to.equal(200);
    expect(body).to.include({ changeId: id, path: scene.at(name) });
    return body;
  };
  const linesOf = ({ diff }: Answer) => diff?.hunks.flatMap(({ lines }) => lines);

  verifies("changes:diff", "goes from before to after, with three lines around", async () => {
    scene.put("notes.md", numbered(20));
    scene.put("gone.txt", "a\nb");
    const run = await scene.run([
      writing("notes.md", numbered(20).replace("line 10\n", "ten\n")),
      writing("new.txt", "fresh\n"),
      deleting("gone.txt"),
    ]);
    const notes = await diffOf(run, "notes.md");
    expect(notes.diff).to.deep.equal({
      binary: false,
      additions: 1,
      deletions: 1,
      truncated: false,
      hunks: [
        {
          oldStart: 7,
          oldLines: 7,
          newStart: 7,
          newLines: 7,
          lines: [" line 7", " line 8", " line 9", "-line 10", "+ten", " line 11", " line 12", " line 13"],
        },
      ],
    });
    expect([notes.kind, notes.from, notes.reason]).to.deep.equal(["modified", null, null]);
    expect(linesOf(await diffOf(run, "new.txt"))).to.deep.equal(["+fresh"]);
    const gone = ["-a", "-b", "\\ No newline at end of file"];
    expect(linesOf(await diffOf(run, "gone.txt"))).to.deep.equal(gone);
  });

  verifies("changes:diff", "has the whole file around, where that is asked for", async () => {
    scene.put("notes.md", numbered(3000));
    const run = await scene.run([writing("notes.md", numbered(3000).replace("line 10\n", "ten\n"))]);
    const { diff, ...rest } = await diffOf(run, "notes.md", "?whole=true");
    const lines = numbered(3000).trimEnd().split("\n");
    const whole = lines.flatMap((line) => (line === "line 10" ? ["-line 10", "+ten"] : [` ${line}`]));
    expect(diff).to.include({ additions: 1, deletions: 1, truncated: false });
    expect(linesOf({ diff, ...rest })).to.deep.equal(whole);
    expect(linesOf(await diffOf(run, "notes.md"))).to.have.length(8);
  });

  verifies("changes:diff", "goes from now to what a revert leaves", async () => {
    scene.put("notes.md", "old\n");
    const run = await scene.run([writing("notes.md", "new\n")]);
    expect(linesOf(await diffOf(run, "notes.md", "?against=now"))).to.deep.equal(["-new", "+old"]);
    scene.put("notes.md", "by hand\n");
    expect(linesOf(await diffOf(run, "notes.md", "?against=now"))).to.deep.equal(["-by hand", "+old"]);
    const lost = await diffOf(run, "notes.md");
    expect(lost.diff).to.equal(null);
    expect(lost.reason).to.match(/not kept/);
    const { changes } = await scene.changes(run);
    expect((await get(changes[0]!.id, "?against=then")).status).to.equal(400);
    expect((await get("chg_none")).status).to.equal(404);
  });

  verifies("changes:diff", "finds what a later change has kept, and renamed files", async () => {
    scene.put("a.txt", "1\n");
    const run = await scene.run([
      writing("a.txt", "2\n"),
      writing("a.txt", "3\n"),
      renaming("a.txt", "b.txt"),
    ]);
    const { changes } = await scene.changes(run);
    const [renamed, second, first] = await Promise.all(changes.map(async ({ id }) => (await get(id)).body));
    expect(linesOf(first!)).to.deep.equal(["-1", "+2"]);
    expect(linesOf(second!)).to.deep.equal(["-2", "+3"]);
    expect([renamed!.from, linesOf(renamed!)]).to.deep.equal([scene.at("a.txt"), []]);
  });

  verifies(
    "changes:diff",
    "is cut where it is long, and has no secrets and no bytes that are no text",
    async () => {
      const run = await scene.run([
        writing("long.txt", numbered(3000)),
        writing("secret.txt", `key ${canary.value}\n`),
        writing("deep/new.txt", "x\n"),
      ]);
      const { diff } = await diffOf(run, "long.txt");
      expect(diff).to.include({ additions: 3000, truncated: true });
      expect(linesOf(await diffOf(run, "long.txt"))).to.have.length(2000);
      expect(JSON.stringify(await diffOf(run, "secret.txt"))).to.not.include(canary.value);
      expect((await diffOf(run, "deep")).reason).to.equal("A folder has no content.");
      scene.put("bytes.bin", Uint8Array.of(0, 1, 2));
      const binary = await scene.run([writing("bytes.bin", "text\n")]);
      expect((await diffOf(binary, "bytes.bin")).diff).to.deep.equal({
        binary: true,
        additions: 0,
        deletions: 0,
        truncated: false,
        hunks: [],
      });
      rmSync(scene.at("secret.txt"));
    },
  );

  verifies(
    "changes:recorded",
    "is counted in lines when it is recorded, where that can be done",
    async () => {
      scene.put("notes.md", numbered(20));
      scene.put("gone.txt", "a\nb");
      scene.put("bytes.bin", Uint8Array.of(0, 1, 2));
      const run = await scene.run([
        writing("notes.md", numbered(20).replace("line 10\n", "ten\nmore\n")),
        writing("deep/new.txt", "fresh\n"),
        deleting("gone.txt"),
        renaming("notes.md", "renamed.md"),
        writing("bytes.bin", "text\n"),
        commanding("echo more >> renamed.md"),
      ]);
      const { changes } = await scene.changes(run);
      const counts = changes.map(({ path, kind, additions, deletions }) =>
        [kind, path.slice(scene.folder.length + 1), additions, deletions].join(" "),
      );
      expect(counts.toReversed()).to.deep.equal([
        "modified notes.md 2 1",
        "created deep 0 0",
        "created deep/new.txt 1 0",
        "deleted gone.txt 0 2",
        "renamed renamed.md 0 0",
        "modified bytes.bin  ",
        "modified renamed.md 1 0",
      ]);
    },
  );
});
