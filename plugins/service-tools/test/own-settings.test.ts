import { expect } from "chai";
import type { Json, Properties } from "@pergola/sdk";
import { ownSettings, withoutSecrets } from "../own-settings.ts";

const preferences: Properties = {
  "tools.x.folder": { type: "string", format: "path" },
  "tools.x.roots": { type: "array", items: { type: "string", format: "path" } },
  "tools.x.service": { type: "string", format: "uri" },
  "tools.x.key": { type: "string", "x-secret": true },
  "tools.x.account": {
    type: "object",
    properties: {
      url: { type: "string", format: "uri" },
      user: { type: "string" },
      password: { type: "string", "x-secret": true },
    },
  },
};

describe("a plugin's own settings", () => {
  const { settings, configured } = ownSettings({
    preferences,
    settings: () => ({
      "tools.x.folder": "/home/a/notes",
      "tools.x.roots": ["/srv/b", ""],
      "tools.x.service": "http://10.0.0.7:8000/v1?x=1",
      "tools.x.key": "k-1",
      "tools.x.account": { url: "https://dav.example.com/u/", user: "ada", password: "p-1" },
    }),
  });

  it("open the places that they name, wherever those are named", () => {
    expect(configured).to.deep.equal({
      folders: ["/home/a/notes", "/srv/b"],
      origins: ["http://10.0.0.7:8000", "https://dav.example.com"],
    });
  });

  it("are shown to its calls without secrets", () => {
    expect(settings).to.deep.include({
      "tools.x.key": null,
      "tools.x.account": { url: "https://dav.example.com/u/", user: "ada", password: null },
    });
    expect(JSON.stringify(settings)).to.not.match(/k-1|p-1/);
  });

  it("open nothing by an address that is none", () => {
    const odd = ownSettings({
      preferences,
      settings: () => ({ "tools.x.service": "somewhere", "tools.x.folder": "" }),
    });
    expect(odd.configured).to.deep.equal({ folders: [], origins: [] });
  });

  it("lose their secrets however deep those stand", () => {
    const account = {
      type: "object",
      properties: { url: { type: "string" }, key: { type: "string", "x-secret": true } },
    } as const;
    const named = { type: "object", additionalProperties: account } as const;
    expect(withoutSecrets([{ url: "u", key: "k" }], { type: "array", items: account })).to.deep.equal([
      { url: "u", key: null },
    ]);
    expect(withoutSecrets({ home: { url: "u", key: "k" } }, named)).to.deep.equal({
      home: { url: "u", key: null },
    });
    const odd = JSON.parse('{"constructor":{"url":"u","key":"k"},"__proto__":{"url":"u","key":"k"}}') as Json;
    expect(JSON.stringify(withoutSecrets(odd, named))).to.not.include('"k"');
  });
});
