import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { read, root } from "../architecture/tree.ts";
import { addFigure } from "../support/figures.ts";
import { incidents } from "./incidents.ts";
import { rows } from "./rows.ts";

describe("the rows of reliability", () => {
  it("name incidents whose tests are there", () => {
    const proved = incidents.filter(({ file }) => file !== "");
    const broken = proved.filter(({ file, title }) => !read(file).includes(title));
    addFigure("incidents", incidents.length);
    addFigure("incidents with a test", proved.length - broken.length);
    expect(broken).to.deep.equal([]);
    expect(new Set(incidents.map(({ name }) => name)).size).to.equal(incidents.length);
  });

  it("name files that are there, and each its own number", () => {
    const files = rows.flatMap((row) => row.files).filter((file) => !file.includes("*"));
    expect(files.filter((file) => !existsSync(path.join(root, file)))).to.deep.equal([]);
    expect(new Set(rows.map(({ id }) => id)).size).to.equal(rows.length);
  });
});
