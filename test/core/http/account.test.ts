import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, connect, type AddressInfo, type Socket } from "node:net";
import { promisify } from "node:util";
import { expect } from "chai";
import { accountOf } from "../../../core/http/connection-account.ts";
import { freePort, openProject, type Project } from "../../support/pergola.ts";

const nobody = 65_534;

/** Runs code of a module as another account, and gives what it writes. */
async function asNobody(code: string): Promise<string> {
  const options = { uid: nobody, gid: nobody, cwd: "/", env: {} };
  const words = ["--input-type=module", "-e", code];
  return (await promisify(execFile)(process.execPath, words, options)).stdout;
}

describe("the door: accounts of this computer (S5)", function () {
  this.timeout(60_000);
  before(function () {
    if (process.platform !== "linux") this.skip();
  });

  describe("a service and a program of another account", () => {
    let project: Project;
    let url: string;
    before(async function () {
      if (process.getuid?.() !== 0) this.skip();
      project = await openProject();
    });
    afterEach(() => project.close());

    const serve = async (settings = {}): Promise<void> => {
      project.settings(settings);
      const port = await freePort();
      url = `http://127.0.0.1:${port}`;
      await project.begin(["start", "--port", String(port)]).wrote("stop with Ctrl-C");
    };
    const ask = (path: string, init: object = {}): Promise<string> =>
      asNobody(`
        const answer = await fetch(${JSON.stringify(url + path)}, ${JSON.stringify(init)});
        process.stdout.write(answer.status + " " + (await answer.text()));`);
    const disabled = async (): Promise<unknown> => {
      const answer = await fetch(`${url}/api/preferences`);
      const { preferences } = (await answer.json()) as { readonly preferences: Record<string, unknown> };
      return preferences["tools.disabled"];
    };
    const change = {
      method: "PATCH",
      headers: { "content-type": "application/json", authorization: "Bearer wrong" },
      body: JSON.stringify({ "tools.disabled": [] }),
    };

    it("S5: every route but the open ones refuses it, and says what to do; nothing changes", async () => {
      await serve();
      const before = await disabled();
      expect(before).to.include("terminal_operations");
      for (const refused of [await ask("/api/preferences", change), await ask("/api/models")])
        expect(refused).to.match(/^401 .*belongs to another account.*Bearer <token>/);
      expect(await ask("/health")).to.match(/^200 /);
      expect(await disabled()).to.deep.equal(before);
    });

    it("S5: one that sends and closes at once is nobody's, however often it tries", async () => {
      await serve();
      const before = await disabled();
      const lines = ["PATCH /api/preferences HTTP/1.1", "Host: localhost", "Content-Type: application/json"];
      const bytes = `${[...lines, `Content-Length: ${change.body.length}`].join("\r\n")}\r\n\r\n${change.body}`;
      const sent = await asNobody(`
        import { once } from "node:events";
        import { connect } from "node:net";
        for (let turn = 0; turn < 200; turn += 1) {
          const socket = connect(${new URL(url).port}, "127.0.0.1");
          await once(socket, "connect");
          socket.write(${JSON.stringify(bytes)}, () => socket.destroy());
          await once(socket, "close");
        }
        process.stdout.write("sent");`);
      expect(sent).to.equal("sent");
      expect(await disabled()).to.deep.equal(before);
    });

    it("S5: auth.loopback none lets it in", async () => {
      await serve({ "auth.loopback": "none" });
      expect(await ask("/api/models")).to.match(/^200 /);
    });
  });

  describe("the other end of a connection", () => {
    const opened: Socket[] = [];
    const server = createServer().listen(0, "127.0.0.1");
    const open = async (localAddress: string, localPort = 0): Promise<[near: Socket, far: Socket]> => {
      const near = connect({
        host: "127.0.0.1",
        port: (server.address() as AddressInfo).port,
        localAddress,
        localPort,
      });
      opened.push(near);
      const [far] = (await once(server, "connection")) as [Socket];
      await Promise.all([near.connecting && once(near, "connect")]);
      return [near, far];
    };
    after(() => {
      for (const socket of opened) socket.destroy();
      server.close();
    });

    it("S5: belongs to this account while it is open", async () => {
      const [, far] = await open("127.0.0.1");
      expect(await accountOf(far)).to.have.property("uid", process.getuid?.());
    });

    it("S5: is nobody once it is closed, though the system lists it as root's", async () => {
      const [near, far] = await open("127.0.0.1");
      near.destroy();
      await once(near, "close");
      expect(await accountOf(far)).to.equal(undefined);
    });

    it("S5: is told apart from another one with the same port at another address", async () => {
      const [near, first] = await open("127.0.0.1");
      const [, second] = await open("127.0.0.2", near.localPort);
      const inodes = [await accountOf(first), await accountOf(second)].map((account) => account?.inode);
      expect(inodes[0]).to.match(/^[1-9]/);
      expect(inodes[1]).to.match(/^[1-9]/);
      expect(inodes[0]).to.not.equal(inodes[1]);
    });
  });
});
