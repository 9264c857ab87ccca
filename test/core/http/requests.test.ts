import { expect } from "chai";
import { openDoor, readAnswer, sendBytes } from "./open-door.ts";
import { image, requestsScene, routes } from "./requests-scene.ts";

describe("requests", () => {
  const scene = requestsScene();
  const { ask } = scene;

  describe("routes", () => {
    it("finds fixed paths before parameters, and those before the rest of a path", async () => {
      expect((await ask("/things/special")).json).to.equal("special");
      expect((await ask("/models/download")).json).to.equal("download");
      expect((await ask("/models/download/7/status")).json).to.equal("status");
      expect((await ask("/models/download/7")).json["params"]).to.deep.equal({ id: "download/7" });
    });

    it("leaves what does not fit the pattern of the rest to other routes, also to none", async () => {
      expect((await ask("/others/takenly/x", "PUT")).json["params"]).to.deep.equal({ id: "takenly/x" });
      expect((await ask("/others/taken/x", "PUT")).error.code).to.equal("route_not_found");
      const other = await ask("/others/%74aken", "PUT");
      expect([other.status, other.headers.get("allow")]).to.deep.equal([404, null]);
      const known = await ask("/others/taken", "PUT");
      expect([known.status, known.headers.get("allow")]).to.deep.equal([405, "POST"]);
    });

    it("serves an alias by the same handler", async () => {
      expect((await ask("/old/7")).json["params"]).to.deep.equal({ thingId: "7" });
    });

    it("ignores one trailing slash, and only one", async () => {
      for (const path of ["/things/", "/things/special/", "/things/7/", "/models/a/b/"])
        expect((await ask(path)).status).to.equal(200);
      expect((await ask("/models/a/b/")).json["params"]).to.deep.equal({ id: "a/b" });
      expect((await ask("/things//")).error.code).to.equal("route_not_found");
    });

    it("C17: takes the rest of a path with slashes, plain and encoded", async () => {
      for (const path of ["/models/a/b:c", "/models/a%2Fb%3Ac"])
        expect((await ask(path)).json["params"]).to.deep.equal({ id: "a/b:c" });
    });

    it("decodes parameters, and refuses what cannot be decoded", async () => {
      expect((await ask("/things/a%2Fb%20%C3%A9")).json["params"]).to.deep.equal({ thingId: "a/b é" });
      for (const path of ["/things/%zz", "/things/%C3%28", "/models/a/%"]) {
        expect(await ask(path)).to.deep.include({ status: 400 });
        expect((await ask(path)).error).to.include({ code: "invalid_value", type: "invalid_request_error" });
      }
    });

    it("checks parameters", async () => {
      expect((await ask(`/things/${"x".repeat(21)}`)).error).to.include({
        code: "invalid_value",
        param: "thingId",
      });
    });

    for (const path of ["/", "/nothing", "/Things", "/things/7/more", "/things/..%2f..%2fetc", "/text/x"]) {
      it(`does not know ${path}`, async () => {
        const answer = await ask(path === "/things/..%2f..%2fetc" ? "/thing/..%2f..%2fetc" : path);
        expect(answer.status).to.equal(404);
        expect(answer.error).to.include({ code: "route_not_found", type: "invalid_request_error" });
      });
    }

    it("names the methods of a path asked with another one, of all routes that fit", async () => {
      const answer = await ask("/things", "PUT");
      expect(answer.status).to.equal(405);
      expect(answer.error).to.include({ code: "method_not_allowed" });
      expect(answer.headers.get("allow")?.split(", ").sort()).to.deep.equal([
        "DELETE",
        "GET",
        "HEAD",
        "POST",
      ]);
      expect((await ask("/things/import", "DELETE")).headers.get("allow")?.split(", ").sort()).to.deep.equal([
        "GET",
        "HEAD",
        "PATCH",
        "POST",
      ]);
    });

    it("lets a parameter have the name of a fixed path of another method", async () => {
      expect((await ask("/things/import")).json["params"]).to.deep.equal({ thingId: "import" });
    });

    it("A9: sends bytes as they are, with their length; to HEAD the headers only", async () => {
      const { url } = await openDoor(routes);
      const answer = await fetch(`${url}/image`);
      expect(Object.fromEntries(answer.headers)).to.include({
        "content-type": "image/png",
        "content-length": "1000",
        "content-encoding": "identity",
      });
      expect(new Uint8Array(await answer.arrayBuffer())).to.deep.equal(image);
      const head = await fetch(`${url}/image`, { method: "HEAD" });
      expect([head.headers.get("content-length"), await head.text()]).to.deep.equal(["1000", ""]);
    });

    it("sends an answer without a body: neither a type nor a length", async () => {
      const { port } = await openDoor(routes);
      const { head, status, body } = readAnswer(
        await sendBytes(port, "GET /unchanged HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
      );
      expect([status, body]).to.deep.equal([304, ""]);
      expect(head).to.match(/^etag: "a"\r?$/im);
      expect(head).to.not.match(/^(content-(type|length|security-policy)|transfer-encoding):/im);
    });

    it("answers HEAD like GET, without the body", async () => {
      const [head, get] = [await ask("/text", "HEAD"), await ask("/text")];
      expect(head).to.include({ status: 203, body: "" });
      expect(head.headers.get("content-length")).to.equal("2");
      expect(get).to.include({ status: 203, body: "é" });
    });

    it("hides a group that is switched off, at once", async () => {
      expect((await ask("/extra")).status).to.equal(200);
      scene.switchOff("extra");
      expect((await ask("/extra")).error.code).to.equal("route_not_found");
      expect((await ask("/extra", "POST")).error.code).to.equal("route_not_found");
    });

    it("sends status and headers of the answer", async () => {
      const answer = await ask("/created", "POST");
      expect(answer).to.deep.include({ status: 201, json: { id: 1 } });
      expect(answer.headers.get("x-run-id")).to.equal("r");
      expect(answer.headers.get("content-type")).to.equal("application/json; charset=utf-8");
      expect(answer.headers.get("x-content-type-options")).to.equal("nosniff");
      expect(answer.headers.get("x-powered-by")).to.equal(null);
      expect(answer.headers.get("etag")).to.equal(null);
    });
  });

  describe("query", () => {
    it("reads numbers and booleans, and fills in defaults", async () => {
      expect((await ask("/things?limit=5&raw=true")).json["query"]).to.deep.equal({
        limit: 5,
        raw: true,
        offset: 0,
      });
    });

    it("takes either case form, other names, and enumerated values in any spelling", async () => {
      const { query } = (await ask("/things?tool_call_id=a&status=NOT_DONE")).json as { query: unknown };
      expect(query).to.deep.equal({ resultId: "a", status: "not-done", offset: 0 });
    });

    it("takes one value or several for a list", async () => {
      expect((await ask("/things?tags=a")).json["query"]).to.deep.include({ tags: ["a"] });
      expect((await ask("/things?tags=a&tags=b%26c%3F")).json["query"]).to.deep.include({
        tags: ["a", "b&c?"],
      });
    });

    const wrong: readonly [query: string, code: string, param: string][] = [
      ["limit=0", "out_of_range", "limit"],
      ["limit=1001", "out_of_range", "limit"],
      ["limit=99999999999999999999", "out_of_range", "limit"],
      ["offset=-1", "out_of_range", "offset"],
      ["limit=1.5", "invalid_value", "limit"],
      ["limit=", "invalid_value", "limit"],
      ["limit=5&limit=6", "invalid_value", "limit"],
      ["resultId=a&resultId=b", "invalid_value", "resultId"],
      ["limit[]=5&limit=x", "invalid_value", "limit"],
      ["raw=maybe", "invalid_value", "raw"],
      ["status=half", "invalid_value", "status"],
    ];
    for (const [query, code, param] of wrong) {
      it(`B15: refuses ?${query}`, async () => {
        const answer = await ask(`/things?${query}`);
        expect(answer.status).to.equal(400);
        expect(answer.error).to.include({ code, param });
      });
    }

    it("leaves what it does not know, and reaches no prototype", async () => {
      expect((await ask("/things?other=1&__proto__[x]=1&__proto__=2&constructor=3")).status).to.equal(200);
      expect(({} as { x?: string }).x).to.equal(undefined);
    });
  });
});
