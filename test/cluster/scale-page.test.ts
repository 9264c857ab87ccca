import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { root } from "../architecture/tree.ts";
import { withFigures } from "./support/scale-page.ts";
import { crowds, type Throughput } from "./throughput.ts";

const figures = (hosts: number, storage: Throughput["storage"], turnsPerSecond: number): Throughput => ({
  hosts,
  storage,
  turnsPerSecond,
  turn: 12.34,
  cpuOfHosts: 5.55,
  cpuOfDatabase: 2.5,
  crowds: [30.4, 70.6],
});

describe("the page about scale", () => {
  it("takes the figures of a run in, and changes nothing else", () => {
    const before = readFileSync(path.join(root, "docs", "scale.md"), "utf8");
    const found = [figures(1, "sqlite", 200.4), figures(1, "postgres", 100), figures(2, "postgres", 150)];
    const after = withFigures(before, { found, crowds, date: "2031-02-03" });
    const added = after.split("\n").filter((line) => !before.split("\n").includes(line));
    expect(added.map((line) => line.replace(/^(Measured on [\d-]+).*/, "$1"))).to.deep.equal([
      "| 1 | SQLite | 200 | 12.3 | 5.5 | – | 30 | 71 |",
      "| 1 | PostgreSQL | 100 | 12.3 | 5.5 | 2.5 | 30 | 71 |",
      "| 2 | PostgreSQL | 150 | 12.3 | 5.5 | 2.5 | 30 | 71 |",
      "Measured on 2031-02-03",
      "| one host with SQLite | 200 | 6,010 | 120,000 |",
      "| one host with PostgreSQL, its core its own | 100 | 3,000 | 60,000 |",
      "| one core of the database, 2.5 ms a turn | 400 | 12,000 | 240,000 |",
    ]);
    expect(withFigures(after, { found, crowds, date: "2031-02-03" })).to.equal(after);
  });
});
