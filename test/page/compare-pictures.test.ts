import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { PNG } from "pngjs";
import { temporaryFolder } from "@pergola/sdk/testing";
import { differenceFrom } from "../support/compare-pictures.ts";

/** A white picture whose first pixels are black. */
function picture(black: number, width = 100): Buffer {
  const png = new PNG({ width, height: 100 });
  png.data.fill(255);
  for (let at = 0; at < black; at += 1) png.data.fill(0, at * 4, at * 4 + 3);
  return PNG.sync.write(png);
}

describe("the comparison of pictures", () => {
  const file = path.join(temporaryFolder(), "compared.png");
  before(() => writeFileSync(file, picture(0)));

  it("lets one pixel in a thousand differ", () => {
    expect(differenceFrom(file, picture(0))).to.equal(undefined);
    expect(differenceFrom(file, picture(10))).to.equal(undefined);
  });

  it("names the pictures of what was found and of the difference, where more do", () => {
    const fault = differenceFrom(file, picture(11)) ?? "";
    expect(fault).to.match(/^compared: 11 pixels differ; /);
    const pictures = fault.match(/\/\S+\.png/g) ?? [];
    expect(pictures.map((one) => path.basename(one))).to.deep.equal([
      "compared-found.png",
      "compared-difference.png",
    ]);
    expect(pictures.every((one) => existsSync(one))).to.equal(true);
  });

  it("says of what size a picture is that has another one, and that there is none", () => {
    expect(differenceFrom(file, picture(0, 90))).to.equal("compared: 90 × 100 pixels in place of 100 × 100");
    expect(differenceFrom(`${file}-none`, picture(0))).to.match(/npm run baselines/);
  });
});
