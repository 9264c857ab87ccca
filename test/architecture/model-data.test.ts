import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import data from "../../plugins/service-models/model-data.json" with { type: "json" };
import { read, root } from "./tree.ts";

describe("the tables of models and prices", () => {
  it("are what the script makes of its sources on their day (npm run model-data)", function () {
    this.timeout(60_000);
    const file = path.join(temporaryFolder(), "model-data.json");
    const script = path.join(root, "scripts/model-data.ts");
    const said = execFileSync(
      process.execPath,
      ["--conditions=source", "--import", "tsx", script, data.date, file],
      {
        cwd: root,
        encoding: "utf8",
      },
    );
    expect(said)
      .to.match(/^\d{3,} models of \d kinds as of /)
      .and.include(data.date);
    expect(readFileSync(file, "utf8")).to.equal(read("plugins/service-models/model-data.json"));
  });

  it("M3: have the prices of most of the day where a vendor's change with the hour", () => {
    const priceOf = (id: string) => {
      const row = data.kinds.deepseek.find(({ ids }) => ids.includes(id));
      return [row?.prompt, row?.completion];
    };
    // 16 of 24 hours; cheaper at night.
    expect(priceOf("deepseek-chat")).to.deep.equal([0.00027, 0.0011]);
    expect(priceOf("deepseek-reasoner")).to.deep.equal([0.00055, 0.00219]);
    // 17 of 24 hours; dearer in the morning.
    expect(priceOf("deepseek-v4-flash")).to.deep.equal([0.00022, 0.00066]);
  });
});
