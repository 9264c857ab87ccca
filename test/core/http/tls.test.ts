import { once } from "node:events";
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import https from "node:https";
import net from "node:net";
import path from "node:path";
import tls from "node:tls";
import { expect } from "chai";
import type { Route } from "@pergola/sdk";
import { temporaryFolder } from "@pergola/sdk/testing";
import type { CertificateFiles } from "../../../core/http/certificate.ts";
import { makeCertificate, needsOpenssl } from "../../support/certificate.ts";
import { closeDoors, errorIn, openDoor, readAnswer, sendBytes } from "./open-door.ts";

const hello: Route = {
  method: "GET",
  path: "/hello",
  scope: "read",
  summary: "",
  handle: () => ({ body: "hello" }),
};

interface Answer {
  readonly status: number;
  readonly text: string;
  /** The name in the server's certificate. */
  readonly name: string;
}

/** Asks over a connection of its own. */
async function ask(port: number, ca: string): Promise<Answer> {
  const request = https.get({ host: "127.0.0.1", port, path: "/hello", ca: readFileSync(ca), agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let text = "";
  const { subject } = (response.socket as tls.TLSSocket).getPeerCertificate();
  for await (const piece of response) text += String(piece);
  return { status: response.statusCode ?? 0, text, name: String(subject.CN) };
}

describe("listening with TLS", function () {
  this.timeout(20_000);
  let folder: string;
  let files: CertificateFiles;
  before(function () {
    needsOpenssl(this);
    folder = temporaryFolder();
    files = makeCertificate(folder, "first");
  });
  afterEach(closeDoors);
  const open = (limits = {}) => openDoor([hello], { limits, tls: { host: "127.0.0.1", port: 0, ...files } });

  it("answers over https, beside plain http on this computer", async () => {
    const { tlsPort, url } = await open();
    expect(await ask(tlsPort, files.cert)).to.deep.equal({ status: 200, text: '"hello"', name: "first" });
    expect((await fetch(`${url}/hello`)).status).to.equal(200);
  });

  it("answers plain http on that port with 400 and what to do", async () => {
    const { tlsPort } = await open();
    const answer = readAnswer(await sendBytes(tlsPort, "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    expect(answer.status).to.equal(400);
    expect(errorIn(answer.body).message).to.include("https://");
  });

  it("speaks no version before 1.2", async () => {
    const { tlsPort } = await open();
    const old = { maxVersion: "TLSv1.1", minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    const socket = tls.connect({ port: tlsPort, host: "127.0.0.1", ca: readFileSync(files.cert), ...old });
    const [error] = (await once(socket, "error")) as [NodeJS.ErrnoException];
    expect(error.code).to.match(/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS/);
    const current = tls.connect({ port: tlsPort, host: "127.0.0.1", ca: readFileSync(files.cert) });
    await once(current, "secureConnect");
    expect(current.getProtocol()).to.match(/^TLSv1\.[23]$/);
    current.destroy();
  });

  it("takes a renewed certificate for the next connection, and leaves a faulty one out", async () => {
    const { tlsPort, logged } = await open();
    expect((await ask(tlsPort, files.cert)).name).to.equal("first");
    const first = { cert: readFileSync(files.cert), key: readFileSync(files.key) };
    const second = makeCertificate(folder, "second");
    copyFileSync(second.key, files.key);
    copyFileSync(second.cert, files.cert);
    expect((await ask(tlsPort, second.cert)).name).to.equal("second");
    writeFileSync(files.cert, first.cert);
    expect((await ask(tlsPort, second.cert)).name).to.equal("second");
    const warnings = logged.filter(({ message }) => message.startsWith("The new certificate is left out"));
    expect(warnings).to.have.length(1);
    writeFileSync(files.key, first.key);
    expect((await ask(tlsPort, files.cert)).name).to.equal("first");
  });

  it("closes connections that never begin a handshake, and those that never end it", async () => {
    const { tlsPort } = await open({ headersTimeout: 300 });
    const silent = net.connect(tlsPort, "127.0.0.1");
    const half = net.connect(tlsPort, "127.0.0.1");
    half.on("error", () => undefined);
    half.write(Buffer.from([22, 3, 1, 2, 0, 1]));
    await Promise.all([once(silent.resume(), "close"), once(half.resume(), "close")]);
    expect((await ask(tlsPort, files.cert)).status).to.equal(200);
  });

  it("makes room for others when silent connections are too many", async () => {
    const { tlsPort } = await open({ maxConnections: 5 });
    const silent = Array.from({ length: 20 }, () => net.connect(tlsPort, "127.0.0.1"));
    await Promise.all(silent.map((socket) => once(socket, "connect")));
    expect((await ask(tlsPort, files.cert)).status).to.equal(200);
    for (const socket of silent) socket.destroy();
  });

  it("refuses a key that others can read, and one of another certificate", async () => {
    const own = makeCertificate(folder, "own");
    const other = makeCertificate(folder, "other");
    const start = (given: CertificateFiles): Promise<unknown> =>
      openDoor([hello], { tls: { host: "127.0.0.1", port: 0, ...given } }).then(
        String,
        (error: Error) => error,
      );
    chmodSync(own.key, 0o644);
    expect(await start(own))
      .to.have.property("message")
      .that.includes(`chmod 600 ${own.key}`);
    chmodSync(own.key, 0o600);
    expect(await start({ ...own, key: other.key }))
      .to.have.property("message")
      .that.includes("together");
    const missing = path.join(folder, "missing.crt");
    expect(await start({ ...own, cert: missing }))
      .to.have.property("message")
      .that.includes("ENOENT");
  });
});
