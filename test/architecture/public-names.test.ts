import { expect } from "chai";
import {
  compareNames,
  currentNames,
  readRecord,
  unstatedNames,
  type NameRecord,
} from "../../scripts/public-names/record.ts";
import { publicNames } from "../../scripts/shape/public-names.ts";
import { read } from "./tree.ts";

describe("the public names of the SDK", function () {
  this.timeout(60_000);
  const names = publicNames("sdk/index.ts");

  it("are at most 230", () => {
    expect(names).to.have.length.within(100, 230);
  });

  it("have doc comments, each", () => {
    const bare = names.filter(({ documentation }) => documentation === "");
    expect(bare.map(({ name }) => name)).to.deep.equal([]);
  });

  it("are those of the record (npm run public-names)", () => {
    const record = readRecord()!;
    expect(compareNames(record, currentNames())).to.deep.equal(record);
  });

  it("are named in the changelog when they have changed since the record began", () => {
    expect(unstatedNames(readRecord()!, read("CHANGELOG.md"))).to.deep.equal([]);
  });
});

describe("the record of public names", () => {
  const base = { version: "1.0.0", names: { gone: "function", kept: "class", turned: "interface" } };
  const record = compareNames(base, { kept: "class", turned: "type", made: "const" });

  it("holds what was added, removed and given another kind", () => {
    const expected: NameRecord = {
      ...base,
      added: { turned: "type", made: "const" },
      removed: { gone: "function", turned: "interface" },
    };
    expect(record).to.deep.equal(expected);
  });

  it("asks for each changed name under Unreleased, in backticks", () => {
    const later =
      "# Changelog\n\n## Unreleased\n\n- `made` is new; gone is not.\n\n## 1.0.0\n\n- `turned`.\n";
    expect(unstatedNames(record, later)).to.deep.equal(["turned", "gone"]);
    expect(unstatedNames(record, "## Unreleased\n\n- `made`, `turned`, without `gone`.\n")).to.deep.equal([]);
  });
});
