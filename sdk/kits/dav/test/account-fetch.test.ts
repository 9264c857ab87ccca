import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { accountFetch } from "@pergola/kit-dav";
import { toolFailure } from "@pergola/kit-dav/testing";
import { ToolError, type FetchInit, type ToolContext } from "@pergola/sdk";
import { toolContext } from "@pergola/sdk/testing";

const basic = `Basic ${Buffer.from("ada:secret").toString("base64")}`;
const signal = new AbortController().signal;

interface Request {
  readonly url: string;
  readonly init: FetchInit;
}

/** The account's fetch over a door that records what it is asked for and answers with a status. */
function recorded(url: string, status = 200): { readonly send: typeof fetch; readonly requests: Request[] } {
  const requests: Request[] = [];
  const door: ToolContext["fetch"] = async (address, init = {}) => {
    requests.push({ url: address, init });
    return new Response("", { status });
  };
  const account = { url, user: "ada", password: "secret" };
  return { send: accountFetch({ fetch: door, signal }, account), requests };
}

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ readonly server: Server; readonly host: string }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe("accountFetch", () => {
  it("signs in to the account's own server, and passes the request on", async () => {
    const { send, requests } = recorded("https://dav.example.com/ada/");
    await send("https://dav.example.com/x", {
      method: "REPORT",
      headers: { depth: "1", authorization: "Basic other" },
      body: "<a/>",
      redirect: "manual",
    });
    const { url, init } = requests[0] ?? { url: "", init: {} };
    expect(url).to.equal("https://dav.example.com/x");
    expect(init.headers).to.deep.equal({ depth: "1", authorization: basic });
    expect([init.method, init.body, init.redirect]).to.deep.equal(["REPORT", "<a/>", "manual"]);
  });

  const strangers: Readonly<Record<string, readonly [account: string, address: string]>> = {
    "another host": ["https://dav.example.com/", "https://evil.example.com/"],
    "a host below the account's": ["https://example.com/", "https://dav.example.com/"],
    "another port": ["https://dav.example.com/", "https://dav.example.com:8443/"],
    "the same host without TLS": ["https://dav.example.com/", "http://dav.example.com/"],
    "a host that only ends like iCloud's": [
      "https://caldav.icloud.com/",
      "https://caldav.icloud.com.evil.example/",
    ],
    "a host that only contains iCloud's name": ["https://caldav.icloud.com/", "https://x.eviliclOud.com/"],
    "another port of an iCloud host": ["https://caldav.icloud.com/", "https://p1-caldav.icloud.com:8443/"],
    "an iCloud host for an account elsewhere": ["https://dav.example.com/", "https://p1-caldav.icloud.com/"],
  };
  for (const [what, [account, address]] of Object.entries(strangers)) {
    it(`sends nothing to ${what}`, async () => {
      const { send, requests } = recorded(account);
      const { code, message } = await toolFailure(send(address));
      expect([code, requests]).to.deep.equal(["permission_denied", []]);
      expect(message).to.contain(new URL(address).host);
    });
  }

  it("signs in to the other hosts of an iCloud account", async () => {
    const { send, requests } = recorded("https://caldav.icloud.com/");
    await send("https://p42-caldav.icloud.com/123/");
    expect(requests[0]?.init.headers).to.deep.equal({ authorization: basic });
  });

  it("takes addresses as a string, a URL or a Request, and checks each", async () => {
    const { send, requests } = recorded("https://dav.example.com/");
    for (const stranger of [
      "https://evil.example.com/",
      new URL("https://evil.example.com/"),
      new Request("https://evil.example.com/"),
    ])
      expect((await toolFailure(send(stranger))).code).to.equal("permission_denied");
    expect(requests).to.deep.equal([]);
  });

  it("does not carry the password along when a redirect leads to another host", async () => {
    const seen: (string | undefined)[] = [];
    const other = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end("hello");
    });
    const own = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(307, { location: `http://${other.host}/` }).end();
    });
    const context = toolContext({
      preferences: { "tools.web.allowed_private_hosts": [own.host, other.host] },
    });
    const account = { url: `http://${own.host}/`, user: "ada", password: "secret" };
    const send = accountFetch(context, account);
    const answer = await send(`http://${own.host}/`);
    own.server.close();
    other.server.close();
    expect([await answer.text(), seen]).to.deep.equal(["hello", [basic, undefined]]);
  });

  for (const status of [401, 403])
    it(`turns the answer ${status} into a failure that does not show the password`, async () => {
      const { code, message, hint } = await toolFailure(
        recorded("https://dav.example.com/", status).send("https://dav.example.com/"),
      );
      expect(code).to.equal("permission_denied");
      expect(message).to.equal(
        `dav.example.com refused the user name or the password of the account (${status}).`,
      );
      expect(message + hint).not.to.contain("secret");
    });

  it("explains why a server without TLS is refused, and leaves other failures alone", async () => {
    const failing = (code: string): typeof fetch =>
      accountFetch(
        { fetch: async () => Promise.reject(new ToolError(code, "Refused.", { hint: "own" })), signal },
        { url: "http://dav.example.com/", user: "ada", password: "secret" },
      );
    expect((await toolFailure(failing("permission_denied")("http://dav.example.com/"))).hint).to.contain(
      "use https",
    );
    expect((await toolFailure(failing("timeout")("http://dav.example.com/"))).hint).to.equal("own");
  });

  it("sends nothing once the call is cancelled", async () => {
    const stop = new AbortController();
    stop.abort(new Error("stopped"));
    const door: ToolContext["fetch"] = async () => expect.fail("sent");
    const send = accountFetch(
      { fetch: door, signal: stop.signal },
      { url: "https://a.example/", user: "", password: "" },
    );
    expect(await send("https://a.example/").catch((error: Error) => error.message)).to.equal("stopped");
  });
});
