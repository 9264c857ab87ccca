import { expect } from "chai";
import { clients as connected } from "../../plugins/bridge-connect/clients/index.ts";
import { read } from "../architecture/tree.ts";
import { clients as driven } from "../clients/live/clients/index.ts";

/** The cells of the rows of a section's first table. */
function tableOf(page: string, section: string): readonly (readonly string[])[] {
  const [, text = ""] = page.split(`\n## ${section}\n`);
  const lines = text.split("\n## ")[0]!.split("\n");
  const rows = lines.filter((line) => line.startsWith("| ")).slice(1);
  return rows.map((line) => line.split("|").map((cell) => cell.trim()));
}

/** The name of a client without the way in which it is used. */
const nameOf = (name: string): string => name.replace(/:.*/, "");

describe("docs/clients.md and npm run clients", () => {
  const page = read("docs/clients.md");
  const rows = tableOf(page, "Use it from …").map(([, title = "", how = "", , proof = ""]) => ({
    title,
    name: /pergola connect ([\w-]+)/.exec(how)?.[1] ?? "",
    proof,
  }));

  it("have the same clients: each row is driven, and each that is driven has a row", () => {
    const names = new Set(driven.flatMap(({ row = [] }) => row));
    expect(rows.map(({ name }) => name)).to.have.members([...names]);
    expect(rows.map(({ title }) => title)).to.deep.equal(connected.map(({ title }) => title));
  });

  it("name the clients alike, and say in each row where it is driven", () => {
    for (const { title, name, proof } of rows) {
      const own = driven.filter(({ row }) => row === name).map((client) => nameOf(client.name));
      expect(own.filter((one) => !one.startsWith(title))).to.deep.equal([]);
      const files = [...proof.matchAll(/\]\(\.\.\/(test\/clients\/live\/[\w/.-]+)\)/g)];
      expect(files, title).not.to.deep.equal([]);
      for (const [, file = ""] of files) expect(read(file), file).to.include(title);
    }
  });

  it("have the same libraries", () => {
    const libraries = tableOf(page, "Libraries").map((cells) => cells.join(" "));
    const missing = driven
      .filter(({ row }) => row === undefined)
      .filter(({ name }) => !libraries.some((cells) => cells.includes(nameOf(name))));
    expect(missing.map(({ name }) => name)).to.deep.equal([]);
  });
});
