import { expect } from "chai";
import type { Storage } from "@pergola/sdk";
import { caught } from "./caught.ts";

const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);

const ranges: readonly (readonly [number, number, readonly number[]])[] = [
  [0, 3, [0, 1, 2]],
  [254, 256, [254, 255]],
  [254, 1000, [254, 255]],
  [256, 300, []],
  [10, 10, []],
  [20, 10, []],
  [-5, 2, [0, 1]],
];

/** Bytes by id, whole and in part. */
export function describeBlobs(opened: () => Storage): void {
  describe("blobs", () => {
    it("gives back every byte that was put", async () => {
      const { blobs } = opened();
      await blobs.put("a", bytes);
      expect([...((await blobs.get("a")) ?? [])]).to.deep.equal([...bytes]);
    });

    it("gives undefined for a blob that is not there, and an empty one for an empty one", async () => {
      const { blobs } = opened();
      await blobs.put("empty", new Uint8Array());
      expect(await blobs.get("nothing")).to.equal(undefined);
      expect(await blobs.get("nothing", { start: 0, end: 1 })).to.equal(undefined);
      expect((await blobs.get("empty"))?.length).to.equal(0);
    });

    it("reads a range, as far as there are bytes", async () => {
      const { blobs } = opened();
      await blobs.put("a", bytes);
      const read = await Promise.all(
        ranges.map(async ([start, end]) => [
          start,
          end,
          [...((await blobs.get("a", { start, end })) ?? [-1])],
        ]),
      );
      expect(read).to.deep.equal(ranges);
    });

    it("keeps a part of a larger buffer, and no piece of what it was given or gave out", async () => {
      const { blobs } = opened();
      const bytes = new Uint8Array([9, 1, 2, 3, 9]).subarray(1, 4);
      const written = blobs.put("a", bytes);
      bytes.fill(0);
      await written;
      (await blobs.get("a"))?.fill(0);
      expect([...((await blobs.get("a")) ?? [])]).to.deep.equal([1, 2, 3]);
    });

    it("replaces and deletes", async () => {
      const { blobs } = opened();
      await blobs.put("a", bytes);
      await blobs.put("a", new Uint8Array([1]));
      expect((await blobs.get("a"))?.length).to.equal(1);
      expect(await blobs.delete("a")).to.equal(true);
      expect(await blobs.delete("a")).to.equal(false);
      expect(await blobs.get("a")).to.equal(undefined);
    });

    it("keeps several megabytes", async () => {
      const { blobs } = opened();
      const large = new Uint8Array(5_000_000).map((_, index) => index % 251);
      await blobs.put("large", large);
      expect(Buffer.compare((await blobs.get("large")) ?? new Uint8Array(), large)).to.equal(0);
      expect([...((await blobs.get("large", { start: 4_000_000, end: 4_000_002 })) ?? [])]).to.deep.equal([
        4_000_000 % 251,
        4_000_001 % 251,
      ]);
    });

    it("refuses an id that no database keeps", async () => {
      expect(await caught(opened().blobs.put("", bytes))).to.equal("invalid_id");
    });
  });
}
