import { expect } from "chai";
import { DavClient, davAccount } from "@pergola/kit-dav";
import { toolFailure } from "@pergola/kit-dav/testing";
import type { FetchInit, ToolContext } from "@pergola/sdk";

const signal = new AbortController().signal;
const account = { url: "https://dav.example.com/", user: "ada", password: "secret" };

/** A client whose server answers every request alike. */
function client(
  status: number,
  body = "",
): { readonly dav: DavClient; readonly requests: (readonly [string, FetchInit])[] } {
  const requests: (readonly [string, FetchInit])[] = [];
  const door: ToolContext["fetch"] = async (url, init = {}) => {
    requests.push([url, init]);
    const content = status === 204 ? null : body;
    return new Response(content, { status, headers: { "content-type": "application/xml" } });
  };
  return { dav: new DavClient({ fetch: door, signal }, account), requests };
}

const multistatus = (...responses: readonly string[]): string =>
  `<multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:A="urn:ietf:params:xml:ns:carddav">${responses.join("")}</multistatus>`;
const response = (href: string, props: string): string =>
  `<response><href>${href}</href><propstat><prop>${props}</prop><status>HTTP/1.1 200 OK</status></propstat></response>`;

describe("DavClient", () => {
  it("reads objects with their absolute address and ETag, and skips those without data", async () => {
    const { dav, requests } = client(
      207,
      multistatus(
        response("/cal/a.ics", '<getetag>"1"</getetag><C:calendar-data>A</C:calendar-data>'),
        response("/cal/b.ics", "<C:calendar-data><![CDATA[B & C]]></C:calendar-data>"),
        response("/cal/c.ics", '<getetag>"3"</getetag>'),
      ),
    );
    expect(await dav.calendarObjects("https://dav.example.com/cal/", {})).to.deep.equal([
      { place: "https://dav.example.com/cal/a.ics", text: "A", version: '"1"' },
      { place: "https://dav.example.com/cal/b.ics", text: "B & C", version: undefined },
    ]);
    expect(requests.map(([url, { method }]) => [url, method])).to.deep.equal([
      ["https://dav.example.com/cal/", "REPORT"],
    ]);
  });

  it("reads cards", async () => {
    const { dav } = client(207, multistatus(response("/a.vcf", "<A:address-data>CARD</A:address-data>")));
    expect(await dav.cards("https://dav.example.com/people/")).to.deep.equal([
      { place: "https://dav.example.com/a.vcf", text: "CARD", version: undefined },
    ]);
  });

  it("creates an object only where there is none", async () => {
    const { dav, requests } = client(201);
    await dav.create("https://dav.example.com/cal", "a.ics", "text/calendar", "A");
    const [url, { method, headers, body }] = requests[0] ?? ["", {}];
    expect([method, url, body]).to.deep.equal(["PUT", "https://dav.example.com/cal/a.ics", "A"]);
    expect(headers).to.include({ "content-type": "text/calendar; charset=utf-8", "if-none-match": "*" });
  });

  it("replaces and deletes an object only in the version that was read", async () => {
    const { dav, requests } = client(204);
    const stored = { place: "https://dav.example.com/a.ics", text: "A", version: '"1"' };
    await dav.replace(stored, "text/calendar", "B");
    await dav.delete(stored);
    await dav.delete({ ...stored, version: undefined });
    expect(requests.map(([, { method, headers }]) => [method, headers?.["if-match"]])).to.deep.equal([
      ["PUT", '"1"'],
      ["DELETE", '"1"'],
      ["DELETE", undefined],
    ]);
  });

  it("reports a conflict, and any other refusal", async () => {
    const stored = { place: "https://dav.example.com/a.ics", text: "A", version: '"1"' };
    const codeFor = async (status: number): Promise<string> =>
      (await toolFailure(client(status).dav.delete(stored))).code;
    expect([await codeFor(412), await codeFor(507)]).to.deep.equal(["conflict", "network_error"]);
  });

  it("sends no change to an object on another host", async () => {
    const { dav, requests } = client(204);
    const stored = { place: "https://evil.example.com/a.ics", text: "A" };
    expect((await toolFailure(dav.replace(stored, "text/calendar", "B"))).code).to.equal("permission_denied");
    expect(
      (await toolFailure(dav.create("https://evil.example.com/", "a.ics", "text/calendar", "B"))).code,
    ).to.equal("permission_denied");
    expect(requests).to.deep.equal([]);
  });

  it("reports what a server without DAV answers as a network error", async () => {
    expect((await toolFailure(client(404, "no").dav.calendars())).code).to.equal("network_error");
    expect((await toolFailure(client(404, "no").dav.addressBooks())).code).to.equal("network_error");
  });
});

describe("davAccount", () => {
  const secret = async (name: string): Promise<string | undefined> =>
    name === "tools.x.password" ? "secret" : undefined;

  it("takes the password from the secret of the setting", async () => {
    const settings = { "tools.x": { url: "https://a.example/", user: "ada" } };
    expect(await davAccount({ settings, secret }, "tools.x")).to.deep.equal({
      url: "https://a.example/",
      user: "ada",
      password: "secret",
    });
  });

  it("is undefined without an address", async () => {
    for (const setting of [null, "", { user: "ada" }])
      expect(await davAccount({ settings: { "tools.x": setting }, secret }, "tools.x")).to.equal(undefined);
    expect(await davAccount({ settings: {}, secret }, "tools.x")).to.equal(undefined);
  });
});
