import { createServer, type Server } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder, toolContext } from "@pergola/sdk/testing";
import { createFetch } from "../fetch.ts";

const codeOf = (failed: Promise<unknown>): Promise<unknown> =>
  failed.then(
    () => "done",
    (error: { readonly code?: string }) => error.code,
  );

describe("places that the operator configured", () => {
  let server: Server;
  let origin: string;
  before((done) => {
    server = createServer((request, response) => {
      if (request.url === "/away") return response.writeHead(302, { location: "http://127.0.0.1:9/" }).end();
      return response.end(`${request.headers.authorization ?? "no key"} at ${request.url}`);
    }).listen(0, "127.0.0.1", () => {
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      done();
    });
  });
  after((done) => void server.close(done));

  it("are within reach of files, and nothing beside them is", async () => {
    const [folder, beside] = [temporaryFolder(), temporaryFolder()];
    const { files } = toolContext({ configured: { folders: [path.join(folder, "notes")] } });
    await files.write(path.join(folder, "notes", "a.md"), "x");
    expect(await files.readText(path.join(folder, "notes", "a.md"))).to.equal("x");
    expect(await codeOf(files.write(path.join(folder, "b.md"), "x"))).to.equal("permission_denied");
    expect(await codeOf(files.write(path.join(beside, "b.md"), "x"))).to.equal("permission_denied");
    expect(await codeOf(files.write(path.join(folder, "notes", "..", "b.md"), "x"))).to.equal(
      "permission_denied",
    );
  });

  it("are asked as they are written, private and without TLS; other private addresses stay closed", async () => {
    const context = toolContext({ configured: { origins: [origin] } });
    const fetch: typeof context.fetch = async (...call) => context.fetch(...call);
    const answer = await fetch(`${origin}/v1`, { headers: { authorization: "Bearer k" } });
    expect(await answer.text()).to.equal("Bearer k at /v1");
    expect(await codeOf(fetch("http://127.0.0.1:9/"))).to.be.oneOf(["network_error", "permission_denied"]);
    expect(await codeOf(fetch(`${origin}/away`))).to.be.oneOf(["network_error", "permission_denied"]);
    expect(await codeOf(toolContext().fetch(`${origin}/v1`))).to.be.oneOf([
      "network_error",
      "permission_denied",
    ]);
  });

  it("are near without TLS: what a name leads to must be a private address, and only that is dialled", async () => {
    const named = origin.replace("127.0.0.1", "images.example");
    const ask = (...addresses: readonly string[]) => {
      const found = addresses.map((address) => ({ address, family: 4 }));
      const lookup: LookupFunction = (_host, _options, answer) => answer(null, found);
      const signal = AbortSignal.timeout(5000);
      const fetch = createFetch({ hosts: [], origins: [named], privateHosts: () => [], signal, lookup });
      return fetch(`${named}/v1`);
    };
    expect(await (await ask("8.8.8.8", "127.0.0.1")).text()).to.equal("no key at /v1");
    expect(await codeOf(ask("8.8.8.8"))).to.equal("permission_denied");
    expect(await codeOf(ask("169.254.169.254"))).to.equal("permission_denied");
    expect(await codeOf(ask())).to.equal("permission_denied");
  });
});
