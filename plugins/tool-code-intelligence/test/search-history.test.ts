import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { expect } from "chai";
import type { Commit } from "../git/parse-commits.ts";
import { commit, git, hasGit } from "./repository.ts";
import { workspace, type Workspace } from "./workspace.ts";

const subjects = (commits: readonly Commit[]): readonly string[] => commits.map(({ subject }) => subject);

describe("search_history", function () {
  this.timeout(30_000);
  let place: Workspace;
  let hashes: readonly string[];
  const search = (args: Readonly<Record<string, unknown>>) =>
    place.data<readonly Commit[]>("search_history", args);

  before(function () {
    if (!hasGit()) {
      console.log("      needs the Debian package git");
      this.skip();
    }
    place = workspace();
    hashes = [
      commit(place.root, {
        message: "Start",
        date: "2024-03-01T10:00:00Z",
        files: { "a.txt": "one\n", "ü b.txt": "two\n" },
      }),
      commit(place.root, {
        message: "Handle the timeout of --force\n\nThe retry was too soon.",
        date: "2025-03-01T10:00:00Z",
        author: "Ben Ode <ben@example.org>",
        files: { "a.txt": "one\nretryLater()\n" },
      }),
      commit(place.root, { message: "", date: "2025-04-01T10:00:00Z", files: { "c.txt": "retryLater\n" } }),
      commit(place.root, {
        message: "Take it out again",
        date: "2025-05-01T10:00:00Z",
        files: { "a.txt": "one\n" },
      }),
    ];
  });

  it("T21: gives hash, author, date in UTC with Z, subject and files of commits whose message holds the query", async () => {
    expect(await search({ query: "TIMEOUT" })).to.deep.equal([
      {
        hash: hashes[1],
        author: "Ben Ode",
        date: "2025-03-01T10:00:00Z",
        subject: "Handle the timeout of --force",
        files: ["a.txt"],
      },
    ]);
  });

  it("finds a message by its body too", async () => {
    expect(subjects(await search({ query: "was too soon" }))).to.deep.equal([
      "Handle the timeout of --force",
    ]);
  });

  it("finds commits that added or took away the text, newest first, without a subject as well", async () => {
    expect((await search({ query: "retrylater" })).map(({ hash }) => hash)).to.deep.equal([
      hashes[3],
      hashes[2],
      hashes[1],
    ]);
  });

  it("names a commit once that is found by its message and by its change", async () => {
    const found = await search({ query: "retry" });
    expect(found.map(({ hash }) => hash)).to.deep.equal([hashes[3], hashes[2], hashes[1]]);
  });

  it("takes the query as it is, not as an expression", async () => {
    expect(await search({ query: "t.meout" })).to.deep.equal([]);
    expect(subjects(await search({ query: "retryLater()" }))).to.deep.equal([
      "Take it out again",
      "Handle the timeout of --force",
    ]);
  });

  it("names files as they are", async () => {
    expect((await search({ query: "start" }))[0]?.files).to.deep.equal(["a.txt", "ü b.txt"]);
  });

  it("keeps to max_results, the newest", async () => {
    expect((await search({ query: "retry", max_results: 2 })).map(({ hash }) => hash)).to.deep.equal([
      hashes[3],
      hashes[2],
    ]);
  });

  it("keeps to an author, by name or address", async () => {
    expect(subjects(await search({ query: "retry", author: "ben ode" }))).to.deep.equal([
      "Handle the timeout of --force",
    ]);
    expect(subjects(await search({ query: "retry", author: "@EXAMPLE.ORG" }))).to.deep.equal([
      "Handle the timeout of --force",
    ]);
    expect(await search({ query: "retry", author: "b.n" })).to.deep.equal([]);
  });

  for (const [since, count] of [
    ["2025-03-01", 3],
    ["2025-03-02", 2],
    ["2025-04", 2],
    ["2026", 0],
    ["2025-05-01T09:59:59Z", 1],
    ["9 months ago", 1],
    ["last year", 3],
    ["yesterday", 0],
  ] as const) {
    it(`keeps to what was committed since ${since}`, async () => {
      expect(await search({ query: "retry", since })).to.have.length(count);
    });
  }

  for (const since of ["soon", "2025-13-01", "2025-02-31", "the day before", "1e9 years ago"]) {
    it(`refuses ${since} as a date, which git would take for now`, async () => {
      expect((await place.failure("search_history", { query: "retry", since })).code).to.equal(
        "invalid_value",
      );
    });
  }

  for (const name of ["query", "since", "author", "repository_path"]) {
    it(`A29: refuses a value of ${name} that begins with a dash`, async () => {
      for (const value of ["--output=x", "-x", " --all"]) {
        const error = await place.failure("search_history", { query: "retry", [name]: value });
        expect(error.code).to.equal("invalid_value");
        expect(error.message).to.contain(name);
      }
    });
  }

  for (const query of [" ", "a\nb", "a\0b", "\n"]) {
    it(`refuses ${JSON.stringify(query)}, which git would read as several patterns or none`, async () => {
      expect((await place.failure("search_history", { query })).code).to.equal("invalid_value");
    });
  }

  it("gives the files that a merge brought in", async () => {
    const { root, data } = workspace();
    commit(root, { message: "Base", date: "2024-01-01T00:00:00Z", files: { "a.txt": "1" } });
    git(root, ["checkout", "--quiet", "-b", "side"]);
    commit(root, { message: "Side", date: "2024-01-02T00:00:00Z", files: { "side.txt": "needle" } });
    git(root, ["checkout", "--quiet", "main"]);
    commit(root, { message: "Main", date: "2024-01-03T00:00:00Z", files: { "b.txt": "1" } });
    git(root, [
      "-c",
      "user.name=M",
      "-c",
      "user.email=m@example.com",
      "merge",
      "--quiet",
      "-m",
      "Merge the side",
      "side",
    ]);
    const [merge] = await data<readonly Commit[]>("search_history", { query: "merge the" });
    expect(merge?.files).to.deep.equal(["side.txt"]);
    expect(subjects(await data("search_history", { query: "needle" }))).to.deep.equal(["Side"]);
  });

  it("finds nothing in a repository without commits", async () => {
    const { root, data } = workspace();
    git(root, ["init", "--quiet"]);
    expect(await data("search_history", { query: "x" })).to.deep.equal([]);
  });

  it("searches the repository that is named", async () => {
    const { root, data, failure, put } = workspace();
    put({ "inner/x.txt": "" });
    commit(`${root}/inner`, { message: "Inner", date: "2024-01-01T00:00:00Z" });
    expect(
      subjects(await data("search_history", { query: "inner", repository_path: "inner" })),
    ).to.deep.equal(["Inner"]);
    expect((await failure("search_history", { query: "inner" })).code).to.equal("not_found");
  });

  it("says how many files it left out of a large commit", async () => {
    const { root, run } = workspace();
    const files = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`f${index}`, String(index)]));
    commit(root, { message: "Large", date: "2024-01-01T00:00:00Z", files });
    const { data, message } = await run("search_history", { query: "large" });
    expect((data as readonly Commit[])[0]?.files).to.have.length(200);
    expect(message).to.contain("the first 200 files");
  });

  it("stops within two seconds of a cancel, while git waits for something", async () => {
    const stop = new AbortController();
    const stopped = workspace({}, { signal: stop.signal });
    commit(stopped.root, { message: "x", date: "2024-01-01T00:00:00Z" });
    rmSync(`${stopped.root}/.git/config`);
    execFileSync("mkfifo", [`${stopped.root}/.git/config`]);
    const running = stopped.failure("search_history", { query: "x" });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const cancelled = performance.now();
    stop.abort();
    expect((await running).code).to.equal("cancelled");
    expect(performance.now() - cancelled).to.be.below(2000);
  });
});
