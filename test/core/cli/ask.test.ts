import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { ask } from "../../../core/cli/ask.ts";

describe("asking a service", () => {
  let server: Server | undefined;

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  /** The address of a server that answers so. */
  async function serve(answer: RequestListener): Promise<string> {
    server = createServer(answer).listen(0, "127.0.0.1");
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it("sends what is given, and gives the JSON of the answer", async () => {
    const url = await serve((request, response) => {
      const { method, url: path, headers } = request;
      const { authorization, "content-length": length } = headers;
      request.on("data", (body) =>
        response.end(JSON.stringify([method, path, authorization, length, `${body}`])),
      );
    });
    const answer = await ask(`${url}/a?b=ä`, {
      method: "PUT",
      headers: { authorization: "me" },
      body: '"ü"',
    });
    expect([answer.status, answer.ok]).to.deep.equal([200, true]);
    expect(await answer.json()).to.deep.equal(["PUT", "/a?b=%C3%A4", "me", "4", '"ü"']);
  });

  it("takes a redirect and a refusal for answers", async () => {
    const url = await serve((request, response) =>
      response.writeHead(Number(request.url?.slice(1)), { location: "http://elsewhere.example" }).end("{}"),
    );
    for (const status of [302, 404]) {
      const answer = await ask(`${url}/${status}`);
      const { location } = answer.headers;
      expect([answer.status, answer.ok, location]).to.deep.equal([status, false, "http://elsewhere.example"]);
    }
  });

  it("fails when the signal comes, before the answer with its reason", async () => {
    const url = await serve((request, response) => void (request.url === "/slow" || response.write("{")));
    for (const path of ["/slow", "/"]) {
      const leaving = new AbortController();
      const answer = ask(url + path, { signal: leaving.signal }).then((one) => one.json());
      setTimeout(() => leaving.abort(new Error("gone")), 50);
      const error = await answer.catch((caught: unknown) => caught);
      expect(error).to.be.instanceOf(Error);
      if (path === "/slow") expect(error).to.equal(leaving.signal.reason);
    }
  });

  it("fails where the answer ends early, and where nobody listens", async () => {
    const url = await serve((_, response) => {
      response.write("{");
      setTimeout(() => response.destroy(), 20);
    });
    const cut = await (await ask(url)).json().catch((error: unknown) => error);
    expect(cut).to.have.property("code", "ECONNRESET");
    server?.closeAllConnections();
    server?.close();
    await once(server!, "close");
    expect(await ask(url).catch((error: unknown) => error)).to.have.property("code", "ECONNREFUSED");
  });
});
