import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { git, needsGit, repository, type Bench } from "./bench.ts";

const yes = { decision: "approved", text: "yes" } as const;

/** A server that calls itself good.example and asks for a password, as a repository's owner may run one. */
describe("S7: version_control.pull from a repository that leads git to a server of its own", function () {
  this.timeout(30_000);
  const home = temporaryFolder();
  const certificate = path.join(home, "cert.pem");
  const stolen: string[] = [];
  const homeBefore = process.env["HOME"];
  let server: Server;
  let port: number;

  before(needsGit);
  before(async () => {
    const key = path.join(home, "key.pem");
    const subject = ["-subj", "/CN=good.example", "-addext", "subjectAltName=DNS:good.example"];
    const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key];
    execFileSync("openssl", [...made, "-out", certificate, ...subject], { stdio: "ignore" });
    server = createServer(
      { key: readFileSync(key), cert: readFileSync(certificate) },
      ({ headers }, response) => {
        if (headers.authorization !== undefined) stolen.push(headers.authorization);
        response.writeHead(401, { "WWW-Authenticate": 'Basic realm="x"' }).end();
      },
    ).listen(0, "127.0.0.1");
    await once(server, "listening");
    ({ port } = server.address() as AddressInfo);
    const helper = '"!f() { echo username=ada; echo password=secret; }; f"';
    writeFileSync(path.join(home, ".gitconfig"), `[credential]\n\thelper = ${helper}\n`);
    process.env["HOME"] = home;
  });
  after(() => {
    process.env["HOME"] = homeBefore;
    server.close();
  });
  beforeEach(() => stolen.splice(0));

  const planted = (keys: Readonly<Record<string, string>>, answers = [yes]): Bench => {
    const made = repository({ answers });
    made.git("remote", "add", "origin", `https://good.example:${port}/x.git`);
    for (const [key, value] of Object.entries(keys)) made.git("config", key, value);
    return made;
  };
  const fakeName = () => ({ "http.curloptResolve": `good.example:${port}:127.0.0.1` });
  const fakeTrust = { "http.sslCAInfo": certificate };

  it("would send the person's password there with plain git, so that the tests below can fail", async () => {
    const { root } = planted({ ...fakeName(), ...fakeTrust });
    const plain = spawn("git", ["fetch", "origin"], {
      cwd: root,
      env: { PATH: process.env["PATH"], HOME: home, GIT_TERMINAL_PROMPT: "0" },
      stdio: "ignore",
    });
    await once(plain, "exit");
    expect(stolen).to.deep.equal([`Basic ${Buffer.from("ada:secret").toString("base64")}`]);
  });

  const attacks: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
    "a fake name and a certificate": () => ({ ...fakeName(), ...fakeTrust }),
    "a fake name and no check": () => ({ ...fakeName(), "http.sslVerify": "false" }),
    "a fake name for one host": () => ({
      [`http.https://good.example:${port}/.curloptResolve`]: `good.example:${port}:127.0.0.1`,
      [`http.https://good.example:${port}/.sslCAInfo`]: certificate,
    }),
    "a proxy": () => ({ "http.proxy": `https://127.0.0.1:${port}`, "http.sslVerify": "false" }),
    "a proxy of the remote": () => ({ "remote.origin.proxy": `https://127.0.0.1:${port}` }),
    "another address": () => ({
      [`url.https://127.0.0.1:${port}/.insteadOf`]: `https://good.example:${port}/`,
    }),
  };
  for (const [what, keys] of Object.entries(attacks))
    for (const operation of ["pull", "push"])
      it(`${operation} does not send the password there by ${what}`, async () => {
        await planted(keys()).failure(operation, { branch: "main" });
        expect(stolen).to.deep.equal([]);
      });

  it("names the keys that it does not go along with, and where they belong", async () => {
    const { failure, context } = planted({ ...fakeName(), ...fakeTrust, "http.postBuffer": "1000000" });
    const error = await failure("pull", { branch: "main" });
    expect(error.code).to.equal("permission_denied");
    expect(error.message).to.include("with whom git speaks: http.sslcainfo.");
    expect(error.hint).to.include("git config --global");
    expect(context.questions).to.deep.equal([]);
  });

  it("asks at the first pull from an address, and not again", async () => {
    const no = { decision: "denied", text: "no" } as const;
    const refusing = repository({ answers: [no] });
    refusing.git("remote", "add", "origin", `https://ada:pw@good.example:${port}/x.git`);
    expect((await refusing.failure("pull", { branch: "main" })).code).to.equal("denied");
    const [question] = refusing.context.questions;
    expect(question?.prompt).to.include(`https://good.example:${port}/x.git`).and.not.include("pw");
    expect(question?.authorizeOperation).to.equal("version_control.pull");

    const made = planted({});
    for (let time = 0; time < 2; time += 1) await made.failure("pull", { branch: "main" });
    expect(made.context.questions).to.have.length(1);
    git(made.root, "remote", "set-url", "origin", "https://other.invalid/x.git");
    const error: unknown = await made.run("pull", { branch: "main" }).catch((each: unknown) => each);
    expect(String(error)).to.include("Nobody is there to answer question 2");
  });
});
