import { expect } from "chai";
import type { Conversation } from "@pergola/sdk";
import { aliasOf, idOf, scopeOf, workspaceName } from "../conversation-ids.ts";

const uuid = "0A1B2C3D-0000-4000-8000-000000000001";

describe("the id of a conversation", () => {
  it("is the UUID in lower case, or stands for an alias, always the same one", () => {
    expect(idOf(uuid)).to.equal(uuid.toLowerCase());
    expect(idOf("groceries")).to.equal(idOf("groceries"));
    expect(idOf("groceries")).to.match(/^[0-9a-f-]{36}$/);
    expect(idOf("Groceries")).to.not.equal(idOf("groceries"));
  });

  it("is refused where it is empty, too long or holds controls", () => {
    for (const id of ["", "x".repeat(201), "a\nb", "a\u0000b", "\u007f"])
      expect(() => idOf(id))
        .to.throw()
        .with.property("code", "invalid_id");
    expect(idOf("x".repeat(200))).to.be.a("string");
  });

  it("keeps the alias that it was made from", () => {
    expect([aliasOf("groceries"), aliasOf(uuid), aliasOf(undefined)]).to.deep.equal([
      "groceries",
      null,
      null,
    ]);
  });

  it("is the scope, unless the conversation shares a topic's", () => {
    const of = (settings: object): string => scopeOf({ id: "own", settings } as Conversation);
    expect([
      of({}),
      of({ useSharedData: true }),
      of({ sharedTopicId: "t" }),
      of({ useSharedData: true, sharedTopicId: "t" }),
    ]).to.deep.equal(["own", "own", "own", "t"]);
  });

  it("makes a folder name without anything that a path could mean", () => {
    const name = (title: string): string => workspaceName(title, uuid.toLowerCase());
    expect(name("../../etc/passwd")).to.equal("etc-passwd-0a1b2c3d");
    expect(name("日本")).to.equal("conversation-0a1b2c3d");
  });
});
