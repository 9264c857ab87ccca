import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { networkInterfaces } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { read, root } from "../architecture/tree.ts";
import { built, freePort, watchProgram, type Program } from "../support/pergola.ts";

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of a Dockerfile, each on one line. */
function instructionsIn(file: string): readonly Instruction[] {
  const lines = file
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter(Boolean);
  return lines.map((line) => {
    const [, name = "", text = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    return { name, text };
  });
}

const all = instructionsIn(read("Dockerfile"));
const last = all.findLastIndex(({ name }) => name === "FROM");
const [building, running] = [all.slice(0, last), all.slice(last)];
const textsOf = (list: readonly Instruction[], wanted: string): readonly string[] =>
  list.filter(({ name }) => name === wanted).map(({ text }) => text);
const listIn = (name: string, text = textsOf(running, name)[0] ?? ""): readonly string[] =>
  JSON.parse(text.slice(text.indexOf("["))) as string[];

/** What the image sets, its volumes in another folder. */
const environmentIn = (volumes: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (textsOf(running, "ENV")[0] ?? "")
      .split(/\s+/)
      .map((pair) => pair.split("="))
      .map(([name = "", value = ""]) => [name, value.replace(/^\/(data|config)$/, `${volumes}/$1`)]),
  );

/** What is installed here, as second names of the same files where the disk allows. */
function copyModules(to: string): void {
  const from = path.join(root, "node_modules");
  const { status } = spawnSync("cp", ["-al", from, to]);
  if (status !== 0) execFileSync("cp", ["-a", from, path.dirname(to)]);
  // npm writes into this one, and makes it where it is missing.
  rmSync(path.join(to, ".package-lock.json"), { force: true });
}

const outside = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.internal === false && one.family === "IPv4")?.address;

/**
 * The steps of the Dockerfile without Docker. Its build stage has the files of a clone, so `npm ci` and the
 * build are those that were run before these tests; what follows them is run in a copy of the tree. What its
 * last stage starts is started as the image says, as a user without rights.
 */
describe("the container image", function () {
  this.timeout(180_000);
  const image = temporaryFolder("pergola-image-");
  const volumes = temporaryFolder("pergola-volumes-");
  const data = path.join(volumes, "data");
  const user = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {};
  const environment = { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", ...environmentIn(volumes) };
  let service: Program;
  let port = 0;

  after(() => service?.end("SIGKILL"));

  it("has two stages of a release that is maintained, and takes in what a clone has", () => {
    const bases = textsOf(all, "FROM").map((text) => text.split(" ")[0]);
    expect(bases).to.have.length(2);
    expect(new Set(bases).size).to.equal(1);
    expect(Number(/^node:(\d+)-slim$/.exec(bases[0] ?? "")?.[1])).to.be.at.least(24);
    // So the build stage does what `npm ci` and a build do in a clone.
    const names = (file: string): readonly string[] =>
      read(file)
        .split("\n")
        .filter(Boolean)
        .map((line) => line.replace(/^\*\*\//, "").replace(/\/$/, ""));
    expect(names(".dockerignore")).to.include.members([".git", "node_modules", "dist"]);
    expect(names(".dockerignore").filter((name) => name !== ".git")).to.deep.equal(
      names(".dockerignore").filter((name) => names(".gitignore").includes(name)),
    );
  });

  it("gets rid of what only builds and tests need, and of nothing else", async () => {
    await built();
    const steps = textsOf(building, "RUN").filter((text) => !text.startsWith("apt-get "));
    expect(steps).to.deep.equal(["npm ci", "npm run build", "npm prune --omit=dev"]);
    for (const name of readdirSync(root))
      if (name !== "node_modules" && name !== ".git")
        cpSync(path.join(root, name), path.join(image, name), {
          recursive: true,
          filter: (from) => !/\/node_modules$/.test(from),
          mode: 0,
        });
    copyModules(path.join(image, "node_modules"));
    for (const step of steps.slice(2))
      execFileSync("sh", ["-c", `${step} --ignore-scripts --prefer-offline`], { cwd: image, stdio: "pipe" });
    expect(existsSync(path.join(image, "node_modules", "eslint"))).to.equal(false);
    expect(existsSync(path.join(image, "node_modules", "better-sqlite3"))).to.equal(true);
  });

  it("starts as a user without rights, keeps everything in its volumes, and is healthy", async () => {
    expect(textsOf(running, "USER")).to.deep.equal(["node"]);
    expect(textsOf(running, "VOLUME")).to.deep.equal(["/data /config"]);
    for (const name of ["data", "config"]) mkdirSync(path.join(volumes, name), { mode: 0o700 });
    if (user.uid !== undefined) execFileSync("chown", ["-R", "1000:1000", volumes]);
    execFileSync("chmod", ["-R", "a+rX", image]);
    port = await freePort();
    const [program = "", ...words] = [
      ...listIn("ENTRYPOINT"),
      ...listIn("CMD", textsOf(running, "CMD").at(-1)),
    ]
      .filter((word) => !["tini", "--"].includes(word))
      .map((word) => (word === "node" ? process.execPath : word.replace("/pergola/", `${image}/`)));
    const child = spawn(program, words, {
      ...user,
      cwd: data,
      env: { ...environment, PERGOLA_SERVER_PORT: String(port) },
    });
    service = watchProgram(child);
    await service.wrote("stop with Ctrl-C");
    expect(await health()).to.equal(0);
    expect(statSync(path.join(data, "pergola.db")).mode & 0o777).to.equal(0o600);
  });

  /** What the health check of the image ends with. */
  const health = async (): Promise<unknown> => {
    const [program = "", ...words] = listIn("HEALTHCHECK").map((word) => word.replace(":8080/", `:${port}/`));
    expect(program).to.equal("node");
    return watchProgram(spawn(process.execPath, words, { env: environment })).ended;
  };

  it("asks who comes from outside for a token, which it has made", async function () {
    if (outside === undefined) return this.skip();
    const ask = (token?: string) =>
      fetch(`http://${outside}:${port}/v1/models`, {
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      });
    expect((await ask()).status).to.equal(401);
    const made = execFileSync("cat", [path.join(data, "first-token")], { encoding: "utf8" }).trim();
    expect((await ask(made)).status).to.equal(200);
  });

  it("ends properly with the signal that a container is stopped with, and is not healthy any more", async () => {
    expect(textsOf(running, "STOPSIGNAL")).to.deep.equal(["SIGTERM"]);
    expect(await service.end("SIGTERM")).to.equal(0);
    expect(await health()).to.equal(1);
  });
});
