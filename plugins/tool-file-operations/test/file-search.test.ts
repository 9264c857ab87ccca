import { expect } from "chai";
import { workspace } from "./context.ts";
import { ignoring, tree } from "./trees.ts";

interface Files {
  readonly files: readonly string[];
  readonly totalCount: number;
}

describe("file_search", () => {
  for (const [query, files] of [
    ["*.ts", ["src/a.ts"]],
    ["**/*.js", ["src/deep/b.js"]],
    ["src/*", ["src/a.ts"]],
    ["src/**", ["src/a.ts", "src/deep/b.js", "src/deep/c.TXT"]],
    ["src/", ["src/a.ts", "src/deep/b.js", "src/deep/c.TXT"]],
    ["./src/a.ts", ["src/a.ts"]],
    ["README.md", ["README.md"]],
    ["deep/b.js", ["src/deep/b.js"]],
    ["readme", ["README.md"]],
    ["?.js", ["src/deep/b.js"]],
    ["[ab].*", ["src/a.ts", "src/deep/b.js"]],
    ["[!ab].*", ["src/deep/c.TXT"]],
    ["*.{ts,js}", ["src/a.ts", "src/deep/b.js"]],
    ["*.png", ["logo.png"]],
    ["**/*", ["README.md", "src/a.ts", "src/deep/b.js", "src/deep/c.TXT"]],
    ["*.rs", []],
  ] as const) {
    it(`understands ${query}`, async () => {
      expect((await workspace(tree).data<Files>("file_search", { query })).files).to.deep.equal(files);
    });
  }

  for (const [operation, name] of [
    ["file_search", "query"],
    ["grep_search", "includePattern"],
  ] as const)
    it(`T3: ${operation} refuses a glob that leads elsewhere, and says where to search`, async () => {
      const { failure, run, path } = workspace(tree);
      const query = { query: "x" };
      const error = await failure(operation, { ...query, [name]: "/elsewhere/deep/**/*.ts" });
      expect(error.code).to.equal("invalid_value");
      expect(error.hint).to.contain('directory "/elsewhere/deep" with the glob "**/*.ts"');
      for (const glob of ["../x/*.ts", "~/elsewhere/*.ts", "/elsewhere.ts"])
        expect(await failure(operation, { ...query, [name]: glob })).to.have.property(
          "code",
          "invalid_value",
        );
      const inside = [path("src/*.ts"), path("src"), path(""), "/src/*.ts", "/*.md"];
      for (const glob of inside) await run(operation, { ...query, [name]: glob });
    });

  it("takes an absolute glob below the working directory", async () => {
    const { data, path } = workspace(tree);
    expect((await data<Files>("file_search", { query: path("src/**/*.js") })).files).to.deep.equal([
      "src/deep/b.js",
    ]);
  });

  it("pages", async () => {
    const { data } = workspace(
      Object.fromEntries(
        Array.from({ length: 25 }, (_, index) => [`f${String(index).padStart(2, "0")}.txt`, "x"]),
      ),
    );
    const page = await data<Files>("file_search", { query: "*.txt", maxResults: 10, offset: 20 });
    expect(page).to.deep.equal({
      files: ["f20.txt", "f21.txt", "f22.txt", "f23.txt", "f24.txt"],
      count: 5,
      totalCount: 25,
      offset: 20,
      hasMore: false,
    });
    expect(await data("file_search", { query: "*.txt", maxResults: 10 })).to.include({
      count: 10,
      totalCount: 25,
      hasMore: true,
    });
  });

  it("searches in a folder, with globs relative to it and paths relative to the working directory", async () => {
    expect(
      (await workspace(tree).data<Files>("file_search", { query: "deep/*", directory: "src" })).files,
    ).to.deep.equal(["src/deep/b.js", "src/deep/c.TXT"]);
  });

  it("leaves out .git and ignored files unless the glob names them", async () => {
    const { data } = workspace(ignoring);
    expect((await data<Files>("file_search", { query: "*.txt" })).files).to.deep.equal(["plain.txt"]);
    expect((await data<Files>("file_search", { query: "secret.txt" })).files).to.deep.equal(["secret.txt"]);
    expect((await data<Files>("file_search", { query: "dist/*.js" })).files).to.deep.equal(["dist/out.js"]);
    expect((await data<Files>("file_search", { query: ".git/*" })).files).to.deep.equal([".git/config"]);
  });

  it("finds dot files", async () => {
    expect(
      (await workspace({ ".env.example": "x" }).data<Files>("file_search", { query: ".env*" })).files,
    ).to.deep.equal([".env.example"]);
  });

  it("refuses a glob that is none", async () => {
    expect((await workspace(tree).failure("file_search", { query: "[z-a]" })).code).to.equal("invalid_value");
    expect((await workspace(tree).failure("file_search", { query: "*".repeat(300) })).code).to.equal(
      "invalid_value",
    );
  });
});
