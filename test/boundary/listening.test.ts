import { chmodSync } from "node:fs";
import net from "node:net";
import { once } from "node:events";
import { networkInterfaces } from "node:os";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { makeCertificate, needsOpenssl } from "../support/certificate.ts";
import { freePort, openProject, type Project } from "../support/pergola.ts";
import { withToken } from "./support/token-settings.ts";

describe("listening for other computers", function () {
  this.timeout(120_000);
  let project: Project;
  let port: number;
  beforeEach(async () => {
    project = await openProject();
    port = await freePort();
  });
  afterEach(() => project.close());

  /** Starts a service that is to be refused, and gives what it says. */
  async function refused(settings: Parameters<Project["settings"]>[0]): Promise<string> {
    project.settings({ ...withToken(), ...settings });
    const { code, stderr } = await project.run(["start", "--port", String(port)]);
    expect(code, stderr).to.equal(2);
    const socket = net.connect(port, "127.0.0.1");
    const [error] = (await once(socket, "error")) as [NodeJS.ErrnoException];
    expect(error.code).to.equal("ECONNREFUSED");
    return stderr;
  }

  it("X49 allow_remote without a certificate: start refused, with three remedies", async () => {
    const text = await refused({ "server.allow_remote": true });
    expect(text).to.include("server.tls.cert").and.include("server.trusted_proxies");
    expect(text).to.include("server.allow_plain_http");
  });

  it("answers IPv4 and IPv6 with server.host ::, and IPv4 alone with the default", async function () {
    needsOpenssl(this);
    if (
      !Object.values(networkInterfaces())
        .flat()
        .some((one) => one?.family === "IPv6")
    )
      this.skip();
    for (const [host, answers] of [
      ["::", true],
      ["0.0.0.0", false],
    ] as const) {
      const [tlsPort, { cert, key }] = [await freePort(), makeCertificate(temporaryFolder(), "box")];
      project.settings({
        ...withToken(),
        server: { allow_remote: true, host, tls: { cert, key, port: tlsPort } },
      });
      const service = project.begin(["start", "--port", String(await freePort())]);
      await service.wrote("stop with Ctrl-C");
      const answersAt = async (address: string): Promise<boolean> => {
        const socket = net.connect(tlsPort, address);
        const isOpen = await once(socket, "connect").then(
          () => true,
          () => false,
        );
        socket.destroy();
        return isOpen;
      };
      expect([await answersAt("127.0.0.1"), await answersAt("::1")]).to.deep.equal([true, answers]);
      await service.end();
    }
  });

  it("X49 a certificate without its key: start refused", async function () {
    needsOpenssl(this);
    const { cert } = makeCertificate(temporaryFolder(), "box");
    expect(await refused({ "server.allow_remote": true, "server.tls.cert": cert })).to.include(
      "server.tls.key is missing",
    );
  });

  it("X49 a key that others can read: start refused, and how to mend it", async function () {
    needsOpenssl(this);
    const { cert, key } = makeCertificate(temporaryFolder(), "box");
    const tls = { "server.allow_remote": true, "server.tls.cert": cert, "server.tls.key": key };
    for (const mode of [0o644, 0o604, 0o660]) {
      chmodSync(key, mode);
      expect(await refused(tls)).to.include(`chmod 600 ${key}`);
    }
  });

  it("X49 plain http to the TLS port: 400; the local listener stays plain", async function () {
    needsOpenssl(this);
    const { cert, key } = makeCertificate(temporaryFolder(), "box");
    const tlsPort = await freePort();
    project.settings({
      ...withToken(),
      server: { allow_remote: true, host: "127.0.0.1", tls: { cert, key, port: tlsPort } },
    });
    await project.begin(["start", "--port", String(port)]).wrote("stop with Ctrl-C");
    const plain = await fetch(`http://127.0.0.1:${tlsPort}/api/models`);
    expect(plain.status).to.equal(400);
    expect(await plain.text()).to.include("https://");
    expect((await fetch(`http://127.0.0.1:${port}/api/models`)).status).to.equal(200);
  });
});
