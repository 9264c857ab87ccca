import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { openDownloads, type DownloadScene, type SceneOptions } from "./download-scene.ts";
import { ModelSource, sha256Of, type SourceModel } from "./model-source.ts";

export const size = 1_000_000;
export const model: SourceModel = { size };
export const name = "tiny-Q4_K_M.gguf";
export const place = `owner/model/${name}`;
export const wanted = { repoId: "owner/model", filename: name };

export async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest("hex");
}

/** For a suite: a source of one model, and downloads of it. What they write down as a bug fails the test. */
export function faultyDownloads() {
  let source: ModelSource;
  let scene: DownloadScene;

  beforeEach(async () => {
    source = await ModelSource.open({ [name]: model });
  });
  afterEach(async () => {
    await scene.downloads.stop();
    await source.close();
    expect(scene.bugs).to.deep.equal([]);
  });

  const open = async (options: Partial<SceneOptions> = {}): Promise<DownloadScene> =>
    (scene = await openDownloads({ url: source.url, ...options }));
  const run = async (request: object = wanted) => scene.until((await scene.start(request)).downloadId);
  const rangesAsked = () => source.asksFor(name).map(({ headers }) => headers.range);
  const isRight = async (as: SourceModel = model) =>
    expect(await hashOf(path.join(scene.folder, place))).to.equal(sha256Of(as));

  return {
    get source(): ModelSource {
      return source;
    },
    get scene(): DownloadScene {
      return scene;
    },
    open,
    run,
    rangesAsked,
    isRight,
  };
}
