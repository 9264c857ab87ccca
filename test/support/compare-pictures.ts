import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { root } from "../architecture/tree.ts";

/** The share of pixels that may differ. */
const tolerance = 0.001;

/** Where pictures of what differs are written: below the folder of the dependencies, which nobody commits. */
const folder = path.join(root, "node_modules", ".cache", "pictures");

/**
 * Compares a screenshot with a picture. Gives what is wrong, with the files of what was found and of the
 * difference; undefined where at most one pixel in a thousand differs.
 */
export function differenceFrom(file: string, screenshot: Buffer): string | undefined {
  const name = path.basename(file, ".png");
  if (!existsSync(file)) return `${name}: there is no picture; npm run baselines makes it`;
  const [wanted, found] = [PNG.sync.read(readFileSync(file)), PNG.sync.read(screenshot)];
  const { width, height } = wanted;
  if (found.width !== width || found.height !== height)
    return `${name}: ${found.width} × ${found.height} pixels in place of ${width} × ${height}`;
  const difference = new PNG({ width, height });
  const count = pixelmatch(wanted.data, found.data, difference.data, width, height, { threshold: 0.1 });
  if (count <= tolerance * width * height) return undefined;
  mkdirSync(folder, { recursive: true });
  const files = ["found", "difference"].map((what) => path.join(folder, `${name}-${what}.png`));
  writeFileSync(files[0]!, screenshot);
  writeFileSync(files[1]!, PNG.sync.write(difference));
  return `${name}: ${count} pixels differ; see ${files.join(" and ")}`;
}
