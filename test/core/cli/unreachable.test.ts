import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { unreachable } from "../../../core/cli/unreachable.ts";
import { makeCertificate, needsOpenssl } from "../../support/certificate.ts";
import { freePort, openProject, type Project } from "../../support/pergola.ts";

describe("a service that cannot be reached", function () {
  this.timeout(30_000);
  let project: Project;
  before(async () => {
    project = await openProject();
  });
  after(() => project.close());

  /** What the command says of a server with a certificate for these names. */
  async function saidOf(subjects: readonly string[], trusted: boolean) {
    const { cert, key } = makeCertificate(temporaryFolder("pergola-tls-"), "box", subjects);
    const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (_, answer) =>
      answer.end("{}"),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const environment: Readonly<Record<string, string>> = trusted ? { NODE_EXTRA_CA_CERTS: cert } : {};
    try {
      return await project.run(["models", "list", "--url", url], { bare: true, environment });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  it("because nobody knows the issuer of its certificate: tells how to trust it", async function () {
    needsOpenssl(this);
    const { code, stderr } = await saidOf(["IP:127.0.0.1"], false);
    expect(code).to.equal(3);
    expect(stderr).to.include("NODE_EXTRA_CA_CERTS=<file>").and.not.include("pergola start");
  });

  it("because its certificate is for other names: lists them", async function () {
    needsOpenssl(this);
    const { code, stderr } = await saidOf(["DNS:box.lan", "IP:10.1.2.3"], true);
    expect(code).to.equal(3);
    expect(stderr)
      .to.include("its certificate is for other names: box.lan, 10.1.2.3")
      .and.not.include("pergola start");
  });

  it("because nothing listens there: 3 from each command, one line, and a start only on this computer", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const line = `The service at ${url} cannot be reached: nothing listens there (ECONNREFUSED). \`pergola start\` starts one.\n`;
    for (const words of [["chat"], ["run", "x"], ["models", "list"], ["tokens", "list"]]) {
      const { code, stderr } = await project.run([...words, "--url", url], {
        bare: true,
        input: "one\ntwo\n",
      });
      expect([code, stderr], words[0]).to.deep.equal([3, line]);
    }
    expect(unreachable("https://box.example", { code: "ECONNREFUSED" }).message).to.not.include("start");
  });

  for (const [code, words] of [
    ["CERT_HAS_EXPIRED", "its certificate has expired"],
    ["ETIMEDOUT", "it took too long to connect"],
    ["no_answer", "it took too long to answer"],
    ["ENOTFOUND", "no computer of this name is known"],
  ] as const)
    it(`because of ${code}: ${words}`, () => {
      const { message } = unreachable("https://localhost:1", new TypeError("x", { cause: { code } }));
      expect(message).to.include(words).and.include(code).and.not.include("pergola start");
    });
});
