import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import { makeCertificate, needsOpenssl } from "../support/certificate.ts";
import { freePort, openProject, type Begin, type Project } from "../support/pergola.ts";
import { openOtherComputer, type OtherComputer } from "./support/namespace.ts";

const player = path.resolve(import.meta.dirname, "../support/terminal.py");
const [down, enter, leave] = ["\u001b[B", "\r", "\u0004"];

describe("pergola chat --url from another computer", function () {
  this.timeout(120_000);
  let other: OtherComputer;
  let project: Project;
  let url = "";
  let token = "";
  let tokenFile = "";
  /** What the command there needs to know the service's certificate by. */
  let trusting: Readonly<Record<string, string>>;

  before(async function () {
    if (process.platform !== "linux" || process.getuid?.() !== 0) this.skip();
    needsOpenssl(this);
    other = openOtherComputer(this);
    project = await openProject();
    const home = path.dirname(project.data);
    const { cert, key } = makeCertificate(home, "box", [`IP:${other.here}`]);
    chmodSync(key, 0o600);
    const port = await freePort();
    url = `https://${other.here}:${port}`;
    trusting = { NODE_EXTRA_CA_CERTS: cert };
    project.settings({ server: { allow_remote: true, tls: { cert, key, port } } });
    const service = project.begin(["start", "--port", String(await freePort())]);
    await service.wrote("stop with Ctrl-C");
    expect(service.stdout).to.include(url);
    token = readFileSync(path.join(project.data, "first-token"), "utf8").trim();
    tokenFile = path.join(home, "phone.token");
    writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 });
  });
  after(async () => {
    await project?.close();
    other?.remove();
  });

  /** Begins the command there. Its environment is the person's, without a token unless one is given. */
  const begin = (words: readonly string[], { environment = {}, ...how }: Begin = {}) =>
    project.begin(["chat", ...words], {
      bare: true,
      through: other.through,
      environment: { ...trusting, ...environment },
      ...how,
    });

  it("streams a turn over TLS, with the token of a file", async () => {
    let free!: () => void;
    const held = new Promise<void>((resolve) => (free = resolve));
    project.model.play([
      chatReply([{ text: "The first half, " }, { until: held }, { text: "and the rest." }]),
    ]);
    const asked = project.model.requests.length;
    const program = begin(["--url", url, "--token-file", tokenFile], { input: "Hello from there\n" });
    await program.wrote("The first half");
    expect(program.stdout).not.to.include("and the rest");
    free();
    expect(await program.ended, program.stderr).to.equal(0);
    expect(program.stdout).to.include("and the rest.");
    expect(program.stdout + program.stderr).not.to.include(token);
    expect(project.model.requests.at(asked)?.text).to.include("Hello from there");
  });

  it("asks the person there for an approval, with the token of the environment", async function () {
    if (spawnSync("python3", ["-c", "import pty"]).status !== 0) this.skip();
    const ask = async (name: string, keys: string) => {
      const marker = path.join(project.folder, name);
      const args = { operation: "create_file", filePath: marker, content: "by the laptop" };
      project.model.play([
        chatReply({ toolCalls: [{ name: "file_operations", arguments: args }] }),
        chatReply({ text: "That was it." }),
      ]);
      const steps = [
        ["> ", `write it${enter}`],
        ["Allow it?", keys],
        ["That was it.", ""],
        ["> ", leave],
      ];
      const through = [...other.through, "python3", player, JSON.stringify(steps)];
      const environment = { PERGOLA_AUTH_TOKEN: token, TERM: "xterm" };
      const program = begin(["--url", url], { through, environment });
      expect(await program.ended, program.stdout + program.stderr).to.equal(0);
      expect(program.stdout).to.include(name).and.not.include(token);
      return existsSync(marker);
    };
    expect(await ask("denied.txt", enter), "written after a no").to.equal(false);
    expect(await ask("approved.txt", down + down + enter), "written after a yes").to.equal(true);
  });

  it("gets nothing without a token, with a wrong one, or from who cannot prove to be the service", async () => {
    const asked = project.model.requests.length;
    const input = "Hello\n";
    const none = begin(["--url", url], { input });
    const wrong = begin(["--url", url], { input, environment: { PERGOLA_AUTH_TOKEN: `${token}0` } });
    const unknown = begin(["--url", url, "--token-file", tokenFile], {
      input,
      environment: { NODE_EXTRA_CA_CERTS: "" },
    });
    for (const program of [none, wrong, unknown]) expect(await program.ended).not.to.equal(0);
    for (const { stderr } of [none, wrong]) expect(stderr).to.match(/token/i);
    expect(unknown.stderr).to.match(/certificate|self.signed/i);
    expect(project.model.requests.length).to.equal(asked);
  });

  it("X35 sends nothing over plain http, unless told to", async () => {
    let heard = "";
    let connections = 0;
    const canary = createServer((socket) => {
      connections += 1;
      socket.on("data", (piece) => {
        heard += piece.toString("latin1");
        socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      });
    }).listen(0, other.here);
    await once(canary, "listening");
    const plain = `http://${other.here}:${(canary.address() as AddressInfo).port}`;
    const words = ["--url", plain, "--token-file", tokenFile];
    try {
      const refused = begin(words, { input: "Hello\n" });
      expect(await refused.ended).not.to.equal(0);
      expect(refused.stderr).to.include("--plain-http");
      expect([connections, heard]).to.deep.equal([0, ""]);
      const told = begin([...words, "--plain-http"], { input: "Hello\n" });
      expect(await told.ended).not.to.equal(0);
      expect(heard, "the canary hears what is sent").to.include(`Bearer ${token}`);
    } finally {
      canary.close();
    }
  });
});
