import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder, toolContext } from "@pergola/sdk/testing";

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
    expect(await codeOf(files.write(path.join(folder, "notes", "..", "b.md"), "x"))).to.equal("permission_denied");
  });

  it("are asked as they are written, private and without TLS; other private addresses stay closed", async () => {
    const { fetch } = toolContext({ configured: { origins: [origin] } });
    const answer = await fetch(`${origin}/v1`, { headers: { authorization: "Bearer k" } });
    expect(await answer.text()).to.equal("Bearer k at /v1");
    expect(await codeOf(fetch("http://127.0.0.1:9/"))).to.be.oneOf(["network_error", "permission_denied"]);
    expect(await codeOf(fetch(`${origin}/away`))).to.be.oneOf(["network_error", "permission_denied"]);
    expect(await codeOf(toolContext().fetch(`${origin}/v1`))).to.be.oneOf(["network_error", "permission_denied"]);
  });
});
