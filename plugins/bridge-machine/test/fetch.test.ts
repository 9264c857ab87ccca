import { expect } from "chai";
import { checkUrl, createFetch } from "../fetch.ts";
import { codeOf } from "./folders.ts";
import { serve, stopServers } from "./servers.ts";
import { FetchScene, forms } from "./fetch-scene.ts";

describe("createFetch", () => {
  let scene: FetchScene;
  beforeEach(() => {
    scene = new FetchScene();
  });
  afterEach(stopServers);

  describe("where it goes", () => {
    it("R8, B6: no form of a private address or another scheme makes a connection", async function () {
      this.timeout(30_000);
      const canary = await serve((_request, response) => response.end("reached"));
      const six = await serve((_request, response) => response.end("reached"), {
        host: "::1",
        port: canary.port,
      });
      const fetch = createFetch(scene.optionsFor());
      const outcomes = new Map<string, string>();
      for (const form of forms(canary.port))
        outcomes.set(form, await codeOf(fetch(form, { timeoutSeconds: 5 })));
      expect(outcomes.size).to.be.greaterThan(90);
      this.test!.title += ` (${outcomes.size} forms)`;
      expect(
        [...outcomes].filter(([, code]) => !["permission_denied", "invalid_value"].includes(code)),
      ).to.deep.equal([]);
      expect(canary.connections() + six.connections()).to.equal(0);
    });

    it("reaches the same server once it is on the list, so the canary would have sung", async () => {
      const canary = await serve((_request, response) => response.end("reached"));
      expect(
        await (await createFetch(scene.optionsFor(canary))(`http://127.0.0.1:${canary.port}/`)).text(),
      ).to.equal("reached");
      expect(canary.connections()).to.equal(1);
      const [byName, byHost] = [
        { ...scene.optionsFor(), privateHosts: () => [`private.test:${canary.port}`] },
        { ...scene.optionsFor(), privateHosts: () => ["private.test"] },
      ];
      for (const options of [byName, byHost])
        expect((await createFetch(options)(`http://private.test:${canary.port}/`)).status).to.equal(200);
      expect(await codeOf(createFetch(byName)(`http://127.0.0.1:${canary.port}/`))).to.equal(
        "permission_denied",
      );
      expect(
        await codeOf(
          createFetch({ ...byName, privateHosts: () => ["private.test:1"] })(
            `http://private.test:${canary.port}/`,
          ),
        ),
      ).to.equal("permission_denied");
    });

    it("X17 never asks the service itself, listed or not, by whatever name of this computer", async () => {
      const [service, other] = [await serve(() => undefined), await serve((_asked, answer) => answer.end())];
      const options = {
        ...scene.optionsFor(),
        privateHosts: () => ["127.0.0.1", "localhost", "127.0.0.9"],
        ownPorts: () => [service.port],
      };
      for (const host of ["127.0.0.1", "localhost", "127.0.0.9"])
        expect(await codeOf(createFetch(options)(`http://${host}:${service.port}/`)), host).to.equal(
          "permission_denied",
        );
      const configured = { ...options, origins: [`http://127.0.0.1:${service.port}`] };
      expect(await codeOf(createFetch(configured)(`http://127.0.0.1:${service.port}/`))).to.equal(
        "permission_denied",
      );
      expect(service.connections()).to.equal(0);
      expect((await createFetch(options)(`http://127.0.0.1:${other.port}/`)).status).to.equal(200);
    });

    it("A24: makes https of http, but for allowed private hosts", () => {
      const url = (text: string, hosts: readonly string[] = []) =>
        checkUrl(text, { ...scene.optionsFor(), privateHosts: () => hosts }).href;
      expect(url("http://example.com/a?b")).to.equal("https://example.com/a?b");
      expect(url("http://example.com:80/")).to.equal("https://example.com/");
      expect(url("http://example.com:8080/")).to.equal("https://example.com:8080/");
      expect(url("http://example.com:443/")).to.equal("https://example.com/");
      expect(url("https://example.com:80/")).to.equal("https://example.com:80/");
      expect(url("http://nas:8080/", ["nas"])).to.equal("http://nas:8080/");
      expect(url("http://nas/", ["nas:80"])).to.equal("http://nas/");
      expect(url("http://nas:443/", ["nas"])).to.equal("https://nas/");
      expect(url("http://[::1]:8080/", ["[::1]:8080"])).to.equal("http://[::1]:8080/");
    });

    it("goes only to the hosts that the manifest names, at each hop", async () => {
      const target = await serve((_request, response) => response.end());
      const server = await serve((_request, response) =>
        response.writeHead(302, { location: `http://localhost:${target.port}/` }).end(),
      );
      const options = {
        ...scene.optionsFor(server),
        privateHosts: () => ["127.0.0.1", "localhost"],
        hosts: ["127.0.0.1"],
      };
      expect(await codeOf(createFetch(options)(`http://localhost:${target.port}/`))).to.equal(
        "permission_denied",
      );
      expect(await codeOf(createFetch(options)(`http://127.0.0.1:${server.port}/`))).to.equal(
        "permission_denied",
      );
      expect(target.connections()).to.equal(0);
    });
  });
});
