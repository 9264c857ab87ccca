import { expect } from "chai";
import { hasRadicale, startRadicale, toolFailure, type Radicale } from "@pergola/kit-dav/testing";
import type { Json } from "@pergola/sdk";
import { createContact } from "../operations/create-contact.ts";
import { getContact } from "../operations/get-contact.ts";
import { listGroups } from "../operations/list-groups.ts";
import { search } from "../operations/search.ts";
import { updateContact } from "../operations/update-contact.ts";
import { card, idIn, names, scene, type Scene } from "./scene.ts";

describe("a CardDAV account (Radicale)", () => {
  let server: Radicale;
  const authorization = `Basic ${Buffer.from("ada:secret").toString("base64")}`;
  const account = (more: Readonly<Record<string, Json>> = {}, password = "secret"): Scene =>
    scene(
      {},
      {
        "tools.contacts.carddav": { url: server.url, user: "ada", password },
        ...more,
      },
    );
  const put = async (name: string, body: string): Promise<void> => {
    const headers = { authorization, "content-type": "text/vcard" };
    expect((await fetch(`${server.url}ada/people/${name}`, { method: "PUT", headers, body })).ok).to.equal(
      true,
    );
  };

  before(async function () {
    if (!hasRadicale()) {
      console.log("      needs the Debian package radicale");
      this.skip();
    }
    server = await startRadicale({ people: { tag: "VADDRESSBOOK", "D:displayname": "People" } });
  });

  after(async () => server?.stop());

  it("keeps contacts: made, found and changed", async () => {
    const { run } = account();
    const data = await run(createContact, {
      first_name: "Zoë",
      last_name: '<b> & "c"',
      email: "z@example.com",
    });
    expect(await run(search, { query: "zoe" })).to.equal(data);
    const changed = await run(updateContact, { contact_id: idIn(data), phone: "555-0100" });
    expect(changed).to.contain('### Zoë <b> & "c"').and.to.contain("- Phones: 555-0100");
    expect(await run(getContact, { contact_id: idIn(data) })).to.equal(changed);
  });

  it("keeps what other programs wrote", async () => {
    await put(
      "x.vcf",
      card("VERSION:3.0", "UID:x", "FN:Xaver", "N:;Xaver;;;", "X-ODD:kept", "CATEGORIES:Club"),
    );
    const { run } = account();
    expect(await run(listGroups)).to.equal("- Club: 1 contact");
    await run(updateContact, { contact_id: "x", notes: "Hello" });
    const text = await (await fetch(`${server.url}ada/people/x.vcf`, { headers: { authorization } })).text();
    expect(text).to.contain("X-ODD:kept").and.to.contain("NOTE:Hello");
  });

  it("does not overwrite what another program changed in the meantime", async () => {
    await put("y.vcf", card("VERSION:3.0", "UID:y", "FN:First", "N:;First;;;"));
    const { call, run } = account();
    const context = call();
    const send: typeof context.fetch = async (url, init) => {
      if (init?.method === "PUT")
        await put("y.vcf", card("VERSION:3.0", "UID:y", "FN:Second", "N:;Second;;;"));
      return context.fetch(url, init);
    };
    expect(
      (
        await toolFailure(
          updateContact.run({ contact_id: "y", notes: "z" } as never, { ...context, fetch: send }),
        )
      ).code,
    ).to.equal("conflict");
    expect(names(await run(search, { query: "second" }))).to.deep.equal(["Second"]);
  });

  it("says so when the password is wrong", async () => {
    const { code, message } = await toolFailure(account({}, "not-the-one").run(listGroups));
    expect([code, message.includes("not-the-one")]).to.deep.equal(["permission_denied", false]);
  });
});
