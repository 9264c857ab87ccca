import { expect } from "chai";
import { file, openDownloadStage, root, type DownloadStage } from "../support/download-stage.ts";
import { verifies } from "../support/verifies.ts";

interface Found {
  readonly models: readonly { readonly files: readonly object[] }[];
  readonly machine: Readonly<Record<"memoryBytes" | "freeMemoryBytes" | "freeDiskBytes", number>>;
}

const { name, size } = file;

describe("a search for models to download", function () {
  this.timeout(30_000);
  let stage: DownloadStage;
  beforeEach(async () => {
    stage = await openDownloadStage();
  });
  afterEach(() => stage.end());

  verifies("downloads:search", "the source is asked for models; what it makes up is left out", async () => {
    const { status, body } = await stage.host.json<Found>("GET", `${root}/search?q=tiny%20model&limit=5`);
    const found = {
      repoId: "owner/model",
      downloads: 7,
      likes: 1,
      updatedAt: "2026-01-02T03:04:05.000Z",
      gated: false,
      files: [{ filename: name, sizeBytes: size, quantization: "Q4_K_M", fits: "yes" }],
    };
    const { machine, ...rest } = body;
    expect([status, rest]).to.deep.equal([200, { models: [found], count: 1 }]);
    expect(machine.memoryBytes).to.be.within(machine.freeMemoryBytes, 2 ** 50);
    expect(machine.freeDiskBytes).to.be.above(size);
    expect(stage.source.asked.map(({ path: asked }) => asked)).to.deep.equal([
      "/api/models?search=tiny+model&filter=gguf&sort=downloads&direction=-1&limit=5",
      "/api/models/owner/model/revision/main?blobs=true",
    ]);
    expect(await stage.codeOf("GET", `${root}/search?limit=0`)).to.deep.equal([400, "out_of_range"]);
  });

  verifies(
    "downloads:search",
    "says of each file whether it fits; of one that hides its size not",
    async () => {
      await stage.end();
      stage = await openDownloadStage({
        "huge-Q8_0.gguf": { size: 1000, told: { size: 2 ** 50 } },
        "part-Q4_K_M-00001-of-00002.gguf": { size: 100 },
        "part-Q4_K_M-00002-of-00002.gguf": { size: 200 },
        "silent-F16.gguf": { size: 1000, told: { size: null } },
        "README.md": { size: 10 },
      });
      const { body } = await stage.host.json<Found>("GET", `${root}/search`);
      expect(body.models[0]?.files).to.deep.equal([
        { filename: "part-Q4_K_M-00001-of-00002.gguf", sizeBytes: 300, quantization: "Q4_K_M", fits: "yes" },
        { filename: "huge-Q8_0.gguf", sizeBytes: 2 ** 50, quantization: "Q8_0", fits: "no" },
        { filename: "silent-F16.gguf", sizeBytes: null, quantization: "F16", fits: "unknown" },
      ]);
      stage.source.catalogue = (asked) =>
        asked.includes("/revision/")
          ? { status: 500, body: "{}" }
          : { status: 200, body: JSON.stringify([{ id: "owner/model" }]) };
      const broken = await stage.host.json<Found>("GET", `${root}/search`);
      expect(broken.body.models.map(({ files }) => files)).to.deep.equal([[]]);
    },
  );
});
